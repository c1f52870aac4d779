//! What the model looks like. Views hold no state: props in, messages out.

pub mod article;
pub mod badge;
pub mod button;
pub mod dialogs;
pub mod difference;
pub mod editor;
pub mod embed;
pub mod engine_status;
pub mod error_card;
pub mod file_card;
pub mod glyph;
pub mod grid;
pub mod header;
pub mod hints;
pub mod history;
pub mod legend;
pub mod lesson_list;
pub mod log;
pub mod metrics;
pub mod page;
pub mod playground;
pub mod predict;
pub mod proof;
pub mod questions;
pub mod ready;
pub mod result;
pub mod rows;
pub mod scene_tables;
pub mod shared;
pub mod sides;
pub mod sql_text;
pub mod stage;
pub mod stopped;
#[cfg(test)]
mod tests;
pub mod timeline;
pub mod verdict;
pub mod words;
pub mod workbench;

pub use page::page;
