//! The gradients of this project are the derivatives. A failing test prints the report: which component, by how much,
//! and which line.

use adjudicate::{Error, check};
use std::path::PathBuf;

fn source(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("c").join(name)
}

/// One function at one point.
#[test]
fn the_gradient_at_a_point() -> Result<(), Error> {
    let check = check(source("rosenbrock.c")).levels(["O0", "O2"]);
    check.function("rosenbrock").dup(&[1.2, 0.8]).constant(2).run()?.assert_correct();
    Ok(())
}

/// Every gradient that a whole program computes.
#[test]
fn the_gradients_of_a_program() -> Result<(), Error> {
    check(source("descent.c")).levels(["O0", "O2"]).run()?.assert_correct();
    Ok(())
}
