//! Expressions. Parentheses stand where the parser needs them, and around a comparison inside a NOT, a predicate or
//! another comparison, where only the reader does.

use crate::mark::Note;
use crate::printer::Printer;
use crate::{chain, ident, literal, types};
use spec::{BinaryOp, CastMode, Expr, ExprKind, LikeKind, Literal, Query, UnaryOp};

/// How tight an expression binds, from loose to tight: the levels of the parser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Lambda,
    Or,
    And,
    Not,
    Predicate,
    Comparison,
    BitOr,
    BitXor,
    BitAnd,
    Sum,
    Product,
    Unary,
    Primary,
}

fn level(expr: &Expr) -> Level {
    match &expr.kind {
        ExprKind::Lambda { .. } => Level::Lambda,
        ExprKind::Unary { op: UnaryOp::Not, .. } => Level::Not,
        ExprKind::Unary { op: UnaryOp::Minus | UnaryOp::Plus | UnaryOp::BitNot, .. } => Level::Unary,
        ExprKind::Binary { op: op @ (BinaryOp::And | BinaryOp::Or), .. } if chain::quantified(*op, expr).is_some() => {
            Level::Predicate
        }
        ExprKind::Binary { op, .. } => operator(*op).1,
        ExprKind::IsNull { .. }
        | ExprKind::IsTruth { .. }
        | ExprKind::Between { .. }
        | ExprKind::InQuery { .. }
        | ExprKind::Exists { .. }
        | ExprKind::Like { .. } => Level::Predicate,
        ExprKind::InList { list, .. } if list.is_empty() => Level::Primary,
        ExprKind::InList { .. } => Level::Predicate,
        ExprKind::Literal(_)
        | ExprKind::Column(_)
        | ExprKind::FrameColumn { .. }
        | ExprKind::Star
        | ExprKind::Subquery(_)
        | ExprKind::Case { .. }
        | ExprKind::Cast { .. }
        | ExprKind::Function(_)
        | ExprKind::Index { .. }
        | ExprKind::Field { .. }
        | ExprKind::Default => Level::Primary,
    }
}

/// How an operator is written, its own level, and the levels that its sides need at least.
fn operator(op: BinaryOp) -> (&'static str, Level, Level, Level) {
    let (text, own, right) = match op {
        BinaryOp::Or => ("OR", Level::Or, Level::And),
        BinaryOp::And => ("AND", Level::And, Level::Not),
        BinaryOp::Eq => return ("=", Level::Comparison, Level::BitOr, Level::BitOr),
        BinaryOp::NullSafeEq => return ("<=>", Level::Comparison, Level::BitOr, Level::BitOr),
        BinaryOp::NotEq => return ("<>", Level::Comparison, Level::BitOr, Level::BitOr),
        BinaryOp::Lt => return ("<", Level::Comparison, Level::BitOr, Level::BitOr),
        BinaryOp::LtEq => return ("<=", Level::Comparison, Level::BitOr, Level::BitOr),
        BinaryOp::Gt => return (">", Level::Comparison, Level::BitOr, Level::BitOr),
        BinaryOp::GtEq => return (">=", Level::Comparison, Level::BitOr, Level::BitOr),
        BinaryOp::BitOr => ("|", Level::BitOr, Level::BitXor),
        BinaryOp::BitXor => ("^", Level::BitXor, Level::BitAnd),
        BinaryOp::BitAnd => ("&", Level::BitAnd, Level::Sum),
        BinaryOp::Plus => ("+", Level::Sum, Level::Product),
        BinaryOp::Minus => ("-", Level::Sum, Level::Product),
        BinaryOp::Concat => ("||", Level::Sum, Level::Product),
        BinaryOp::Multiply => ("*", Level::Product, Level::Unary),
        BinaryOp::Divide => ("/", Level::Product, Level::Unary),
        BinaryOp::IntDivide => ("DIV", Level::Product, Level::Unary),
        BinaryOp::Modulo => ("%", Level::Product, Level::Unary),
    };
    (text, own, own, right)
}

/// The sign or digit that an expression begins with; only of what binds as tight as a sign, for all else gets parentheses.
fn leading(expr: &Expr) -> Option<char> {
    match &expr.kind {
        ExprKind::Unary { op: UnaryOp::Minus | UnaryOp::Plus | UnaryOp::BitNot, .. } => Some('-'),
        ExprKind::Literal(value) => literal::literal(value).chars().next().filter(|c| c.is_ascii_digit() || *c == '-'),
        _ => None,
    }
}

fn like_words(kind: LikeKind) -> &'static str {
    match kind {
        LikeKind::Like => " LIKE ",
        LikeKind::ILike => " ILIKE ",
        LikeKind::RLike => " RLIKE ",
    }
}

