//! `adj repro`: tables of papers on the terminal.

use crate::args::{Repro, Reproduction, Table1};
use crate::commands::print;
use adjudicate::Error;
use adjudicate::tools::write_whole;
use indicatif::{ProgressBar, ProgressStyle};
use paper_repro::build::Peer;
use paper_repro::overloaded::Tool;
use paper_repro::table1::{self, Options};
use std::path::Path;
use std::time::Duration;

/// Runs the command.
pub fn repro(arguments: Repro) -> Result<u8, Error> {
    match arguments.what {
        Reproduction::List => print(&paper_repro::programs::list()),
        Reproduction::Table1(arguments) => table1(arguments),
    }
}

fn table1(arguments: Table1) -> Result<u8, Error> {
    let peers: Result<Vec<Peer>, String> = arguments.peers.iter().map(|text| Peer::parse(text)).collect();
    let tools = Tool::parse(&arguments.tools).map_err(Error::Usage)?;
    let options = Options { quick: arguments.quick, only: arguments.bench, peers: peers.map_err(Error::Usage)?, tools };
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed_precise}  {msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    let table = table1::run(&options, &|what| bar.set_message(what.to_owned()));
    bar.finish_and_clear();
    let table = table?;
    let to_stdout = arguments.json.as_deref() == Some(Path::new("-"));
    match &arguments.json {
        Some(_) if to_stdout => drop(print(&table.to_json())?),
        Some(path) => write_whole(path, &table.to_json())?,
        None => {}
    }
    if !to_stdout {
        print(&table.to_text())?;
    }
    Ok(u8::from(!table.is_right()))
}
