//! The subcommands: each calls the library, prints, and gives the exit code.

use crate::args::{Arguments, Cc, Check, Command, Explain, Grad, Observed, Run, Trace, Verify, When};
use crate::output::{fault, input, inputs, level, note_ignored_pragmas, print, without};
use crate::plugin::Plugin;
use crate::progress::{self, Bar};
use adjudicate::driver::{self, Compiler, Outcome, Pipeline, Settings};
use adjudicate::header::IncludeDir;
use adjudicate::kernel::{Geometry, Launch};
use adjudicate::observe::{self, Observation, Traced};
use adjudicate::report::NativeCall;
use adjudicate::report::text::{Style, render};
use adjudicate::tools::{self, Ended, RunOptions};
use adjudicate::{Error, Fault, Input, Severity};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// Executes the command.
pub fn execute(arguments: Arguments) -> u8 {
    let result = match arguments.command {
        Command::Check(check) => self::check(check),
        Command::Run(run) => self::run(run),
        Command::Cc(arguments) => cc(Compiler::Clang, arguments),
        Command::Cxx(arguments) => cc(Compiler::ClangCxx, arguments),
        Command::Fc(arguments) => cc(Compiler::Flang, arguments),
        Command::Judge(arguments) => crate::judging::judge(arguments),
        Command::Include => include(),
        Command::Opt(arguments) => crate::opt::opt(arguments),
        Command::Grad(grad) => self::grad(grad),
        Command::Explain(explain) => self::explain(explain),
        Command::Verify(verify) => self::verify(verify),
        Command::Repro(arguments) => crate::repro::repro(arguments),
        Command::Bench(arguments) => crate::repro::bench(arguments),
        Command::Fuzz(arguments) => crate::fuzzing::fuzz(arguments),
        Command::Rules(rules) => tools::rules(rules.operation.as_deref()).and_then(|text| print(&text)),
    };
    result.unwrap_or_else(|error| {
        eprintln!("adj: {error}");
        error.exit_code()
    })
}

fn include() -> Result<u8, Error> {
    let failed = |source| Error::Io { action: "write `adj.h`".to_owned(), source };
    let folder = IncludeDir::kept().map_err(failed)?;
    print(&format!("{}\n", folder.display()))
}

fn check(arguments: Check) -> Result<u8, Error> {
    let planted = fault(arguments.fault.as_deref())?;
    let flags = arguments.flags;
    let bar = Bar::new(arguments.levels.len());
    note_ignored_pragmas(&arguments.files, &flags);
    let mut check = tools::check(inputs(&arguments.files)?)
        .levels(&arguments.levels)
        .passes(adjudicate::Passes::BeforeDifferentiation)
        .args(arguments.args)
        .flags(flags.clone())
        .checkpoints(arguments.checkpoints)
        .precision(arguments.precision)
        .allowance(arguments.allowance)
        .seed(arguments.seed)
        .teams(arguments.threads.into_iter().map(usize::from))
        .schedules(arguments.schedules)
        .ranks(arguments.ranks.into_iter().map(usize::from))
        .steps(arguments.steps)
        .memory(arguments.memory)
        .native(arguments.native)
        .tape(arguments.tape)
        .watch(bar.watcher());
    if let Some(planted) = planted {
        check = check.fault(planted);
    }
    if let Some(folder) = &arguments.allow_files {
        check = check.files(folder)?;
    }
    if !arguments.native_calls.is_empty() {
        check = check.native_calls(&arguments.native_calls)?;
    }
    let report = check.run();
    let proofs =
        if arguments.prove { Some(prove(&arguments.files, &arguments.levels, &flags, planted)?) } else { None };
    bar.finish();
    let report = report?;
    let to_stdout = arguments.json.as_deref() == Some(Path::new("-"));
    match &arguments.json {
        Some(_) if to_stdout => drop(print(&(report.to_json() + "\n"))?),
        Some(path) => tools::write_whole(path, &(report.to_json() + "\n"))?,
        None => {}
    }
    let silent = to_stdout || (arguments.quiet && report.severity() <= Severity::Note);
    if !silent {
        let color = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        print(&render(&report, &Style { color }))?;
    }
    let Some((lines, refuted)) = proofs else { return Ok(report.exit_code()) };
    if !silent {
        print(&lines)?;
    }
    Ok(if refuted { report.exit_code().max(1) } else { report.exit_code() })
}

