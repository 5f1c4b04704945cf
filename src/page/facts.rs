//! The fact sheet.
