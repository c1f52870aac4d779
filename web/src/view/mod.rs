//! What the model looks like. Views hold no state: props in, messages out.

pub mod article;
pub mod badge;
pub mod bits;
pub mod button;
pub mod clauses;
pub mod code;
pub mod dialogs;
pub mod diff;
pub mod difference;
pub mod editor;
pub mod engine_status;
pub mod error_card;
pub mod file_card;
pub mod glyph;
pub mod grid;
pub mod header;
pub mod heat;
pub mod hints;
pub mod history;
pub mod intervals;
pub mod joins;
pub mod legend;
pub mod lesson_list;
pub mod log;
pub mod logic;
pub mod metrics;
pub mod page;
pub mod predict;
pub mod problems;
pub mod pruning;
pub mod result;
pub mod rows;
pub mod scene_tables;
pub mod sql_text;
pub mod stage;
pub mod stopped;
#[cfg(test)]
mod tests;
pub mod timeline;
pub mod touch_keys;
pub mod verdict;
pub mod words;
pub mod workbench;

pub use page::page;
