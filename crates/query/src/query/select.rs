//! SELECT: the steps of one query block, in the order in which Spark gives them meaning.
//!
//! All expressions that are computed after FROM and WHERE (select list, HAVING, ORDER BY) are bound over the columns
//! of FROM first; the grouping and window steps then replace what they compute by columns.

use super::planner::{Env, Planned, Planner, Result, built};
use super::{aggregate, exchange, order, window};
use crate::expr::{Binder, Place, Subqueries, at, generator_name, pretty_name, without_joins};
use crate::scope::{Field, Scope};
use crate::typed::{SqlType, Typed};
use datafusion::logical_expr::{Expr as PlanExpr, LogicalPlanBuilder};
use delta::schema::DataType;
use spec::{Diagnostic, Expr, ExprKind, FunctionCall, GroupBy, Ident, Name, OrderItem, Select, SelectItem, Span};

/// One output column.
#[derive(Debug, Clone)]
pub(super) struct Item<'q> {
    pub(super) name: String,
    pub(super) typed: Typed,
    pub(super) span: Span,
    /// The text; absent for a column that `*` brought in.
    pub(super) expr: Option<&'q Expr>,
    /// An alias gives its name.
    pub(super) renamed: bool,
}

impl Planner<'_> {
    /// A query block with its ORDER BY.
    pub(super) async fn select(&self, env: &Env, select: &Select, order_by: &[OrderItem]) -> Result<Planned> {
        let span = select.span;
        let mut planned = self.from(env, select).await?;
        let subqueries = self.subqueries(env, &planned.scope, &all_exprs(select, order_by)).await?;

        if let Some(filter) = &select.filter {
            let binder = self.binder(env, &planned.scope, &subqueries, Place::Where);
            let condition = binder.condition(filter)?;
            let condition = at(without_joins(condition.expr, true), filter.span)?;
            let kept = built(LogicalPlanBuilder::from(planned.plan).filter(condition), filter.span)?;
            planned.plan = exchange::fixed(kept, filter.span)?;
        }

        let (planned, mut items) = self.items(env, planned, select, &subqueries)?;
        let in_place = |item: &Item<'_>| passed_on(item, &planned.scope).map(|field| field.id);
        let passed_ids: Vec<String> = items.iter().filter_map(in_place).collect();
        let passed: Vec<Option<Field>> = items.iter().map(|item| passed_on(item, &planned.scope)).collect();
        let aliases: Vec<(String, Typed)> = items.iter().map(|item| (item.name.clone(), item.typed.clone())).collect();
        let binder = Binder {
            aliases: &aliases,
            windows: &select.windows,
            ..self.binder(env, &planned.scope, &subqueries, Place::GroupBy)
        };
        let grouping = aggregate::grouping(&binder, &select.group_by, &items)?;
        let later = Binder { aliases_first: true, ..binder };
        let having = match &select.having {
            Some(having) => Some((Binder { place: Place::Having, ..later }.condition(having)?.expr, having)),
            None => None,
        };
        let mut keys = order::keys(&Binder { place: Place::OrderBy, ..later }, order_by, &items)?;

        let mut targets: Vec<aggregate::Target<'_>> = Vec::new();
        for item in &items {
            let expr = at(without_joins(item.typed.expr.clone(), false), item.span)?;
            targets.push(aggregate::Target { expr, span: item.span, text: item.expr });
        }
        for key in &keys {
            let expr = at(without_joins(key.expr.clone(), false), key.span)?;
            targets.push(aggregate::Target { expr, span: key.span, text: key.text });
        }
        if let Some((expr, text)) = &having {
            let expr = at(without_joins(expr.clone(), false), text.span)?;
            targets.push(aggregate::Target { expr, span: text.span, text: Some(text) });
        }

        let grouped = having.is_some() || grouping.is_some() || targets.iter().any(aggregate::Target::aggregates);
        let mut plan = planned.plan;
        if grouped {
            if grouping.as_ref().is_some_and(|grouping| grouping.sets.is_some()) {
                items.iter_mut().for_each(|item| item.typed.nullable = true);
            }
            let input = Planned { plan, scope: planned.scope.clone() };
            plan = self.aggregate(input, grouping, &mut targets, span)?;
        }
        if having.is_some()
            && let Some(condition) = targets.pop()
        {
            plan = built(LogicalPlanBuilder::from(plan).filter(condition.expr), condition.span)?;
        }
        let mut exprs: Vec<PlanExpr> = targets.into_iter().map(|target| target.expr).collect();
        plan = window::plan(self, plan, &mut exprs, span)?;
        let key_exprs = exprs.split_off(items.len());
        for (key, expr) in keys.iter_mut().zip(key_exprs) {
            key.expr = expr;
        }

        let known_by = |passed: Option<Field>| passed.map(|field| (field.qualifier, field.origins)).unwrap_or_default();
        let mut fields: Vec<Field> = items
            .into_iter()
            .zip(passed)
            .map(|(item, passed)| {
                let (qualifier, origins) = known_by(passed);
                Field {
                    name: item.name,
                    qualifier,
                    id: self.fresh_id(),
                    data_type: item.typed.data_type,
                    nullable: item.typed.nullable,
                    visible: true,
                    origins,
                    behind: false,
                }
            })
            .collect();
        if env.in_frame && !grouped && !select.distinct {
            // What a step leaves out stays within reach of the filters and sorts behind it; so does the hidden side of a
            // USING join, for everything.
            let passes_all = is_identity(&select.items);
            for field in planned.scope.fields.iter().filter(|field| !passed_ids.contains(&field.id)) {
                exprs.push(field.expr());
                let behind = field.behind || !passes_all;
                fields.push(Field { id: self.fresh_id(), visible: false, behind, ..field.clone() });
            }
        }
        let is_sorted = !keys.is_empty();
        let plan = order::output(self, plan, &exprs, &fields, keys, select.distinct, span)?;
        let mut planned = Planned { plan, scope: Scope { fields } };
        // What is sorted is in one task in the end, wherever it was before.
        for exchange in select.exchanges.iter().filter(|_| !is_sorted) {
            planned = self.exchange(env, planned, exchange)?;
        }
        Ok(planned)
    }

    /// FROM with its lateral views.
    async fn from(&self, env: &Env, select: &Select) -> Result<Planned> {
        let mut relations = select.from.iter();
        let mut planned = match relations.next() {
            Some(first) => self.relation(env, first).await?,
            None => Planned::one_row(select.span)?,
        };
        for relation in relations {
            let right = self.relation(env, relation).await?;
            let none = spec::JoinConstraint::None;
            planned = self.join(env, planned, right, spec::JoinKind::Cross, &none, relation.span())?;
        }
        for view in &select.lateral_views {
            let Some((call, kind)) = generator_of(&view.generator) else {
                let message = "LATERAL VIEW needs a generator such as explode().";
                return Err(Diagnostic::new(
                    "UNSUPPORTED_GENERATOR.NOT_GENERATOR",
                    "42K0E",
                    message,
                    view.generator.span,
                ));
            };
            let subqueries = Subqueries::default();
            let binder = self.binder(env, &planned.scope, &subqueries, Place::Where);
            let args = call.args.iter().map(|arg| binder.bind(arg)).collect::<std::result::Result<Vec<_>, _>>()?;
            planned = self.lateral_view(planned, view, kind, args)?;
        }
        Ok(planned)
    }

    /// The select list, and the relation with the columns of a generator in it.
    fn items<'q>(
        &self,
        env: &Env,
        mut planned: Planned,
        select: &'q Select,
        subqueries: &Subqueries,
    ) -> Result<(Planned, Vec<Item<'q>>)> {
        let scope = planned.scope.clone();
        let mut items: Vec<Item<'q>> = Vec::new();
        let mut aliases: Vec<(String, Typed)> = Vec::new();
        let mut generated = false;
        for item in &select.items {
            let (expr, alias) = match item {
                SelectItem::Star { qualifier, except, span } => {
                    items.extend(star(&scope, qualifier.as_ref(), except, *span)?);
                    continue;
                }
                SelectItem::Expr { expr, alias } => (expr, alias),
            };
            let binder = Binder {
                aliases: &aliases,
                windows: &select.windows,
                ..self.binder(env, &scope, subqueries, Place::Select)
            };
            if let Some((call, (kind, outer))) = generator_of(expr) {
                if generated {
                    let message = "Only one generator is allowed in a select list.";
                    return Err(Diagnostic::new("UNSUPPORTED_GENERATOR.MULTI_GENERATOR", "42K0E", message, expr.span));
                }
                generated = true;
                let args = call.args.iter().map(|arg| binder.bind(arg)).collect::<std::result::Result<Vec<_>, _>>()?;
                if args.iter().any(|arg| aggregate::has_aggregate(&arg.expr) || window::has_window(&arg.expr)) {
                    return Err(Diagnostic::unsupported("A generator over an aggregate or window function", expr.span));
                }
                let (plan, fields) = self.generate(planned, kind, outer, args, &[], alias, expr.span)?;
                let mut scope = scope.clone();
                scope.fields.extend(fields.iter().cloned());
                planned = Planned { plan, scope };
                for field in fields {
                    let typed = field.typed();
                    aliases.push((field.name.clone(), typed.clone()));
                    items.push(Item { name: field.name, typed, span: expr.span, expr: None, renamed: false });
                }
                continue;
            }
            let typed = binder.bind(expr)?;
            let name = match alias.as_slice() {
                [] => pretty_name(&scope, expr),
                [alias] => {
                    aliases.push((alias.value.clone(), typed.clone()));
                    alias.value.clone()
                }
                [first, .., last] => {
                    let message = "Several names fit a generator only.";
                    let place = first.span.to(last.span);
                    return Err(Diagnostic::new("MULTI_ALIAS_WITHOUT_GENERATOR", "42K0E", message, place));
                }
            };
            items.push(Item { name, typed, span: expr.span, expr: Some(expr), renamed: !alias.is_empty() });
        }
        Ok((planned, items))
    }
}

