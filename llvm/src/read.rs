//! Canonical text into the arenas of `ir`.

use crate::error::Error;
use crate::{assembly, fortran, pipeline, text, x86};

/// Longest excerpt of IR in a message, in characters.
const EXCERPT: usize = 200;

/// Reads canonical text, and says in IR the inline assembly and the target's own intrinsics that IR can say.
pub(crate) fn in_ir(text: &str, file: &str) -> Result<ir::Module, Error> {
    parse(&x86::said_in_ir(text, file)?, file).map(assembly::said_in_ir).map(fortran::without_empty_results)
}

/// Reads canonical text as it is; `file` is the input it was made from.
pub fn parse(text: &str, file: &str) -> Result<ir::Module, Error> {
    ir::parse(text, file).map_err(|refusal| {
        let line = (refusal.line as usize).checked_sub(1).and_then(|index| text.lines().nth(index));
        let excerpt = line.unwrap_or_default().trim().chars().take(EXCERPT).collect();
        Error::Unsupported { file: file.to_owned(), refusal: Box::new(refusal), excerpt }
    })
}

/// Runs passes over a module: it is printed, given to LLVM, and read again.
pub fn optimise(module: &ir::Module, passes: &str) -> Result<ir::Module, Error> {
    let text = pipeline::run_on(&module.id, &module.to_string(), passes, text::TIME_LIMIT)?;
    parse(&text, &module.id)
}