/// Proves the gradients at each level: a line for each, and whether one is refuted.
fn prove(
    files: &[PathBuf],
    levels: &[String],
    flags: &[String],
    fault: Option<Fault>,
) -> Result<(String, bool), Error> {
    let unsolved = |error: verify::SolverError| Error::Unsupported(error.to_string());
    let solver = verify::Solver::find().map_err(unsolved)?;
    let options = ad::Options { fault, ..ad::Options::default() };
    let (mut lines, mut refuted) = (String::new(), false);
    for name in levels {
        let module = tools::read(&inputs(files)?, level(name)?, flags)?;
        for report in verify::gradient::prove_gradients(&module, &options, &solver).map_err(unsolved)? {
            refuted |= matches!(report.verdict, verify::gradient::GradientVerdict::Wrong(..));
            lines += &format!("{name}: {}", report.to_text());
        }
    }
    Ok((lines, refuted))
}

fn run(arguments: Run) -> Result<u8, Error> {
    let launch = arguments.grid.zip(arguments.block).map(|(grid, block)| Launch {
        kernel: arguments.kernel,
        geometry: Geometry { grid, block, shared: arguments.shared },
    });
    let options = RunOptions {
        level: arguments.level.as_deref().map(level).transpose()?,
        flags: arguments.flags,
        args: arguments.args,
        steps: arguments.steps,
        memory: arguments.memory,
        depth: arguments.depth,
        time: arguments.time,
        seed: arguments.seed,
        threads: usize::from(arguments.threads),
        files: arguments.allow_files,
        bridge: tools::bridge(&arguments.native_calls)?,
        watcher: progress::every(arguments.progress),
        ranks: arguments.ranks.map(usize::from),
        devices: arguments.devices,
        launch,
    };
    note_ignored_pragmas(std::slice::from_ref(&arguments.file), &options.flags);
    let file = input(&arguments.file)?;
    let code = match arguments.schedules {
        Some(count) => explore(&file, &options, count)?,
        None => run_once(&file, &options, arguments.observed)?,
    };
    for call in NativeCall::all(&options.bridge) {
        eprintln!("adj: {call}");
    }
    Ok(code)
}

/// One run, observed if that was asked for.
fn run_once(file: &Input, options: &RunOptions, observed: Observed) -> Result<u8, Error> {
    let counted = observed.stats || observed.stats_json.is_some();
    let ended = match counted || !observed.trace.is_empty() {
        true if options.ranks.is_some() => {
            let (ended, traffic) = tools::run_counted(file, options)?;
            eprintln!("{:>14} messages between ranks\n{:>14} bytes in them", traffic.messages, traffic.bytes);
            ended
        }
        false => tools::run(file, options)?,
        true => {
            let on = |what| observed.trace.contains(&what);
            let (instructions, memory, threads) = (on(Trace::Instructions), on(Trace::Memory), on(Trace::Threads));
            let traced = Traced { instructions, memory, threads };
            let observation = Observation { traced, functions: observed.trace_function };
            let (ended, statistics) = observe::run(file, options, &observation, |line| eprintln!("{line}"))?;
            if observed.stats {
                eprint!("{statistics}");
            }
            match &observed.stats_json {
                None => {}
                Some(path) if path.as_os_str() == "-" => eprint!("{}", statistics.to_json()),
                Some(path) => {
                    let failed = |source| Error::Io { action: format!("write {}", path.display()), source };
                    std::fs::write(path, statistics.to_json()).map_err(failed)?;
                }
            }
            ended
        }
    };
    match ended {
        // As a shell sees it: the low eight bits.
        Ended::Status(status) => Ok(status as u8),
        Ended::Stopped(why, code) => {
            eprintln!("adj: {why}");
            Ok(code)
        }
    }
}

