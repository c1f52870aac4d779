//! The texts before and after the one that is shown. One history for every editor: it survives a change of editor, and
//! an applied suggestion or a reset is a step like any other.

/// More steps than anyone takes back.
const LIMIT: usize = 200;

/// What can be undone and redone.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct History {
    past: Vec<String>,
    future: Vec<String>,
    /// Where the last change was, if it was a single character: the next one beside it belongs to the same step.
    typing: Option<Typing>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Typing {
    /// In front of this byte.
    Inserted(usize),
    /// Behind this byte.
    Deleted(usize),
}

impl History {
    /// Notes that `before` becomes `after`.
    pub fn record(&mut self, before: &str, after: &str) {
        let typing = typing(before, after);
        let goes_on = match (self.typing, typing) {
            (Some(Typing::Inserted(end)), Some(Typing::Inserted(now))) => now == end + after.len() - before.len(),
            (Some(Typing::Deleted(at)), Some(Typing::Deleted(now))) => {
                now == at || now + before.len() - after.len() == at
            }
            _ => false,
        };
        self.future.clear();
        self.typing = typing;
        if goes_on {
            return;
        }
        self.past.push(before.to_owned());
        if self.past.len() > LIMIT {
            self.past.remove(0);
        }
    }

    /// The text before, which `now` can be redone from.
    pub fn undo(&mut self, now: &str) -> Option<String> {
        let before = self.past.pop()?;
        self.future.push(now.to_owned());
        self.typing = None;
        Some(before)
    }

    /// The text that was undone last.
    pub fn redo(&mut self, now: &str) -> Option<String> {
        let after = self.future.pop()?;
        self.past.push(now.to_owned());
        self.typing = None;
        Some(after)
    }

    pub fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    pub fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }
}

/// How the texts differ, if by one character only. A new line begins a new step.
fn typing(before: &str, after: &str) -> Option<Typing> {
    let (longer, shorter) = if after.len() > before.len() { (after, before) } else { (before, after) };
    let pairs = longer.char_indices().zip(shorter.chars());
    let start = pairs.into_iter().find(|((_, l), s)| l != s).map_or(shorter.len(), |((at, _), _)| at);
    let changed = longer.get(start..)?.chars().next()?;
    let end = start + changed.len_utf8();
    if changed == '\n' || longer.get(end..)? != shorter.get(start..)? {
        return None;
    }
    Some(if longer.len() == after.len() { Typing::Inserted(end) } else { Typing::Deleted(start) })
}

#[cfg(test)]
mod tests {
    use super::History;

    fn typed(texts: &[&str]) -> History {
        let mut history = History::default();
        texts.windows(2).for_each(|pair| history.record(pair[0], pair[1]));
        history
    }

    #[test]
    fn letters_in_a_row_are_one_step() {
        let mut history = typed(&["SE", "SEL", "SELé", "SELéC"]);
        assert_eq!(history.undo("SELéC").as_deref(), Some("SE"));
        assert!(!history.can_undo());
        assert_eq!(history.redo("SE").as_deref(), Some("SELéC"));
    }

    #[test]
    fn a_new_line_a_paste_and_another_place_begin_a_step() {
        let mut history = typed(&["", "a", "a\n", "a\nb", "xa\nb", "xa\nb, pasted"]);
        let mut now = "xa\nb, pasted".to_owned();
        let mut undone = Vec::new();
        while let Some(before) = history.undo(&now) {
            now = before.clone();
            undone.push(before);
        }
        assert_eq!(undone, ["xa\nb", "a\nb", "a\n", "a", ""]);
    }

    #[test]
    fn deleting_backwards_and_forwards_is_one_step_each() {
        assert_eq!(typed(&["abc", "ab", "a"]).undo("a").as_deref(), Some("abc"));
        assert_eq!(typed(&["abc", "bc", "c"]).undo("c").as_deref(), Some("abc"));
    }

    #[test]
    fn a_change_after_undo_forgets_what_was_undone() {
        let mut history = typed(&["a", "b b b"]);
        history.undo("b b b");
        history.record("a", "c c c");
        assert!(!history.can_redo());
        assert_eq!(history.undo("c c c").as_deref(), Some("a"));
    }
}
