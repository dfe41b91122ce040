//! Runs the `main` of an `.ll` file: `cargo run --release -p interp --example run -- file.ll [ARGS]`.
//!
//! The smallest use of the crate, and a way to look at the engine without the command line tool.

use interp::{Interp, Limits, Outcome, Plain, Program, Standard};

fn run(path: &str, args: &[String]) -> Result<i32, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{path}: {e}"))?;
    let module = ir::parse(&text, path).map_err(|e| e.to_string())?;
    let program =
        Program::new(&module).map_err(|faults| faults.iter().map(|f| format!("{f}\n")).collect::<String>())?;
    let mut interp = Interp::new(&program, Plain, Limits::default()).with_output(Box::<Standard>::default());
    let start = std::time::Instant::now();
    let outcome = interp.run_main(args);
    let seconds = start.elapsed().as_secs_f64();
    eprintln!("[{} instructions, {:.0} M/s]", interp.steps(), interp.steps() as f64 / seconds / 1e6);
    match outcome {
        Outcome::Finished(status) => {
            if let Some(leak) = interp.leak_report() {
                eprintln!("{leak}");
            }
            Ok(status)
        }
        Outcome::Stopped(stop) => Err(stop.to_string()),
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some(path) = args.first() else {
        eprintln!("usage: run FILE.ll [ARGS]");
        std::process::exit(2);
    };
    match run(path, &args) {
        Ok(status) => std::process::exit(status),
        Err(message) => {
            eprintln!("{message}");
            std::process::exit(3);
        }
    }
}
