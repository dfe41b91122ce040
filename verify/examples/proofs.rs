//! The committed file of results as it should be now, to standard output: what has changed is proved again.

use verify::{Solver, cache, subjects};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let committed = cache::parse(cache::COMMITTED)?;
    let (text, failed) = cache::update(&subjects(), &committed, &Solver::find()?)?;
    print!("{text}");
    for subject in failed {
        eprint!("{}", subject.to_text());
    }
    Ok(())
}
