//! A second opinion on what a module says: the `llvm-ir` crate reads it through LLVM's own library, and each
//! instruction of the two readings is put into the same words - opcode, flags, types, operands, alignments - and
//! compared.
//!
//! What the crate has no place for is left out of the words and counted ([`Tally::lost`]); on some constants it panics,
//! which loses the module ([`Tally::refused`]).

mod ours;
mod theirs;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// What was compared.
#[derive(Clone, Default, Debug)]
pub struct Tally {
    /// Modules.
    pub modules: usize,
    /// Functions with a body.
    pub functions: usize,
    /// Instructions.
    pub instructions: usize,
    /// Modules that the crate cannot represent, by what it says.
    pub refused: BTreeMap<String, usize>,
    /// Time that the second reading and the comparison took.
    pub time: Duration,
    /// What the crate leaves out, and how often it was there.
    pub lost: BTreeMap<&'static str, usize>,
}

impl Tally {
    /// Takes what was counted elsewhere.
    pub fn add(&mut self, other: &Tally) {
        self.modules += other.modules;
        self.functions += other.functions;
        self.instructions += other.instructions;
        self.time += other.time;
        other.refused.iter().for_each(|(what, n)| *self.refused.entry(what.clone()).or_default() += n);
        other.lost.iter().for_each(|(what, n)| *self.lost.entry(what).or_default() += n);
    }
}

/// A function in words: the types of its parameters and of its result, and each of its blocks.
#[derive(PartialEq)]
struct Words {
    signature: String,
    blocks: Vec<Vec<String>>,
}

/// Compares a module with LLVM's reading of its text; an error is the first difference.
pub fn compare(text: &str, module: &ir::Module, tally: &mut Tally) -> Result<(), String> {
    let start = Instant::now();
    let result = differences(text, module, tally);
    tally.time += start.elapsed();
    result
}

fn differences(text: &str, module: &ir::Module, tally: &mut Tally) -> Result<(), String> {
    let read = catch_unwind(AssertUnwindSafe(|| theirs::functions(text)));
    let theirs = match read {
        Ok(functions) => functions?,
        Err(why) => {
            let why =
                why.downcast_ref::<String>().cloned().or_else(|| why.downcast_ref::<&str>().map(|s| s.to_string()));
            let why = why.unwrap_or_default();
            // Names and numbers apart, so that the same reason counts as one.
            let kind: String = why.split(['{', '(', ';', '"']).next().unwrap_or("").chars().take(80).collect();
            *tally.refused.entry(kind).or_default() += 1;
            return Ok(());
        }
    };
    let ours = ours::functions(module, tally);
    tally.modules += 1;
    if ours.len() != theirs.len() {
        return Err(format!("{} functions have a body, LLVM has {}", ours.len(), theirs.len()));
    }
    for (name, ours) in &ours {
        let Some(theirs) = theirs.get(name) else { return Err(format!("LLVM has no function {name}")) };
        tally.functions += 1;
        tally.instructions += ours.blocks.iter().map(Vec::len).sum::<usize>();
        if ours.signature != theirs.signature {
            return Err(format!("{name}: {} is {}", ours.signature, theirs.signature));
        }
        let lines = |words: &Words| words.blocks.iter().flatten().cloned().collect::<Vec<_>>();
        let (left, right) = (lines(ours), lines(theirs));
        if let Some((a, b)) = left.iter().zip(&right).find(|(a, b)| a != b) {
            return Err(format!("{name}:\n  ours {a}\n  LLVM {b}"));
        }
        if ours != theirs {
            return Err(format!("{name}: blocks of {:?} and {:?} instructions", sizes(ours), sizes(theirs)));
        }
    }
    Ok(())
}

fn sizes(words: &Words) -> Vec<usize> {
    words.blocks.iter().map(Vec::len).collect()
}

/// Words with a space between, empty ones left out.
fn join(words: &[&str]) -> String {
    let words: Vec<&str> = words.iter().copied().filter(|word| !word.is_empty()).collect();
    words.join(" ")
}
