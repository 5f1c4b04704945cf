//! The shape planner.
