//! Bytes as the decisions of the generator: nothing may be found in any program.

#![no_main]

use adjudicate::Level;
use fuzz::c::{generate, odds::Odds};
use fuzz::choices::Choices;
use fuzz::{Options, TestCase, check};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let program = generate::program(&mut Choices::new(bytes), &Odds::default());
    let case = TestCase { seed: 0, program };
    let level = Level::ALL[bytes.len() % Level::ALL.len()];
    let options = Options { levels: vec![level], native: false, debug: false, ..Options::default() };
    let findings = check(&case, &options).findings;
    assert!(findings.is_empty(), "{}\n{}", findings[0].report, case.source());
});
