//! Set-up, tidy, tests.
fn main() {}
