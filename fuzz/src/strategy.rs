//! The generators as strategies of proptest: a property of programs is stated in a test, and a program that breaks it
//! shrinks.
//!
//! ```no_run
//! use fuzz::{check, check::Options, strategy};
//! use proptest::prelude::*;
//!
//! proptest!(|(case in strategy::programs(fuzz::c::odds::Odds::default()))| {
//!     prop_assert!(check(&case, &Options::default()).findings.is_empty());
//! });
//! ```
//!
//! A program in C shrinks by edits of its tree, one in IR by its decisions ([`crate::shrink`]). What a failure prints
//! is the program's text.

use crate::TestCase;
use crate::c;
use crate::choices::{Draws, bytes_of_seed};
use crate::ir::{self, Purpose, batch};
use crate::shrink::{Search, Shrink};
use proptest::prelude::{Rng, Strategy};
use proptest::strategy::{NewTree, ValueTree};
use proptest::test_runner::TestRunner;
use std::fmt;

/// Programs in C, drawn with these odds.
pub fn programs(odds: c::odds::Odds) -> Programs {
    Programs { odds }
}

/// Modules with one program, drawn with these odds.
pub fn modules(purpose: Purpose, odds: ir::odds::Odds) -> impl Strategy<Value = Module> {
    Decisions.prop_map(move |Draws(bytes)| Module(batch::of_bytes(&[bytes], purpose, &odds).module))
}

/// A module, which a test that fails shows as text.
#[derive(Clone)]
pub struct Module(pub ::ir::Module);

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&ir::reduce::text(&self.0))
    }
}

/// See [`programs`].
#[derive(Clone, Debug)]
pub struct Programs {
    odds: c::odds::Odds,
}

impl Strategy for Programs {
    type Tree = Shrinking<TestCase>;
    type Value = TestCase;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Programs> {
        Ok(Shrinking(Search::new(TestCase::from_seed(runner.rng().next_u64(), &self.odds))))
    }
}

/// What programs are functions of.
#[derive(Clone, Copy, Debug)]
pub struct Decisions;

impl Strategy for Decisions {
    type Tree = Shrinking<Draws>;
    type Value = Draws;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Decisions> {
        Ok(Shrinking(Search::new(Draws(bytes_of_seed(runner.rng().next_u64())))))
    }
}

/// A search that proptest drives.
#[derive(Clone, Debug)]
pub struct Shrinking<T>(Search<T>);

impl<T: Shrink + fmt::Debug> ValueTree for Shrinking<T> {
    type Value = T;

    fn current(&self) -> T {
        self.0.proposed().clone()
    }

    fn simplify(&mut self) -> bool {
        self.0.keep()
    }

    fn complicate(&mut self) -> bool {
        self.0.discard()
    }
}

impl Shrink for TestCase {
    fn edit(&self, n: usize) -> Option<TestCase> {
        self.program.edit(n).map(|program| TestCase { seed: self.seed, program })
    }

    fn is_valid(&self) -> bool {
        self.program.is_valid()
    }
}
