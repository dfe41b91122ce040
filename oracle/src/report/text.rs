//! A report as text, in the manner of a compiler: verdict first, then the place with the line of source, then the
//! numbers.

use super::excerpt::Sources;
use super::{Basis, Component, Ending, Finding, Gradient, Position, Report, Tape};
use crate::circumstances::Circumstances;
use crate::verdict::{Severity, Verdict};
use owo_colors::{OwoColorize, Style as Paint};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

/// How a report is rendered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Style {
    /// With the escape sequences of a terminal.
    pub color: bool,
}

/// Components listed per gradient.
const LISTED: usize = 12;

/// Renders a report.
pub fn render(report: &Report, style: &Style) -> String {
    let mut out = Renderer { style: *style, text: String::new(), sources: Sources::default() };
    out.report(report);
    out.text
}

struct Renderer {
    style: Style,
    text: String,
    sources: Sources,
}

/// The path as the user would write it: relative to the current folder when it lies below.
fn shorten(file: &str) -> String {
    let here = std::env::current_dir().ok();
    let below = here.as_deref().and_then(|here| Path::new(file).strip_prefix(here).ok());
    below.map_or_else(|| file.to_owned(), |p| p.display().to_string())
}

fn place(position: &Position) -> String {
    Position { file: shorten(&position.file), ..position.clone() }.to_string()
}

impl Renderer {
    fn line(&mut self, text: impl AsRef<str>) {
        self.text.push_str(text.as_ref().trim_end());
        self.text.push('\n');
    }

    fn paint(&self, text: impl AsRef<str>, paint: Paint) -> String {
        if self.style.color { text.as_ref().style(paint).to_string() } else { text.as_ref().to_owned() }
    }

    fn dim(&self, text: impl AsRef<str>) -> String {
        self.paint(text, Paint::new().bright_black())
    }

    fn verdict(&self, verdict: Verdict, text: &str) -> String {
        let paint = match verdict.severity() {
            Severity::Fine => Paint::new().green().bold(),
            Severity::Note => Paint::new().cyan().bold(),
            Severity::Undecided => Paint::new().yellow().bold(),
            Severity::Fault => Paint::new().red().bold(),
        };
        self.paint(text, paint)
    }

    fn report(&mut self, report: &Report) {
        let gradients = report.levels.iter().flat_map(|l| l.gradients.iter().map(|g| (g, l.level.as_str())));
        let line = |g: &Gradient| g.call.as_ref().map(|c| (c.file.clone(), c.line, c.column));
        let mut gradients = together(gradients, |a, b| {
            a.function == b.function
                && line(a) == line(b)
                && a.verdict == b.verdict
                && a.finding.as_ref().map(key) == b.finding.as_ref().map(key)
        });
        // Copies in inlined functions come in the order of the source.
        gradients.sort_by_key(|(g, _)| line(g));
        for (gradient, names) in &gradients {
            self.gradient(gradient, names);
        }
        let tapes = report.levels.iter().flat_map(|l| l.gradients.iter().map(|g| (g, l.level.as_str())));
        let tapes = tapes.filter(|(g, _)| g.tape.is_some());
        let same = |a: &Gradient, b: &Gradient| a.function == b.function && line(a) == line(b) && a.tape == b.tape;
        for (gradient, names) in together(tapes, same) {
            if let Some(tape) = &gradient.tape {
                self.tape(&gradient.function, tape, &names);
            }
        }
        let calls = report.levels.iter().flat_map(|l| l.unreached.iter().map(|p| (p, l.level.as_str())));
        for (call, names) in together(calls, |a, b| a == b) {
            let tag = self.dim(format!("[{names}]"));
            self.line(format!("not reached: the differentiated call at {} {tag}", place(call)));
        }
        let problems = report.levels.iter().flat_map(|l| l.problems.iter().map(|p| (p, l.level.as_str())));
        for (problem, names) in together(problems, |a, b| key(a) == key(b)) {
            let head = self.verdict(problem.verdict, &heading(problem));
            let tag = self.dim(format!("[{names}]"));
            self.line(format!("{head}: {} {tag}", problem.message));
            self.finding(problem);
            self.line("");
        }
        for call in &report.native_calls {
            self.line(format!("note: {call}"));
        }
        self.summary(report);
    }

