//! One module of IR, with passes of LLVM before and after its differentiation.

use crate::driver::{Differentiate, Pipeline, Refused};
use crate::error::Error;
use crate::source::{Input, Level, Opened};
use crate::text::Compiled;
use crate::text::TIME_LIMIT;
use crate::{bodies, pipeline, read, simplify};

/// Passes before and after differentiation, as `opt -passes` reads them; `None` for no pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// Before.
    pub before: Option<String>,
    /// After.
    pub after: Option<String>,
}

impl Order {
    /// The passes of a pipeline at a level.
    pub fn of(pipeline: Pipeline, level: Level) -> Order {
        if level == Level::O0 {
            return Order::default();
        }
        let before = (pipeline == Pipeline::Enzyme).then(|| pipeline::simplification(level.name()));
        Order { before, after: Some(pipeline::of_level(level)) }
    }

    /// The passes of a pipeline, if one is asked for, but where others are given; `None` if nothing is asked for.
    pub fn choose(
        pipeline: Option<Pipeline>,
        level: Level,
        before: Option<String>,
        after: Option<String>,
    ) -> Option<Order> {
        let asked = pipeline.is_some() || before.is_some() || after.is_some();
        let own = pipeline.map(|pipeline| Order::of(pipeline, level)).unwrap_or_default();
        asked.then(|| Order { before: before.or(own.before), after: after.or(own.after) })
    }
}

/// Differentiates IR, given as text or bitcode, between the passes of an order, of which those after it may be with
/// [`pipeline::PACKING`]: its text.
pub fn around(
    input: &Input,
    (order, packing): (&Order, bool),
    differentiate: Differentiate,
) -> Result<Result<String, Refused>, Error> {
    let file = input.name();
    let Opened::Ir(bytes) = input.open()? else {
        let message = "a source is compiled by `adj cc`, with `-S -emit-llvm` to IR".to_owned();
        return Err(Error::Invalid { file, message });
    };
    let text = prepared(&file, &bytes, order.before.as_deref(), &[])?;
    let text = match differentiate(read::in_ir(&text, &file)?) {
        Ok(module) => module.to_string(),
        Err(refused) => return Ok(Err(refused)),
    };
    Ok(Ok(match &order.after {
        Some(passes) => pipeline::run_last(&file, &text, passes, packing)?,
        None => text,
    }))
}

/// The text of a module as it is differentiated: after these passes, with marks at the loops that are reversed from
/// snapshots, and with bodies for the routines that have some here.
pub(super) fn prepared(
    file: &str,
    bytes: &[u8],
    passes: Option<&str>,
    checkpoints: &[String],
) -> Result<String, Error> {
    let text = match passes {
        None => simplify::canonical(file, bytes)?,
        Some(passes) => simplify::by(passes, file, bytes)?,
    };
    let mut compiled = Compiled { text, diagnostics: String::new() };
    bodies::mark(&mut compiled.text, checkpoints);
    Ok(bodies::complete(file, compiled, TIME_LIMIT)?.text)
}
