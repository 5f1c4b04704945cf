//! Messages → one compact text.

/// Opens a marker. Text cannot write it: there it is folded.
pub const OPEN: char = '\u{27e6}';
/// Closes a marker.
pub const CLOSE: char = '\u{27e7}';
