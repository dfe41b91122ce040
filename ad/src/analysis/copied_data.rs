//! What copies and fills of memory move: runs of data of one kind.

use crate::analysis::context::Context;
use crate::analysis::memory;
use crate::error::{Diagnostic, Reason};
use crate::program::cell::{Cell, Span};
use ir::{InstId, Operand};

/// Where pointers and floats take turns in memory of the caller, its shadow does not tell which of them is there.
pub(crate) const TURNS: &str =
    "pointers and floats take turns in memory that the caller can reach, and are moved without regard to which";

/// Memory of at most so many bytes is looked at datum by datum where the length of a copy is not known.
const FEW: u64 = 256;

/// A run of equal data: `count` data of one kind, `stride` bytes apart, from `offset` on.
pub(crate) struct Run {
    pub(crate) cell: Cell,
    pub(crate) offset: u64,
    pub(crate) count: u64,
    pub(crate) stride: u64,
}

/// The data a copy or fill moves.
pub(crate) struct Data {
    pub(crate) runs: Vec<Run>,
    /// The length, if it is known only at run time: bytes after which the runs repeat, 0 if they do not.
    pub(crate) period: Option<u64>,
}

/// What lies in the memory that a copy or fill of `length` bytes moves.
pub(crate) fn moved_data(cx: &Context, inst: InstId, ptrs: &[Operand], length: Operand) -> Result<Data, Diagnostic> {
    let unsupported = |message: &str| Err(Diagnostic::at(cx.m, cx.func, inst, Reason::Unsupported, message));
    let places: Vec<_> = ptrs.iter().flat_map(|ptr| cx.targets(*ptr)).collect();
    let constant = cx.m.as_int(length).map(|v| v as u64);
    // Of a structure with a name in it, which is copied as long as it is, each datum is looked at.
    let most = ptrs.iter().filter_map(|ptr| cx.facts.room(cx.m, &cx.targets(*ptr))).min().filter(|most| *most <= FEW);
    let period = match (constant, most) {
        (None, None) => cx.facts.period(&places),
        _ => 0,
    };
    let size = match (constant.or(most), period) {
        (Some(size), _) => size,
        (None, 0) => cx.facts.known_size(&places).max(8),
        (None, period) => period,
    };
    let found = cx.facts.spans(&places, size).or_else(|offset| {
        // What memory without shadow holds does not matter.
        let shadowed: Vec<_> = places.iter().filter(|(o, _)| cx.facts.is_shadowed(*o)).copied().collect();
        if shadowed.is_empty() { Err(offset) } else { cx.facts.spans(&shadowed, size) }
    });
    let spans = match found {
        Ok(spans) => spans,
        Err(offset) => {
            return unsupported(&format!(
                "the type of the data at offset {offset} is ambiguous: two accesses disagree on what it is"
            ));
        }
    };
    // A length known only at run time may reach beyond all that is known, unless that repeats or ends.
    let reach = if constant.or(most).is_some() || period != 0 { size } else { size + 64 };
    // What is only filled, or copied from where nothing is, may be a float, and is taken for one: the shadow of an
    // integer is nobody's concern.
    let blank = ptrs.iter().skip(1).all(|from| cx.facts.is_blank_memory(&cx.targets(*from)));
    let filled = if blank && constant.is_some() { cx.facts.all_untold(&places, size) } else { Vec::new() };
    if let Some(offset) = cx.facts.untold(&places, reach).filter(|_| filled.is_empty()) {
        return unsupported(&format!(
            "the type of the moved data is not known at offset {offset}: no access, declared type or debug information \
             tells it"
        ));
    }
    if period != 0 && !cx.facts.is_periodic(&places, size, &spans) {
        return unsupported(
            "data of different kinds, moved with a length known only at run time, do not repeat regularly",
        );
    }
    let mut spans = spans;
    spans.extend(cx.facts.among_integers(&places, (size, period), &spans));
    spans.sort_by_key(|span| span.offset);
    for span in &mut spans {
        span.cell = cx.facts.with_others(cx.m, &places, span);
        if span.cell == Cell::Conflict {
            return unsupported(&format!(
                "pointers and floats other than `double` take turns at offset {}, and are moved without regard to which",
                span.offset
            ));
        }
    }
    if spans.iter().any(|s| s.cell == Cell::Either) && !cx.own_shadows(ptrs) {
        return unsupported(TURNS);
    }
    // With a length known only at run time each datum of the period is a run of its own.
    let mut runs = runs(&spans, period == 0);
    for (kind, offset, count) in filled.into_iter().flat_map(memory::filling).filter(|(_, _, count)| *count > 0) {
        let cell = Cell::Float(kind);
        runs.push(Run { cell, offset, count, stride: cell.size(0) });
    }
    runs.sort_by_key(|run| run.offset);
    Ok(Data { runs, period: constant.is_none().then_some(period) })
}

impl Data {
    /// May some of it be pointers or floats?
    pub(crate) fn turns(&self) -> bool {
        self.runs.iter().any(|run| run.cell == Cell::Either)
    }
}

/// The data as runs, neighbours of one kind taken together if asked.
fn runs(spans: &[Span], gather: bool) -> Vec<Run> {
    let mut out: Vec<Run> = Vec::new();
    for span in spans {
        if let Some(last) = out.last_mut().filter(|_| gather)
            && last.cell == span.cell
        {
            let next = last.offset + last.count * last.stride;
            let gap = span.offset - last.offset;
            if last.count == 1 && gap <= 16 && gap >= span.size {
                (last.count, last.stride) = (2, gap);
                continue;
            }
            if last.count > 1 && span.offset == next {
                last.count += 1;
                continue;
            }
        }
        out.push(Run { cell: span.cell, offset: span.offset, count: 1, stride: span.size });
    }
    out
}
