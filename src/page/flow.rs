//! Text → rows of cells.
