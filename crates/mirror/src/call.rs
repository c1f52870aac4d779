//! Calls of functions, and the few names whose parentheses hold words.

use crate::expr::Level;
use crate::ident;
use crate::printer::Printer;
use spec::{Expr, ExprKind, FunctionCall, Literal};

/// Units that `timestampadd` and its like take as a word.
const UNITS: [&str; 11] =
    ["YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "DAYOFYEAR", "HOUR", "MINUTE", "SECOND", "MILLISECOND", "MICROSECOND"];

/// What the parser makes of a name in front of a parenthesis.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Ordinary,
    /// Its arguments are values, for words may stand between them.
    Values,
    Struct,
    /// `extract(field FROM value)`
    Extract,
    /// `timestampadd(unit, n, value)`
    WithUnit,
}

fn form(call: &FunctionCall) -> Form {
    let [only] = call.name.parts.as_slice() else { return Form::Ordinary };
    match only.value.to_ascii_lowercase().as_str() {
        "trim" | "position" | "substring" | "substr" | "overlay" => Form::Values,
        "struct" => Form::Struct,
        "extract" => Form::Extract,
        "timestampadd" | "timestampdiff" => Form::WithUnit,
        _ => Form::Ordinary,
    }
}

fn text(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Literal(Literal::String(text)) => Some(text),
        _ => None,
    }
}

impl Printer<'_> {
    pub(crate) fn call(&mut self, call: &FunctionCall) {
        let plain = !call.distinct && call.filter.is_none() && !call.ignore_nulls && call.over.is_none();
        let name = ident::function(&call.name);
        let quoted = || ident::quoted(call.name.last());
        match (form(call), call.args.as_slice()) {
            (Form::Values, [_, ..]) if plain => self.arguments(&name, call, Level::Comparison),
            (Form::Struct, _) if plain => self.arguments(&name, call, Level::Lambda),
            (Form::Extract, [field, value]) if plain && text(field).is_some_and(|field| !field.is_empty()) => {
                self.put(&format!("{}(", call.name.last()));
                self.put(&ident::word(text(field).unwrap_or_default()));
                self.put(" FROM ");
                self.operand(value, Level::Comparison);
                self.put(")");
            }
            (Form::WithUnit, [unit, n, value]) if plain && text(unit).is_some_and(|unit| UNITS.contains(&unit)) => {
                self.put(&format!("{name}({}, ", text(unit).unwrap_or_default()));
                self.expr(n);
                self.put(", ");
                self.expr(value);
                self.put(")");
            }
            (Form::Ordinary | Form::WithUnit, _) => self.ordinary(&name, call),
            // With quotes it is a name like any other.
            (Form::Values | Form::Struct | Form::Extract, _) => self.ordinary(&quoted(), call),
        }
    }

    fn arguments(&mut self, name: &str, call: &FunctionCall, least: Level) {
        self.put(name);
        self.put("(");
        self.list(&call.args, |printer, arg| printer.operand(arg, least));
        self.put(")");
    }

    fn ordinary(&mut self, name: &str, call: &FunctionCall) {
        self.put(name);
        self.put(if call.distinct { "(DISTINCT " } else { "(" });
        self.list(&call.args, |printer, arg| printer.expr(arg));
        self.put(")");
        if let Some(filter) = &call.filter {
            self.put(" FILTER (WHERE ");
            self.operand(filter, Level::Or);
            self.put(")");
        }
        if call.ignore_nulls {
            self.put(" IGNORE NULLS");
        }
        if let Some(over) = &call.over {
            self.put(" OVER ");
            self.over(over);
        }
    }
}
