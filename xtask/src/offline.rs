//! The service worker: it keeps every file of the site, so it is written last, when all names are known.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde_json::json;

use crate::size::content_hash;
use crate::workspace::Workspace;

/// Its address never changes: a browser looks there for the next version.
pub(crate) const NAME: &str = "sw.js";
/// For a site that is still being built: takes itself away, and what an earlier site left on this address.
pub(crate) const NONE: &str = "addEventListener(\"install\", () => skipWaiting());\naddEventListener(\"activate\", () => registration.unregister());\n";
/// What a visitor reads in the browser, not in the page.
const NOT_KEPT: [&str; 3] = ["third-party.txt", "build-status.json", "parity.json"];

/// The service worker of a site with these files.
pub(crate) fn worker(workspace: &Workspace, files: &BTreeMap<String, Vec<u8>>) -> Result<String> {
    let template = workspace.root.join("web/offline").join(NAME);
    let template = std::fs::read_to_string(template).context("cannot read the service worker")?;
    Ok(filled(&template, files))
}

fn filled(template: &str, files: &BTreeMap<String, Vec<u8>>) -> String {
    let kept: Vec<(&String, &Vec<u8>)> =
        files.iter().filter(|(name, _)| *name != NAME && !NOT_KEPT.contains(&name.as_str())).collect();
    // Python is kept when it was first used: most visitors never do.
    let at_once = |name: &str| !name.starts_with("python");
    let mut all = template.as_bytes().to_vec();
    for (name, bytes) in &kept {
        all.extend_from_slice(format!("{name} {}\n", content_hash(bytes)).as_bytes());
    }
    let names: Vec<&String> = kept.iter().map(|(name, _)| *name).filter(|name| at_once(name)).collect();
    let version = &content_hash(&all)[..12];
    template.replace("{{version}}", version).replace("{{files}}", &json!(names).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worker(files: &[(&str, &str)]) -> String {
        let files = files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect();
        filled("{{version}} {{files}}", &files)
    }

    #[test]
    fn every_change_of_the_site_is_another_version() {
        let site = [("index.html", "a"), ("lessons/x.json", "b"), ("third-party.txt", "c"), ("sw.js", "old")];
        let first = worker(&site);
        assert!(first.ends_with(r#" ["index.html","lessons/x.json"]"#), "{first}");
        assert_eq!(first, worker(&site[..3]));
        assert_ne!(first, worker(&[("index.html", "a"), ("lessons/x.json", "B")]));
    }
}
