//! The input files of ADBench (Srajer, Kukelova, Fitzgibbon 2018): which there are in a folder, and what their first
//! lines say.
//!
//! The folder is laid out as the suite's own: `ba/ba*.txt`, `gmm/1k/gmm*.txt`, `lstm/lstm*.txt`,
//! `hand/simple_small/hand*.txt` with the model beside. The programs read the files themselves (`bench_read` in
//! `programs`), and refuse what does not have the shape that the first line says.

use crate::measure::Input;
use crate::programs::Program;
use adjudicate::Error;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;

/// More observations are left out: the Jacobians of two tools would not fit into memory beside each other.
const MOST: u64 = 600_000;

/// What a folder has for a program.
#[derive(Clone, Debug)]
pub struct Found {
    /// The inputs, the smallest first.
    pub inputs: Vec<Input>,
    /// What is left out, and why.
    pub left_out: Vec<String>,
}

/// The inputs of a program; none for a program that is not of the suite. With `quick` the one
/// with the size of the quick table, or the smallest.
pub fn inputs(folder: &Path, program: &Program, quick: bool) -> Result<Option<Found>, Error> {
    let within = match program.name {
        "ba" | "lstm" => program.name,
        "gmm" => "gmm/1k",
        "hand" => "hand/simple_small",
        _ => return Ok(None),
    };
    let folder = folder.join(within);
    let missing = |why: String| Error::Usage(format!("{}: {why}", folder.display()));
    let entries = fs::read_dir(&folder).map_err(|error| missing(format!("cannot be read: {error}")))?;
    let (mut found, mut left_out) = (Vec::new(), Vec::new());
    for entry in entries {
        let path = entry.map_err(|error| missing(error.to_string()))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.starts_with(program.name) || !name.ends_with(".txt") {
            continue;
        }
        let size = size_of(&path, program)?;
        match size <= MOST || program.name != "ba" {
            true => found.push(Input { size, file: Some(path) }),
            false => left_out.push(format!("{name}: not measured: more than {MOST} observations")),
        }
    }
    if found.is_empty() {
        return Err(missing(format!("there are no files `{}*.txt`", program.name)));
    }
    found.sort_by_key(|input| input.size);
    left_out.sort();
    if quick {
        let at = found.iter().position(|input| program.quick.contains(&input.size)).unwrap_or(0);
        found = vec![found.swap_remove(at)];
    }
    Ok(Some(Found { inputs: found, left_out }))
}

/// The size of an input as the program counts it, from the first line of its file.
fn size_of(path: &Path, program: &Program) -> Result<u64, Error> {
    let wrong = |why: &str| Error::Usage(format!("{}: {why}", path.display()));
    let file = File::open(path).map_err(|error| wrong(&format!("cannot be read: {error}")))?;
    let mut line = String::new();
    BufReader::new(file).read_line(&mut line).map_err(|error| wrong(&format!("cannot be read: {error}")))?;
    let numbers: Option<Vec<u64>> = line.split_whitespace().map(|word| word.parse().ok()).collect();
    let size = match (program.name, numbers.as_deref()) {
        ("ba", Some([_, _, observations])) => Some(*observations),
        ("gmm", Some([dimensions, components, _])) => {
            dimensions.checked_mul(1000).and_then(|d| d.checked_add(*components))
        }
        ("lstm", Some([layers, length, _])) => layers.checked_mul(100_000).and_then(|l| l.checked_add(*length)),
        ("hand", Some([points, 26])) => Some(*points),
        _ => None,
    };
    size.ok_or_else(|| wrong(&format!("its first line is not that of an input of {}", program.name)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::{self, Variant};
    use crate::measure::{self, Plan};
    use crate::programs;
    use adjudicate::driver::Pipeline;

    /// A file of a mixture of two components of two dimensions, and four points.
    fn mixture(gamma: &str) -> String {
        let numbers = "0.1\n-0.2\n0.5 1.5 \n-1 0.25 \n0.1 0.2 0.3 \n-0.1 0.4 0.2 \n1 2 \n0 1 \n-1 0.5 \n2 2 \n";
        format!("2 2 4\n{numbers}{gamma} 0\n")
    }

    #[test]
    fn files_are_found_by_size_and_wrong_ones_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let program = |name| programs::named(name).unwrap();
        assert!(inputs(folder.path(), program("euler"), false).unwrap().is_none());
        let error = inputs(folder.path(), program("lstm"), false).unwrap_err().to_string();
        assert!(error.contains("lstm: cannot be read"), "{error}");
        let ba = folder.path().join("ba");
        fs::create_dir(&ba).unwrap();
        let error = inputs(folder.path(), program("ba"), false).unwrap_err().to_string();
        assert!(error.contains("no files `ba*.txt`"), "{error}");
        fs::write(ba.join("ba9.txt"), "3 4 31843\n").unwrap();
        fs::write(ba.join("ba1.txt"), "2 10 10\n").unwrap();
        fs::write(ba.join("ba2.txt"), "2 10 10000000\n").unwrap();
        fs::write(ba.join("notes.txt"), "no input\n").unwrap();
        let sizes = |quick| {
            let found = inputs(folder.path(), program("ba"), quick).unwrap().unwrap();
            (found.inputs.iter().map(|i| i.size).collect::<Vec<_>>(), found.left_out.len())
        };
        assert_eq!(sizes(false), (vec![10, 31_843], 1));
        assert_eq!(sizes(true), (vec![31_843], 1));
        fs::write(ba.join("ba3.txt"), "2 ten 10\n").unwrap();
        let error = inputs(folder.path(), program("ba"), false).unwrap_err().to_string();
        assert!(error.contains("ba3.txt: its first line is not that of an input of ba"), "{error}");
    }

    #[test]
    fn a_program_reads_a_file_and_refuses_another_shape() {
        let folder = programs::folder().unwrap();
        let program = programs::named("gmm").unwrap();
        let built = build::build(folder.path(), program, &Variant::Ours(Pipeline::Enzyme)).map(|(path, _)| path);
        let measured = |text: &str| {
            let file = folder.path().join("gmm_d2_K2.txt");
            fs::write(&file, text).unwrap();
            let input = Input { size: 2002, file: Some(file) };
            measure::interleaved(std::slice::from_ref(&built), &input, Plan { turns: 1, rounds: 1 }).remove(0)
        };
        // alpha, mu, q and l: 2 + 4 + 4 + 2 numbers.
        assert_eq!(measured(&mixture("1.0")).unwrap().length, 12);
        let refused = [
            (mixture("2.0"), "other priors"),
            (mixture("1.0") + "7\n", "more than its first line says"),
            (mixture("1.0").replace("0.25", "x"), "something else than numbers"),
            ("2 2 9\n1 2 3".to_owned(), "ends too early"),
            ("2 -2 9\n".to_owned(), "out of range"),
        ];
        for (text, why) in refused {
            let error = measured(&text).unwrap_err();
            assert!(error.contains(why) && error.contains("gmm_d2_K2.txt"), "{error}");
        }
    }
}
