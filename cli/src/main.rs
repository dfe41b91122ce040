//! The `adj` command.
fn main() {}
