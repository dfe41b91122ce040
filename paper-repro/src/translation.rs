//! What differentiation costs at compile time: `adj cc` beside plain clang on the largest program, in turns.

use crate::build::{self, LEVEL};
use crate::measure::median;
use crate::programs::Program;
use ad::Without;
use adjudicate::driver::Pipeline;
use serde::Serialize;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// Times of compiling one program to an object.
#[derive(Clone, Debug, Serialize)]
pub struct Translation {
    /// The program.
    pub bench: String,
    /// Seconds of `adj cc`: the median.
    pub adj_s: f64,
    /// Seconds of clang, which leaves the differentiated calls as they are.
    pub clang_s: f64,
}

impl Translation {
    /// How many times as long ours takes.
    pub fn ratio(&self) -> f64 {
        self.adj_s / self.clang_s
    }
}

/// Compiles the program with the longest source, both compilers in turns. Each of them runs through the same front end
/// in processes of its own, so these are seconds of the clock.
pub fn measure(folder: &Path, programs: &[&Program], turns: usize) -> Result<Translation, String> {
    let length = |p: &&&Program| std::fs::metadata(folder.join(p.file)).map_or(0, |m| m.len());
    let program = programs.iter().max_by_key(length).ok_or("there is no program")?;
    let clang = llvm::find::toolchain().map_err(|error| error.to_string())?.clang;
    let (source, object) = (folder.join(program.file), folder.join("translation.o"));
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..turns {
        let start = Instant::now();
        let arguments = [LEVEL.into(), "-c".into(), source.clone().into(), "-o".into(), object.clone().into()];
        build::by_driver(program.is_cxx(), Pipeline::Enzyme, Without::default(), arguments.to_vec())?;
        ours.push(start.elapsed().as_secs_f64());
        let start = Instant::now();
        build::run(Command::new(&clang).args([LEVEL, "-c"]).arg(&source).arg("-o").arg(&object))?;
        theirs.push(start.elapsed().as_secs_f64());
    }
    Ok(Translation { bench: program.name.to_owned(), adj_s: median(ours), clang_s: median(theirs) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::programs;

    #[test]
    fn the_largest_is_compiled_by_both() {
        let folder = programs::folder().unwrap();
        let named = |name| programs::named(name).unwrap();
        let measured = measure(folder.path(), &[named("fft"), named("bruss")], 1).unwrap();
        assert_eq!(measured.bench, "bruss");
        assert!(measured.adj_s > 0.0 && measured.clang_s > 0.0 && measured.ratio().is_finite());
        assert!(measure(folder.path(), &[], 1).unwrap_err().contains("no program"));
    }
}
