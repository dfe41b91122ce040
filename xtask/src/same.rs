//! Does a change of the code keep what it does? Two builds of `adj`, of this tree and of a commit, differentiate every
//! program of the corpus at four levels and judge it; the IR is compared byte for byte, and so are the reports.
//!
//! The commit is checked out and built below `target/same`, and its build kept, so that the next comparison with it
//! costs its runs alone. What the commit's build and this one answer to the same command, in the same folder, is all
//! that is compared: messages and exit codes of what is refused, too.

use crate::process::{self, Failure};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Folders of the corpus whose programs have gradients of ours, or by hand.
const FOLDERS: [&str; 9] =
    ["bad", "conformance", "convention", "correct", "inaccurate", "kink", "leaves", "right", "wrong"];
const LANGUAGES: [&str; 5] = ["c", "cpp", "f90", "ll", "rs"];
const LEVELS: [&str; 4] = ["-O0", "-O1", "-O2", "-O3"];
/// Differences that are shown in full.
const SHOWN: usize = 20;

/// One comparison: the arguments of `adj`, and what the answer is called.
struct Question {
    name: String,
    args: Vec<String>,
}

impl Question {
    fn is_report(&self) -> bool {
        self.args[0] == "check"
    }
}

/// What is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// The IR, which takes a third of the time.
    Ir,
    /// The reports.
    Reports,
    /// Both.
    Everything,
}

impl What {
    /// By its name on the command line.
    pub fn parse(name: &str) -> Option<What> {
        match name {
            "ir" => Some(What::Ir),
            "reports" => Some(What::Reports),
            _ => None,
        }
    }
}

/// Builds both, asks both, and fails if an answer differs.
pub fn run(root: &Path, base: &str, what: What) -> Result<(), Failure> {
    let commit = output(Command::new("git").current_dir(root).args(["rev-parse", "--short=12", base]))?;
    let theirs = built_at(root, commit.trim())?;
    process::run(&mut process::cargo(root, &["build", "-p", "adj"]))?;
    let ours = kept(root, "this tree", &root.join("target/debug/adj"))?;
    let asked = |question: &Question| match what {
        What::Everything => true,
        What::Ir => !question.is_report(),
        What::Reports => question.is_report(),
    };
    let questions: Vec<Question> = questions(root)?.into_iter().filter(asked).collect();
    eprintln!("xtask: {} answers of {} and of this tree", questions.len(), commit.trim());
    let differing = compared(root, [&theirs, &ours], &questions)?;
    for difference in differing.iter().take(SHOWN) {
        println!("{difference}");
    }
    match differing.len() {
        0 => {
            println!("same: {} answers", questions.len());
            Ok(())
        }
        count => Err(Failure::Check(format!("same: {count} of {} answers differ", questions.len()))),
    }
}

/// The build of a commit.
fn built_at(root: &Path, commit: &str) -> Result<PathBuf, Failure> {
    let folder = root.join("target/same");
    let binary = folder.join(commit);
    if binary.exists() {
        return Ok(binary);
    }
    let tree = folder.join("tree");
    if tree.exists() {
        process::run(Command::new("git").current_dir(&tree).args(["checkout", "--quiet", "--detach", commit]))?;
    } else {
        let add = ["worktree", "add", "--quiet", "--force", "--detach"];
        process::run(Command::new("git").current_dir(root).args(add).arg(&tree).arg(commit))?;
    }
    process::run(process::cargo(&tree, &["build", "-p", "adj"]).env("CARGO_TARGET_DIR", folder.join("build")))?;
    kept(root, commit, &folder.join("build/debug/adj"))
}

/// A copy of a binary under another name: a comparison outlives the next build.
fn kept(root: &Path, name: &str, binary: &Path) -> Result<PathBuf, Failure> {
    let folder = root.join("target/same");
    fs::create_dir_all(&folder).map_err(|e| Failure::io(&folder, &e))?;
    let copy = folder.join(name.replace(' ', "-"));
    fs::copy(binary, &copy).map_err(|e| Failure::io(binary, &e))?;
    Ok(copy)
}

/// What is asked: the IR of each program at each level, and its report.
fn questions(root: &Path) -> Result<Vec<Question>, Failure> {
    let mut files = Vec::new();
    for folder in FOLDERS {
        collect(&root.join("corpus").join(folder), &mut files)?;
    }
    files.sort();
    let mut all = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap_or_default();
        let told = |key: &str| -> Vec<String> {
            let lines = text.lines().filter_map(|l| l.trim().strip_prefix("// ")?.strip_prefix(key));
            lines.flat_map(str::split_whitespace).map(str::to_owned).collect()
        };
        let flags = told("adj-flags:");
        let path = file.strip_prefix(root).unwrap_or(&file).display().to_string();
        let is = |ext: &str| file.extension() == Some(OsStr::new(ext));
        let compiler = if is("cpp") { "c++" } else { "cc" };
        if is("c") || is("cpp") {
            for level in LEVELS {
                let mut args =
                    [compiler, level, "-S", "-emit-llvm", "-w", &path, "-o", "-"].map(str::to_owned).to_vec();
                args.extend(flags.iter().cloned());
                all.push(Question { name: format!("{path} {level}"), args });
            }
        }
        let mut args = ["check", &path, "--json", "-"].map(str::to_owned).to_vec();
        args.extend(flags.iter().map(|flag| format!("--cflag={flag}")));
        all.push(Question { name: format!("{path} report"), args });
    }
    Ok(all)
}

