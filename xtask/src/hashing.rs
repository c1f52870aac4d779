//! Content hashes in file names, so that a browser may keep every file for ever and no server needs a header.
//!
//! A file that names others is renamed after them: its own content, and so its hash, changes with theirs.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, bail};

use crate::size::content_hash;

/// Files of a site by name.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// A site with hashed names.
#[derive(Debug)]
pub(crate) struct Hashed {
    pub(crate) files: Files,
    /// Old name of each renamed file and the new one.
    pub(crate) names: BTreeMap<String, String>,
}

const HASH_DIGITS: usize = 12;

/// Renames every file that HTML, style sheets or JavaScript mention, there and in the site. A folder is one
/// unit: `lessons/` becomes `lessons-<hash>/`. `index.html`, texts for people and what no code mentions keep
/// their names. Fails when two files name each other.
pub(crate) fn hash_names(files: &Files) -> Result<Hashed> {
    let mut units: BTreeMap<String, Files> = BTreeMap::new();
    for (name, bytes) in files {
        let unit = name.split_once('/').map_or(name.as_str(), |(folder, _)| folder);
        units.entry(unit.to_owned()).or_default().insert(name.clone(), bytes.clone());
    }
    let mut hashed = Hashed { files: Files::new(), names: BTreeMap::new() };
    let mut renamed: BTreeMap<String, String> = BTreeMap::new();
    let mut waiting: BTreeSet<String> = units.keys().cloned().collect();
    while !waiting.is_empty() {
        let is_free =
            |unit: &&String| !waiting.iter().any(|other| other != *unit && mentions_unit(&units[*unit], other));
        let Some(unit) = waiting.iter().find(is_free).cloned() else {
            let names: Vec<&str> = waiting.iter().map(String::as_str).collect();
            bail!("files of the site name each other in a circle: {}", names.join(", "));
        };
        waiting.remove(&unit);
        let is_mentioned = units.iter().any(|(other, files)| *other != unit && mentions_unit(files, &unit));
        let has_address = unit == "index.html" || unit.ends_with(".txt") || !is_mentioned;
        add_unit(&unit, &units[&unit], has_address, &mut renamed, &mut hashed);
    }
    Ok(hashed)
}

fn add_unit(unit: &str, files: &Files, has_address: bool, renamed: &mut BTreeMap<String, String>, hashed: &mut Hashed) {
    let rewritten: Files = files.iter().map(|(name, bytes)| (name.clone(), rewrite(name, bytes, renamed))).collect();
    let new_unit = if has_address { unit.to_owned() } else { hashed_name(unit, &rewritten) };
    for (name, bytes) in rewritten {
        let new_name = format!("{new_unit}{}", &name[unit.len()..]);
        if name != new_name {
            hashed.names.insert(name, new_name.clone());
        }
        hashed.files.insert(new_name, bytes);
    }
    if new_unit != unit {
        renamed.insert(unit.to_owned(), new_unit);
    }
}

fn hashed_name(unit: &str, files: &Files) -> String {
    let mut all = Vec::new();
    for (name, bytes) in files {
        all.extend_from_slice(name.as_bytes());
        all.extend_from_slice(content_hash(bytes).as_bytes());
    }
    let hash = &content_hash(&all)[..HASH_DIGITS];
    match unit.rsplit_once('.') {
        Some((stem, extension)) => format!("{stem}-{hash}.{extension}"),
        None => format!("{unit}-{hash}"),
    }
}

fn is_code(name: &str) -> bool {
    [".html", ".css", ".js"].iter().any(|extension| name.ends_with(extension))
}

fn mentions_unit(files: &Files, unit: &str) -> bool {
    files.iter().filter(|(name, _)| is_code(name)).any(|(_, bytes)| {
        let text = String::from_utf8_lossy(bytes);
        mentions(&text, unit).next().is_some()
    })
}

