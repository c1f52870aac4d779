//! What this browser remembers of a place, as it is kept and as it travels in a file of all work.

use crate::json::{Misfit, is_shallow, quote, read};
use serde::Deserialize;

/// The version of the file of all work.
const FILE: u32 = 1;

/// Everything about one place.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
pub struct Saved {
    pub sheets: Vec<SavedSheet>,
    /// The steps of the playground.
    pub steps: Vec<Step>,
    /// When the steps changed, in milliseconds since the epoch.
    pub steps_at: u64,
}

/// One text and what the learner achieved with it.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
pub struct SavedSheet {
    pub id: String,
    /// `None` where the lesson's own text applies.
    pub text: Option<String>,
    /// When anything of this changed, in milliseconds since the epoch.
    pub at: u64,
    pub pass: Option<Pass>,
    /// It passed once, whatever became of text and lesson.
    pub solved: bool,
    /// The solution was shown before it passed.
    pub seen: bool,
}

/// What a pass is about: another lesson or another text is another exercise.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Pass {
    pub lesson: String,
    pub code: String,
}

/// One step of the playground.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
pub struct Step {
    /// What the statement is called, or `FILE`.
    pub kind: String,
    /// The statement, or the table that the file became.
    pub text: String,
    /// The key of the file in this browser; empty for a statement.
    pub file: String,
}

/// A place with its record, in the file of all work.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Placed {
    pub place: String,
    pub saved: Saved,
}

