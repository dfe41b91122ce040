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
    if cx.facts.moves_text(&places, constant) {
        return Ok(Data { runs: Vec::new(), period: constant.is_none().then_some(0) });
    }
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
    let mut places = places;
    let found = cx.facts.spans(&places, size).or_else(|offset| {
        // What memory without shadow holds does not matter, and tells nothing.
        let shadowed: Vec<_> = places.iter().filter(|(o, _)| cx.facts.is_shadowed(*o)).copied().collect();
        if shadowed.is_empty() {
            return Err(offset);
        }
        places = shadowed;
        cx.facts.spans(&places, size)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::testing::Small;
    use crate::mode::Activity;
    use ir::{FloatKind, InstKind};

    const DOUBLE: Cell = Cell::Float(FloatKind::Double);

    /// Cell, offset, count and stride of each run, and the period; or why not.
    type Moved = Result<(Vec<(Cell, u64, u64, u64)>, Option<u64>), String>;

    /// What a copy of `length` moves from the caller's memory, which holds what `accesses` to `%x` say, to its own.
    fn moved(accesses: &str, length: &str) -> Moved {
        let text = format!(
            "declare ptr @malloc(i64)\ndeclare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n\
             define double @f(ptr %x, i64 %n, i64 %i) {{\nentry:\n{accesses}  %bytes = mul nuw i64 %n, 24\n  \
             %own = call ptr @malloc(i64 %bytes)\n  \
             call void @llvm.memcpy.p0.p0.i64(ptr %own, ptr %x, i64 {length}, i1 false)\n  \
             %first = load double, ptr %own\n  ret double %first\n}}\n"
        );
        let small = Small::new(&text, &[Activity::Dup, Activity::Const, Activity::Const]);
        let cx = small.cx();
        let is_copy = |kind: &InstKind| kind.as_call().is_some_and(|call| call.args.len() == 4);
        let copy = cx.func.inst_order().map(|(_, inst)| inst).find(|inst| is_copy(&cx.func.insts[*inst].kind));
        let copy = copy.expect("the copy is there");
        let args = cx.func.insts[copy].kind.as_call().expect("it is a call").args.clone();
        let data = moved_data(&cx, copy, &args[..2], args[2]).map_err(|refused| refused.message)?;
        let of = |run: &Run| (run.cell, run.offset, run.count, run.stride);
        Ok((data.runs.iter().map(of).collect(), data.period))
    }

    /// A load of a member of each element of an array that begins so many bytes behind `%x`.
    fn member(ty: &str, name: &str, (at, element, field): (u64, &str, u64)) -> String {
        format!(
            "  %{name}.x = getelementptr inbounds i8, ptr %x, i64 {at}\n  \
             %{name}.p = getelementptr inbounds {element}, ptr %{name}.x, i64 %i, i32 {field}\n  \
             %{name} = load {ty}, ptr %{name}.p\n"
        )
    }

    #[test]
    fn neighbours_of_one_kind_are_a_run() {
        let fields = "  %a = load double, ptr %x\n  %q = getelementptr i8, ptr %x, i64 8\n  \
                      %b = load double, ptr %q\n  %r = getelementptr i8, ptr %x, i64 16\n  %c = load ptr, ptr %r\n  \
                      %g = load double, ptr %c\n  %s = getelementptr i8, ptr %x, i64 24\n  %d = load float, ptr %s\n";
        let single = Cell::Float(FloatKind::Float);
        let runs = vec![(DOUBLE, 0, 2, 8), (Cell::Ptr, 16, 1, 8), (single, 24, 1, 4)];
        assert_eq!(moved(fields, "28"), Ok((runs, None)));
        // Every second word of an array is a number, and the others are counts.
        let pairs = member("double", "a", (0, "{ double, i64 }", 0)) + &member("i64", "b", (0, "{ double, i64 }", 1));
        assert_eq!(moved(&pairs, "64"), Ok((vec![(DOUBLE, 0, 4, 16)], None)));
        // Only what is moved.
        assert_eq!(moved(&pairs, "8"), Ok((vec![(DOUBLE, 0, 1, 8)], None)));
    }

    #[test]
    fn data_of_an_unknown_length_repeat() {
        assert_eq!(
            moved(&member("double", "a", (0, "{ double }", 0)), "%bytes"),
            Ok((vec![(DOUBLE, 0, 1, 8)], Some(8)))
        );
        let records = member("double", "a", (0, "{ double, ptr, i64 }", 0))
            + &member("ptr", "b", (0, "{ double, ptr, i64 }", 1))
            + "  %g = load double, ptr %b\n";
        let runs = vec![(DOUBLE, 0, 1, 8), (Cell::Ptr, 8, 1, 8)];
        assert_eq!(moved(&records, "%bytes"), Ok((runs, Some(24))));
        // In front of an array, to which an index may lead as well, lies something else.
        let header = "  %h = load ptr, ptr %x\n  %g = load double, ptr %h\n";
        let refused = |array: &str| moved(&(header.to_owned() + array), "%bytes").expect_err("it is there only once");
        let numbers = refused(&member("double", "a", (8, "{ double }", 0)));
        assert!(numbers.contains("take turns"), "{numbers}");
        let singles = refused(&member("float", "a", (8, "{ float, float }", 0)));
        assert!(singles.contains("do not repeat regularly"), "{singles}");
    }

    #[test]
    fn what_is_not_known_is_refused() {
        let disagree = "  %a = load double, ptr %x\n  %b = load float, ptr %x\n  %c = fpext float %b to double\n  \
                        %s = fadd double %a, %c\n";
        let refused = moved(disagree, "16").expect_err("two accesses disagree");
        assert!(refused.contains("ambiguous") && refused.contains("offset 0"), "{refused}");
    }
}
