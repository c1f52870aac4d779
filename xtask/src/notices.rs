//! The licences of everything that is compiled into page and engine, or bundled into the editor.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::build::{ENGINE, PAGE, PYTHON};
use crate::editor;
use crate::process;
use crate::workspace::{WASM, Workspace};

/// The text of `third-party.txt`. Fails for a package that states no licence, or one whose text it neither
/// ships nor shares with a package that does.
pub(crate) fn third_party(workspace: &Workspace) -> Result<String> {
    // The tree and not the metadata says what is linked: the metadata has the features of every package of
    // the workspace switched on at once.
    let mut tree = workspace.cargo("tree");
    tree.args(["--package", PAGE.package, "--package", ENGINE.package, "--package", PYTHON.package, "--target", WASM]);
    tree.args(["--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}"]);
    let linked = notices(&workspace.wasm_metadata()?, &linked_packages(&process::output(&mut tree)?))?;
    Ok(format!("{linked}\n{}\n{}", "=".repeat(80), editor::notices(&workspace.root)?))
}

fn notices(metadata: &Value, linked: &BTreeSet<(String, String)>) -> Result<String> {
    let mut list = String::new();
    // Equal texts are printed once, with all packages that carry them.
    let mut owners: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut without_text = Vec::new();
    for (name, version) in linked {
        let package = package_of(metadata, name, version)?;
        let name = format!("{name} {version}");
        let licence = word(package, "license");
        if licence.is_empty() {
            bail!("{name} states no licence");
        }
        list.push_str(&format!("{name}: {licence}{}\n", holders(package)));
        let texts = licence_texts(package)?;
        if texts.is_empty() {
            without_text.push((name.clone(), licence));
        }
        for text in texts {
            owners.entry(text).or_default().push(name.clone());
        }
    }
    // Only the Apache licence is the same text for everyone; others name the holder.
    let has_apache = owners.keys().any(|text| text.contains("Apache License") && text.contains("Version 2.0"));
    for (name, licence) in without_text {
        if !(licence.contains("Apache-2.0") && has_apache) {
            bail!("{name} is under {licence} and ships no text of it");
        }
    }
    let mut notices = format!("MergeLab contains these packages, under the licences named.\n\n{list}");
    for (text, names) in owners {
        notices.push_str(&format!("\n{}\n{}\n\n{}\n", "-".repeat(80), names.join(", "), text.trim_end()));
    }
    Ok(notices)
}

/// Name and version of each package of others in what `cargo tree` prints.
fn linked_packages(tree: &str) -> BTreeSet<(String, String)> {
    let others = tree.lines().filter(|line| !line.contains(" (/"));
    others
        .filter_map(|line| {
            let mut words = line.split(' ');
            Some((words.next()?.to_owned(), words.next()?.strip_prefix('v')?.to_owned()))
        })
        .collect()
}

fn package_of<'a>(metadata: &'a Value, name: &str, version: &str) -> Result<&'a Value> {
    let is_it = |package: &&Value| word(package, "name") == name && word(package, "version") == version;
    list(&metadata["packages"]).find(is_it).with_context(|| format!("cargo metadata does not know {name} {version}"))
}

fn holders(package: &Value) -> String {
    let authors: Vec<&str> = list(&package["authors"]).filter_map(Value::as_str).collect();
    if authors.is_empty() { String::new() } else { format!(", by {}", authors.join(", ")) }
}

/// The texts in the package's folder whose names say that they are about rights.
fn licence_texts(package: &Value) -> Result<Vec<String>> {
    let manifest = Path::new(word(package, "manifest_path"));
    let folder = manifest.parent().context("a manifest without a folder")?;
    let mut names: Vec<_> = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    names.sort();
    let is_notice = |file: &Path| {
        let name = file.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE", "COPYRIGHT"].iter().any(|word| name.starts_with(word))
    };
    let texts = names.iter().filter(|file| file.is_file() && is_notice(file)).map(|file| {
        let bytes = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        Ok(String::from_utf8_lossy(&bytes).replace("\r\n", "\n"))
    });
    texts.collect()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn word<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn package(root: &Path, name: &str, licence: &str, text: Option<&str>) -> Value {
        let folder = root.join(name);
        std::fs::create_dir_all(&folder).unwrap();
        if let Some(text) = text {
            std::fs::write(folder.join("LICENSE-MIT"), text).unwrap();
        }
        json!({ "name": name, "version": "1.0.0", "license": licence, "authors": ["Ann"],
                "manifest_path": folder.join("Cargo.toml") })
    }

    fn names(list: &[&str]) -> BTreeSet<(String, String)> {
        list.iter().map(|name| ((*name).to_owned(), "1.0.0".to_owned())).collect()
    }

    #[test]
    fn the_tree_is_read_without_our_own_packages() {
        let tree = "web v0.1.0 (/home/x/web)\nalpha v1.0.0\nbeta v1.0.0+7 (*)\nalpha v1.0.0 (*)\n\n";
        let expected = [("alpha", "1.0.0"), ("beta", "1.0.0+7")].map(|(name, version)| (name.into(), version.into()));
        assert_eq!(linked_packages(tree), BTreeSet::from(expected));
    }

    #[test]
    fn only_what_is_linked_is_named_and_equal_texts_are_told_once() {
        let root = std::env::temp_dir().join(format!("xtask-notices-{}", std::process::id()));
        let metadata = json!({ "packages": [
            package(&root, "alpha", "MIT", Some("the text")),
            package(&root, "beta", "MIT", Some("the text")),
            package(&root, "other", "MIT", Some("other")),
        ] });
        let text = notices(&metadata, &names(&["alpha", "beta"])).unwrap();
        assert!(text.contains("alpha 1.0.0: MIT, by Ann\nbeta 1.0.0: MIT, by Ann\n"), "{text}");
        assert!(text.contains("alpha 1.0.0, beta 1.0.0\n\nthe text"), "{text}");
        assert_eq!(text.matches("the text").count(), 1);
        assert!(!text.contains("other"), "{text}");
        std::fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn a_missing_text_is_only_accepted_where_another_package_has_the_same() {
        let root = std::env::temp_dir().join(format!("xtask-notices-missing-{}", std::process::id()));
        let metadata = json!({ "packages": [
            package(&root, "apache", "Apache-2.0", Some("Apache License, Version 2.0")),
            package(&root, "both", "MIT OR Apache-2.0", None),
            package(&root, "bare", "MIT", None),
            package(&root, "silent", "", None),
        ] });
        notices(&metadata, &names(&["apache", "both"])).unwrap();
        for bad in [&["both"][..], &["apache", "bare"], &["silent"]] {
            notices(&metadata, &names(bad)).unwrap_err();
        }
        std::fs::remove_dir_all(&root).unwrap();
    }
}
