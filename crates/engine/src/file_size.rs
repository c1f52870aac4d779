//! What a data file would weigh if the reference had written it: its optimiser compares sizes of files with sizes of rows.
//!
//! Its footers are larger than ours: they hold the table's schema a second time, as JSON, and more encodings. Measured on
//! files of one to four columns and few rows; what differs per row is lost beside it.

/// Of a file as such.
const FOOTER: u64 = 216;
/// Of each column.
const COLUMN: u64 = 102;
/// What a file of a plain Parquet table has less of each column than a file of a Delta table.
const PLAIN_COLUMN: u64 = 8;

/// The size of one of our files of a Delta table with so many columns in the file, in bytes.
pub(crate) fn of_delta(ours: u64, n_columns: usize) -> u64 {
    ours + FOOTER + COLUMN * n_columns as u64
}

/// The size of one of our files of a plain Parquet table.
pub(crate) fn of_plain(ours: u64, n_columns: usize) -> u64 {
    of_delta(ours, n_columns) - PLAIN_COLUMN * n_columns as u64 - 1
}
