//! System suites: cases are data, one runner each.
//!
//! `native` runs on this machine and links the engine; `browser` is compiled for wasm32 and talks
//! to the built engine over the protocol, as the page does.
