//! What the columns of a relation are known by, in SQL and to data frames.

use spec::{Expr, ExprKind, Ident, Name, SelectItem};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

/// The relations of one FROM, or of a MERGE.
#[derive(Debug, Clone, Default)]
pub(super) struct Scope {
    pub(super) sides: Vec<Side>,
    /// What knows the columns of several sides together, and of which.
    pub(super) whole: Vec<(Range<usize>, View)>,
    /// Columns that USING has made one.
    pub(super) merged: Vec<String>,
}

/// One relation.
#[derive(Debug, Clone)]
pub(super) struct Side {
    /// What may stand before its columns in SQL.
    pub(super) qualifier: Option<String>,
    pub(super) views: Vec<View>,
}

/// A way to know columns that SQL does not have, and what has happened to their names since.
#[derive(Debug, Clone)]
pub(super) struct View {
    pub(super) by: By,
    pub(super) steps: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum By {
    /// The number of a frame.
    Frame(u32),
    /// An alias that a subquery hides.
    Alias(String),
}

/// A select list that the columns have gone through.
#[derive(Debug, Clone)]
pub(super) struct Step {
    items: Rc<[SelectItem]>,
    /// What stood before the columns in it.
    qualifier: Option<String>,
    /// Names that others of the columns under its star are known to have as well.
    doubled: Rc<BTreeSet<String>>,
}

/// Names of columns that the program speaks of.
#[derive(Debug, Default)]
pub(super) struct Spoken {
    /// By frame and name, the place in the frame.
    places: BTreeMap<(u32, String), u32>,
    /// Names that a frame has twice: they were seen at two places.
    twice: BTreeSet<(u32, String)>,
    /// By alias and name.
    qualified: BTreeSet<(String, String)>,
}

/// Why a column has no name.
enum Gone {
    /// It was left out or computed anew.
    Lost,
    /// Others have the same name.
    Doubled,
}

impl View {
    /// A way that nothing has happened to.
    pub(super) fn new(by: By) -> Self {
        Self { by, steps: Vec::new() }
    }

    /// The name of the column now.
    fn now(&self, name: &str) -> Result<String, Gone> {
        let mut name = name.to_owned();
        for step in &self.steps {
            name = step.after(&name)?;
        }
        Ok(name)
    }
}

impl Spoken {
    /// A column of a frame is spoken of.
    pub(super) fn place(&mut self, frame: u32, index: u32, name: &Ident) {
        let key = (frame, name.value.to_lowercase());
        if *self.places.entry(key.clone()).or_insert(index) != index {
            self.twice.insert(key);
        }
    }

    /// A column is spoken of by name.
    pub(super) fn name(&mut self, name: &Name) {
        if let [qualifier, column, ..] = name.parts.as_slice() {
            self.qualified.insert((qualifier.value.to_lowercase(), column.value.to_lowercase()));
        }
    }

    /// Whether the frame has two columns of that name.
    pub(super) fn has_twice(&self, frame: u32, name: &Ident) -> bool {
        self.twice.contains(&(frame, name.value.to_lowercase()))
    }

    fn by(&self, by: &By) -> Vec<&str> {
        match by {
            By::Frame(frame) => {
                let from = (*frame, String::new());
                self.places
                    .range(from..)
                    .take_while(|((of, _), _)| of == frame)
                    .map(|((_, name), _)| name.as_str())
                    .collect()
            }
            By::Alias(alias) => {
                let from = (alias.to_lowercase(), String::new());
                let same = |(of, _): &&(String, String)| *of == from.0;
                self.qualified.range(from.clone()..).take_while(same).map(|(_, name)| name.as_str()).collect()
            }
        }
    }
}

impl Side {
    /// The columns that it is known to have, by their names now.
    fn names(&self, spoken: &Spoken) -> BTreeSet<String> {
        let own = self.qualifier.clone().map(|qualifier| View::new(By::Alias(qualifier)));
        let mut names = BTreeSet::new();
        for view in self.views.iter().chain(&own) {
            names.extend(
                spoken.by(&view.by).into_iter().filter_map(|name| view.now(name).ok()).map(|name| name.to_lowercase()),
            );
        }
        names
    }
}

impl Step {
    fn after(&self, name: &str) -> Result<String, Gone> {
        let found = self.items.iter().find_map(|item| self.passes(item, name).map(|now| (item, now)));
        match found {
            Some((SelectItem::Star { qualifier: None, .. }, now)) if self.doubled.contains(&now.to_lowercase()) => {
                Err(Gone::Doubled)
            }
            Some((_, now)) => Ok(now),
            None => Err(Gone::Lost),
        }
    }

