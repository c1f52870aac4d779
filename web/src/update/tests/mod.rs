//! The page's behaviour, without a browser.

mod editing;
mod engine;
mod help;
mod opening;
mod playground;
mod stepping;
mod travel;
mod twins;
