//! A progress bar on the terminal, for whatever takes longer than a second.

use adjudicate::{Progress, Stage};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

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

    /// What the library tells.
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
