//! `adj run --stats` and `--trace`: what a run does, counted and told.

use crate::error::Error;
use crate::report::NativeCall;
use crate::requirements;
use crate::tools::{self, Ended, RunOptions};
use interp::machines::{Counts, Observe};
use interp::{Interp, Standard};
use llvm::Input;
use std::collections::BTreeSet;
use std::fmt;

pub use interp::machines::Traced;

/// What to observe besides counting.
#[derive(Clone, Debug, Default)]
pub struct Observation {
    /// What to trace.
    pub traced: Traced,
    /// The functions to trace, by name; all if there is none.
    pub functions: Vec<String>,
}

/// What a run did.
#[derive(Clone, Debug)]
pub struct Statistics {
    /// IR instructions executed.
    pub steps: u64,
    /// The most bytes of memory that were live at a time, globals and stacks included.
    pub peak: u64,
    /// Threads that there were.
    pub threads: usize,
    /// Instructions, calls, loads and stores.
    pub counts: Counts,
    /// Functions of native libraries that were called.
    pub native_calls: Vec<NativeCall>,
}

/// Runs a program as [`tools::run`] does, without ranks; each line of the trace goes to `tell`.
pub fn run(
    input: &Input,
    options: &RunOptions,
    observation: &Observation,
    tell: impl FnMut(&str),
) -> Result<(Ended, Statistics), Error> {
    if options.ranks.is_some() {
        return Err(Error::Usage("ranks are not counted or traced".to_owned()));
    }
    let files = requirements::access(options.files.as_deref())?;
    let program = tools::runnable(input, options)?;
    let mut only = BTreeSet::new();
    for name in &observation.functions {
        let found = program.module.function(name);
        only.insert(found.ok_or_else(|| Error::Usage(format!("the program has no function `{name}` to trace")))?);
    }
    let machine = Observe::new(&program).traced(observation.traced, only, tell);
    let mut interp = Interp::new(&program, machine, options.limits(&files)).with_output(Box::new(Standard::default()));
    let ended = tools::run_in(&mut interp, input, options);
    let (steps, threads) = (interp.steps(), interp.threads());
    let (machine, memory) = interp.into_parts();
    let native_calls = NativeCall::all(&options.bridge);
    Ok((ended, Statistics { steps, peak: memory.peak(), threads, counts: machine.counts(), native_calls }))
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { instructions, floating_point, library, loads, stores } = &self.counts;
        writeln!(f, "{:>14} IR instructions executed", self.steps)?;
        writeln!(f, "{floating_point:>14} floating-point operations")?;
        writeln!(f, "{:>14} scalars loaded, {} bytes", loads.count, loads.bytes)?;
        writeln!(f, "{:>14} scalars stored, {} bytes", stores.count, stores.bytes)?;
        writeln!(f, "{:>14} bytes of memory at most", self.peak)?;
        writeln!(f, "{:>14} threads", self.threads)?;
        for (title, counts) in [("by opcode", instructions), ("calls of the library", library)] {
            let mut rows: Vec<(&String, &u64)> = counts.iter().collect();
            rows.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), (*name).clone()));
            if !rows.is_empty() {
                writeln!(f, "{title}:")?;
            }
            for (name, count) in rows {
                writeln!(f, "{count:>14} {name}")?;
            }
        }
        Ok(())
    }
}

impl Statistics {
    /// The same as JSON.
    pub fn to_json(&self) -> String {
        let Counts { instructions, floating_point, library, loads, stores } = &self.counts;
        let json = serde_json::json!({
            "steps": self.steps,
            "floating_point": floating_point,
            "loads": { "scalars": loads.count, "bytes": loads.bytes },
            "stores": { "scalars": stores.count, "bytes": stores.bytes },
            "peak_bytes": self.peak,
            "threads": self.threads,
            "instructions": instructions,
            "library": library,
            "native_calls": self.native_calls,
        });
        format!("{json:#}\n")
    }
}
