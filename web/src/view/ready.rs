//! Ready statements for the playground. Every one of them is run by the host's tests.

/// Label and text.
pub const READY: &[(&str, &str)] = &[
    ("First upsert", include_str!("../../ready/upsert.sql")),
    ("Partitions, 100 000 rows", include_str!("../../ready/partitions.sql")),
    ("Skewed keys, 100 000 rows", include_str!("../../ready/skew.sql")),
    ("Deletion vectors", include_str!("../../ready/deletion_vectors.sql")),
    ("Change feed", include_str!("../../ready/change_feed.sql")),
];
