//! The one place where asynchronous code is driven to its end.
//!
//! Nothing that the sandbox awaits really waits: storage is in memory or a local folder, and plans
//! have one partition. The runtime only lends DataFusion the context that its streams ask for.

use std::future::Future;

/// Runs a future to its end on this thread.
///
/// # Panics
/// Inside another tokio runtime, as tokio's own `block_on` does.
pub fn block_on<F: Future>(future: F) -> F::Output {
    match tokio::runtime::Builder::new_current_thread().build() {
        Ok(runtime) => runtime.block_on(future),
        // Without time and I/O drivers there is nothing in a runtime that can fail to start.
        Err(_) => futures::executor::block_on(future),
    }
}
