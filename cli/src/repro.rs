//! `adj repro`: tables and figures of papers on the terminal, and as files; `adj bench`.

use crate::args::{Bench, Outputs, Repro, Reproduction, Table1};
use crate::output::print;
use adjudicate::Error;
use indicatif::{ProgressBar, ProgressStyle};
use paper_repro::build::Peer;
use paper_repro::figure10::Figure10;
use paper_repro::outcome::{Files, Outcome};
use paper_repro::overloaded::Tool;
use paper_repro::programs::Watcher;
use paper_repro::table1::{self, Options};
use paper_repro::{ablation, figure1, figure7, list, sc22};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Runs the command.
pub fn repro(arguments: Repro) -> Result<u8, Error> {
    match arguments.what {
        Reproduction::List => print(&list::all()),
        Reproduction::Table1(arguments) => {
            let options = options(&arguments)?;
            reproduce(arguments.outputs, |watch| table1::run(&options, watch))
        }
        Reproduction::Figure10(arguments) => {
            let options = options(&arguments)?;
            reproduce(arguments.outputs, |watch| Ok(Figure10(table1::run(&options, watch)?)))
        }
        Reproduction::Figure1(arguments) => reproduce(arguments.outputs, |watch| figure1::run(arguments.quick, watch)),
        Reproduction::Figure7(arguments) => {
            let tools = Tool::parse(&arguments.tools).map_err(Error::Usage)?;
            reproduce(arguments.outputs, |watch| figure7::run(arguments.quick, &tools, &arguments.rustc, watch))
        }
        Reproduction::Sc22(arguments) => reproduce(arguments.outputs, |watch| sc22::run(arguments.quick, watch)),
        Reproduction::Ablation(arguments) => {
            reproduce(arguments.outputs, |watch| ablation::run(arguments.quick, &arguments.bench, watch))
        }
    }
}

fn options(arguments: &Table1) -> Result<Options, Error> {
    let peers: Result<Vec<Peer>, String> = arguments.peers.iter().map(|text| Peer::parse(text)).collect();
    let tools = Tool::parse(&arguments.tools).map_err(Error::Usage)?;
    let (only, adbench) = (arguments.bench.clone(), arguments.adbench.clone());
    Ok(Options { quick: arguments.quick, only, adbench, peers: peers.map_err(Error::Usage)?, tools })
}

/// Measures under a line of progress, prints, and writes the files.
fn reproduce<T: Outcome>(outputs: Outputs, measure: impl FnOnce(Watcher) -> Result<T, Error>) -> Result<u8, Error> {
    let to_stdout = outputs.json.as_deref() == Some(Path::new("-"));
    let file = |path: Option<PathBuf>| path.filter(|_| !to_stdout);
    let Outputs { json, csv, svg, png, html, out } = outputs;
    let files = Files { json: file(json), csv, svg, png, html, out };
    files.check()?;
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed_precise}  {msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    let outcome = measure(&|what| bar.set_message(what.to_owned()));
    bar.finish_and_clear();
    let outcome = outcome?;
    // The text first: a file that cannot be written must not cost what was measured.
    print(&if to_stdout { outcome.to_json() } else { outcome.to_text() })?;
    files.write(&outcome)?;
    Ok(u8::from(!outcome.is_right()))
}

/// Runs the benchmarks, or lists them.
pub fn bench(arguments: Bench) -> Result<u8, Error> {
    if arguments.list {
        return print(&benches::list());
    }
    let settings = benches::Settings { filter: arguments.filter, out: arguments.out, seconds: arguments.seconds };
    benches::run(&settings, &|_| {})?;
    Ok(0)
}
