//! What a query looks like: which parts it has, and whether it does anything.

use super::walk::{self, Visit};
use crate::relation::is_rows;
use spec::{Expr, ExprKind, GroupBy, Name, Query, QueryBody, Relation, Select, SelectItem, Span, TableAlias};

/// Functions whose answer depends on how often and in which order they are called: no filter moves past them.
const BY_CHANCE: [&str; 7] =
    ["rand", "randn", "random", "shuffle", "uuid", "monotonically_increasing_id", "spark_partition_id"];

/// The frame that is all that a SELECT reads, taken out of it.
pub(super) fn take_frame(select: &mut Select) -> Option<(u32, Query)> {
    let [Relation::Subquery { query, alias: None, frame: Some(frame), .. }] = select.from.as_mut_slice() else {
        return None;
    };
    let query = std::mem::replace(&mut **query, query_of(nothing()));
    Some((*frame, query))
}

/// The source of a MERGE, taken out of it, where it is a query that the program wrote in SQL: that stays a query even if it
/// only says `SELECT *`. A table as a frame has no query around it.
pub(super) fn take_written(source: &mut Relation) -> Option<(u32, Query, Option<TableAlias>)> {
    let Relation::Subquery { query, alias, frame: Some(frame), .. } = source else { return None };
    let QueryBody::Select(select) = &query.body else { return None };
    if !select.from.iter().all(is_written) {
        return None;
    }
    let query = std::mem::replace(&mut **query, query_of(nothing()));
    Some((*frame, query, alias.take()))
}

fn is_written(relation: &Relation) -> bool {
    match relation {
        Relation::Table { .. } | Relation::Function { .. } => true,
        Relation::Subquery { query, frame, .. } => frame.is_none() && rows_of(query).is_none(),
        Relation::Join { left, right, .. } => is_written(left) && is_written(right),
    }
}

/// Whether a MERGE may read it: a table or a query, without names for its columns. A version of a table becomes a query
/// when it is printed.
pub(super) fn is_source(relation: &Relation) -> bool {
    match relation {
        Relation::Table { alias, .. } | Relation::Subquery { alias, .. } => {
            alias.as_ref().is_none_or(|alias| alias.columns.is_empty())
        }
        Relation::Function { .. } | Relation::Join { .. } => false,
    }
}

/// The number of the frame that the relation is.
pub(super) fn frame_number(relation: &Relation) -> Option<u32> {
    match relation {
        Relation::Subquery { frame, .. } => *frame,
        Relation::Table { .. } | Relation::Function { .. } | Relation::Join { .. } => None,
    }
}

/// `SELECT *` of one relation and nothing else.
pub(super) fn is_bare(select: &Select) -> bool {
    only_filters(select) && select.filter.is_none() && select.from.len() == 1
}

/// `SELECT * FROM … WHERE …` and nothing else.
pub(super) fn only_filters(select: &Select) -> bool {
    is_star(&select.items)
        && !select.distinct
        && !select.from.is_empty()
        && select.lateral_views.is_empty()
        && select.group_by == GroupBy::None
        && select.having.is_none()
        && select.windows.is_empty()
        && select.exchanges.is_empty()
}

pub(super) fn is_star(items: &[SelectItem]) -> bool {
    matches!(items, [SelectItem::Star { qualifier: None, except, .. }] if except.is_empty())
}

/// Whether ORDER BY behind the SELECT sees the same columns as one around it.
pub(super) fn is_sortable(select: &Select) -> bool {
    let has_name = |item: &SelectItem| match item {
        SelectItem::Star { .. } => true,
        SelectItem::Expr { expr, alias } => !alias.is_empty() || matches!(expr.kind, ExprKind::Column(_)),
    };
    !select.distinct && select.group_by == GroupBy::None && select.having.is_none() && select.items.iter().all(has_name)
}

pub(super) fn has_no_tail(query: &Query) -> bool {
    query.order_by.is_empty() && query.limit.is_none() && query.offset.is_none()
}

/// The name of the rows of a program that are all of a query.
pub(super) fn rows_of(query: &Query) -> Option<Name> {
    match &query.body {
        QueryBody::Table(name) if is_rows(name) && query.ctes.is_empty() && has_no_tail(query) => Some(name.clone()),
        _ => None,
    }
}

/// A body that holds the place of one that is elsewhere for the moment.
pub(super) fn nothing() -> QueryBody {
    QueryBody::Values { rows: Vec::new(), alias: None }
}

/// A query that is only a body.
pub(crate) fn query_of(body: QueryBody) -> Query {
    Query {
        ctes: Vec::new(),
        body,
        order_by: Vec::new(),
        limit: None,
        offset: None,
        seen: Vec::new(),
        span: Span::default(),
    }
}

/// `SELECT *` of a relation.
pub(crate) fn all_of(from: Relation) -> Query {
    let span = Span::default();
    query_of(QueryBody::Select(Box::new(Select {
        distinct: false,
        items: vec![SelectItem::Star { qualifier: None, except: Vec::new(), span }],
        from: vec![from],
        lateral_views: Vec::new(),
        filter: None,
        group_by: GroupBy::None,
        having: None,
        windows: Vec::new(),
        exchanges: Vec::new(),
        span,
    })))
}

/// Whether the expression asks chance.
pub(super) fn draws(expr: &mut Expr) -> bool {
    let by_chance =
        |call: &spec::FunctionCall| BY_CHANCE.iter().any(|name| call.name.last().eq_ignore_ascii_case(name));
    any(expr, &|expr| matches!(&expr.kind, ExprKind::Function(call) if by_chance(call)))
}

/// Whether the expression names the column of a frame.
pub(super) fn names_frame(expr: &mut Expr) -> bool {
    any(expr, &|expr| matches!(expr.kind, ExprKind::FrameColumn { .. }))
}

/// Whether this is true of the expression or of one in it.
fn any(expr: &mut Expr, is: &dyn Fn(&Expr) -> bool) -> bool {
    struct Any<'a> {
        is: &'a dyn Fn(&Expr) -> bool,
        found: bool,
    }
    impl Visit for Any<'_> {
        fn expr(&mut self, expr: &mut Expr) {
            self.found = self.found || (self.is)(expr);
            walk::children(expr, self);
        }

        fn query(&mut self, query: &mut Query) {
            walk::in_query(query, self);
        }
    }
    let mut any = Any { is, found: false };
    any.expr(expr);
    any.found
}
