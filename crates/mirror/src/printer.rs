//! Where text is put together: line breaks, indentation, and the notes on the way.
//!
//! Indentation is written as the text grows, never added to finished text: a quoted name may hold a line break.

use crate::mark::{self, Marks, Mirrored, Note};

/// How long a line may get before a list or a condition is broken up.
const WIDTH: usize = 92;

/// Whether clauses and subqueries get lines of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    Block,
    Line,
}

/// Text that grows.
pub(crate) struct Printer<'a> {
    out: String,
    layout: Layout,
    indent: usize,
    marks: &'a Marks,
    notes: Vec<Note>,
}

impl<'a> Printer<'a> {
    pub(crate) fn new(layout: Layout, indent: usize, marks: &'a Marks) -> Self {
        Self { out: String::new(), layout, indent, marks, notes: Vec::new() }
    }

    pub(crate) fn finish(self) -> Mirrored {
        Mirrored { text: self.out, notes: self.notes }
    }

    pub(crate) fn marks(&self) -> &'a Marks {
        self.marks
    }

    pub(crate) fn is_block(&self) -> bool {
        self.layout == Layout::Block
    }

    pub(crate) fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Puts a comment behind what was printed last, and keeps its note.
    pub(crate) fn note(&mut self, note: &Note) {
        self.put(" ");
        self.put(&note.mark);
        mark::add(&mut self.notes, note);
    }

    /// A new line, or a space where all stands on one.
    pub(crate) fn newline(&mut self) {
        if self.is_block() { self.break_line() } else { self.put(" ") }
    }

    /// A new line, or nothing: behind and before parentheses.
    pub(crate) fn softline(&mut self) {
        if self.is_block() {
            self.break_line();
        }
    }

    fn break_line(&mut self) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', self.indent));
    }

    /// Prints further to the right, as far as lines begin in it.
    pub(crate) fn indented(&mut self, print: impl FnOnce(&mut Self)) {
        self.indent += 2;
        print(self);
        self.indent -= 2;
    }

    /// What `print` gives on one line.
    pub(crate) fn on_one_line(&mut self, print: impl FnOnce(&mut Self)) -> String {
        let out = std::mem::take(&mut self.out);
        let layout = std::mem::replace(&mut self.layout, Layout::Line);
        let notes = self.notes.clone();
        print(self);
        self.layout = layout;
        self.notes = notes;
        std::mem::replace(&mut self.out, out)
    }

    /// Whether what `print` gives fits on the rest of the line.
    pub(crate) fn fits(&mut self, print: impl FnOnce(&mut Self)) -> bool {
        if !self.is_block() {
            return true;
        }
        let line_start = self.out.rfind('\n').map_or(0, |at| at + 1);
        let used = self.out.get(line_start..).map_or(0, |line| line.chars().count());
        used + self.on_one_line(print).chars().count() <= WIDTH
    }

    /// Prints all on one line, whatever the layout.
    pub(crate) fn flat(&mut self, print: impl FnOnce(&mut Self)) {
        let layout = std::mem::replace(&mut self.layout, Layout::Line);
        print(self);
        self.layout = layout;
    }

    /// `a, b, c`
    pub(crate) fn list<T>(&mut self, items: &[T], mut print: impl FnMut(&mut Self, &T)) {
        for (idx, item) in items.iter().enumerate() {
            if idx > 0 {
                self.put(", ");
            }
            print(self, item);
        }
    }

    /// A list that gets a line for each item where it would be too long for one, or where `spread` asks for it.
    pub(crate) fn items<T>(&mut self, items: &[T], spread: bool, mut print: impl FnMut(&mut Self, &T)) {
        if !self.is_block() || (!spread && self.fits(|printer| printer.list(items, &mut print))) {
            self.flat(|printer| printer.list(items, print));
            return;
        }
        // Without a space behind the word in front of the list.
        self.out.truncate(self.out.trim_end_matches(' ').len());
        self.indented(|printer| {
            for (idx, item) in items.iter().enumerate() {
                if idx > 0 {
                    printer.put(",");
                }
                printer.newline();
                print(printer, item);
            }
        });
    }
}
