//! Floating-point constants mean to LLVM what they mean to `ir`: any bits of any format, printed by `ir`, come back
//! from LLVM as the same bits, and nearly always as the same text.

use ir::{ConstKind, FloatKind, Global, Module};
use llvm::canonical_text;
use proptest::prelude::*;

/// Bits of any kind, those of small exponents and of few digits more often.
fn bits() -> impl Strategy<Value = u128> {
    prop_oneof![
        any::<u128>(),
        any::<f64>().prop_map(|value| value.to_bits().into()),
        any::<f32>().prop_map(|value| value.to_bits().into()),
        (-1000..1000_i32).prop_map(|n| (f64::from(n) / 8.0).to_bits().into()),
        (-1000..1000_i32, -20..20).prop_map(|(n, by)| (f64::from(n) * 10_f64.powi(by)).to_bits().into()),
        (-1000..1000_i16).prop_map(|n| (f32::from(n) / 10.0).to_bits().into()),
    ]
}

proptest! {
    // Each case is a run of LLVM on a module of constants.
    #![proptest_config(ProptestConfig { failure_persistence: None, max_shrink_iters: 200, ..ProptestConfig::with_cases(8) })]

    #[test]
    fn constants_are_to_llvm_what_they_are_here(
        all in prop::collection::vec((prop::sample::select(FloatKind::ALL.to_vec()), bits()), 1..1500),
    ) {
        let mut module = Module::default();
        for (number, (kind, bits)) in all.iter().enumerate() {
            let ty = module.types.float(*kind);
            let width = kind.bits();
            let bits = if width == 128 { *bits } else { bits & ((1 << width) - 1) };
            // The integer bit is set except in the least numbers; LLVM has no constants without it.
            let exponent = bits >> 64 & 0x7fff;
            let whole = *kind == FloatKind::X86Fp80;
            let bits = if whole { bits & !(1 << 63) | u128::from(exponent != 0) << 63 } else { bits };
            let value = module.constants.intern(ty, ConstKind::Float(bits));
            module.globals.push(Global::new(&format!("n{number}"), ty, Some(value)));
        }
        let ours = module.to_string();
        let theirs = canonical_text(ours.as_bytes()).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let read = ir::parse(&theirs, "theirs.ll").map_err(|error| TestCaseError::fail(error.to_string()))?;
        let value = |module: &Module, global: &Global| global.init.map(|c| module.constants.get(c).kind.clone());
        prop_assert_eq!(read.globals.len(), all.len());
        for (mine, again) in module.globals.values().zip(read.globals.values()) {
            prop_assert_eq!(value(&module, mine), value(&read, again), "of {}", mine.name);
        }
        // Of some decimals LLVM loses a digit when it tries them, and writes the bits instead; and of a number below
        // the normal ones it may write another decimal of seven digits that is nearest to the same bits.
        let lines = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|line| line.starts_with("@n"));
            lines.map(|line| line.split(", align").next().unwrap_or(line).to_owned()).collect()
        };
        let (ours, theirs) = (lines(&ours), lines(&theirs));
        let differing = ours.iter().zip(&theirs).filter(|(ours, theirs)| ours != theirs);
        for (ours, theirs) in differing.clone() {
            prop_assert!(ours.contains('e'), "{ours} and {theirs}");
        }
        // Among few, three may be as many as chance has them.
        prop_assert!(differing.count() <= 3 + all.len() / 20, "hardly any differ");
    }
}
