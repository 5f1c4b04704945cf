//! The estimator of `src/meter` behind two C functions.

use palimpsest::meter::{self, Table};

const TABLES: [Table; 9] = [
    Table::O200k,
    Table::Cl100k,
    Table::Claude,
    Table::Gemini,
    Table::Llama,
    Table::Qwen,
    Table::Deepseek,
    Table::Mistral,
    Table::Other,
];

/// Room for a text of `size` bytes; never given back.
#[unsafe(no_mangle)]
pub extern "C" fn room(size: usize) -> *mut u8 {
    Vec::leak(vec![0; size]).as_mut_ptr()
}

/// Estimated tokens of the `size` bytes at `text`, by the number of a table.
///
/// # Safety
/// `text` came from `room`, with at least `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tokens(text: *const u8, size: usize, table: usize) -> u32 {
    let text = unsafe { core::slice::from_raw_parts(text, size) };
    meter::tokens(text, TABLES[table])
}
