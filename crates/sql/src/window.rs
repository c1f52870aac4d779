//! Windows: `OVER (…)`, `OVER name`, and the WINDOW clause.

use crate::cursor::{Cursor, Parse};
use crate::errors::expected;
use crate::expr;
use spec::{FrameBound, FrameUnits, Ident, OrderItem, WindowFrame, WindowSpec};

/// Reads what stands after OVER.
pub(crate) fn parse(cursor: &mut Cursor<'_>) -> Parse<WindowSpec> {
    if !cursor.at_op("(") {
        let named = Some(cursor.ident("a window")?);
        return Ok(WindowSpec { named, partition_by: Vec::new(), order_by: Vec::new(), frame: None });
    }
    cursor.expect_op("(")?;
    let starts_part = cursor.at_any(&["PARTITION BY", "DISTRIBUTE BY", "CLUSTER BY", "ORDER BY", "SORT BY"])
        || (cursor.at_any(&["ROWS", "RANGE"]) && !cursor.at_op_ahead(1, ")"));
    let named = if cursor.at_ident() && !starts_part { Some(cursor.ident("a window")?) } else { None };
    let mut partition_by = Vec::new();
    if cursor.eat("PARTITION BY") || cursor.eat("DISTRIBUTE BY") || cursor.eat("CLUSTER BY") {
        partition_by = cursor.list(expr::parse)?;
    }
    let order_by = if cursor.eat("ORDER BY") || cursor.eat("SORT BY") { order_items(cursor)? } else { Vec::new() };
    let units = if cursor.eat("ROWS") {
        Some(FrameUnits::Rows)
    } else if cursor.eat("RANGE") {
        Some(FrameUnits::Range)
    } else {
        None
    };
    let frame = units.map(|units| frame(cursor, units)).transpose()?;
    if !cursor.eat_op(")") {
        let wanted: &[&str] = match (&frame, order_by.is_empty(), partition_by.is_empty()) {
            (Some(_), _, _) => &["')'"],
            (None, false, _) => &["','", "ROWS", "RANGE", "')'"],
            (None, true, false) => &["','", "ORDER BY", "')'"],
            (None, true, true) => &["PARTITION BY", "ORDER BY", "')'"],
        };
        return Err(expected(cursor, wanted));
    }
    Ok(WindowSpec { named, partition_by, order_by, frame })
}

fn frame(cursor: &mut Cursor<'_>, units: FrameUnits) -> Parse<WindowFrame> {
    let (start, end) = if cursor.eat("BETWEEN") {
        let start = bound(cursor)?;
        cursor.expect("AND")?;
        (start, bound(cursor)?)
    } else {
        (bound(cursor)?, FrameBound::CurrentRow)
    };
    Ok(WindowFrame { units, start, end })
}

fn bound(cursor: &mut Cursor<'_>) -> Parse<FrameBound> {
    if cursor.eat("CURRENT ROW") {
        return Ok(FrameBound::CurrentRow);
    }
    if cursor.eat("UNBOUNDED PRECEDING") {
        return Ok(FrameBound::UnboundedPreceding);
    }
    if cursor.eat("UNBOUNDED FOLLOWING") {
        return Ok(FrameBound::UnboundedFollowing);
    }
    let offset = Box::new(expr::value(cursor)?);
    if cursor.eat("PRECEDING") {
        Ok(FrameBound::Preceding(offset))
    } else if cursor.eat("FOLLOWING") {
        Ok(FrameBound::Following(offset))
    } else {
        Err(expected(cursor, &["PRECEDING", "FOLLOWING"]))
    }
}

/// Reads the keys of an ORDER BY.
pub(crate) fn order_items(cursor: &mut Cursor<'_>) -> Parse<Vec<OrderItem>> {
    cursor.list(|cursor| {
        let expr = expr::parse(cursor)?;
        let descending = cursor.eat("DESC");
        if !descending {
            cursor.eat("ASC");
        }
        let nulls_first = if cursor.eat("NULLS FIRST") {
            Some(true)
        } else if cursor.eat("NULLS LAST") {
            Some(false)
        } else {
            None
        };
        Ok(OrderItem { expr, descending, nulls_first })
    })
}

/// Reads `name AS (…), …` of a WINDOW clause.
pub(crate) fn definitions(cursor: &mut Cursor<'_>) -> Parse<Vec<(Ident, WindowSpec)>> {
    cursor.list(|cursor| {
        let name = cursor.ident("the name of a window")?;
        cursor.expect("AS")?;
        Ok((name, parse(cursor)?))
    })
}
