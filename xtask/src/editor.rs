//! The full editor: a JavaScript bundle that is made ahead of time by `npm run build` in `web/editor` and kept in
//! `web/static`. Nothing here needs node: the record that the build leaves ties the bundle to its sources.

use std::path::Path;

use anyhow::{Context, Result};

/// Its name in the site.
pub(crate) const BUNDLE: &str = "editor.js";

/// The licences of what is in the bundle, as its build collected them.
pub(crate) fn notices(root: &Path) -> Result<String> {
    std::fs::read_to_string(root.join("web/editor/third-party.txt")).context("the editor's licences are missing")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::files_below;
    use crate::size::content_hash;
    use serde_json::{Value, json};

    fn root() -> &'static Path {
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
    }

    fn hash_of(file: &str) -> String {
        let bytes = std::fs::read(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        content_hash(&bytes)
    }

    #[test]
    fn the_bundle_was_built_from_these_sources() {
        let sources = files_below(&root().join("web/editor/src")).unwrap();
        let mut names: Vec<String> = sources.into_iter().map(|name| format!("src/{name}")).collect();
        names.extend(["build.mjs", "package.json", "package-lock.json"].map(str::to_owned));
        names.sort();
        let lines: String =
            names.iter().map(|name| format!("{name} {}\n", hash_of(&format!("web/editor/{name}")))).collect();
        let record = std::fs::read_to_string(root().join("web/editor/built.json")).unwrap();
        let record: Value = serde_json::from_str(&record).unwrap();
        let found = json!({ "sources": content_hash(lines.as_bytes()), "bundle": hash_of("web/static/editor.js") });
        assert_eq!(record, found, "run `npm ci && npm run build` in web/editor and commit what it writes");
    }

    #[test]
    fn every_package_of_the_bundle_has_its_licence() {
        let text = notices(root()).unwrap();
        let packages = text.lines().skip(2).take_while(|line| !line.is_empty());
        let packages: Vec<&str> = packages.filter_map(|line| line.split(':').next()).collect();
        assert!(packages.len() > 10, "{packages:?}");
        for package in packages {
            assert!(text.matches(package).count() > 1, "{package} has no text");
        }
    }
}
