//! The build's file names, from the head of the page.

use web_sys::Element;

/// What the site's files are called in this build.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Names {
    pub(super) build: String,
    pub(super) worker: String,
    pub(super) engine: String,
    pub(super) engine_wasm: String,
    pub(super) python: String,
    pub(super) python_wasm: String,
    pub(super) editor: String,
}

impl Names {
    /// Reads `<meta name="mergelab" data-…>`; a missing attribute is an empty name.
    pub(super) fn read() -> Names {
        let meta = super::dom::document().and_then(|document| document.query_selector("meta[name=mergelab]").ok()?);
        let of = |attribute: &str| {
            meta.as_ref().and_then(|meta: &Element| meta.get_attribute(attribute)).unwrap_or_default()
        };
        Names {
            build: of("data-build"),
            worker: of("data-worker"),
            engine: of("data-engine"),
            engine_wasm: of("data-engine-wasm"),
            python: of("data-python"),
            python_wasm: of("data-python-wasm"),
            editor: of("data-editor"),
        }
    }
}
