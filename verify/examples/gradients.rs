//! Proves the gradients of whole programs: `gradients LEVEL INCLUDE-FOLDER FILE…`, a line for each differentiated
//! function.

use std::path::PathBuf;
use std::process::ExitCode;
use verify::Solver;
use verify::gradient::{GradientVerdict, prove_gradients};

/// The executor recurses with the program.
const STACK: usize = 256 << 20;

fn main() -> ExitCode {
    if let Some(code) = verify::worker::serve_if_asked() {
        return code;
    }
    let work = std::thread::Builder::new().stack_size(STACK).spawn(prove_all);
    match work.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(code))) => code,
        Ok(Ok(Err(error))) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
        Ok(Err(_)) | Err(_) => ExitCode::from(3),
    }
}

fn prove_all() -> Result<ExitCode, String> {
    let mut args = std::env::args().skip(1);
    let (Some(level), Some(include)) = (args.next(), args.next()) else {
        return Err("usage: gradients LEVEL INCLUDE-FOLDER FILE…".to_owned());
    };
    let level = level.parse().map_err(|error: llvm::source::UnknownLevel| error.to_string())?;
    let solver = Solver::find().map_err(|error| error.to_string())?;
    let (mut proved, mut wrong, mut open) = (0, 0, 0);
    for file in args.map(PathBuf::from) {
        let options =
            llvm::CompileOptions { include_dirs: vec![PathBuf::from(&include)], ..llvm::CompileOptions::at(level) };
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let module = match llvm::read(&llvm::Input::File(file), &options) {
            Ok(module) => module,
            Err(error) => {
                println!("{name}: {error}");
                continue;
            }
        };
        for report in prove_gradients(&module, &ad::Options::default(), &solver).map_err(|error| error.to_string())? {
            match report.verdict {
                GradientVerdict::Proved => proved += 1,
                GradientVerdict::Wrong(..) => wrong += 1,
                GradientVerdict::Unknown(_) => open += 1,
            }
            print!("{name}: {}", report.to_text());
        }
    }
    println!("{proved} proved, {wrong} wrong, {open} not proved");
    Ok(ExitCode::from(u8::from(wrong > 0)))
}
