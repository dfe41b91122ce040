//! The programs of the table, carried in the library, and their inputs.

use crate::build;
use adjudicate::Error;
use std::fs;
use std::io;
use std::path::Path;

/// Called with what is being done.
pub type Watcher<'a> = &'a dyn Fn(&str);

/// A program.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// Its name in the table.
    pub name: &'static str,
    /// Its file.
    pub file: &'static str,
    /// What it computes, in a few words.
    pub what: &'static str,
    /// What the size of an input means.
    pub size: &'static str,
    /// Inputs of the whole table.
    pub inputs: &'static [u64],
    /// Inputs of the quick one.
    pub quick: &'static [u64],
    /// An input so small that the interpreter runs it in a second, on which the oracle judges the gradient.
    pub sample: u64,
    /// Seconds that the paper reports for Enzyme and for differentiation before optimisation.
    pub paper: Option<(f64, f64)>,
}

impl Program {
    /// Is it C++?
    pub fn is_cxx(&self) -> bool {
        self.file.ends_with(".cpp")
    }
}

/// The programs, in the paper's order; `hand`, of the same benchmark suite, is not in the paper.
pub const PROGRAMS: [Program; 8] = [
    Program {
        name: "lstm",
        file: "lstm.c",
        what: "long short-term memory, loss and its gradient (ADBench)",
        size: "100000 * layers + length of the sequence",
        inputs: &[201_024, 202_048, 401_024, 404_096],
        quick: &[201_024],
        sample: 200_004,
        paper: Some((2.408, 4.727)),
    },
    Program {
        name: "ba",
        file: "ba.c",
        what: "bundle adjustment, sparse Jacobian (ADBench)",
        size: "observations",
        inputs: &[31_843, 204_472, 563_734],
        quick: &[31_843],
        sample: 3,
        paper: Some((0.256, 0.450)),
    },
    Program {
        name: "gmm",
        file: "gmm.c",
        what: "Gaussian mixture model, gradient (ADBench)",
        size: "1000 * dimensions + components, of 1000 points",
        inputs: &[2_010, 10_010, 10_050, 20_025, 32_025, 64_010],
        quick: &[20_025],
        sample: 3_002,
        paper: Some((0.076, 0.480)),
    },
    Program {
        name: "hand",
        file: "hand.c",
        what: "hand tracking, gradient of the squared error (ADBench, simple model)",
        size: "points",
        inputs: &[192, 1_000, 4_000],
        quick: &[192],
        sample: 3,
        paper: None,
    },
    Program {
        name: "euler",
        file: "euler.cpp",
        what: "Euler's method over a generic stepper, Lorenz's equations",
        size: "steps",
        inputs: &[10_000, 100_000, 1_000_000],
        quick: &[100_000],
        sample: 5,
        paper: Some((0.165, 29.453)),
    },
    Program {
        name: "rk4",
        file: "rk4.cpp",
        what: "Runge and Kutta's method over a generic stepper, Lorenz's equations",
        size: "steps",
        inputs: &[10_000, 100_000, 1_000_000],
        quick: &[100_000],
        sample: 3,
        paper: Some((3.936, 25.015)),
    },
    Program {
        name: "fft",
        file: "fft.c",
        what: "fast Fourier transform, filter and back",
        size: "logarithm of the length",
        inputs: &[10, 12, 14, 16, 18],
        quick: &[14],
        sample: 3,
        paper: Some((0.122, 0.122)),
    },
    Program {
        name: "bruss",
        file: "bruss.c",
        what: "Brusselator in two dimensions by finite differences",
        size: "points along a side",
        inputs: &[64, 200, 500],
        quick: &[200],
        sample: 4,
        paper: Some((0.180, 0.184)),
    },
];

