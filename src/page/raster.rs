//! Cells → pixels.