fn is_identity(items: &[SelectItem]) -> bool {
    matches!(items, [SelectItem::Star { qualifier: None, except, .. }] if except.is_empty())
}

/// The column of FROM that an item passes on under its own name: what it is known by goes with it.
fn passed_on(item: &Item<'_>, scope: &Scope) -> Option<Field> {
    let is_plain = item.expr.is_none_or(|expr| matches!(expr.kind, ExprKind::Column(_) | ExprKind::FrameColumn { .. }));
    let field = scope.fields.iter().find(|field| field.expr() == item.typed.expr)?;
    (is_plain && !item.renamed).then(|| field.clone())
}

/// The call where `expr` is a generator, and which one.
fn generator_of(expr: &Expr) -> Option<(&FunctionCall, (crate::expr::Generator, bool))> {
    match &expr.kind {
        ExprKind::Function(call) => Some((call, generator_name(call.name.last())?)),
        _ => None,
    }
}

fn all_exprs<'q>(select: &'q Select, order_by: &'q [OrderItem]) -> Vec<&'q Expr> {
    let mut exprs: Vec<&Expr> = Vec::new();
    for item in &select.items {
        if let SelectItem::Expr { expr, .. } = item {
            exprs.push(expr);
        }
    }
    exprs.extend(&select.filter);
    exprs.extend(&select.having);
    match &select.group_by {
        GroupBy::None | GroupBy::All(_) => {}
        GroupBy::Exprs(list) | GroupBy::Rollup(list) | GroupBy::Cube(list) => exprs.extend(list),
        GroupBy::GroupingSets { exprs: list, sets } => {
            exprs.extend(list);
            exprs.extend(sets.iter().flatten());
        }
    }
    for (_, window) in &select.windows {
        exprs.extend(&window.partition_by);
        exprs.extend(window.order_by.iter().map(|item| &item.expr));
    }
    exprs.extend(order_by.iter().map(|item| &item.expr));
    exprs
}