impl Saved {
    /// As text that [`Saved::read`] reads back.
    pub fn write(&self) -> String {
        let sheets: Vec<String> = self.sheets.iter().map(SavedSheet::write).collect();
        let steps: Vec<String> = self.steps.iter().map(Step::write).collect();
        let (sheets, steps) = (sheets.join(","), steps.join(","));
        format!(r#"{{"sheets":[{sheets}],"steps":[{steps}],"steps_at":{}}}"#, self.steps_at)
    }

    /// Reads a record; it fails where the text is none.
    pub fn read(text: &str) -> Result<Saved, Misfit> {
        read(text)
    }

    /// Takes over what is newer in `other`. Nothing is ever dropped.
    pub fn merge(&mut self, other: Saved) {
        for theirs in other.sheets {
            match self.sheets.iter_mut().find(|mine| mine.id == theirs.id) {
                Some(mine) => mine.merge(theirs),
                None => self.sheets.push(theirs),
            }
        }
        if other.steps_at > self.steps_at && !other.steps.is_empty() {
            self.steps = other.steps;
            self.steps_at = other.steps_at;
        }
    }
}

impl SavedSheet {
    fn write(&self) -> String {
        let text = self.text.as_deref().map_or("null".to_string(), quote);
        let pass = self.pass.as_ref().map_or("null".to_string(), |pass| {
            format!(r#"{{"lesson":{},"code":{}}}"#, quote(&pass.lesson), quote(&pass.code))
        });
        format!(
            r#"{{"id":{},"text":{text},"at":{},"pass":{pass},"solved":{},"seen":{}}}"#,
            quote(&self.id),
            self.at,
            self.solved,
            self.seen
        )
    }

    /// The newer text with its pass; what was achieved once stays achieved.
    fn merge(&mut self, other: SavedSheet) {
        let (solved, seen) = (self.solved || other.solved, self.seen || other.seen);
        if other.at > self.at && (other.text.is_some() || self.text.is_none()) {
            *self = other;
        }
        (self.solved, self.seen) = (solved, seen);
    }
}

impl Step {
    fn write(&self) -> String {
        format!(r#"{{"kind":{},"text":{},"file":{}}}"#, quote(&self.kind), quote(&self.text), quote(&self.file))
    }
}

/// All work as one file.
pub fn write_file(work: &[Placed]) -> String {
    let places: Vec<String> = work
        .iter()
        .map(|placed| format!(r#"{{"place":{},"saved":{}}}"#, quote(&placed.place), placed.saved.write()))
        .collect();
    format!("{{\"mergelab\":{FILE},\"work\":[\n{}\n]}}\n", places.join(",\n"))
}

/// Reads a file of all work; the error is a sentence.
pub fn read_file(text: &str) -> Result<Vec<Placed>, String> {
    #[derive(Deserialize)]
    struct File {
        mergelab: u32,
        work: Vec<Placed>,
    }
    if !is_shallow(text) {
        return Err("This is no file of work from MergeLab (it nests too deep).".to_string());
    }
    let file: File = read(text).map_err(|misfit| format!("This is no file of work from MergeLab ({misfit})."))?;
    if file.mergelab != FILE {
        return Err(format!("This file is of version {}; this page reads version {FILE}.", file.mergelab));
    }
    Ok(file.work)
}

/// A short name for a text: equal texts have equal names. FNV-1a, 64 bits.
pub fn fingerprint(text: &str) -> String {
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::{Pass, Placed, Saved, SavedSheet, Step, fingerprint, read_file, write_file};

    fn sheet(id: &str, text: Option<&str>, at: u64) -> SavedSheet {
        SavedSheet { id: id.into(), text: text.map(str::to_string), at, ..SavedSheet::default() }
    }

    fn saved(sheets: Vec<SavedSheet>) -> Saved {
        Saved { sheets, ..Saved::default() }
    }

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let pass = Some(Pass { lesson: "l".into(), code: "c".into() });
        let whole = SavedSheet { pass, solved: true, seen: true, ..sheet("a \"b\"", Some("SELECT '\\'\n"), 7) };
        let steps = vec![Step { kind: "FILE".into(), text: "prices".into(), file: "k1".into() }];
        let record = Saved { sheets: vec![whole, sheet("b", None, 0)], steps, steps_at: 9 };
        assert_eq!(Saved::read(&record.write()).unwrap(), record);
        let work = vec![Placed { place: "first".into(), saved: record }];
        assert_eq!(read_file(&write_file(&work)).unwrap(), work);
        assert_eq!(read_file(&write_file(&[])).unwrap(), []);
    }

    #[test]
    fn other_files_are_refused_with_a_sentence() {
        for text in ["", "[]", "{}", r#"{"mergelab":2,"work":[]}"#, r#"{"mergelab":1,"work":[{"place":1}]}"#] {
            assert!(read_file(text).unwrap_err().ends_with(['.', ')']), "{text}");
        }
    }

    #[test]
    fn the_newer_text_wins_and_nothing_is_dropped() {
        let mut mine = saved(vec![sheet("a", Some("old"), 1), sheet("b", Some("mine"), 5), sheet("c", None, 1)]);
        mine.sheets[0].solved = true;
        let theirs = saved(vec![sheet("a", Some("new"), 2), sheet("b", Some("theirs"), 4), sheet("d", Some("d"), 1)]);
        mine.merge(theirs);
        let texts: Vec<_> = mine.sheets.iter().map(|sheet| (sheet.id.as_str(), sheet.text.as_deref())).collect();
        assert_eq!(texts, [("a", Some("new")), ("b", Some("mine")), ("c", None), ("d", Some("d"))]);
        assert!(mine.sheets[0].solved, "achieved once");
    }

    #[test]
    fn a_text_is_not_replaced_by_no_text_nor_steps_by_no_steps() {
        let mut mine = saved(vec![sheet("a", Some("mine"), 1)]);
        mine.steps = vec![Step { kind: "SELECT".into(), text: "SELECT 1".into(), file: String::new() }];
        let mut theirs = saved(vec![sheet("a", None, 9)]);
        theirs.steps_at = 9;
        mine.merge(theirs);
        assert_eq!((mine.sheets[0].text.as_deref(), mine.steps.len()), (Some("mine"), 1));
    }

    #[test]
    fn other_texts_have_other_names() {
        assert_eq!(fingerprint(""), "cbf29ce484222325");
        assert_ne!(fingerprint("a"), fingerprint("b"));
    }
}
