//! The size budget: what every file may cost, in `budget.json`, changed only on purpose.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::size::Size;

/// Sizes by file name without hash.
pub(crate) type Sizes = BTreeMap<String, Size>;

const GROWTH_PERCENT: u64 = 3;
const ENGINE_LIMIT: u64 = 5_300_000;
const SHELL_LIMIT: u64 = 220_000;
const EDITOR_LIMIT: u64 = 170_000;
const PYTHON_LIMIT: u64 = 2_300_000;

/// Compares with a section of the budget; an error lists every file that breaks it.
pub(crate) fn check(root: &Path, section: &str, sizes: &Sizes, how_to_accept: &str) -> Result<()> {
    let budget = read(root)?;
    let Some(expected) = budget.get(section) else {
        bail!("budget.json has no section \"{section}\" yet: look at the sizes, then run `{how_to_accept}`");
    };
    let mut broken = absolute(sizes);
    broken.extend(compare(expected, sizes));
    if broken.is_empty() {
        return Ok(());
    }
    bail!("the size budget is broken (accept on purpose with `{how_to_accept}`):\n  {}", broken.join("\n  "))
}

/// Writes what was measured into a section; the absolute limits hold all the same.
pub(crate) fn accept(root: &Path, section: &str, sizes: &Sizes) -> Result<()> {
    let broken = absolute(sizes);
    if !broken.is_empty() {
        bail!("no budget may exceed the absolute limits:\n  {}", broken.join("\n  "));
    }
    let mut budget = read(root)?;
    budget.insert(section.to_owned(), sizes.clone());
    let json: BTreeMap<&String, BTreeMap<&String, Value>> = budget
        .iter()
        .map(|(name, sizes)| (name, sizes.iter().map(|(file, size)| (file, size.to_json())).collect()))
        .collect();
    std::fs::write(root.join("budget.json"), serde_json::to_string_pretty(&json)? + "\n")?;
    println!("budget.json: section \"{section}\" is now what was measured");
    Ok(())
}

/// Prints a table of all sizes with the sums of shell and engine.
pub(crate) fn report(sizes: &Sizes) {
    let width = sizes.keys().map(String::len).max().unwrap_or(0).max(10);
    println!("{:width$} {:>12} {:>12} {:>12}", "file", "raw", "gzip", "brotli");
    let line = |name: &str, size: Size| {
        println!("{name:width$} {:>12} {:>12} {:>12}", size.raw, size.gzip, size.brotli);
    };
    sizes.iter().for_each(|(name, size)| line(name, *size));
    line("= shell", sum(sizes, Part::Shell));
    line("= editor", sum(sizes, Part::Editor));
    line("= engine", sum(sizes, Part::Engine));
    line("= python", sum(sizes, Part::Python));
}

/// What a file is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Needed before the first paint.
    Shell,
    Engine,
    /// The interpreter, which comes for those who write Python.
    Python,
    /// The full editor, which comes after the shell.
    Editor,
    /// Read one at a time, or on request.
    Content,
}

fn part_of(name: &str) -> Part {
    if name.starts_with("engine") || name == "worker.js" {
        Part::Engine
    } else if name.starts_with("python") {
        Part::Python
    } else if name == crate::editor::BUNDLE {
        Part::Editor
    } else if name.starts_with("lessons/") || name.ends_with(".txt") || name == "parity.json" {
        Part::Content
    } else {
        Part::Shell
    }
}

fn sum(sizes: &Sizes, part: Part) -> Size {
    let zero = Size { raw: 0, gzip: 0, brotli: 0 };
    sizes.iter().filter(|(name, _)| part_of(name) == part).fold(zero, |sum, (_, size)| Size {
        raw: sum.raw + size.raw,
        gzip: sum.gzip + size.gzip,
        brotli: sum.brotli + size.brotli,
    })
}

fn absolute(sizes: &Sizes) -> Vec<String> {
    let limits = [
        ("the engine", Part::Engine, ENGINE_LIMIT),
        ("the shell", Part::Shell, SHELL_LIMIT),
        ("the editor", Part::Editor, EDITOR_LIMIT),
        ("Python", Part::Python, PYTHON_LIMIT),
    ];
    limits
        .into_iter()
        .map(|(name, part, limit)| (name, sum(sizes, part).brotli, limit))
        .filter(|(_, brotli, limit)| brotli > limit)
        .map(|(name, brotli, limit)| format!("{name}: {brotli} bytes of brotli, the limit is {limit}"))
        .collect()
}

