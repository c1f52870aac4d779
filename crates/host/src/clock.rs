//! The instant at which a sandbox's clock starts.

use spec::Diagnostic;

/// Where the clock starts unless a lesson says otherwise.
pub const DEFAULT_CLOCK: &str = "2026-01-15T00:00:00Z";

/// Milliseconds since the epoch of an ISO 8601 instant.
///
/// # Errors
/// Text that is no instant.
pub(crate) fn start_of(clock: &str) -> Result<i64, Diagnostic> {
    match delta::text::parse_timestamp(clock) {
        Some(micros) => Ok(micros.div_euclid(1_000)),
        None => {
            let message = format!("`{clock}` is not an instant; write it like {DEFAULT_CLOCK}.");
            Err(Diagnostic::new("MERGELAB_INVALID_CLOCK", "", message, None))
        }
    }
}
