//! What `update` wants done in the browser. The browser answers with a message, or not at all.

use crate::model::{Placed, Saved, Theme};
use crate::msg::Msg;
use crate::route::Route;
use crate::wire::Ask;
use protocol::Envelope;

/// One thing to do.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    FetchCourse,
    /// Fetch the lesson and read what is saved for it.
    FetchLesson(String),
    /// Read what is saved for the playground, whose desk has this key.
    OpenPlayground(&'static str),
    /// Change the address without a new entry in the browser's history.
    Redirect(Route),
    SetTitle(String),
    SetTheme(Theme),
    /// Keep everything about a place, soon: a later one for the same place replaces it.
    Keep {
        place: String,
        saved: Saved,
    },
    /// Hand the files of a key to the engine, before whatever is sent next.
    SendFile(String),
    /// Ask the engine for a table as a zip and download it.
    Download(String),
    /// Download everything that is kept.
    Export,
    /// Bring in what a file holds: the newer of each text wins.
    Import(Vec<Placed>),
    /// Drop the worker, if there is one, and start another of this generation.
    StartEngine(u32),
    Send(Envelope<Ask>),
    /// Mark a range of the editor, in UTF-16 units, and bring it into view.
    Select {
        start: u32,
        end: u32,
    },
    /// Show the page's dialog over everything.
    ShowDialog,
    /// Close it; the browser gives the focus back.
    CloseDialog,
    /// Move the keyboard to the element with this id.
    Focus(&'static str),
    Copy(String),
    After {
        milliseconds: u32,
        msg: Box<Msg>,
    },
}
