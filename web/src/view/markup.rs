//! The page's own `html!`: Yew's syntax for plain elements, as calls of a few functions.
//!
//! Yew's macro writes an element out in place, about 150 bytes each; with hundreds of them markup was the larger part
//! of the page. This one makes the same nodes from a call per element, attribute and child. Components, of which there
//! are few, are written with `yew::html!`.
//!
//! A condition that does not hold leaves an empty node in its place, so that what comes and goes never moves what follows.

use std::rc::Rc;
use yew::prelude::*;
use yew::virtual_dom::{AttributeOrProperty, Attributes, Key, Listener, VList, VTag};

/// Elements that are being written: those around the innermost, from the outside in.
pub struct Markup {
    outer: Vec<Open>,
    inner: Open,
}

/// An element before its end, or a list of nodes where its name is empty.
struct Open {
    tag: VTag,
    is_list: bool,
    /// The names of all attributes: static, so that Yew compares two drawings of an element by their values alone.
    names: &'static [&'static str],
    values: Vec<Option<AttributeOrProperty>>,
    children: Vec<Html>,
}

impl Markup {
    /// Begins a list of nodes.
    #[expect(clippy::new_without_default, reason = "an empty list of nodes is no default of anything")]
    pub fn new() -> Markup {
        Markup { outer: Vec::new(), inner: Open::new("", &[]) }
    }

    /// Begins an element, or a list if it has no name. Values of its attributes follow in the order of their names.
    #[inline(never)]
    pub fn open(&mut self, name: &'static str, names: &'static [&'static str]) {
        let around = std::mem::replace(&mut self.inner, Open::new(name, names));
        self.outer.push(around);
    }

    /// The value of the next attribute.
    #[inline(never)]
    pub fn fixed(&mut self, value: &'static str) {
        self.put(Some(AttrValue::Static(value)));
    }

    /// The value of the next attribute, if it has one.
    pub fn set(&mut self, value: impl Value) {
        let value = value.value(self.name());
        self.put(value);
    }

    /// The name of the next attribute.
    #[inline(never)]
    fn name(&self) -> &'static str {
        let open = &self.inner;
        open.names.get(open.values.len()).copied().unwrap_or_default()
    }

    #[inline(never)]
    fn put(&mut self, mut value: Option<AttrValue>) {
        let name = self.name();
        let open = &mut self.inner;
        if name == "value" && matches!(open.tag.tag(), "input" | "textarea") {
            // What an input holds is a property of it.
            open.tag.set_value(value.take());
        }
        if name == "class" {
            // Classes are put together from parts that may be empty.
            value = value.filter(|text| !text.is_empty()).map(|text| match text.strip_prefix(' ') {
                Some(rest) => AttrValue::from(rest.to_string()),
                None => text,
            });
        }
        open.values.push(value.map(AttributeOrProperty::Attribute));
    }

    /// What tells an element from its neighbours.
    #[inline(never)]
    pub fn key(&mut self, key: String) {
        self.inner.tag.key = Some(Key::from(key));
    }

    /// Something to be told of.
    pub fn listen(&mut self, listener: impl Listener + 'static) {
        self.attach(Rc::new(listener));
    }

    #[inline(never)]
    fn attach(&mut self, listener: Rc<dyn Listener>) {
        self.inner.tag.add_listener(listener);
    }

    /// A child.
    pub fn add(&mut self, node: impl Node) {
        let node = node.node();
        self.push(node);
    }

    /// A text that never changes.
    #[inline(never)]
    pub fn say(&mut self, text: &'static str) {
        self.push(text.node());
    }

    #[inline(never)]
    fn push(&mut self, node: Html) {
        self.inner.children.push(node);
    }

    /// Several nodes in the place of one.
    pub fn all(&mut self, nodes: impl IntoIterator<Item = impl Node>) {
        let nodes = nodes.into_iter().map(Node::node).collect();
        self.push(listed(nodes));
    }

    /// Ends the innermost element.
    #[inline(never)]
    pub fn close(&mut self) {
        if let Some(around) = self.outer.pop() {
            let node = std::mem::replace(&mut self.inner, around).end();
            self.push(node);
        }
    }

    /// The nodes; a list of one is that one.
    #[inline(never)]
    pub fn done(self) -> Html {
        self.inner.end()
    }
}

