//! The table of derivative rules.