    fn gradient(&mut self, gradient: &Gradient, names: &str) {
        let head = match &gradient.finding {
            Some(finding) => heading(finding),
            None => gradient.verdict.name().to_owned(),
        };
        let head = self.verdict(gradient.verdict, &head);
        let what = if gradient.given {
            format!("`{}` as the {} of `{}`", gradient.gradient, gradient.mode.noun(), gradient.function)
        } else {
            format!("{} of `{}`", gradient.mode.noun(), gradient.function)
        };
        let tag = self.dim(format!("[{names}]"));
        self.line(format!("{head}: {what} {tag}"));
        match &gradient.finding {
            Some(finding) => {
                self.line(format!("  {}", finding.message));
                self.finding(finding);
                if let Some(call) = &gradient.call {
                    self.line(format!("  called at {}{}", place(call), times(gradient)));
                }
            }
            None => {
                if let Some(call) = &gradient.call {
                    let arrow = self.dim("-->");
                    self.line(format!("  {arrow} {}{}", place(call), times(gradient)));
                }
            }
        }
        if gradient.judged > 0 && !gradient.components.is_empty() {
            self.components(gradient);
        }
        if gradient.verdict == Verdict::Correct {
            self.basis(gradient);
        }
        for remark in &gradient.remarks {
            self.line(format!("  note: {remark}"));
        }
        self.line("");
    }

    fn tape(&mut self, function: &str, tape: &Tape, names: &str) {
        let tag = self.dim(format!("[{names}]"));
        let Tape { bytes, writes, peak, primal_peak, .. } = tape;
        self.line(format!("tape of `{function}`: {bytes} bytes, {writes} writes {tag}"));
        for line in &tape.lines {
            let place = line.position.as_ref().map_or_else(|| "the way of control".to_owned(), place);
            self.line(format!("  {:>12} bytes {:>10} times  {place}", line.bytes, line.writes));
        }
        self.line(format!("  at most {peak} bytes of memory at a time; the primal alone {primal_peak}"));
        self.line("");
    }

    fn finding(&mut self, finding: &Finding) {
        if let Some(position) = &finding.position {
            self.excerpt(position);
        }
        if let Some(instruction) = &finding.instruction {
            let label = self.dim("instruction");
            self.line(format!("  {label} {}", instruction.trim()));
        }
        if let Some(primal) = &finding.stands_for {
            let label = self.dim("stands for ");
            self.line(format!("  {label} {}", primal.trim()));
        }
        for evidence in &finding.evidence {
            self.line(format!("  because {evidence}"));
        }
        for note in &finding.notes {
            match &note.position {
                Some(position) => self.line(format!("  {}: {}", place(position), note.message)),
                None => self.line(format!("  {}", note.message)),
            }
        }
    }

    fn excerpt(&mut self, position: &Position) {
        let arrow = self.dim("-->");
        self.line(format!("  {arrow} {}", place(position)));
        if let Some(excerpt) = self.sources.excerpt(position) {
            let bar = self.dim("|");
            let number = self.dim(format!("{:>5}", excerpt.number));
            let caret = self.paint("^", Paint::new().red().bold());
            self.line(format!("{number} {bar} {}", excerpt.text));
            self.line(format!("      {bar} {}{caret}", " ".repeat(excerpt.caret)));
        }
    }

    fn components(&mut self, gradient: &Gradient) {
        let table = gradient.verdict != Verdict::Correct || gradient.component_count <= LISTED;
        if table {
            let rows: Vec<&Component> = gradient.components.iter().take(LISTED).collect();
            let width = rows.iter().map(|c| c.name.chars().count()).max().unwrap_or(0).max(9);
            let header = format!("  {:<width$}  {:>24}  {:>24}  {:>10}", "component", "expected", "actual", "ULP");
            let header = self.dim(header);
            self.line(header);
            for row in rows {
                let text = format!(
                    "  {:<width$}  {:>24}  {:>24}  {:>10}",
                    row.name,
                    number(row.expected),
                    number(row.actual),
                    ulp(row.ulp)
                );
                let text = if row.agrees { text } else { self.paint(text, Paint::new().red()) };
                self.line(text);
            }
        }
        let shown = if table { gradient.components.len().min(LISTED) } else { 0 };
        let left = gradient.component_count.saturating_sub(shown);
        let rest = match (table, left) {
            (true, 0) => String::new(),
            (true, n) => format!("{n} more components; "),
            (false, n) => format!("{n} components; "),
        };
        let a = gradient.accuracy;
        let text = format!(
            "  {rest}error at most {} ULP, {:.1} bits lost, condition {}",
            ulp(a.max_ulp),
            a.lost_bits,
            short(a.condition)
        );
        self.line(text);
    }

