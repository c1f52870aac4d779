//! The names under which a wasm file imports what its JavaScript gives: wasm-bindgen ends each in a hash, which no
//! compressor can shorten and both files repeat. Numbers of the same length do as well and cost nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

/// How wasm-bindgen's names begin, and how many hexadecimal digits end them.
const PREFIX: &str = "__wb";
const HASH: usize = 16;

/// Numbers the imports of `wasm` and of its JavaScript `js`.
pub(crate) fn number(js: &Path, wasm: &Path) -> Result<()> {
    let script = fs::read_to_string(js).with_context(|| format!("cannot read {}", js.display()))?;
    let mut binary = fs::read(wasm).with_context(|| format!("cannot read {}", wasm.display()))?;
    let script = numbered(script, &mut binary)?;
    fs::write(js, script)?;
    Ok(fs::write(wasm, binary)?)
}

fn numbered(mut script: String, binary: &mut [u8]) -> Result<String> {
    let hashes = hashes(&script);
    let numbers: BTreeMap<&[u8], String> =
        hashes.iter().enumerate().map(|(number, hash)| (hash.as_bytes(), format!("{number:0HASH$}"))).collect();
    let known = renamed(binary, &numbers);
    for (hash, number) in &numbers {
        let hash = std::str::from_utf8(hash)?;
        ensure!(
            known.contains(number.as_str()),
            "the JavaScript names the import …_{hash}, which the wasm file has not"
        );
        script = script.replace(hash, number);
    }
    Ok(script)
}

/// The hashes in a script, in the order of their digits, so that the same build gives the same numbers.
fn hashes(script: &str) -> BTreeSet<String> {
    let words = script.split(|char: char| !char.is_ascii_alphanumeric() && char != '_');
    words.filter(|word| word.starts_with(PREFIX)).filter_map(hash_of).map(str::to_owned).collect()
}

fn hash_of(word: &str) -> Option<&str> {
    let (_, end) = word.rsplit_once('_')?;
    (end.len() == HASH && end.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(end)
}

/// Puts numbers in the place of hashes in one pass; gives the numbers that were used.
fn renamed<'a>(binary: &mut [u8], numbers: &'a BTreeMap<&[u8], String>) -> BTreeSet<&'a str> {
    let mut used = BTreeSet::new();
    let mut at = 0;
    while at + PREFIX.len() <= binary.len() {
        if !binary[at..].starts_with(PREFIX.as_bytes()) {
            at += 1;
            continue;
        }
        let n_name = binary[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        let end = at + n_name;
        if let Some(number) = end.checked_sub(HASH).and_then(|start| numbers.get(&binary[start..end])) {
            binary[end - HASH..end].copy_from_slice(number.as_bytes());
            used.insert(number.as_str());
        }
        at = end;
    }
    used
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASHES: [&str; 2] = ["00aa11bb22cc33dd", "ffaa11bb22cc33dd"];

    #[test]
    fn both_files_get_the_same_numbers() {
        let [first, second] = HASHES;
        let script = format!("__wbg_log_{second}: f, __wbg_new_{first}: g, other_{first}x: h");
        let mut binary = format!("\0__wbg_new_{first}\u{1}__wbg_log_{second}").into_bytes();
        let numbered = numbered(script, &mut binary).unwrap();
        assert_eq!(numbered, format!("__wbg_log_{:016}: f, __wbg_new_{:016}: g, other_{:016}x: h", 1, 0, 0));
        assert_eq!(binary, format!("\0__wbg_new_{:016}\u{1}__wbg_log_{:016}", 0, 1).into_bytes());
    }

    #[test]
    fn a_name_that_the_wasm_file_lacks_is_a_mistake() {
        assert!(numbered(format!("__wbg_new_{}", HASHES[0]), &mut []).is_err());
    }
}
