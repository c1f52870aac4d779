//! The site folder: index.html and `web/static` at its top, the wasm files beside them, `lessons/` below.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::json;

use crate::editor;
use crate::workspace::Workspace;

/// A folder that is served or shipped.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    pub(crate) folder: PathBuf,
}

/// How far the engine is; the page reads it while `serve` builds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Status {
    /// Compiler runs finished, of about how many.
    Building {
        done: usize,
        total: usize,
    },
    Ready,
    Failed(String),
}

impl Site {
    /// An empty folder, whatever was in it before.
    pub(crate) fn create(folder: PathBuf) -> Result<Site> {
        if folder.exists() {
            std::fs::remove_dir_all(&folder).with_context(|| format!("cannot empty {}", folder.display()))?;
        }
        std::fs::create_dir_all(&folder)?;
        Ok(Site { folder })
    }

    /// Puts in what is not compiled. In `index.html`, `{{build}}` becomes `build` and `{{name}}` the name.
    pub(crate) fn add_static(&self, workspace: &Workspace, build: &str) -> Result<()> {
        let template = std::fs::read_to_string(workspace.root.join("index.html")).context("cannot read index.html")?;
        self.put("index.html", filled(&template, build).as_bytes())?;
        let folder = workspace.root.join("web/static");
        self.add_folder(&folder)?;
        let style = std::fs::read_to_string(folder.join("style.css")).context("cannot read style.css")?;
        self.put("style.css", plain_style(&style).as_bytes())
    }

    /// Copies every file below `from`; scripts of ours lose what a browser has no use for. A JavaScript file comes after what it loads, so that a page which is
    /// open meanwhile never meets a new one with an old wasm file.
    pub(crate) fn add_folder(&self, from: &Path) -> Result<()> {
        let mut files = files_below(from)?;
        files.sort_by_key(|name| name.ends_with(".js"));
        for name in files {
            let bytes = std::fs::read(from.join(&name))?;
            match std::str::from_utf8(&bytes) {
                Ok(script) if name.ends_with(".js") && name != editor::BUNDLE => {
                    self.put(&name, plain_script(script).as_bytes())?
                }
                _ => self.put(&name, &bytes)?,
            }
        }
        Ok(())
    }

    /// Writes one file at once: a reader sees the old one or the new one.
    pub(crate) fn put(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let file = self.folder.join(name);
        if let Some(parent) = file.parent() {
            std::fs::create_dir_all(parent)?;
        }
        let part = self.folder.join(format!("{name}.part"));
        std::fs::write(&part, bytes)?;
        std::fs::rename(&part, &file).with_context(|| format!("cannot write {}", file.display()))
    }

    /// Tells an open page how far the engine is.
    pub(crate) fn put_status(&self, status: &Status) -> Result<()> {
        let (state, sentence) = match status {
            Status::Building { done, total } => {
                ("building", format!("The engine is being compiled: {done} of about {total} packages are done."))
            }
            Status::Ready => ("ready", "The engine is built.".to_owned()),
            Status::Failed(message) => ("failed", format!("The engine could not be compiled: {message}")),
        };
        let (done, total) = match status {
            Status::Building { done, total } => (*done, *total),
            Status::Ready | Status::Failed(_) => (0, 0),
        };
        let failed = matches!(status, Status::Failed(_));
        let json = json!({ "state": state, "done": done, "total": total, "sentence": sentence, "failed": failed });
        self.put("build-status.json", json.to_string().as_bytes())
    }

    /// Every file by its name in the site, with slashes.
    pub(crate) fn files(&self) -> Result<BTreeMap<String, Vec<u8>>> {
        let names = files_below(&self.folder)?;
        names.into_iter().map(|name| Ok((name.clone(), std::fs::read(self.folder.join(&name))?))).collect()
    }
}

/// The template with its places filled; hashed names are put in later, for they depend on the content.
fn filled(template: &str, build: &str) -> String {
    template.replace("{{build}}", build).replace("{{", "").replace("}}", "")
}

/// The names of all files below a folder, relative to it, sorted; none if there is no such folder.
pub(crate) fn files_below(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    if folder.is_dir() {
        collect(folder, "", &mut names)?;
    }
    names.sort();
    Ok(names)
}

fn collect(folder: &Path, prefix: &str, names: &mut Vec<String>) -> Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &format!("{name}/"), names)?;
        } else {
            names.push(name);
        }
    }
    Ok(())
}

/// A style sheet without comments, indentation and empty lines, which a browser has no use for.
fn plain_style(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("/*") {
        kept.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    kept.push_str(rest);
    joined(kept.lines().map(str::trim).filter(|line| !line.is_empty()))
}

/// A script without indentation, empty lines and lines that are nothing but a comment. One with a text over several
/// lines stays as it is, for there blanks would count.
fn plain_script(text: &str) -> String {
    if text.lines().any(|line| line.matches('`').count() % 2 == 1) {
        return text.to_owned();
    }
    let mut in_comment = false;
    let is_code = |line: &&str| {
        in_comment |= line.starts_with("/*");
        let is_code = !in_comment && !line.is_empty() && !line.starts_with("//");
        in_comment &= !line.ends_with("*/");
        is_code
    };
    joined(text.lines().map(str::trim).filter(is_code))
}

fn joined<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    lines.fold(String::new(), |mut text, line| {
        text.push_str(line);
        text.push('\n');
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_names_the_build_and_the_files() {
        let text = filled("<meta data-build=\"{{build}}\" data-page=\"{{page.js}}\">", "abc");
        assert_eq!(text, "<meta data-build=\"abc\" data-page=\"page.js\">");
    }

    #[test]
    fn a_script_loses_what_a_browser_has_no_use_for() {
        let script = "/**\n * What it does.\n */\n\n  let a = 1; // kept\n// gone\n/* gone */\n  let b = `x`;\n";
        assert_eq!(plain_script(script), "let a = 1; // kept\nlet b = `x`;\n");
        let text = "let a = `one\n  two`;\n";
        assert_eq!(plain_script(text), text);
    }

    #[test]
    fn a_site_is_read_back_as_it_was_put() {
        let folder = std::env::temp_dir().join(format!("xtask-site-{}", std::process::id()));
        let site = Site::create(folder.clone()).unwrap();
        site.put("lessons/a.json", b"{}").unwrap();
        site.put("index.html", b"<p>").unwrap();
        let files = site.files().unwrap();
        assert_eq!(files.keys().collect::<Vec<_>>(), ["index.html", "lessons/a.json"]);
        assert_eq!(Site::create(folder.clone()).unwrap().files().unwrap().len(), 0);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