fn rewrite(name: &str, bytes: &[u8], renamed: &BTreeMap<String, String>) -> Vec<u8> {
    let Ok(text) = std::str::from_utf8(bytes) else { return bytes.to_vec() };
    if !is_code(name) {
        return bytes.to_vec();
    }
    let mut text = text.to_owned();
    for (old, new) in renamed {
        let places: Vec<usize> = mentions(&text, old).collect();
        for place in places.into_iter().rev() {
            text.replace_range(place..place + old.len(), new);
        }
    }
    text.into_bytes()
}

/// Where `text` names a unit: a file as a whole word, a folder (a unit without a dot) only before a slash.
fn mentions<'a>(text: &'a str, unit: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_folder = !unit.contains('.');
    text.match_indices(unit).map(|(place, _)| place).filter(move |place| {
        let before = text[..*place].chars().next_back();
        let mut after = text[place + unit.len()..].chars();
        let (next, second) = (after.next(), after.next());
        let starts = !before.is_some_and(is_word);
        let goes_on = next.is_some_and(is_word) || (next == Some('.') && second.is_some_and(is_word));
        starts && if is_folder { next == Some('/') } else { !goes_on }
    })
}

fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_' || character == '-'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(list: &[(&str, &str)]) -> Files {
        list.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect()
    }

    fn text(hashed: &Hashed, name: &str) -> String {
        let name = hashed.names.get(name).map_or(name, String::as_str);
        String::from_utf8(hashed.files[name].clone()).unwrap()
    }

    #[test]
    fn names_are_rewritten_wherever_code_mentions_them() {
        let site = files(&[
            ("index.html", "<script src=\"./page.js\"></script> lessons/index.json"),
            ("page.js", "new URL('page_bg.wasm', import.meta.url)"),
            ("page_bg.wasm", "\0asm page.js"),
            ("lessons/index.json", "{\"see\": \"page.js\"}"),
            ("third-party.txt", "page.js"),
        ]);
        let hashed = hash_names(&site).unwrap();
        let page = &hashed.names["page.js"];
        assert!(text(&hashed, "index.html").contains(&format!("./{page}\"")), "{}", text(&hashed, "index.html"));
        assert!(text(&hashed, "index.html").contains(&hashed.names["lessons/index.json"]));
        assert!(text(&hashed, "page.js").contains(&hashed.names["page_bg.wasm"]));
        assert_eq!(text(&hashed, "third-party.txt"), "page.js");
        assert_eq!(text(&hashed, "lessons/index.json"), "{\"see\": \"page.js\"}");
        assert!(!hashed.names.contains_key("index.html"));
    }

    #[test]
    fn a_change_below_renames_everything_above_and_nothing_else() {
        let site = |wasm: &str| {
            files(&[
                ("page.js", "page_bg.wasm"),
                ("page_bg.wasm", wasm),
                ("style.css", "a {}"),
                ("index.html", "page.js style.css"),
            ])
        };
        let (old, new) = (hash_names(&site("1")).unwrap(), hash_names(&site("2")).unwrap());
        assert_ne!(old.names["page_bg.wasm"], new.names["page_bg.wasm"]);
        assert_ne!(old.names["page.js"], new.names["page.js"]);
        assert_eq!(old.names["style.css"], new.names["style.css"]);
    }

    #[test]
    fn what_no_code_mentions_keeps_its_name() {
        let hashed =
            hash_names(&files(&[("index.html", "page.js"), ("page.js", ""), ("robots.json", "page.js")])).unwrap();
        assert_eq!(hashed.names.keys().collect::<Vec<_>>(), ["page.js"]);
    }

    #[test]
    fn a_longer_name_is_another_name() {
        assert_eq!(mentions("my-page.js page.js.map page.json", "page.js").count(), 0);
        assert_eq!(mentions("'./page.js' page.js. (page.js)", "page.js").count(), 3);
        assert_eq!(mentions("the lessons are in lessons/ and x-lessons/", "lessons").count(), 1);
    }

    #[test]
    fn a_circle_is_refused() {
        let circle = files(&[("a.js", "b.js"), ("b.js", "a.js")]);
        assert!(hash_names(&circle).unwrap_err().to_string().contains("a.js, b.js"));
    }
}
