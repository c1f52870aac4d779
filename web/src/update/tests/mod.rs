//! The page's behaviour, without a browser.

mod editing;
mod engine;
mod opening;
mod stepping;
mod travel;
mod twins;