fn compare(expected: &Sizes, sizes: &Sizes) -> Vec<String> {
    let mut broken = Vec::new();
    for (name, size) in sizes {
        let Some(budget) = expected.get(name) else {
            broken.push(format!("{name}: not in the budget"));
            continue;
        };
        let numbers =
            [("raw", budget.raw, size.raw), ("gzip", budget.gzip, size.gzip), ("brotli", budget.brotli, size.brotli)];
        for (kind, budget, bytes) in numbers.into_iter().filter(|(_, budget, bytes)| grew(*budget, *bytes)) {
            broken.push(format!("{name}: {kind} grew from {budget} to {bytes} bytes"));
        }
    }
    let gone = expected.keys().filter(|name| !sizes.contains_key(*name));
    broken.extend(gone.map(|name| format!("{name}: in the budget, but no longer built")));
    broken
}

fn grew(budget: u64, bytes: u64) -> bool {
    bytes * 100 > budget * (100 + GROWTH_PERCENT)
}

fn read(root: &Path) -> Result<BTreeMap<String, Sizes>> {
    let file = root.join("budget.json");
    if !file.is_file() {
        return Ok(BTreeMap::new());
    }
    let json: BTreeMap<String, BTreeMap<String, Value>> =
        serde_json::from_str(&std::fs::read_to_string(&file)?).context("budget.json is not a budget")?;
    let mut budget = BTreeMap::new();
    for (section, files) in json {
        let mut sizes = Sizes::new();
        for (name, value) in files {
            let size = Size::from_json(&value).with_context(|| format!("budget.json: no sizes for {name}"))?;
            sizes.insert(name, size);
        }
        budget.insert(section, sizes);
    }
    Ok(budget)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(files: &[(&str, u64)]) -> Sizes {
        files
            .iter()
            .map(|(name, bytes)| ((*name).to_owned(), Size { raw: *bytes, gzip: *bytes, brotli: *bytes }))
            .collect()
    }

    #[test]
    fn three_percent_pass_and_more_does_not() {
        let budget = sizes(&[("page.js", 1000)]);
        assert_eq!(compare(&budget, &sizes(&[("page.js", 1030)])), Vec::<String>::new());
        let broken = compare(&budget, &sizes(&[("page.js", 1031)]));
        assert!(broken.iter().any(|line| line.contains("brotli grew from 1000 to 1031")), "{broken:?}");
    }

    #[test]
    fn new_and_missing_files_are_told() {
        let broken = compare(&sizes(&[("old.js", 1)]), &sizes(&[("new.js", 1)]));
        assert_eq!(broken, ["new.js: not in the budget", "old.js: in the budget, but no longer built"]);
    }

    #[test]
    fn no_budget_lifts_the_absolute_limits() {
        let big = sizes(&[("engine_bg.wasm", 5_300_001), ("page_bg.wasm", 170_000), ("index.html", 50_001)]);
        let broken = absolute(&big);
        assert_eq!(broken.len(), 2, "{broken:?}");
        assert_eq!(absolute(&sizes(&[("editor.js", 170_001)])).len(), 1);
        let fine = sizes(&[
            ("engine_bg.wasm", 5_300_000),
            ("page_bg.wasm", 220_000),
            ("editor.js", 170_000),
            ("lessons/a.json", 900_000),
        ]);
        assert_eq!(absolute(&fine), Vec::<String>::new());
    }

    #[test]
    fn an_accepted_budget_is_the_next_expectation() {
        let root = std::env::temp_dir().join(format!("xtask-budget-{}", std::process::id()));
        std::fs::create_dir_all(&root).unwrap();
        let measured = sizes(&[("page.js", 1000)]);
        assert!(check(&root, "test", &measured, "accept").unwrap_err().to_string().contains("no section"));
        accept(&root, "test", &measured).unwrap();
        check(&root, "test", &measured, "accept").unwrap();
        let grown = check(&root, "test", &sizes(&[("page.js", 2000)]), "accept").unwrap_err().to_string();
        assert!(grown.contains("accept on purpose"), "{grown}");
        std::fs::remove_dir_all(&root).unwrap();
    }
}