/// The files that the programs consist of.
const FILES: [(&str, &str); 27] = [
    ("bench.h", include_str!("../programs/bench.h")),
    ("meter.c", include_str!("../programs/meter.c")),
    ("ode.hpp", include_str!("../programs/ode.hpp")),
    ("lorenz.hpp", include_str!("../programs/lorenz.hpp")),
    ("lstm.c", include_str!("../programs/lstm.c")),
    ("ba.c", include_str!("../programs/ba.c")),
    ("gmm.c", include_str!("../programs/gmm.c")),
    ("hand.c", include_str!("../programs/hand.c")),
    ("euler.cpp", include_str!("../programs/euler.cpp")),
    ("rk4.cpp", include_str!("../programs/rk4.cpp")),
    ("fft.c", include_str!("../programs/fft.c")),
    ("bruss.c", include_str!("../programs/bruss.c")),
    ("adj.h", adjudicate::header::TEXT),
    ("normalise.c", include_str!("../programs/normalise.c")),
    ("taylor.c", include_str!("../programs/taylor.c")),
    ("taylor.rs", include_str!("../programs/taylor.rs")),
    ("overloaded/taylor.cpp", include_str!("../programs/overloaded/taylor.cpp")),
    ("overloaded/tool.hpp", include_str!("../programs/overloaded/tool.hpp")),
    ("overloaded/ode.hpp", include_str!("../programs/overloaded/ode.hpp")),
    ("overloaded/lstm.cpp", include_str!("../programs/overloaded/lstm.cpp")),
    ("overloaded/ba.cpp", include_str!("../programs/overloaded/ba.cpp")),
    ("overloaded/gmm.cpp", include_str!("../programs/overloaded/gmm.cpp")),
    ("overloaded/hand.cpp", include_str!("../programs/overloaded/hand.cpp")),
    ("overloaded/euler.cpp", include_str!("../programs/overloaded/euler.cpp")),
    ("overloaded/rk4.cpp", include_str!("../programs/overloaded/rk4.cpp")),
    ("overloaded/fft.cpp", include_str!("../programs/overloaded/fft.cpp")),
    ("overloaded/bruss.cpp", include_str!("../programs/overloaded/bruss.cpp")),
];

/// Writes the files into a folder.
pub fn unpack(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder.join("overloaded"))?;
    FILES.iter().try_for_each(|(name, text)| fs::write(folder.join(name), text))
}

/// A folder of its own with the files and what all programs are linked with.
pub fn folder() -> Result<tempfile::TempDir, Error> {
    let io = |source| Error::Io { action: "write the programs".to_owned(), source };
    let folder = tempfile::Builder::new().prefix("adj-repro-").tempdir().map_err(io)?;
    unpack(folder.path()).map_err(io)?;
    build::meter(folder.path()).map_err(Error::Unsupported)?;
    Ok(folder)
}

/// The programs of these names; all if there are none.
pub fn chosen(only: &[String]) -> Result<Vec<&'static Program>, Error> {
    let unknown = |name: &String| Error::Usage(format!("no program `{name}`; there are\n{}", list()));
    match only {
        [] => Ok(PROGRAMS.iter().collect()),
        _ => only.iter().map(|name| named(name).ok_or_else(|| unknown(name))).collect(),
    }
}

/// The program of that name.
pub fn named(name: &str) -> Option<&'static Program> {
    PROGRAMS.iter().find(|p| p.name == name)
}

/// The programs as a list for people.
pub fn list() -> String {
    PROGRAMS.iter().map(|p| format!("  {:<6} {} [{}]\n", p.name, p.what, p.size)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{figure1, figure7};

    #[test]
    fn every_program_is_there() {
        let folder = tempfile::tempdir().unwrap();
        unpack(folder.path()).unwrap();
        for program in &PROGRAMS {
            assert!(folder.path().join(program.file).is_file(), "{}", program.file);
            assert!(program.quick.iter().all(|q| program.inputs.contains(q)), "{}", program.name);
            assert!(list().contains(program.what));
        }
        for program in [&figure1::PROGRAM, &figure7::PROGRAM] {
            assert!(folder.path().join(program.file).is_file(), "{}", program.file);
            assert_eq!(crate::measure::judged(folder.path(), program), Ok(()), "{}", program.name);
        }
        assert!(named("lstm").is_some() && named("lstn").is_none());
    }
}
