//! Names: log files, data files, and the URI encoding of paths in the log.

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

/// The table's log folder.
pub fn log_dir(root: &str) -> String {
    join(root, "_delta_log")
}

/// `<root>/_delta_log/<20 digits>.json`.
pub fn commit_path(root: &str, version: u64) -> String {
    format!("{}/{version:020}.json", log_dir(root))
}

/// `<root>/_delta_log/<20 digits>.checkpoint.parquet`.
pub fn checkpoint_path(root: &str, version: u64) -> String {
    format!("{}/{version:020}.checkpoint.parquet", log_dir(root))
}

/// `<root>/_delta_log/_last_checkpoint`.
pub fn last_checkpoint_path(root: &str) -> String {
    format!("{}/_last_checkpoint", log_dir(root))
}

/// The place of a sidecar of a V2 checkpoint, from the `path` of its action: a name in the sidecar folder, or a
/// path of its own (PROTOCOL.md, Sidecar File Information).
pub fn sidecar_path(root: &str, action_path: &str) -> String {
    let decoded = decode_path(action_path);
    if decoded.contains('/') { decoded } else { format!("{}/_sidecars/{decoded}", log_dir(root)) }
}

/// Two path parts with one '/' between them; an empty part adds nothing.
pub fn join(left: &str, right: &str) -> String {
    let left = left.trim_end_matches('/');
    match (left.is_empty(), right.is_empty()) {
        (true, _) => right.to_owned(),
        (_, true) => left.to_owned(),
        _ => format!("{left}/{right}"),
    }
}

/// The name Spark gives to a data file. One write that fills several folders names its files with a dot where others have
/// a dash: those of partitions, and those that lie beside change files.
pub fn data_file_name(task: u32, uuid: &str, dotted: bool) -> String {
    let separator = if dotted { '.' } else { '-' };
    format!("part-{task:05}-{uuid}{separator}c000.snappy.parquet")
}

/// The name of a file of deletion vectors.
pub fn deletion_vector_file_name(uuid: &str) -> String {
    format!("deletion_vector_{uuid}.bin")
}

/// The folder below the table's root that change files live in; partition folders are below it.
pub const CHANGE_DATA_DIR: &str = "_change_data";

/// The name Spark gives to a change file, in every table.
pub fn change_file_name(task: u32, uuid: &str) -> String {
    format!("cdc-{task:05}-{uuid}.c000.snappy.parquet")
}

// What java.net.URI quotes in a path. Anything outside ASCII stays as it is, apart from spaces and controls.
const ILLEGAL: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// The text of a storage path in an action (PROTOCOL.md, Add File: `path` is URI-encoded).
pub fn encode_path(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    for character in path.chars() {
        let mut buffer = [0; 4];
        let text: &str = character.encode_utf8(&mut buffer);
        if character.is_ascii() {
            encoded.extend(utf8_percent_encode(text, ILLEGAL));
        } else if character.is_whitespace() || character.is_control() {
            encoded.extend(utf8_percent_encode(text, CONTROLS));
        } else {
            encoded.push(character);
        }
    }
    encoded
}

/// The storage path behind the text of an action. Text that does not decode to UTF-8 is returned as it is.
pub fn decode_path(path: &str) -> String {
    match percent_decode_str(path).decode_utf8() {
        Ok(decoded) => decoded.into_owned(),
        Err(_) => path.to_owned(),
    }
}

/// The place of a data file in the store, from the `path` of its action. One that is absolute (PROTOCOL.md, Add File)
/// does not lie below the table's root; in a store without schemes a local one counts from the store's root.
pub fn data_path(root: &str, action_path: &str) -> String {
    let decoded = decode_path(action_path);
    if let Some(local) = decoded.strip_prefix("file:").or(decoded.strip_prefix('/')) {
        return local.trim_start_matches('/').to_owned();
    }
    if decoded.contains("://") { decoded } else { join(root, &decoded) }
}
