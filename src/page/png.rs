//! Pixels → a file.
