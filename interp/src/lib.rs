//! The reference machine.
