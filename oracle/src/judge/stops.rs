//! Executions that did not end by themselves, as findings.

use crate::report::{Finding, Note, Position};
use crate::verdict::Verdict;
use interp::{Stop, UbKind};

/// The status of a program that is aborted: 128 and the number of the signal.
const ABORTED: i32 = 134;

/// Whose execution was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Who {
    /// The program itself, outside of any judged call, or the primal of one.
    Primal,
    /// A gradient.
    Gradient,
}

/// The finding of a stop.
pub fn finding(stop: &Stop, who: Who) -> Finding {
    let (verdict, what) = match (stop, who) {
        (Stop::Exit(status), _) => {
            let mut text = format!("the differentiated function ends the program with status {status}");
            if *status == ABORTED {
                text.push_str(" (aborted: by `abort`, a failed assertion, or an exception that leaves it)");
            }
            return Finding::new(Verdict::Unsupported, text);
        }
        (Stop::Undefined(report), _) if report.ub == Some(UbKind::Leak) => (Verdict::Leak, "memory is lost"),
        (Stop::Undefined(report), Who::Gradient) if report.ub == Some(UbKind::Race) => (Verdict::Race, "a data race"),
        (Stop::Undefined(_), Who::Primal) => (Verdict::UbInPrimal, "undefined behaviour"),
        (Stop::Undefined(_), Who::Gradient) => (Verdict::UbInGradient, "undefined behaviour"),
        (Stop::Unsupported(_), _) => (Verdict::Unsupported, "not supported"),
        (Stop::Resource(_), _) => (Verdict::Resource, "limit reached"),
        (Stop::Bug(_), _) => (Verdict::Unsupported, "the interpreter contradicts itself"),
    };
    let Some(report) = stop.report() else { return Finding::new(verdict, what) };
    let kind = report.ub.map_or_else(|| what.to_owned(), |ub| ub.name().to_owned());
    let mut finding = Finding::new(verdict, format!("{kind}: {}", report.message));
    let position = |place: &interp::Place| place.source.clone().filter(|s| s.line > 0).map(Position::from);
    if report.ub == Some(UbKind::Leak) {
        // The call stack of the end of the program says nothing: the allocation is to blame.
        finding.position = report.notes.iter().find_map(position);
    } else {
        finding.position = report.stack.iter().find_map(position);
        finding.instruction = report.stack.first().map(|p| p.instruction.clone()).filter(|i| !i.is_empty());
    }
    for place in &report.notes {
        finding.notes.push(Note { message: place.text.clone(), position: position(place) });
    }
    for place in report.stack.iter().skip(1) {
        let function = place.function.clone().unwrap_or_default();
        finding.notes.push(Note { message: format!("in `{function}`"), position: position(place) });
    }
    finding
}