    /// What a correct gradient rests on.
    fn basis(&mut self, gradient: &Gradient) {
        let Basis { components, directions, nonzero, differences, bound } = gradient.basis;
        let compared = count(components, "component");
        let along = format!("{} ({nonzero} not zero)", count(directions, "direction"));
        let told = match bound {
            Some(bound) => format!("plain differences agree along {differences} within {}", short(bound)),
            None => "plain differences tell nothing".to_owned(),
        };
        self.line(format!("  rests on {compared} along {along}; {told}"));
    }

    fn summary(&mut self, report: &Report) {
        let levels = report.levels.iter().map(|l| l.level.as_str()).collect::<Vec<_>>().join(" ");
        let gradients: usize = report.levels.iter().map(|l| l.gradients.len()).sum();
        let judged: u64 = report.levels.iter().map(super::LevelReport::judged).sum();
        let head = self.verdict(report.verdict, report.verdict.name());
        let calls = if judged == 1 { "execution" } else { "executions" };
        let _ = write!(self.text, "{}: {head}", shorten(&report.program));
        self.line(format!(" ({gradients} differentiated calls, {judged} {calls} judged, at {levels}{})", runs(report)));
        for level in &report.levels {
            if level.ending == Ending::Stopped && level.problems.is_empty() {
                let text = format!("  at {} the program did not run to its end", level.level);
                self.line(text);
            }
        }
    }
}

/// In how many runs, where there are several.
fn runs(report: &Report) -> String {
    let Some(runs) = report.levels.first().map(|level| &level.runs).filter(|runs| runs.len() > 1) else {
        return String::new();
    };
    let distinct = |of: fn(&Circumstances) -> Option<usize>| {
        let all: BTreeSet<usize> = runs.iter().filter_map(|run| of(&run.circumstances)).collect();
        all.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    };
    let (ranks, teams) = (distinct(|run| run.ranks), distinct(|run| Some(run.threads)));
    let ranks = if ranks.is_empty() { ranks } else { format!("ranks {ranks}, ") };
    let seeds = runs.iter().map(|run| run.circumstances.seed);
    let (least, most) = (seeds.clone().min().unwrap_or(0), seeds.max().unwrap_or(0));
    format!(", in {} runs each: {ranks}threads {teams}, seeds {least} to {most}", runs.len())
}

/// `wrong (stale-shadow)` or just the verdict.
fn heading(finding: &Finding) -> String {
    match finding.family {
        Some(family) => format!("{} ({family})", finding.verdict),
        None => finding.verdict.to_string(),
    }
}

fn times(gradient: &Gradient) -> String {
    match (gradient.executed, gradient.judged) {
        (0 | 1, _) => String::new(),
        (all, judged) if all == judged => format!(" ({all} times; this is execution {})", gradient.execution),
        (all, judged) => format!(" ({all} times, {judged} of them judged; this is execution {})", gradient.execution),
    }
}

/// What several levels say alike is shown once, with the names of the levels.
fn together<'a, T>(
    items: impl Iterator<Item = (&'a T, &'a str)>,
    same: impl Fn(&T, &T) -> bool,
) -> Vec<(&'a T, String)> {
    let mut out: Vec<(&T, String)> = Vec::new();
    for (item, level) in items {
        match out.iter_mut().find(|(first, _)| same(first, item)) {
            Some((_, names)) if names.split(' ').any(|n| n == level) => {}
            Some((_, names)) => *names = format!("{names} {level}"),
            None => out.push((item, level.to_owned())),
        }
    }
    out
}

fn key(finding: &Finding) -> (Verdict, Option<crate::verdict::Family>, Option<(&str, u32)>, &str) {
    let line = finding.position.as_ref().map(|p| (p.file.as_str(), p.line));
    (finding.verdict, finding.family, line, &finding.message)
}

/// A number with as many digits as a double needs.
fn number(value: f64) -> String {
    let plain = format!("{value}");
    if plain.len() <= 22 { plain } else { format!("{value:.16e}") }
}

fn ulp(value: f64) -> String {
    match value {
        v if v.is_nan() => "-".to_owned(),
        v if v < 1e6 => format!("{v:.1}"),
        v => format!("{v:.1e}"),
    }
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

fn short(value: f64) -> String {
    if value.is_nan() { "unknown".to_owned() } else { format!("{value:.1e}") }
}
