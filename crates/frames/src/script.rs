//! The text that spans point into: the program, and behind it the SQL that the program put together as it ran.
//!
//! SQL that stands in the program as a text is found there, so that a complaint can point at its very words. What was
//! built from pieces stands behind the program, and is shown as the line that built it.

use spec::Span;

/// Programs that ran one after the other in one session, and the SQL that they made.
#[derive(Debug, Default)]
pub struct Script {
    text: String,
    /// Where the program that runs now begins and ends.
    start: usize,
    end: usize,
    lines: Vec<Span>,
    /// Places behind a program, and the lines that they are shown as.
    made: Vec<(Span, Span)>,
}

impl Script {
    /// The script of a program that has not made anything yet.
    pub fn new(program: &str) -> Self {
        let mut script = Self::default();
        script.begin(program);
        script
    }

    /// Goes on with another program. Frames of those before it keep pointing into their own text.
    pub fn begin(&mut self, program: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.start = self.text.len();
        self.text.push_str(program);
        self.end = self.text.len();
        let mut at = self.start;
        let lines = program.split_inclusive('\n').map(|line| {
            let n_text = line.trim_end().len();
            let indent = (line.len() - line.trim_start().len()).min(n_text);
            let span = Span::new(at + indent, at + n_text);
            at += line.len();
            span
        });
        self.lines = lines.collect();
    }

    /// All programs, and what they made.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The program that runs now.
    pub fn program(&self) -> &str {
        self.text.get(self.start..self.end).unwrap_or_default()
    }

    /// A range of the program, in the script.
    pub fn at(&self, start: usize, end: usize) -> Span {
        Span::new(self.start + start, self.start + end)
    }

    /// The place of a line of the program, counted from 1, without the white space around it.
    pub fn line(&self, line: u64) -> Span {
        let index = usize::try_from(line).ok().and_then(|line| line.checked_sub(1));
        index.and_then(|index| self.lines.get(index)).copied().unwrap_or_default()
    }

    /// The same text with white space before it, so that whoever reads it finds each word at its place in the script.
    pub fn placed(&mut self, sql: &str, line: u64) -> String {
        let at = self.find(sql, line).unwrap_or_else(|| self.append(sql, line));
        format!("{}{sql}", " ".repeat(at))
    }

    /// Where the program has the text on or after a line, else before it.
    fn find(&self, sql: &str, line: u64) -> Option<usize> {
        if sql.trim().is_empty() {
            return None;
        }
        // A statement of several lines counts as its first or its last one.
        let from = self.line(line).start.max(self.start);
        let after = self.text.get(from..self.end).and_then(|rest| rest.find(sql)).map(|at| at + from);
        after.or_else(|| self.program().rfind(sql).map(|at| at + self.start))
    }

    fn append(&mut self, sql: &str, line: u64) -> usize {
        let shown = self.line(line);
        let same = |(place, line): &&(Span, Span)| *line == shown && place.of(&self.text) == sql;
        if let Some((known, _)) = self.made.iter().find(same) {
            return known.start;
        }
        self.text.push('\n');
        let at = self.text.len();
        self.text.push_str(sql);
        self.made.push((Span::new(at, self.text.len()), shown));
        at
    }

    /// A span as a place in the program: what lies behind it is shown as the line that made it. `None` for a place in an
    /// earlier program.
    pub fn shown(&self, span: Span) -> Option<Span> {
        let holds = |(place, _): &&(Span, Span)| place.start <= span.start && span.end <= place.end;
        let span = self.made.iter().find(holds).map_or(span, |(_, line)| *line);
        let inside = self.start <= span.start && span.end <= self.end;
        inside.then(|| Span::new(span.start - self.start, span.end - self.start))
    }
}

#[cfg(test)]
mod tests {
    use super::Script;
    use spec::Span;

    #[test]
    fn sql_of_the_program_is_found_in_it() {
        let program = "df = t.filter(\n    \"a > 1\")\nx = \"a > 1\"\n";
        let mut script = Script::new(program);
        let placed = script.placed("a > 1", 3);
        assert_eq!(placed.len() - placed.trim_start().len(), program.rfind("a > 1").unwrap());
        assert_eq!(script.line(2).of(program), "\"a > 1\")");
        assert_eq!(script.text(), program, "nothing was put behind the program");
    }

    #[test]
    fn sql_that_was_built_is_shown_as_its_line() {
        let program = "name = 'a'\ndf.filter(f\"{name} > 1\")\n";
        let mut script = Script::new(program);
        let placed = script.placed("a > 1", 2);
        let at = placed.len() - placed.trim_start().len();
        let word = Span::new(at, at + 1);
        assert_eq!(word.of(script.text()), "a");
        assert_eq!(script.shown(word).unwrap().of(program), "df.filter(f\"{name} > 1\")");
        assert_eq!(script.placed("a > 1", 2), placed, "the same text of the same line is kept once");
        assert_eq!(script.shown(Span::new(0, 4)), Some(Span::new(0, 4)));
        script.begin("other = 1\n");
        assert_eq!(script.shown(Span::new(0, 4)), None, "an earlier program is out of sight");
        assert_eq!(script.shown(script.line(1)), Some(Span::new(0, 9)));
    }
}