    fn passes(&self, item: &SelectItem, name: &str) -> Option<String> {
        let is_own = |qualifier: &Ident| self.qualifier.as_ref().is_some_and(|own| qualifier.is(own));
        match item {
            SelectItem::Star { qualifier, except, .. } => {
                let covers = qualifier.as_ref().is_none_or(|name| name.parts.last().is_some_and(is_own));
                let left_out = except.iter().any(|column| same(column.last(), name));
                (covers && !left_out).then(|| name.to_owned())
            }
            SelectItem::Expr { expr: Expr { kind: ExprKind::Column(column), .. }, alias } => {
                let passes = match column.parts.as_slice() {
                    [only] => only.is(name),
                    [.., qualifier, last] => last.is(name) && is_own(qualifier),
                    [] => false,
                };
                passes.then(|| alias.first().map_or_else(|| column.last().to_owned(), |alias| alias.value.clone()))
            }
            SelectItem::Expr { .. } => None,
        }
    }
}

fn same(left: &str, right: &str) -> bool {
    left.to_lowercase() == right.to_lowercase()
}

/// What a column has turned out to be.
pub(super) enum Found {
    /// Where it came from is unknown here.
    Nowhere,
    /// It was there once.
    Lost,
    Once(Vec<String>),
    Several,
}

impl Found {
    /// The same with one more way to the column.
    fn or(self, other: Result<Vec<String>, Gone>) -> Self {
        match (self, other) {
            (Found::Several, _) | (_, Err(Gone::Doubled)) => Found::Several,
            (Found::Once(parts), Ok(other)) if parts != other => Found::Several,
            (_, Ok(parts)) => Found::Once(parts),
            (Found::Nowhere, Err(Gone::Lost)) => Found::Lost,
            (found, Err(Gone::Lost)) => found,
        }
    }
}

impl Scope {
    /// The relations of both, side by side.
    pub(super) fn beside(mut self, other: Scope) -> Self {
        let n_sides = self.sides.len();
        self.sides.extend(other.sides);
        let shifted = |(sides, view): (Range<usize>, View)| (sides.start + n_sides..sides.end + n_sides, view);
        self.whole.extend(other.whole.into_iter().map(shifted));
        self.merged.extend(other.merged);
        self
    }

    /// Adds a way to know all the columns.
    pub(super) fn know(&mut self, view: View) {
        match self.sides.as_mut_slice() {
            [only] => only.views.push(view),
            several => {
                let all = 0..several.len();
                self.whole.push((all, view));
            }
        }
    }

    /// What SQL may write before a column, and what only frames may.
    pub(super) fn qualifiers(&self) -> Vec<String> {
        let views = self.sides.iter().flat_map(|side| &side.views).chain(self.whole.iter().map(|(_, view)| view));
        let hidden = views.filter_map(|view| match &view.by {
            By::Alias(alias) => Some(alias),
            By::Frame(_) => None,
        });
        let mut all: Vec<String> = Vec::new();
        for qualifier in self.sides.iter().filter_map(|side| side.qualifier.as_ref()).chain(hidden) {
            if !all.iter().any(|known| same(known, qualifier)) {
                all.push(qualifier.clone());
            }
        }
        all
    }

    /// The ways of a query's columns once it is a subquery: through its select list.
    pub(super) fn inside(self, items: Option<&[SelectItem]>, spoken: &Spoken) -> Vec<View> {
        let Some(items) = items else { return Vec::new() };
        let items: Rc<[SelectItem]> = items.into();
        let names: Vec<BTreeSet<String>> = self.sides.iter().map(|side| side.names(spoken)).collect();
        let merged = |name: &&String| self.merged.iter().any(|merged| same(merged, name));
        let mut views = Vec::new();
        for (idx, side) in self.sides.into_iter().enumerate() {
            let others = names.iter().enumerate().filter(|(other, _)| *other != idx).flat_map(|(_, names)| names);
            let doubled = Rc::new(others.filter(|name| !merged(name)).cloned().collect());
            let step = Step { items: Rc::clone(&items), qualifier: side.qualifier.clone(), doubled };
            let own = side.qualifier.map(|qualifier| View::new(By::Alias(qualifier)));
            for mut view in side.views.into_iter().chain(own) {
                view.steps.push(step.clone());
                views.push(view);
            }
        }
        for (_, mut view) in self.whole {
            view.steps.push(Step { items: Rc::clone(&items), qualifier: None, doubled: Rc::default() });
            views.push(view);
        }
        views
    }

    /// What a column is called that is known this way.
    pub(super) fn find(&self, by: &By, name: &str, spoken: &Spoken) -> Found {
        let mut found = Found::Nowhere;
        for side in &self.sides {
            for view in side.views.iter().filter(|view| view.by == *by) {
                let qualifier = side.qualifier.clone().filter(|_| self.sides.len() > 1);
                found = found.or(view.now(name).map(|now| qualifier.into_iter().chain([now]).collect()));
            }
        }
        for (sides, view) in self.whole.iter().filter(|(_, view)| view.by == *by) {
            let others = self.sides.iter().enumerate().filter(|(idx, _)| !sides.contains(idx)).map(|(_, side)| side);
            let now = view.now(name).and_then(|now| {
                let is_taken = others.into_iter().any(|side| side.names(spoken).contains(&now.to_lowercase()));
                if is_taken { Err(Gone::Doubled) } else { Ok(vec![now]) }
            });
            found = found.or(now);
        }
        found
    }

    /// Whether SQL may write the qualifier before a column.
    pub(super) fn shows(&self, qualifier: &Ident) -> bool {
        self.sides.iter().any(|side| side.qualifier.as_ref().is_some_and(|own| qualifier.is(own)))
    }
}
