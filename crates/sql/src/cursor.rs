//! A place in the lexemes of one statement, and the two limits that keep the stack safe.

use crate::errors::{self, Failure};
use crate::keywords;
use crate::lexer::{Kind, Lexeme};
use spec::{Diagnostic, Ident, Name, Span};

/// What every parser function returns.
pub(crate) type Parse<T> = Result<T, Failure>;

/// How deep parentheses, subqueries, CASE and types may nest.
const MAX_NESTING: usize = 128;

/// How tall a tree may grow through chains such as `a + b + c + …`. Whoever walks the tree
/// recursively (binding, dropping) relies on it.
const MAX_HEIGHT: usize = 400;

/// Reads the lexemes of one statement from left to right.
pub(crate) struct Cursor<'a> {
    text: &'a str,
    lexemes: &'a [Lexeme],
    pos: usize,
    nesting: usize,
    /// Height of the tallest tree finished since the last [`Cursor::nested`] began.
    height: usize,
    /// Inside CASE, where END is no column.
    pub(crate) in_case: bool,
    /// Index of the last word taken for an alias without AS: a misspelt clause looks like one.
    bare_alias: Option<usize>,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str, lexemes: &'a [Lexeme]) -> Self {
        Self { text, lexemes, pos: 0, nesting: 0, height: 0, in_case: false, bare_alias: None }
    }

    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    pub(crate) fn peek(&self) -> Option<&'a Lexeme> {
        self.peek_at(0)
    }

    pub(crate) fn peek_at(&self, ahead: usize) -> Option<&'a Lexeme> {
        self.lexemes.get(self.pos + ahead)
    }

    pub(crate) fn advance(&mut self) -> Option<&'a Lexeme> {
        let lexeme = self.peek()?;
        self.pos += 1;
        Some(lexeme)
    }

    pub(crate) fn at_end(&self) -> bool {
        self.peek().is_none()
    }

    /// The place of the next lexeme; at the end, of the last one.
    pub(crate) fn here(&self) -> Span {
        self.peek().or(self.lexemes.last()).map(|lexeme| lexeme.span).unwrap_or_default()
    }

    /// From `start` to the end of the last lexeme read.
    pub(crate) fn since(&self, start: Span) -> Span {
        let end = self.pos.checked_sub(1).and_then(|idx| self.lexemes.get(idx)).map_or(start.end, |last| last.span.end);
        Span::new(start.start, end.max(start.start))
    }

    /// The text of the next lexeme if it is an unquoted word.
    pub(crate) fn word(&self) -> Option<&'a str> {
        self.word_at(0)
    }

    pub(crate) fn word_at(&self, ahead: usize) -> Option<&'a str> {
        self.peek_at(ahead).filter(|lexeme| lexeme.kind == Kind::Word).map(|lexeme| lexeme.span.of(self.text))
    }

    pub(crate) fn kind_at(&self, ahead: usize) -> Option<Kind> {
        self.peek_at(ahead).map(|lexeme| lexeme.kind)
    }

    /// Whether the next lexemes are these keywords, one after the other.
    pub(crate) fn at(&self, keywords: &str) -> bool {
        self.at_ahead(0, keywords)
    }

    pub(crate) fn at_ahead(&self, ahead: usize, keywords: &str) -> bool {
        let mut words = keywords.split(' ').enumerate();
        words.all(|(idx, keyword)| self.word_at(ahead + idx).is_some_and(|word| word.eq_ignore_ascii_case(keyword)))
    }

    /// Whether the next word is one of these.
    pub(crate) fn at_any(&self, keywords: &[&str]) -> bool {
        keywords.iter().any(|keyword| self.at(keyword))
    }

    /// Reads these keywords if they stand here.
    pub(crate) fn eat(&mut self, keywords: &str) -> bool {
        let found = self.at(keywords);
        if found {
            self.pos += keywords.split(' ').count();
        }
        found
    }

    /// Reads the keywords or complains at the first that is missing.
    pub(crate) fn expect(&mut self, keywords: &str) -> Parse<()> {
        for keyword in keywords.split(' ') {
            if !self.eat(keyword) {
                return Err(errors::expected(self, &[keyword]));
            }
        }
        Ok(())
    }

    pub(crate) fn at_op(&self, operator: &str) -> bool {
        self.at_op_ahead(0, operator)
    }

    pub(crate) fn at_op_ahead(&self, ahead: usize, operator: &str) -> bool {
        let lexeme = self.peek_at(ahead);
        lexeme.is_some_and(|lexeme| lexeme.kind == Kind::Operator && lexeme.span.of(self.text) == operator)
    }

    pub(crate) fn eat_op(&mut self, operator: &str) -> bool {
        let found = self.at_op(operator);
        self.pos += usize::from(found);
        found
    }

    pub(crate) fn expect_op(&mut self, operator: &str) -> Parse<()> {
        if self.eat_op(operator) { Ok(()) } else { Err(errors::expected(self, &[&format!("'{operator}'")])) }
    }

    /// Complains about what is left when the statement should be over.
    pub(crate) fn finish(&self) -> Parse<()> {
        if self.at_end() {
            return Ok(());
        }
        let failure = errors::expected(self, &["the end of the statement"]);
        let respelt = failure.edits.is_empty() && self.word().is_some();
        Err(if respelt {
            Box::new(errors::with_respelling(*failure, self, self.here(), keywords::CLAUSES))
        } else {
            failure
        })
    }

    /// Whether an identifier stands here; any word may be one in Spark's default mode.
    pub(crate) fn at_ident(&self) -> bool {
        matches!(self.kind_at(0), Some(Kind::Word | Kind::Quoted))
    }

    /// Reads one identifier; `what` names it in the complaint.
    pub(crate) fn ident(&mut self, what: &str) -> Parse<Ident> {
        let Some(lexeme) = self.peek().filter(|lexeme| matches!(lexeme.kind, Kind::Word | Kind::Quoted)) else {
            return Err(errors::expected(self, &[what]));
        };
        self.pos += 1;
        Ok(Ident::new(unquote(lexeme.kind, lexeme.span.of(self.text)), lexeme.span))
    }

    /// Reads a dotted name.
    pub(crate) fn name(&mut self, what: &str) -> Parse<Name> {
        let mut parts = vec![self.ident(what)?];
        while self.eat_op(".") {
            parts.push(self.ident("a name after the dot")?);
        }
        Ok(Name { parts })
    }

    /// Reads `(a, b, c)`.
    pub(crate) fn ident_list(&mut self, what: &str) -> Parse<Vec<Ident>> {
        self.parens(|cursor| cursor.ident(what))
    }

    /// Reads `(item, item, …)`, at least one.
    pub(crate) fn parens<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parse<T>) -> Parse<Vec<T>> {
        self.expect_op("(")?;
        let items = self.list(&mut item)?;
        if self.eat_op(")") { Ok(items) } else { Err(errors::expected(self, &["','", "')'"])) }
    }

    /// Reads `item, item, …`, at least one.
    pub(crate) fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parse<T>) -> Parse<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat_op(",") {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// An alias without AS, unless the word belongs to what follows.
    pub(crate) fn bare_alias(&mut self) -> Option<Ident> {
        let free = match self.kind_at(0)? {
            Kind::Quoted => true,
            Kind::Word => self.word().is_some_and(keywords::may_be_alias),
            _ => false,
        };
        if !free {
            return None;
        }
        self.bare_alias = Some(self.pos);
        self.ident("an alias").ok()
    }

    /// Runs a parser one level deeper.
    pub(crate) fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.nesting >= MAX_NESTING {
            return Err(too_deep(self.here()));
        }
        self.nesting += 1;
        let outer = std::mem::take(&mut self.height);
        let parsed = parse(self);
        self.nesting -= 1;
        self.height = outer.max(self.height + 1);
        parsed
    }

    /// Runs a parser whose tree stands beside what was read at this level, not on top of it.
    pub(crate) fn beside<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        let outer = std::mem::take(&mut self.height);
        let parsed = parse(self);
        self.height = outer.max(self.height);
        parsed
    }

    /// Notes that a node was put on top of what was read at this level.
    pub(crate) fn grow(&mut self) -> Parse<()> {
        self.height += 1;
        if self.height > MAX_HEIGHT { Err(too_deep(self.here())) } else { Ok(()) }
    }

    /// If the last alias without AS is a misspelt clause, the complaint belongs there.
    pub(crate) fn blame_alias(&self, failure: Failure) -> Failure {
        let Some(idx) = self.bare_alias.filter(|idx| self.pos <= idx + 4) else { return failure };
        let Some(alias) = self.lexemes.get(idx).filter(|alias| alias.kind == Kind::Word) else { return failure };
        let word = alias.span.of(self.text);
        let Some(keyword) = keywords::nearest(word, keywords::CLAUSES) else { return failure };
        if failure.condition != "PARSE_SYNTAX_ERROR" || failure.span.is_some_and(|span| span.start <= alias.span.start)
        {
            return failure;
        }
        let message = format!("Syntax error at or near '{word}': did you mean {keyword}?");
        let diagnostic = Diagnostic::syntax(message, alias.span);
        Box::new(diagnostic.with_edit(format!("Change to {keyword}"), alias.span, keyword))
    }
}

fn too_deep(span: Span) -> Failure {
    let diagnostic = Diagnostic::new(
        "MERGELAB_STATEMENT_TOO_DEEP",
        "54001",
        "This statement nests too deep, or chains too many operators, to be read here.",
        span,
    );
    Box::new(diagnostic.with_hint("Split it with a WITH clause or a temporary view."))
}

fn unquote(kind: Kind, text: &str) -> String {
    match kind {
        Kind::Quoted => text.get(1..text.len().saturating_sub(1)).unwrap_or("").replace("``", "`"),
        _ => text.to_owned(),
    }
}
