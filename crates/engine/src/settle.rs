//! What the definition of a table must say besides what a statement asks for: ids and physical names of columns, and
//! the names of the columns in which data files keep row ids. Every statement that writes a metaData action passes
//! its new definition through here before it writes files.

use crate::env::Env;
use crate::failure;
use crate::stats_columns;
use delta::actions::Metadata;
use delta::mapping::assigned;
use delta::row_tracking::{ROW_ID_COLUMN, ROW_VERSION_COLUMN, is_enabled};
use delta::schema::StructType;
use spec::Diagnostic;

/// The definition, completed; `metadata` holds the text of the schema that is given back. `before` is the definition
/// that this one changes; a new table, and one that replaces another, has none.
///
/// # Errors
/// The table cannot change its column mapping in this way, or cannot have statistics of a column that it names.
pub(crate) fn settled(
    env: &Env,
    metadata: Metadata,
    schema: StructType,
    before: Option<&Metadata>,
) -> Result<(Metadata, StructType), Diagnostic> {
    let (mut metadata, schema) =
        assigned(metadata, schema, before, &mut || env.names.uuid()).map_err(failure::of_store)?;
    if is_enabled(&metadata) {
        for (property, prefix) in [(ROW_ID_COLUMN, "_row-id-col-"), (ROW_VERSION_COLUMN, "_row-commit-version-col-")] {
            if !metadata.configuration.contains_key(property) {
                metadata.configuration.insert(property.to_owned(), format!("{prefix}{}", env.names.uuid()));
            }
        }
    }
    stats_columns::check(&metadata, &schema)?;
    Ok((metadata, schema))
}
