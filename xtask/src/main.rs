//! `cargo xtask`: everything a developer or a machine does with this workspace, in pure Rust.
//!
//! | command | what it does |
//! |---|---|
//! | `setup` | looks for the system packages of the build; installs what is missing, or says how |
//! | `demo`  | `setup`, builds `adj`, judges examples of the corpus and shows the reports |
//! | `test`  | `setup`, then every test of the workspace |
//! | `tidy`  | the rules of the code base that the compiler does not enforce |
//! | `bench` | `setup`, then the benchmarks |
//! | `same BASE [ir\|reports]` | `setup`, then whether this tree's `adj` answers as the commit's: IR and reports of the corpus |
//! | `map`   | draws `docs/map.svg` from the code |
//! | `docs`  | writes the generated pages again, the map among them |
//! | `ci`    | formatting, lints with warnings as errors, `tidy`, generated pages, `test` |
//!
//! This crate depends on no native library and on no other crate of the workspace, so that it builds before
//! anything is installed.

mod ci;
mod demo;
mod generated;
mod map;
mod null_device;
mod process;
mod same;
mod setup;
mod tidy;

use process::Failure;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask <setup|demo|test|tidy|bench|same BASE [ir|reports]|map|docs|ci>";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) = match args.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("", [].as_slice()),
    };
    let root = workspace_root();
    match dispatch(&root, command, rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            ExitCode::from(failure.code())
        }
    }
}

/// Runs one command; `rest` is handed to `cargo test` and `cargo bench`, and says with what `same` compares.
fn dispatch(root: &Path, command: &str, rest: &[String]) -> Result<(), Failure> {
    match command {
        "test" => {
            setup::ensure()?;
            return ci::test(root, rest);
        }
        "bench" => {
            setup::ensure()?;
            return ci::bench(root, rest);
        }
        "same" => {
            setup::ensure()?;
            let what = match rest {
                [_] => Some(same::What::Everything),
                [_, what] => same::What::parse(what),
                _ => None,
            };
            let usage = || Failure::Usage(format!("`same` takes a commit, and `ir` or `reports`\n{USAGE}"));
            let what = what.ok_or_else(usage)?;
            return same::run(root, &rest[0], what);
        }
        _ if !rest.is_empty() => {
            return Err(Failure::Usage(format!("`{command}` takes no arguments\n{USAGE}")));
        }
        _ => {}
    }
    match command {
        "setup" => setup::ensure(),
        "demo" => {
            setup::ensure()?;
            demo::run(root)
        }
        "tidy" => ci::tidy(root),
        "map" => map::write(root),
        "docs" => {
            setup::ensure()?;
            generated::write(root)?;
            map::write(root)
        }
        "ci" => ci::all(root),
        "" | "help" | "-h" | "--help" => {
            println!("{USAGE}");
            Ok(())
        }
        unknown => Err(Failure::Usage(format!("no command `{unknown}`\n{USAGE}"))),
    }
}

/// The workspace is the parent of this crate's folder.
fn workspace_root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}
