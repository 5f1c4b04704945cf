//! What readers were measured to read.
