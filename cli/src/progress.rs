//! Progress at the terminal of things that take long: a bar for a check, now and then a line for a run, whose program
//! prints itself.

use adjudicate::{Progress, Stage, Standing, Watcher};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How often a run at a terminal reports its progress.
const USUAL: Duration = Duration::from_secs(10);

/// Reports the progress of a run on standard error, at this interval or at the usual one of a terminal. Never for zero.
pub fn every(asked: Option<Duration>) -> Option<Watcher> {
    let usual = || std::io::stderr().is_terminal().then_some(USUAL);
    let period = asked.or_else(usual).filter(|period| !period.is_zero())?;
    let (start, last) = (Instant::now(), Mutex::new((Instant::now(), 0)));
    Some(Watcher::new(move |standing: &Standing<'_>| {
        let Ok(mut last) = last.lock() else { return };
        let since = last.0.elapsed();
        if since >= period {
            // Another run of several starts again.
            let steps = standing.steps.checked_sub(last.1).unwrap_or(standing.steps);
            let rate = steps as f64 / since.as_secs_f64();
            eprintln!("adj: {}", line(standing, start.elapsed(), rate));
            *last = (Instant::now(), standing.steps);
        }
    }))
}

/// One line of progress.
fn line(standing: &Standing<'_>, elapsed: Duration, rate: f64) -> String {
    let Standing { steps, memory, threads, function, source } = standing;
    let mut text = format!(
        "{:.0} s: {:.1} million instructions, {:.1} million a second, {:.1} MB",
        elapsed.as_secs_f64(),
        *steps as f64 / 1e6,
        rate / 1e6,
        *memory as f64 / 1e6
    );
    if *threads > 1 {
        text += &format!(", {threads} threads");
    }
    text += &format!(", in `{function}`");
    if let Some(source) = source {
        text += &format!(" at {}:{}", source.file, source.line);
    }
    text
}

/// The bar.
pub struct Bar(Arc<Shared>);

struct Shared {
    bar: ProgressBar,
    start: Instant,
    shown: Mutex<bool>,
}

/// How long nothing is shown.
const PATIENCE: Duration = Duration::from_secs(1);

impl Bar {
    /// A bar over that many levels, hidden at first.
    pub fn new(levels: usize) -> Bar {
        let bar = ProgressBar::with_draw_target(Some(levels as u64), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {bar:20} {pos}/{len} levels  {msg}") {
            bar.set_style(style);
        }
        let shared = Arc::new(Shared { bar, start: Instant::now(), shown: Mutex::new(false) });
        let watched = Arc::downgrade(&shared);
        std::thread::spawn(move || {
            std::thread::sleep(PATIENCE);
            if let Some(shared) = watched.upgrade() {
                shared.show();
            }
        });
        Bar(shared)
    }

    /// What the library reports.
    pub fn watcher(&self) -> impl Fn(Progress<'_>) + Send + Sync + 'static {
        let shared = Arc::clone(&self.0);
        move |progress| {
            let bar = &shared.bar;
            match progress.stage {
                Stage::Compiling => bar.set_message(format!("{}: compiling", progress.level)),
                Stage::Judging => bar.set_message(format!("{}: {} executions judged", progress.level, progress.judged)),
                Stage::Done => bar.inc(1),
            }
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Ok(mut shown) = self.0.shown.lock() {
            *shown = true;
        }
        self.0.bar.finish_and_clear();
    }
}

impl Shared {
    fn show(&self) {
        let Ok(mut shown) = self.shown.lock() else { return };
        if !*shown && self.start.elapsed() >= PATIENCE {
            *shown = true;
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.bar.enable_steady_tick(Duration::from_millis(100));
        }
    }
}
