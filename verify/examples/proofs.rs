//! The committed file of results as it should be now, to standard output: what has changed is proved again.

use std::process::ExitCode;
use verify::{Solver, cache, subjects};

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    if let Some(code) = verify::worker::serve_if_asked() {
        return Ok(code);
    }
    let committed = cache::parse(cache::COMMITTED)?;
    let (text, failed) = cache::update(&subjects(), &committed, &Solver::find()?)?;
    print!("{text}");
    for subject in failed {
        eprint!("{}", subject.to_text());
    }
    Ok(ExitCode::SUCCESS)
}
