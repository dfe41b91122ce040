//! Any text: reading it must not panic, and what can be read prints as a text that reads as the same module.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(module) = ir::parse(text, "fuzz") else { return };
    let printed = module.to_string();
    let again = ir::parse(&printed, "fuzz").expect("what was printed can be read");
    assert_eq!(printed, again.to_string(), "printing what was read changes nothing");
    // The verifier may refuse, but must answer.
    let _ = ir::verify(&module);
});