fn collect(folder: &Path, into: &mut Vec<PathBuf>) -> Result<(), Failure> {
    for entry in fs::read_dir(folder).map_err(|e| Failure::io(folder, &e))? {
        let path = entry.map_err(|e| Failure::io(folder, &e))?.path();
        if path.is_dir() {
            collect(&path, into)?;
        } else if LANGUAGES.iter().any(|ext| path.extension() == Some(OsStr::new(ext))) {
            into.push(path);
        }
    }
    Ok(())
}

/// Asks both builds all questions, as many at a time as there are processors; the answers that differ, in order.
fn compared(root: &Path, builds: [&Path; 2], questions: &[Question]) -> Result<Vec<String>, Failure> {
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(question) = questions.get(index) else { return Ok(()) };
            let [before, now] = [answer(root, builds[0], question)?, answer(root, builds[1], question)?];
            if let Some(text) = difference(&before, &now) {
                let line = format!("{}\n{text}", question.name);
                found.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((index, line));
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| {
            worker.join().unwrap_or_else(|_| Err(Failure::Program("a comparison has panicked".to_owned())))
        })
    })?;
    let mut found = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    found.sort();
    Ok(found.into_iter().map(|(_, line)| line).collect())
}

/// What a build prints, with its exit code; without times, and without what names a temporary file.
fn answer(root: &Path, adj: &Path, question: &Question) -> Result<String, Failure> {
    let output = Command::new(adj)
        .current_dir(root)
        .args(&question.args)
        .output()
        .map_err(|error| Failure::Program(format!("cannot run `{}`: {error}", adj.display())))?;
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let passing = |line: &&str| line.starts_with("; ModuleID") || line.trim_start().starts_with("\"seconds\":");
    let lines = out.lines().chain(err.lines()).filter(|line| !passing(line));
    let text: String = lines.map(|line| format!("{}\n", lasting(line))).collect();
    Ok(format!("{text}exit code {:?}\n", output.status.code()))
}

/// A line without the random ends of names of temporary folders, `adj-include-SqmoCn`.
fn lasting(line: &str) -> String {
    const START: &str = "adj-include-";
    let mut parts = line.split(START);
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.map(|part| part.trim_start_matches(|c: char| c.is_ascii_alphanumeric()));
    rest.fold(first, |line, part| line + START + part)
}

/// The first lines in which two answers differ.
fn difference(before: &str, now: &str) -> Option<String> {
    if before == now {
        return None;
    }
    let (mut old, mut new) = (before.lines(), now.lines());
    for number in 1.. {
        match (old.next(), new.next()) {
            (a, b) if a == b && a.is_some() => {}
            (None, None) => break,
            (a, b) => {
                let [a, b] = [a, b].map(|line| line.unwrap_or("(its end)"));
                return Some(format!("  line {number}\n  - {a}\n  + {b}"));
            }
        }
    }
    Some("  in what ends its lines".to_owned())
}

/// The standard output of a command that must succeed.
fn output(command: &mut Command) -> Result<String, Failure> {
    let shown = process::shown(command);
    let output = command.output().map_err(|error| Failure::Program(format!("cannot run `{shown}`: {error}")))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(Failure::Usage(format!("`{shown}`: {}", String::from_utf8_lossy(&output.stderr).trim()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_differs_is_shown() {
        assert_eq!(difference("a\nb\n", "a\nb\n"), None);
        assert_eq!(difference("a\nb\n", "a\nc\n").as_deref(), Some("  line 2\n  - b\n  + c"));
        assert_eq!(difference("a\n", "a\nb\n").as_deref(), Some("  line 2\n  - (its end)\n  + b"));
        assert!(difference("a\n", "a").is_some());
    }

    #[test]
    fn names_of_temporary_folders_do_not_count() {
        assert_eq!(lasting("\"/tmp/adj-include-SqmoCn/adj.h\", 3"), "\"/tmp/adj-include-/adj.h\", 3");
        assert_eq!(lasting("define void @f()"), "define void @f()");
    }

    #[test]
    fn every_program_is_asked_for_its_ir_at_four_levels_and_its_report() {
        let root = crate::workspace_root();
        let questions = questions(&root).expect("the corpus can be read");
        let of = |name: &str| questions.iter().filter(|q| q.name.starts_with(name)).count();
        assert_eq!(of("corpus/correct/rosenbrock.c "), LEVELS.len() + 1);
        assert!(questions.len() > 2000, "{}", questions.len());
    }
}
