//! Windows and the keys of ORDER BY.

use crate::expr::Level;
use crate::ident;
use crate::printer::Printer;
use spec::{FrameBound, FrameUnits, Ident, OrderItem, WindowFrame, WindowSpec};

impl Printer<'_> {
    /// What stands behind OVER.
    pub(crate) fn over(&mut self, window: &WindowSpec) {
        match &window.named {
            Some(name) if window.partition_by.is_empty() && window.order_by.is_empty() && window.frame.is_none() => {
                self.put(&ident::ident(name));
            }
            _ => self.window(window),
        }
    }

    fn window(&mut self, window: &WindowSpec) {
        self.put("(");
        let mut space = "";
        if let Some(name) = &window.named {
            self.put(&base_window(name));
            space = " ";
        }
        if !window.partition_by.is_empty() {
            self.put(space);
            self.put("PARTITION BY ");
            self.list(&window.partition_by, |printer, key| printer.operand(key, Level::Or));
            space = " ";
        }
        if !window.order_by.is_empty() {
            self.put(space);
            self.put("ORDER BY ");
            self.list(&window.order_by, |printer, key| printer.order_item(key));
            space = " ";
        }
        if let Some(frame) = &window.frame {
            self.put(space);
            self.frame(frame);
        }
        self.put(")");
    }

    fn frame(&mut self, frame: &WindowFrame) {
        self.put(match frame.units {
            FrameUnits::Rows => "ROWS BETWEEN ",
            FrameUnits::Range => "RANGE BETWEEN ",
        });
        self.bound(&frame.start);
        self.put(" AND ");
        self.bound(&frame.end);
    }

    fn bound(&mut self, bound: &FrameBound) {
        match bound {
            FrameBound::UnboundedPreceding => self.put("UNBOUNDED PRECEDING"),
            FrameBound::Preceding(distance) => {
                self.value(distance);
                self.put(" PRECEDING");
            }
            FrameBound::CurrentRow => self.put("CURRENT ROW"),
            FrameBound::Following(distance) => {
                self.value(distance);
                self.put(" FOLLOWING");
            }
            FrameBound::UnboundedFollowing => self.put("UNBOUNDED FOLLOWING"),
        }
    }

    /// `WINDOW w AS (…), …`, without the word WINDOW.
    pub(crate) fn windows(&mut self, windows: &[(Ident, WindowSpec)]) {
        self.list(windows, |printer, (name, window)| {
            printer.put(&ident::ident(name));
            printer.put(" AS ");
            printer.over(window);
        });
    }

    pub(crate) fn order_item(&mut self, item: &OrderItem) {
        self.operand(&item.expr, Level::Or);
        if item.descending {
            self.put(" DESC");
        }
        match item.nulls_first {
            Some(true) => self.put(" NULLS FIRST"),
            Some(false) => self.put(" NULLS LAST"),
            None => {}
        }
    }
}

/// The window that another starts from; these words would begin its frame.
fn base_window(name: &Ident) -> String {
    if name.is("ROWS") || name.is("RANGE") || name.is("PARTITION") {
        ident::quoted(&name.value)
    } else {
        ident::ident(name)
    }
}