/// The columns that `*`, `t.*` or `s.*` (the fields of a struct) stands for.
fn star<'q>(scope: &Scope, qualifier: Option<&Name>, except: &[Name], span: Span) -> Result<Vec<Item<'q>>> {
    let mut items: Vec<Item<'q>> = match qualifier {
        None => {
            let fields: Vec<&Field> = scope.fields.iter().filter(|field| field.visible).collect();
            if fields.is_empty() {
                let message = "`*` stands for the columns of FROM, but there are none.";
                return Err(Diagnostic::new("CANNOT_RESOLVE_STAR_EXPAND", "42704", message, span));
            }
            fields.into_iter().map(|field| item(field, span)).collect()
        }
        Some(name) => {
            let fields: Vec<&Field> = scope.fields.iter().filter(|field| field.is_of(&name.parts)).collect();
            if fields.is_empty() {
                struct_star(scope, name, span)?
            } else {
                fields.into_iter().map(|field| item(field, span)).collect()
            }
        }
    };
    for name in except {
        let Some(found) = scope.resolve(name)? else {
            let names: Vec<String> = scope.fields.iter().map(crate::scope::full_name).collect();
            let suggestions = crate::scope::suggestions(&name.to_string(), names.iter().map(String::as_str));
            let error = crate::expr::BindError::Unresolved { name: name.to_string(), span: name.span(), suggestions };
            return Err(error.into());
        };
        if !found.path.is_empty() {
            return Err(Diagnostic::unsupported("EXCEPT of a nested field", name.span()));
        }
        let dropped = found.field.expr();
        items.retain(|item| item.typed.expr != dropped);
    }
    Ok(items)
}

fn item<'q>(field: &Field, span: Span) -> Item<'q> {
    Item { name: field.name.clone(), typed: field.typed(), span, expr: None, renamed: false }
}

fn struct_star<'q>(scope: &Scope, name: &Name, span: Span) -> Result<Vec<Item<'q>>> {
    if let Some(found) = scope.resolve(name)? {
        let parent = crate::expr::nested(found.field.typed(), &found.path)?;
        if let SqlType::Column(DataType::Struct(fields)) = &parent.data_type {
            let mut items = Vec::with_capacity(fields.fields.len());
            for field in &fields.fields {
                let typed = crate::expr::nested(parent.clone(), &[Ident::new(field.name.clone(), span)])?;
                items.push(Item { name: field.name.clone(), typed, span, expr: None, renamed: false });
            }
            return Ok(items);
        }
    }
    let message = format!("`{name}.*` names neither a relation of FROM nor a struct.");
    Err(Diagnostic::new("CANNOT_RESOLVE_STAR_EXPAND", "42704", message, span))
}
