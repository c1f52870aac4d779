//! What we write is read by others: delta_kernel and delta-rs see our rows at every version.

mod dump;
mod kernel;
mod rust;
mod zip;