fn cc(compiler: Compiler, arguments: Cc) -> Result<u8, Error> {
    let pipeline = match arguments.pipeline {
        When::Enzyme => Pipeline::Enzyme,
        When::Ref => Pipeline::Ref,
    };
    let failed = |source| Error::Io { action: "run the compiler".to_owned(), source };
    let (mut checkpoints, mut names, mut args) = (arguments.checkpoints, arguments.without, Vec::new());
    let mut first = arguments.verify;
    // Ours may stand between clang's.
    let mut rest = arguments.args.into_iter();
    while let Some(arg) = rest.next() {
        let text = arg.to_str().unwrap_or_default();
        if let Some(value) = text.strip_prefix("--verify").filter(|value| value.is_empty() || value.starts_with('=')) {
            first = Some(crate::judging::executions(value.strip_prefix('=').unwrap_or("3")).map_err(Error::Usage)?);
            continue;
        }
        let ours = [("--checkpoint", &mut checkpoints), ("--without", &mut names)];
        let found = ours.into_iter().find_map(|(option, list)| Some((text.strip_prefix(option)?, list)));
        match found {
            Some(("", list)) => list.extend(rest.next().and_then(|value| value.into_string().ok())),
            Some((value, list)) if value.starts_with('=') => list.push(value[1..].to_owned()),
            _ => args.push(arg),
        }
    }
    let without = without(&names)?;
    let (plugin, args) = Plugin::of_clang(args)?;
    if first.is_some() && plugin.everywhere != ad::Everywhere::default() {
        let message = "`--verify` judges what the calls say themselves: put `enzyme_strong_zero` or \
                       `enzyme_runtime_activity` there";
        return Err(Error::Usage(message.to_owned()));
    }
    eprint!("{}", plugin.note().unwrap_or_default());
    let everywhere = plugin.everywhere;
    let command = || std::env::current_exe().map_err(|source| Error::Io { action: "find `adj`".to_owned(), source });
    let verify = first.map(|first| Ok::<_, Error>((command()?, first))).transpose()?;
    match driver::run(Settings { compiler, pipeline, checkpoints, without, everywhere, verify }, args)? {
        Outcome::Done { messages, code } => {
            eprint!("{messages}");
            Ok(code as u8)
        }
        Outcome::AsIs(mut command) => Ok(command.status().map_err(failed)?.code().unwrap_or(1) as u8),
    }
}

/// Exit codes: 0 if every schedule ends well, else that of the first that does not.
fn explore(input: &Input, options: &RunOptions, count: u64) -> Result<u8, Error> {
    let explored = tools::explore(input, options, count)?;
    let failed = explored.failures.len();
    let mut text = format!("{failed} of {} schedules fail\n", explored.runs);
    let mut code = 0;
    if let Some((seed, ended)) = explored.failures.first() {
        let seeds: Vec<String> = explored.failures.iter().take(20).map(|(seed, _)| seed.to_string()).collect();
        text += &format!("seeds: {}{}\n", seeds.join(" "), if failed > 20 { " …" } else { "" });
        match ended {
            Ended::Status(status) => {
                text += &format!("seed {seed}: the program ends with status {status}\n");
                code = *status as u8;
            }
            Ended::Stopped(why, stopped) => {
                text += &format!("seed {seed}: {why}\n");
                code = *stopped;
            }
        }
    }
    print(&text)?;
    Ok(code)
}

fn grad(arguments: Grad) -> Result<u8, Error> {
    let level = level(&arguments.level)?;
    let text =
        tools::gradient(&input(&arguments.file)?, level, &arguments.flags, &arguments.function, arguments.forward)?;
    print(&text)
}

fn explain(arguments: Explain) -> Result<u8, Error> {
    let level = level(&arguments.level)?;
    print(&tools::explain(&input(&arguments.file)?, level, &arguments.flags, arguments.function.as_deref())?)
}

/// Exit codes: 0 nothing failed, 1 a rule does not hold, 2 no such rule, 3 no solver.
fn verify(arguments: Verify) -> Result<u8, Error> {
    let subjects = verify::subjects_named(arguments.rule.as_deref());
    if subjects.is_empty() {
        return Err(Error::Usage(format!("there is no rule `{}`", arguments.rule.unwrap_or_default())));
    }
    let unsolved = |error: verify::SolverError| Error::Unsupported(error.to_string());
    let solver = verify::Solver::find().map_err(unsolved)?;
    let to_stdout = arguments.json.as_deref() == Some(Path::new("-"));
    let mut report = verify::Report::default();
    for subject in &subjects {
        let proved = subject.prove(&solver).map_err(unsolved)?;
        if !to_stdout {
            print(&proved.to_text())?;
        }
        report.subjects.push(proved);
    }
    match &arguments.json {
        Some(_) if to_stdout => drop(print(&report.to_json())?),
        Some(path) => tools::write_whole(path, &report.to_json())?,
        None => {}
    }
    if !to_stdout {
        print(&report.to_line())?;
    }
    Ok(u8::from(report.count(verify::Status::Failed) > 0))
}
