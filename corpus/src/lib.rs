//! The corpus of programs.
