//! A look at a foreign Parquet file before it is decoded. The decoder trusts footers and page headers and panics
//! on impossible ones, which would end the worker in the browser; here they become errors. Damage inside a page
//! is caught by its checksum where the writer has set one, as Spark does.

use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::basic::Encoding;
use parquet::column::page::Page;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};
use parquet::file::serialized_reader::SerializedPageReader;
use std::sync::Arc;

/// Checks that every column chunk lies inside the file.
pub(crate) fn check_footer(metadata: &ParquetMetaData, n_bytes: usize) -> Result<(), ParquetError> {
    for group in metadata.row_groups() {
        let is_sound = |chunk: &ColumnChunkMetaData| {
            let start = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
            let is_counted = chunk.num_values() >= 0 && chunk.data_page_offset() >= 0;
            is_counted && is_inside(start, chunk.compressed_size(), n_bytes)
        };
        if group.num_rows() < 0 || !group.columns().iter().all(is_sound) {
            return Err(damaged("its footer names a place outside the file"));
        }
    }
    Ok(())
}

fn is_inside(start: i64, length: i64, n_bytes: usize) -> bool {
    let (start, length) = (u64::try_from(start).ok(), u64::try_from(length).ok());
    start.zip(length).and_then(|(start, length)| start.checked_add(length)).is_some_and(|end| end <= n_bytes as u64)
}

/// Walks the pages of the wanted columns and checks what the decoder takes for granted.
pub(crate) fn check_pages(
    bytes: &Bytes,
    metadata: &ParquetMetaData,
    mask: &ProjectionMask,
) -> Result<(), ParquetError> {
    let file = Arc::new(bytes.clone());
    for group in metadata.row_groups() {
        let wanted = group.columns().iter().enumerate().filter(|(leaf, _)| mask.leaf_included(*leaf));
        for (_, chunk) in wanted {
            check_chunk(&file, chunk, group.num_rows() as usize)?;
        }
    }
    Ok(())
}

fn check_chunk(file: &Arc<Bytes>, chunk: &ColumnChunkMetaData, n_rows: usize) -> Result<(), ParquetError> {
    let mut has_dictionary = false;
    for page in SerializedPageReader::new(file.clone(), chunk, n_rows, None)? {
        let page = page?;
        match &page {
            Page::DictionaryPage { .. } => has_dictionary = true,
            Page::DataPage { .. } | Page::DataPageV2 { .. } if !is_dictionary(page.encoding()) => {}
            _ if !has_dictionary => return Err(damaged("a page refers to a dictionary that is not there")),
            page if values_start(page, chunk).is_none_or(|start| start >= page.buffer().len()) => {
                return Err(damaged("a page ends before its values"));
            }
            _ => {}
        }
    }
    Ok(())
}

fn is_dictionary(encoding: Encoding) -> bool {
    // Older writers still say PLAIN_DICTIONARY.
    matches!(encoding, Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY)
}

// Where the values begin, behind the repetition and definition levels. Only the RLE form of levels is measured;
// the older one has no length of its own.
fn values_start(page: &Page, chunk: &ColumnChunkMetaData) -> Option<usize> {
    match page {
        Page::DataPageV2 { rep_levels_byte_len, def_levels_byte_len, .. } => {
            rep_levels_byte_len.checked_add(*def_levels_byte_len).map(|start| start as usize)
        }
        Page::DataPage { buf, def_level_encoding, rep_level_encoding, .. } => {
            let column = chunk.column_descr();
            let levels = [(column.max_rep_level(), rep_level_encoding), (column.max_def_level(), def_level_encoding)];
            let mut start = 0_usize;
            for (_, encoding) in levels.into_iter().filter(|(max_level, _)| *max_level > 0) {
                if *encoding != Encoding::RLE {
                    return Some(0);
                }
                let length: [u8; 4] = buf.get(start..start.checked_add(4)?)?.try_into().ok()?;
                start = start.checked_add(4)?.checked_add(u32::from_le_bytes(length) as usize)?;
            }
            Some(start)
        }
        Page::DictionaryPage { .. } => Some(0),
    }
}

fn damaged(reason: &str) -> ParquetError {
    ParquetError::General(reason.to_owned())
}
