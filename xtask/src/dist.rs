//! `cargo xtask dist`: the site as it is shipped, in `dist/`.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};

use crate::budget::{self, Sizes};
use crate::build::{self, ENGINE, PAGE, PYTHON, Profile};
use crate::hashing::hash_names;
use crate::site::{Site, files_below};
use crate::size::{SizeCache, content_hash};
use crate::tools;
use crate::workspace::Workspace;
use crate::{lessons, notices, offline};

const SECTION: &str = "dist";

/// Builds everything optimised, names it by content and checks it against the budget.
/// With `--accept` what was measured becomes the budget.
pub(crate) fn dist(workspace: &Workspace, args: &[String]) -> Result<()> {
    let accepts = match args {
        [] => false,
        [flag] if flag == "--accept" => true,
        _ => bail!("dist takes nothing but --accept"),
    };
    let site = optimised_site(workspace)?;
    site.put("third-party.txt", notices::third_party(workspace)?.as_bytes())?;
    let licence = std::fs::read(workspace.root.join("LICENSE")).context("cannot read LICENSE")?;
    site.put("license.txt", &licence)?;

    let mut hashed = hash_names(&site.files()?)?;
    let worker = offline::worker(workspace, &hashed.files)?;
    hashed.files.insert(offline::NAME.to_owned(), worker.into_bytes());
    let dist = Site::create(workspace.root.join("dist"))?;
    for (name, bytes) in &hashed.files {
        dist.put(name, bytes)?;
    }
    let old_names: BTreeMap<&str, &str> = hashed.names.iter().map(|(old, new)| (new.as_str(), old.as_str())).collect();
    let plain =
        hashed.files.iter().map(|(name, bytes)| (*old_names.get(name.as_str()).unwrap_or(&name.as_str()), bytes));
    let sizes = measure(workspace, plain)?;
    budget::report(&sizes);
    println!("dist/ is the site: it runs below any address of any static host");
    if accepts {
        return budget::accept(&workspace.root, SECTION, &sizes);
    }
    budget::check(&workspace.root, SECTION, &sizes, "cargo xtask dist --accept")
}

/// The optimised site with plain names, in the target folder.
pub(crate) fn optimised_site(workspace: &Workspace) -> Result<Site> {
    let tools = tools::wasm_tools(workspace)?;
    tools::clang()?;
    let id = build_id(workspace)?;
    println!("building page and engine with link-time optimisation, build {id}");
    let site = Site::create(workspace.target.join("site-dist"))?;
    site.add_static(workspace, &id)?;
    for file in [PAGE, ENGINE, PYTHON] {
        site.add_folder(&build::build(workspace, &tools, file, Profile::Dist, Some(&id), |_| ())?)?;
    }
    lessons::build_and_add(workspace, &site)?;
    Ok(site)
}

/// Measures files by name.
pub(crate) fn measure<'a>(
    workspace: &Workspace,
    files: impl IntoIterator<Item = (&'a str, &'a Vec<u8>)>,
) -> Result<Sizes> {
    let mut cache = SizeCache::open(&workspace.target);
    files.into_iter().map(|(name, bytes)| Ok((name.to_owned(), cache.size(bytes)?))).collect()
}

/// Names the sources of page and engine: two wasm files with one id were built from the same ones.
fn build_id(workspace: &Workspace) -> Result<String> {
    let mut all = Vec::new();
    for part in ["crates", "web"] {
        let names = files_below(&workspace.root.join(part))?;
        for name in names.iter().filter(|name| !name.contains("node_modules/")) {
            let bytes = std::fs::read(workspace.root.join(part).join(name))?;
            all.extend_from_slice(format!("{part}/{name} {}\n", content_hash(&bytes)).as_bytes());
        }
    }
    for name in ["Cargo.toml", "Cargo.lock", "rust-toolchain.toml"] {
        all.extend_from_slice(&std::fs::read(workspace.root.join(name))?);
    }
    Ok(content_hash(&all)[..12].to_owned())
}
