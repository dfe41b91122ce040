//! `adj fuzz`: a campaign on the terminal.

use crate::args::Fuzz;
use crate::commands::{fault, level, print};
use adjudicate::Error;
use adjudicate::tools::write_whole;
use fuzz::campaign::{self, Campaign, Summary};
use fuzz::{Options, TestCase};
use indicatif::{ProgressBar, ProgressStyle};
use std::path::Path;

/// Runs the command.
pub fn fuzz(arguments: Fuzz) -> Result<u8, Error> {
    let levels = arguments.levels.iter().map(|name| level(name)).collect::<Result<Vec<_>, Error>>()?;
    let options = Options {
        levels,
        native: !arguments.no_native,
        fault: fault(arguments.fault.as_deref())?,
        ..Options::default()
    };
    let odds = match &arguments.odds {
        Some(path) => odds(path)?,
        None => fuzz::c::odds::Odds::default(),
    };
    let seed = match &arguments.resume {
        Some(folder) => campaign::resume(folder, arguments.seed).map_err(|source| io("read the campaign", source))?,
        None => arguments.seed,
    };
    let count = arguments.count.unwrap_or(u64::MAX);
    if arguments.print {
        for n in 0..arguments.count.unwrap_or(1) {
            print(&TestCase::from_seed(seed.wrapping_add(n), &odds).source())?;
        }
        return Ok(0);
    }
    let plan =
        Campaign { seed, count, time: arguments.time, jobs: arguments.jobs, odds, options, ..Campaign::default() };
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed_precise}  {msg}") {
        bar.set_style(style);
    }
    let tell = |summary: &Summary| {
        bar.set_message(summary.line());
        bar.tick();
        if let Some(folder) = &arguments.resume {
            // A campaign that is cut off has kept its findings; an error shows at the end.
            let _ = campaign::save(folder, summary);
        }
    };
    let summary = campaign::run(&plan, &tell).map_err(|source| io("start a thread", source))?;
    bar.finish_and_clear();
    if let Some(folder) = &arguments.resume {
        campaign::save(folder, &summary).map_err(|source| io("write the findings", source))?;
    }
    let json = summary.to_json() + "\n";
    match &arguments.json {
        Some(path) if path == Path::new("-") => drop(print(&json)?),
        Some(path) => write_whole(path, &json)?,
        None => {}
    }
    if arguments.json.as_deref() != Some(Path::new("-")) {
        print(&summary.text())?;
    }
    Ok(u8::from(!summary.findings.is_empty()))
}

fn odds(path: &Path) -> Result<fuzz::c::odds::Odds, Error> {
    let text = std::fs::read_to_string(path).map_err(|source| io(&format!("read {}", path.display()), source))?;
    fuzz::c::odds::Odds::from_json(&text).map_err(|why| Error::Usage(format!("{}: {why}", path.display())))
}

fn io(action: &str, source: std::io::Error) -> Error {
    Error::Io { action: action.to_owned(), source }
}
