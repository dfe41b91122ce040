//! `adj fuzz`: a campaign on the terminal.

use crate::args::{Fuzz, FuzzTarget};
use crate::output::{fault, level, print};
use adjudicate::circumstances::Runs;
use adjudicate::tools::write_whole;
use adjudicate::{Error, Level};
use fuzz::Options;
use fuzz::campaign::{self, Campaign, Summary, Target};
use fuzz::ir::Purpose;
use fuzz::mutants::Plan;
use fuzz::planted::Planted;
use fuzz::tool::Tool;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::Path;
use std::time::Duration;

/// Runs the command.
pub fn fuzz(arguments: Fuzz) -> Result<u8, Error> {
    let levels = arguments.levels.iter().map(|name| level(name)).collect::<Result<Vec<_>, Error>>()?;
    let runs = Runs { teams: arguments.threads.clone(), schedules: arguments.schedules, ..Runs::default() };
    if let Some(complaint) = runs.complaint() {
        return Err(Error::Usage(complaint));
    }
    let planted = arguments.fault.as_deref().and_then(Planted::parse);
    let options = Options {
        levels,
        runs,
        native: !arguments.no_native,
        analyses: arguments.analyses,
        fault: if planted.is_some() { None } else { fault(arguments.fault.as_deref())? },
        planted,
        tool: arguments
            .ad_command
            .as_deref()
            .map(|command| Tool { timeout: Duration::from_secs(arguments.ad_timeout), ..Tool::new(command) }),
        ..Options::default()
    };
    let target = match (arguments.target, arguments.semantics) {
        (FuzzTarget::C, false) => Target::C,
        (FuzzTarget::C, true) => return Err(Error::Usage("`--semantics` goes with `--target ir`".to_owned())),
        (FuzzTarget::Ir, false) => Target::Ir(Purpose::Gradient),
        (FuzzTarget::Ir, true) => Target::Ir(Purpose::Semantics),
    };
    let mut plan = Campaign { target, ..Campaign::default() };
    if let Some(path) = &arguments.odds {
        match target {
            Target::C => plan.odds = odds(path, fuzz::c::odds::Odds::from_json)?,
            Target::Ir(_) => plan.ir_odds = odds(path, fuzz::ir::odds::Odds::from_json)?,
        }
    }
    let odds = &mut plan.odds;
    if options.tool.is_some() {
        // These are not judged with another tool.
        odds.mode.split = 0;
        odds.mode.nested = 0;
    }
    if let Some(count) = arguments.mutants {
        return mutants(&arguments, count, options.levels, plan.odds);
    }
    let seed = match &arguments.resume {
        Some(folder) => campaign::resume(folder, arguments.seed).map_err(|source| io("read the campaign", source))?,
        None => arguments.seed,
    };
    let count = arguments.count.unwrap_or(u64::MAX);
    if arguments.print {
        for n in 0..arguments.count.unwrap_or(1) {
            print(&campaign::source(&plan, seed.wrapping_add(n)))?;
        }
        return Ok(0);
    }
    let findings = arguments.findings.unwrap_or(usize::MAX);
    let (time, jobs) = (time(&arguments, arguments.count), arguments.jobs);
    let plan = Campaign { seed, count, time, jobs, findings, options, ..plan };
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed_precise}  {msg}") {
        bar.set_style(style);
    }
    let tell = |summary: &Summary| {
        bar.set_message(summary.line());
        bar.tick();
        if let Some(folder) = &arguments.resume {
            // A campaign that is cut off has stored its findings; an error shows at the end.
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

/// How long it goes on at most.
fn time(arguments: &Fuzz, count: Option<u64>) -> Duration {
    arguments.time.unwrap_or(if count.is_some() { Duration::MAX } else { Duration::from_secs(60) })
}

/// Exit codes: 0 every mutant was noticed, 1 some survived.
fn mutants(arguments: &Fuzz, count: u64, levels: Vec<Level>, odds: fuzz::c::odds::Odds) -> Result<u8, Error> {
    let plan = Plan { count, seed: arguments.seed, time: time(arguments, Some(count)), levels, odds };
    let bar = ProgressBar::new_spinner();
    let found = fuzz::mutants::run(&plan, &|found| {
        bar.set_message(found.line());
        bar.tick();
    });
    bar.finish_and_clear();
    let json = found.to_json() + "\n";
    match &arguments.json {
        Some(path) if path == Path::new("-") => drop(print(&json)?),
        Some(path) => {
            write_whole(path, &json)?;
            print(&found.text())?;
        }
        None => drop(print(&found.text())?),
    }
    Ok(u8::from(!found.survivors.is_empty()))
}

fn odds<T>(path: &Path, read: fn(&str) -> Result<T, String>) -> Result<T, Error> {
    let text = std::fs::read_to_string(path).map_err(|source| io(&format!("read {}", path.display()), source))?;
    read(&text).map_err(|why| Error::Usage(format!("{}: {why}", path.display())))
}

fn io(action: &str, source: std::io::Error) -> Error {
    Error::Io { action: action.to_owned(), source }
}
