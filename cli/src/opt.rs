//! `adj opt`: IR in, IR with derivatives out.

use crate::output::{fault, input, level, print, without};
use adjudicate::Error;
use adjudicate::driver::Pipeline;
use adjudicate::tools::{self, OptOptions, Order};
use clap::Args;
use std::path::{Path, PathBuf};

/// Arguments of `opt`.
#[derive(Args, Debug)]
pub struct Opt {
    /// The module, as text or bitcode; `-` is standard input.
    pub file: PathBuf,
    /// Print text (which is all there is; the option is there because `opt` has it).
    #[arg(short = 'S')]
    pub text: bool,
    /// Where to write; `-` is standard output.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,
    /// Inject a fault into the gradients.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["pipeline", "before", "after"])]
    pub fault: Option<String>,
    /// Optimise, too: before and after differentiation (`enzyme`), or after it only (`ref`), as `adj cc` does; or not
    /// at all (`none`, as without this option).
    #[arg(long, value_name = "WHEN", value_enum)]
    pub pipeline: Option<Around>,
    /// The level of the pipeline.
    #[arg(short = 'O', value_name = "LEVEL", default_value = "2", requires = "pipeline")]
    pub level: String,
    /// Passes before differentiation in place of the pipeline's, as LLVM's `opt -passes` takes them, such as
    /// `default<O2>`.
    #[arg(long, value_name = "PASSES")]
    pub before: Option<String>,
    /// The same after differentiation.
    #[arg(long, value_name = "PASSES")]
    pub after: Option<String>,
    /// Disable an optimisation of gradients, as with `adj cc`; may be repeated.
    #[arg(long, value_name = "OPTIMISATION")]
    pub without: Vec<String>,
    /// In all calls, a zero adjoint or tangent stays zero whatever it is multiplied with (`enzyme_strong_zero`).
    #[arg(long)]
    pub strong_zero: bool,
    /// In all calls, a pointer that is its own shadow is constant (`enzyme_runtime_activity`).
    #[arg(long)]
    pub runtime_activity: bool,
}

/// When a module is optimised.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Around {
    /// Without vectorising or unrolling before differentiation, fully after it.
    Enzyme,
    /// After differentiation.
    Ref,
    /// Never.
    None,
}

/// Replaces the calls of a module, and prints it.
pub fn opt(arguments: Opt) -> Result<u8, Error> {
    // The text is the only form of output: the option is accepted, and changes nothing.
    let _ = arguments.text;
    let pipeline = match arguments.pipeline {
        Some(Around::Enzyme) => Some(Pipeline::Enzyme),
        Some(Around::Ref) => Some(Pipeline::Ref),
        Some(Around::None) | None => None,
    };
    let order = Order::choose(pipeline, level(&arguments.level)?, arguments.before, arguments.after);
    let everywhere =
        ad::Everywhere { strong_zero: arguments.strong_zero, runtime_activity: arguments.runtime_activity };
    let (fault, without) = (fault(arguments.fault.as_deref())?, without(&arguments.without)?);
    let options = OptOptions { fault, without, everywhere, order };
    let text = tools::opt(&input(&arguments.file)?, &options)?;
    if arguments.output == Path::new("-") {
        return print(&text);
    }
    tools::write_whole(&arguments.output, &text)?;
    Ok(0)
}