impl Printer<'_> {
    /// An expression where any may stand.
    pub(crate) fn expr(&mut self, expr: &Expr) {
        self.bare(expr);
        if let Some(note) = self.marks().of(expr) {
            self.note(note);
        }
    }

    /// An expression where the grammar takes nothing looser than `least`.
    pub(crate) fn operand(&mut self, expr: &Expr, least: Level) {
        if level(expr) < least { self.in_parens(expr) } else { self.expr(expr) }
    }

    /// An expression where no AND, OR, NOT or predicate may stand bare.
    pub(crate) fn value(&mut self, expr: &Expr) {
        self.operand(expr, Level::BitOr);
    }

    fn in_parens(&mut self, expr: &Expr) {
        // A second pair around a subquery would make it another one.
        if matches!(expr.kind, ExprKind::Subquery(_)) {
            return self.expr(expr);
        }
        self.put("(");
        self.expr(expr);
        self.put(")");
    }

    /// A condition; where it is too long for the line, each part that AND or OR joins gets one.
    pub(crate) fn condition(&mut self, expr: &Expr) {
        let op = match &expr.kind {
            ExprKind::Binary { op: op @ (BinaryOp::And | BinaryOp::Or), .. } => *op,
            _ => return self.expr(expr),
        };
        if self.fits(|printer| printer.expr(expr)) {
            return self.flat(|printer| printer.expr(expr));
        }
        self.indented(|printer| printer.chain(op, expr, true));
    }

    fn chain(&mut self, op: BinaryOp, expr: &Expr, spread: bool) {
        if let Some(quantified) = chain::quantified(op, expr) {
            return self.quantified(op, &quantified);
        }
        let (sign, _, _, least) = operator(op);
        for (idx, part) in chain::operands(op, expr).into_iter().enumerate() {
            if idx > 0 {
                if spread {
                    self.newline()
                } else {
                    self.put(" ")
                }
                self.put(sign);
                self.put(" ");
            }
            self.operand(part, least);
        }
    }

    fn bare(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Literal(value) => self.put(&literal::literal(value)),
            ExprKind::Column(name) => self.put(&ident::name(name)),
            // Only what has no name in SQL is left of these, and carries a note.
            ExprKind::FrameColumn { name, .. } => self.put(&ident::ident(name)),
            ExprKind::Star => self.put("*"),
            ExprKind::Unary { op, expr } => self.unary(*op, expr),
            ExprKind::Binary { op: op @ (BinaryOp::And | BinaryOp::Or), .. } => self.chain(*op, expr, false),
            ExprKind::Binary { op, left, right } => {
                let (sign, _, left_least, right_least) = operator(*op);
                self.operand(left, left_least);
                self.put(&format!(" {sign} "));
                self.operand(right, right_least);
            }
            ExprKind::IsNull { expr, negated } => self.is(expr, *negated, "NULL"),
            ExprKind::IsTruth { expr, value, negated } => {
                let value = match value {
                    Some(true) => "TRUE",
                    Some(false) => "FALSE",
                    None => "UNKNOWN",
                };
                self.is(expr, *negated, value);
            }
            ExprKind::Between { expr, low, high, negated } => {
                self.value(expr);
                self.put(if *negated { " NOT BETWEEN " } else { " BETWEEN " });
                self.value(low);
                self.put(" AND ");
                self.value(high);
            }
            ExprKind::InList { expr, list, negated } => self.in_list(expr, list, *negated),
            ExprKind::InQuery { expr, query, negated } => {
                self.value(expr);
                self.put(if *negated { " NOT IN " } else { " IN " });
                self.subquery(query);
            }
            ExprKind::Exists { query } => {
                self.put("EXISTS ");
                self.subquery(query);
            }
            ExprKind::Subquery(query) => self.subquery(query),
            ExprKind::Like { kind, expr, pattern, escape, negated } => {
                self.value(expr);
                self.like(*kind, pattern, *escape, *negated);
            }
            ExprKind::Case { operand, branches, otherwise } => {
                self.case(operand.as_deref(), branches, otherwise.as_deref());
            }
            ExprKind::Cast { expr, data_type, mode } => {
                self.put(match mode {
                    CastMode::Ansi => "CAST(",
                    CastMode::Try => "TRY_CAST(",
                });
                self.operand(expr, Level::Or);
                self.put(&format!(" AS {})", types::data_type(data_type)));
            }
            ExprKind::Function(call) => self.call(call),
            ExprKind::Index { expr, index } => {
                self.base(expr, matches!(expr.kind, ExprKind::Column(_)));
                self.put("[");
                self.operand(index, Level::Comparison);
                self.put("]");
            }
            ExprKind::Field { expr, field } => {
                self.base(expr, false);
                self.put(".");
                self.put(&ident::part(field));
            }
            ExprKind::Lambda { params, body } => {
                match params.as_slice() {
                    [only] => self.put(&ident::ident(only)),
                    several => self.put(&ident::list(several)),
                }
                self.put(" -> ");
                self.expr(body);
            }
            ExprKind::Default => self.put("DEFAULT"),
        }
    }

    fn unary(&mut self, op: UnaryOp, expr: &Expr) {
        let sign = match op {
            UnaryOp::Not => {
                self.put("NOT ");
                let bare = matches!(expr.kind, ExprKind::Exists { .. } | ExprKind::Unary { op: UnaryOp::Not, .. });
                return self.operand(expr, if bare { Level::Not } else { Level::Primary });
            }
            UnaryOp::Minus => "-",
            UnaryOp::Plus => "+",
            UnaryOp::BitNot => "~",
        };
        self.put(sign);
        match leading(expr) {
            // A minus right before a number would become part of it.
            Some(c) if c.is_ascii_digit() => self.in_parens(expr),
            // Two of them would begin a comment.
            Some(_) => {
                self.put(" ");
                self.operand(expr, Level::Unary);
            }
            None => self.operand(expr, Level::Unary),
        }
    }

    fn is(&mut self, expr: &Expr, negated: bool, what: &str) {
        self.value(expr);
        self.put(if negated { " IS NOT " } else { " IS " });
        self.put(what);
    }

    fn in_list(&mut self, expr: &Expr, list: &[Expr], negated: bool) {
        if list.is_empty() {
            let operand = self.on_one_line(|printer| printer.value(expr));
            self.put(if negated { "true" } else { "false" });
            return self.note(&Note::sql(
                &format!("{operand} is in no list"),
                "isin() without values is never true, and SQL cannot write an empty list.",
            ));
        }
        self.value(expr);
        self.put(if negated { " NOT IN (" } else { " IN (" });
        self.list(list, |printer, item| printer.operand(item, Level::Or));
        self.put(")");
    }

    fn quantified(&mut self, op: BinaryOp, chain: &chain::Quantified<'_>) {
        self.value(chain.operand);
        self.put(if chain.negated { " NOT" } else { "" });
        self.put(like_words(chain.kind));
        self.put(if op == BinaryOp::And { "ALL (" } else { "ANY (" });
        self.list(&chain.patterns, |printer, pattern| printer.operand(pattern, Level::Or));
        self.put(")");
    }

    fn like(&mut self, kind: LikeKind, pattern: &Expr, escape: Option<char>, negated: bool) {
        if negated {
            self.put(" NOT");
        }
        self.put(like_words(kind));
        // LIKE ANY (…) is another form.
        let quantifier = |call: &spec::FunctionCall| {
            ["any", "some", "all"].iter().any(|word| call.name.last().eq_ignore_ascii_case(word))
        };
        match &pattern.kind {
            ExprKind::Function(call) if quantifier(call) => self.in_parens(pattern),
            _ => self.value(pattern),
        }
        if let Some(escape) = escape {
            self.put(&format!(" ESCAPE {}", literal::string(&escape.to_string())));
        }
    }

    fn case(&mut self, operand: Option<&Expr>, branches: &[(Expr, Expr)], otherwise: Option<&Expr>) {
        self.put("CASE");
        if let Some(operand) = operand {
            self.put(" ");
            self.operand(operand, Level::Or);
        }
        for (when, then) in branches {
            self.put(" WHEN ");
            self.operand(when, Level::Or);
            self.put(" THEN ");
            self.operand(then, Level::Or);
        }
        if let Some(otherwise) = otherwise {
            self.put(" ELSE ");
            self.operand(otherwise, Level::Or);
        }
        self.put(" END");
    }

    /// What a bracket or a dot is attached to.
    fn base(&mut self, expr: &Expr, bare: bool) {
        let attached = match &expr.kind {
            ExprKind::Function(call) => call.over.is_none() && call.filter.is_none() && !call.ignore_nulls,
            ExprKind::Index { .. } | ExprKind::Field { .. } | ExprKind::Cast { .. } => true,
            ExprKind::Literal(Literal::String(_)) => true,
            _ => bare,
        };
        if attached { self.expr(expr) } else { self.in_parens(expr) }
    }

    /// `(query)`, over several lines where one is too short for it.
    pub(crate) fn subquery(&mut self, query: &Query) {
        let short = |text: String| text.chars().count() <= 64;
        self.put("(");
        if !self.is_block() || short(self.on_one_line(|printer| printer.query(query))) {
            self.flat(|printer| printer.query(query));
        } else {
            self.indented(|printer| {
                printer.softline();
                printer.query(query);
            });
            self.softline();
        }
        self.put(")");
    }
}