impl Open {
    fn new(name: &'static str, names: &'static [&'static str]) -> Open {
        let values = Vec::with_capacity(names.len());
        Open { tag: VTag::new(name), is_list: name.is_empty(), names, values, children: Vec::new() }
    }

    fn end(mut self) -> Html {
        let children = match self.children.len() {
            1 => self.children.pop().unwrap_or_default(),
            _ => listed(self.children),
        };
        if self.is_list {
            return children;
        }
        if let Some(place) = self.tag.children_mut() {
            *place = children;
        }
        if !self.names.is_empty() {
            self.tag.set_attributes(Attributes::Dynamic { keys: self.names, values: self.values.into_boxed_slice() });
        }
        Html::from(self.tag)
    }
}

#[inline(never)]
fn listed(nodes: Vec<Html>) -> Html {
    Html::from(VList::with_children(nodes, None))
}

/// What can stand between elements. Texts are texts, whatever is in them.
pub trait Node {
    fn node(self) -> Html;
}

impl Node for Html {
    fn node(self) -> Html {
        self
    }
}

impl Node for &str {
    fn node(self) -> Html {
        self.to_string().node()
    }
}

impl Node for String {
    #[inline(never)]
    fn node(self) -> Html {
        AttrValue::from(self).node()
    }
}

impl Node for &String {
    fn node(self) -> Html {
        self.as_str().node()
    }
}

impl Node for usize {
    fn node(self) -> Html {
        self.to_string().node()
    }
}

impl<N: Node> Node for Option<N> {
    fn node(self) -> Html {
        self.map(N::node).unwrap_or_default()
    }
}

impl Node for AttrValue {
    #[inline(never)]
    fn node(self) -> Html {
        Html::VText(yew::virtual_dom::VText::new(self))
    }
}

impl Node for &AttrValue {
    fn node(self) -> Html {
        self.clone().node()
    }
}

/// What can be said of an attribute; one that is there or not has its own name for a value.
pub trait Value {
    fn value(self, name: &'static str) -> Option<AttrValue>;
}

impl Value for &'static str {
    fn value(self, _: &'static str) -> Option<AttrValue> {
        Some(AttrValue::Static(self))
    }
}

impl Value for String {
    fn value(self, _: &'static str) -> Option<AttrValue> {
        Some(AttrValue::from(self))
    }
}

impl Value for AttrValue {
    fn value(self, _: &'static str) -> Option<AttrValue> {
        Some(self)
    }
}

impl Value for bool {
    fn value(self, name: &'static str) -> Option<AttrValue> {
        self.then_some(AttrValue::Static(name))
    }
}

impl<V: Value> Value for Option<V> {
    fn value(self, name: &'static str) -> Option<AttrValue> {
        self.and_then(|value| value.value(name))
    }
}

/// Nodes in Yew's syntax: elements, `{ node }`, `{ for nodes }`, `if … { } else { }`.
macro_rules! html {
    ($($tokens:tt)*) => {{
        #[allow(unused_mut)]
        let mut markup = $crate::view::markup::Markup::new();
        $crate::view::markup::nodes!(markup $($tokens)*);
        markup.done()
    }};
}

/// One node after the other.
macro_rules! nodes {
    ($m:ident) => {};
    ($m:ident < / > $($rest:tt)*) => { $m.close(); $crate::view::markup::nodes!($m $($rest)*); };
    ($m:ident < / $name:ident > $($rest:tt)*) => { $m.close(); $crate::view::markup::nodes!($m $($rest)*); };
    ($m:ident < > $($rest:tt)*) => { $m.open("", &[]); $crate::view::markup::nodes!($m $($rest)*); };
    ($m:ident < $a:ident - $b:ident $($rest:tt)*) => {
        $crate::view::markup::element!($m (concat!(stringify!($a), "-", stringify!($b))) [] [] $($rest)*);
    };
    ($m:ident < $name:ident $($rest:tt)*) => {
        $crate::view::markup::element!($m (stringify!($name)) [] [] $($rest)*);
    };
    ($m:ident { $text:literal } $($rest:tt)*) => { $m.say($text); $crate::view::markup::nodes!($m $($rest)*); };
    ($m:ident { for $nodes:expr } $($rest:tt)*) => { $m.all($nodes); $crate::view::markup::nodes!($m $($rest)*); };
    ($m:ident { $node:expr } $($rest:tt)*) => { $m.add($node); $crate::view::markup::nodes!($m $($rest)*); };
    ($m:ident if $($rest:tt)*) => { $crate::view::markup::condition!($m [if] [] $($rest)*); };
}

/// The attributes of an element: first their names, then a call for each value.
macro_rules! element {
    ($m:ident ($tag:expr) [$($names:expr,)*] [$($calls:tt)*] / > $($rest:tt)*) => {
        $m.open($tag, &[$($names),*]);
        $($calls)*
        $m.close();
        $crate::view::markup::nodes!($m $($rest)*);
    };
    ($m:ident ($tag:expr) [$($names:expr,)*] [$($calls:tt)*] > $($rest:tt)*) => {
        $m.open($tag, &[$($names),*]);
        $($calls)*
        $crate::view::markup::nodes!($m $($rest)*);
    };
    ($m:ident ($tag:expr) [$($names:tt)*] [$($calls:tt)*] { $name:ident } $($rest:tt)*) => {
        $crate::view::markup::element!($m ($tag) [$($names)*] [$($calls)*] $name = { $name } $($rest)*);
    };
    ($m:ident ($tag:expr) [$($names:tt)*] [$($calls:tt)*] key = { $value:expr } $($rest:tt)*) => {
        $crate::view::markup::element!($m ($tag) [$($names)*] [$($calls)* $m.key($value);] $($rest)*);
    };
    ($m:ident ($tag:expr) [$($names:tt)*] [$($calls:tt)*] onclick = { $act:expr } $($rest:tt)*) => {
        $crate::view::markup::element!(
            $m ($tag) [$($names)*] [$($calls)* $m.listen(yew::html::onclick::Wrapper::new($act));] $($rest)*
        );
    };
    ($m:ident ($tag:expr) [$($names:tt)*] [$($calls:tt)*] oninput = { $act:expr } $($rest:tt)*) => {
        $crate::view::markup::element!(
            $m ($tag) [$($names)*] [$($calls)* $m.listen(yew::html::oninput::Wrapper::new($act));] $($rest)*
        );
    };
    ($m:ident ($tag:expr) [$($names:tt)*] [$($calls:tt)*] onchange = { $act:expr } $($rest:tt)*) => {
        $crate::view::markup::element!(
            $m ($tag) [$($names)*] [$($calls)* $m.listen(yew::html::onchange::Wrapper::new($act));] $($rest)*
        );
    };
    ($m:ident ($tag:expr) [$($names:tt)*] [$($calls:tt)*] oncancel = { $act:expr } $($rest:tt)*) => {
        $crate::view::markup::element!(
            $m ($tag) [$($names)*] [$($calls)* $m.listen(yew::html::oncancel::Wrapper::new($act));] $($rest)*
        );
    };
    ($m:ident ($tag:expr) [$($names:tt)*] [$($calls:tt)*] $a:ident = true $($rest:tt)*) => {
        $crate::view::markup::element!($m ($tag) [$($names)*] [$($calls)*] $a = { true } $($rest)*);
    };
    ($m:ident ($tag:expr) [$($names:tt)*] [$($calls:tt)*] $a:ident = $value:literal $($rest:tt)*) => {
        $crate::view::markup::element!($m ($tag) [$($names)* stringify!($a),] [$($calls)* $m.fixed($value);] $($rest)*);
    };
    ($m:ident ($tag:expr) [$($names:tt)*] [$($calls:tt)*] $a:ident = { $value:expr } $($rest:tt)*) => {
        $crate::view::markup::element!($m ($tag) [$($names)* stringify!($a),] [$($calls)* $m.set($value);] $($rest)*);
    };
    ($m:ident ($tag:expr) [$($names:tt)*] [$($calls:tt)*] $a:ident - $b:ident = $value:literal $($rest:tt)*) => {
        $crate::view::markup::element!(
            $m ($tag) [$($names)* concat!(stringify!($a), "-", stringify!($b)),] [$($calls)* $m.fixed($value);] $($rest)*
        );
    };
    ($m:ident ($tag:expr) [$($names:tt)*] [$($calls:tt)*] $a:ident - $b:ident = { $value:expr } $($rest:tt)*) => {
        $crate::view::markup::element!(
            $m ($tag) [$($names)* concat!(stringify!($a), "-", stringify!($b)),] [$($calls)* $m.set($value);] $($rest)*
        );
    };
}

/// A condition ends at its first block; the chain of those before it is kept until the last.
macro_rules! condition {
    ($m:ident [$($chain:tt)*] [$($condition:tt)*] { $($then:tt)* } else if $($rest:tt)*) => {
        $crate::view::markup::condition!(
            $m [$($chain)* $($condition)* { $crate::view::markup::html! { $($then)* } } else if] [] $($rest)*
        );
    };
    ($m:ident [$($chain:tt)*] [$($condition:tt)*] { $($then:tt)* } else { $($other:tt)* } $($rest:tt)*) => {
        $m.add($($chain)* $($condition)* {
            $crate::view::markup::html! { $($then)* }
        } else {
            $crate::view::markup::html! { $($other)* }
        });
        $crate::view::markup::nodes!($m $($rest)*);
    };
    ($m:ident [$($chain:tt)*] [$($condition:tt)*] { $($then:tt)* } $($rest:tt)*) => {
        $m.add($($chain)* $($condition)* {
            $crate::view::markup::html! { $($then)* }
        } else {
            yew::Html::default()
        });
        $crate::view::markup::nodes!($m $($rest)*);
    };
    ($m:ident [$($chain:tt)*] [$($condition:tt)*] $next:tt $($rest:tt)*) => {
        $crate::view::markup::condition!($m [$($chain)*] [$($condition)* $next] $($rest)*);
    };
}

pub(crate) use {condition, element, html, nodes};
