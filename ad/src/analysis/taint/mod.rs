//! Active numbers outside of the floats: where they go, and where they come back.
//!
//! The analyses of [`crate::analysis::memory`] follow a number as long as it is a float, or bits of one that an integer
//! carries whole. A number that leaves in any other way has no shadow: as text, in a file, in the state of a library,
//! as a pointer, as an index of a table, by decisions on its bits. This is a taint analysis (Denning and Denning,
//! 1977): marks start where active bits leave, and flow through values, memory, calls and the library, forwards, to a
//! fixed point. A mark that reaches a float on which an active result depends is refused, with both places.
//!
//! - *Sources*: bits of active floats that become a pointer or an index ([`Facts::has_active_bits`] follows those that
//!   stay integers); active values and memory that an external function gets ([`library`]).
//! - *Decisions*: a comparison of marked integers has no derivative, which is right. But decisions on bits, one for
//!   each, can rebuild a number. So they are counted along the values that they choose, and [`MANY`] of them mark a
//!   float that is made of the bits.
//! - *Sinks*: the floats that the call returns or leaves in memory with a shadow.
//!
//! Rounding to an integer ends a mark: its derivative is zero. Marks of memory are by object and place. What the
//! library keeps is one mark, followed in the order of control: what is read before anything active was written is
//! clean.
//!
//! Addresses have the same fate, with other consequences: see [`addresses`].

pub mod addresses;
mod flow;
mod library;
mod shapes;

use crate::analysis::memory::Facts;
use crate::analysis::memory::marked::{Marked, Marker};
use crate::analysis::memory::object::{ObjId, ObjKind, Object, Targets};
use crate::analysis::memory::place::Place;
use crate::analysis::taint::shapes::Shapes;
use crate::error::{Diagnostic, Reason};
use crate::normalise::sources::Sources;
use crate::program::externals;
use crate::request::entry_points;
use ir::hash::HashMap;
use ir::{BlockId, FuncId, InstId, InstKind, Module, Operand, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// So many decisions can make a number; fewer choose between a few constants.
const MANY: u8 = 12;

/// Rounds after which the analysis would not end.
const MAX_ROUNDS: usize = 200;

/// An instruction of a function.
type Site = (FuncId, InstId);

/// How a value depends on an active number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Mark {
    /// Where the number left the floats.
    from: Site,
    /// Where it came back.
    back: Option<Site>,
    /// So many decisions chose it; none if it holds bits of the number, or of its text.
    decisions: u8,
    /// Text: no float is read from these bytes.
    text: bool,
    /// An address that was computed from the number.
    index: bool,
    /// An integer from memory of the caller of which nothing tells that it holds a float. It is one if its bits become
    /// one, or if it comes to memory of the caller of which nothing tells either.
    untold: bool,
    /// It is computed or compared with, or an index: an integer is one.
    number: bool,
    /// The first byte of an integer that holds anything of the active number: sums and products carry upwards only, so
    /// that an integer in front of a float in one word stays one.
    first: u8,
}

impl Mark {
    fn new(from: Site) -> Mark {
        Mark { from, back: None, decisions: 0, text: false, index: false, untold: false, number: false, first: 0 }
    }

    /// Does it hold the number's bits, or what was made of them?
    fn is_data(self) -> bool {
        self.decisions == 0
    }

    /// What holds for both.
    fn join(self, other: Mark) -> Mark {
        let first = match (self.is_data(), other.is_data()) {
            (true, true) => !self.untold || other.untold,
            (data, other) => data || !other,
        };
        let (one, two) = if first { (self, other) } else { (other, self) };
        Mark {
            back: one.back.or(two.back),
            decisions: if one.is_data() { 0 } else { one.decisions.max(two.decisions) },
            text: self.text && other.text,
            index: self.index && other.index,
            untold: self.untold && other.untold,
            number: self.number && other.number,
            first: self.first.min(other.first),
            ..one
        }
    }
}

/// Adds a mark; says whether that changed anything.
fn add(to: &mut Option<Mark>, mark: Mark) -> bool {
    let joined = to.map_or(mark, |old| old.join(mark));
    let changed = *to != Some(joined);
    *to = Some(joined);
    changed
}

/// A mark of memory, and where it was left there.
#[derive(Clone, Copy, PartialEq)]
struct Left {
    mark: Mark,
    at: Site,
}

impl Marker for Left {
    fn join(self, other: Left) -> Left {
        Left { mark: self.mark.join(other.mark), at: self.at }
    }
}

struct Taint<'a> {
    m: &'a Module,
    sources: &'a Sources,
    facts: &'a Facts,
    values: HashMap<(FuncId, ValueId), Mark>,
    memory: Marked<Left>,
    returned: BTreeMap<FuncId, Option<Mark>>,
    /// What the library holds when a block begins.
    held: HashMap<(FuncId, BlockId), Option<Mark>>,
    /// The same when a function begins, and at some time.
    entered: BTreeMap<FuncId, Option<Mark>>,
    ever: Option<Mark>,
    /// Functions that leave something with the library.
    leaves: BTreeMap<FuncId, Option<Mark>>,
    /// Functions that get something active among their variable arguments, or a list of such arguments.
    variable: BTreeMap<FuncId, Option<Mark>>,
    /// The control flow of functions that choose integers by conditions, or that leave something with the library.
    shapes: Shapes,
    changed: bool,
}

/// Refuses what comes back to the floats without a derivative.
pub(crate) fn check(m: &Module, sources: &Sources, facts: &Facts, root: FuncId) -> Result<(), Diagnostic> {
    let mut taint = Taint {
        m,
        sources,
        facts,
        values: HashMap::default(),
        memory: Marked::default(),
        returned: BTreeMap::new(),
        held: HashMap::default(),
        entered: BTreeMap::new(),
        ever: None,
        leaves: BTreeMap::new(),
        variable: BTreeMap::new(),
        shapes: Shapes::new(sources),
        changed: true,
    };
    for round in 0.. {
        if !taint.changed {
            break;
        }
        if round > MAX_ROUNDS {
            let message = "the analysis of numbers outside of floats did not converge";
            return Err(Diagnostic::of(m, &sources[&root], Reason::Unsupported, message));
        }
        taint.changed = false;
        for id in sources.keys() {
            taint.function(*id);
        }
    }
    taint.sink(root).map_or(Ok(()), Err)
}

impl Taint<'_> {
    /// The first float with a derivative that depends on a mark.
    fn sink(&self, root: FuncId) -> Option<Diagnostic> {
        let func = &self.sources[&root];
        if externals::holds_float(self.m, func.ret)
            && let Some(mark) = self.returned.get(&root).copied().flatten().filter(|mark| mark.is_data())
        {
            return Some(self.refusal(mark, mark.back.unwrap_or(mark.from)));
        }
        let seen = self.seen(root);
        for (object, spans) in self.memory.iter() {
            for span in spans.iter().filter(|_| seen.contains(&object)) {
                let Left { mark, at } = span.mark;
                let place = [(object, span.place)];
                if mark.untold && !mark.number && self.facts.untold(&place, span.size.unwrap_or(1)).is_some() {
                    let message = "the type of the moved integer is not known: it may be a number or a part of one, \
                        and no access, declared type or debug information tells what lies where it is stored. Move it \
                        as the type that it has";
                    return Some(Diagnostic::at(self.m, &self.sources[&at.0], at.1, Reason::Unsupported, message));
                }
                let many = mark.is_data() || mark.decisions >= MANY;
                if many && !mark.text && !mark.untold && self.holds_floats(object, span.place, span.size) {
                    return Some(self.refusal(mark, mark.back.unwrap_or(at)));
                }
            }
        }
        None
    }

    /// The objects with a shadow that the caller sees when the call returns: its own, those with a name, and what it
    /// can reach from these and from what is returned.
    fn seen(&self, root: FuncId) -> BTreeSet<ObjId> {
        let own = |(object, data): (ObjId, &Object)| match data.kind {
            ObjKind::External { constant, .. } => !constant,
            ObjKind::Global(_) => self.facts.is_shadowed(object),
            _ => false,
        };
        let mut work: Vec<ObjId> = self.facts.objects.iter().filter(|o| own(*o)).map(|(object, _)| object).collect();
        work.extend(self.facts.returned(root).keys());
        let mut seen = BTreeSet::new();
        while let Some(object) = work.pop() {
            let data = &self.facts.objects[object];
            let constant = matches!(data.kind, ObjKind::External { constant: true, .. });
            if !constant && seen.insert(object) {
                work.extend(data.pointers.values().flat_map(|targets| targets.keys()));
            }
        }
        seen
    }

    /// May floats lie there?
    fn holds_floats(&self, object: ObjId, place: Place, size: Option<u64>) -> bool {
        let Some(size) = size else {
            return self.facts.objects[object].cells.values().any(|cell| cell.may_be_float());
        };
        self.facts.may_meet_float(object, place, size)
    }

    fn refusal(&self, mark: Mark, (at, inst): Site) -> Diagnostic {
        let (from, left) = mark.from;
        let func = &self.sources[&from];
        if let InstKind::Call(call) = &func.insts[left].kind {
            let active = call.args.iter().any(|arg| self.facts.has_adjoint(self.m, from, func, *arg));
            let what = if active { "an active value" } else { "active memory" };
            let unsupported = |what| Diagnostic::at(self.m, func, left, Reason::Unsupported, what);
            match self.m.as_function(call.callee).map(|f| (f, self.m.functions[f].name.as_str())) {
                Some((f, name)) if library::effect(name) == library::unknown() && !self.sources.contains_key(&f) => {
                    return entry_points::without_body(self.m, func, left, name, what);
                }
                None if self.m.as_asm(call.callee).is_some() => {
                    return unsupported(format!("inline assembly with instructions gets {what}"));
                }
                _ => {}
            }
        }
        let place = self.m.source_loc(func, left).map_or(String::new(), |loc| format!(" ({loc})"));
        let by = match &func.insts[left].kind {
            InstKind::Call(call) => match self.m.as_function(call.callee) {
                Some(f) => format!("`{}`", self.m.functions[f].name),
                None => "a function".to_owned(),
            },
            _ => "an operation on its bits".to_owned(),
        };
        let message = format!(
            "a float depends here on an active number that left the floats before, by {by}{place}: no derivative \
             follows it through text, files, pointers, tables and decisions on bits. Keep the number in a float, or \
             register a gradient for the function that takes it out and back"
        );
        Diagnostic::at(self.m, &self.sources[&at], inst, Reason::Unsupported, message)
    }

    /// What is active among the variable arguments that a function may read.
    fn listed(&self, id: FuncId) -> Option<Mark> {
        self.variable.get(&id).copied().flatten()
    }

    fn mark(&self, id: FuncId, operand: Operand) -> Option<Mark> {
        self.values.get(&(id, operand.local()?)).copied()
    }

    fn set(&mut self, id: FuncId, value: Option<ValueId>, mark: Option<Mark>) {
        let (Some(value), Some(mark)) = (value, mark) else { return };
        let mut known = self.values.get(&(id, value)).copied();
        if add(&mut known, mark)
            && let Some(mark) = known
        {
            self.values.insert((id, value), mark);
            self.changed = true;
        }
    }

    /// Memory at a place holds something marked.
    fn leave(&mut self, object: ObjId, place: Place, size: Option<u64>, mark: Mark, at: Site) {
        self.changed |= self.memory.leave(object, place, size, Left { mark, at });
    }

    /// What memory holds there; all that lies in the objects, if the size is `None`.
    fn found(&self, targets: &Targets, size: Option<u64>) -> Option<Mark> {
        self.memory.found(targets, size).map(|left| left.mark)
    }

    /// The objects that an operand leads to, by as many pointers as a string or a container has.
    fn reached(&self, id: FuncId, operand: Operand) -> BTreeMap<ObjId, Place> {
        const DEPTH: usize = 2;
        let mut out = self.facts.points_to(self.m, id, operand);
        let text = |(object, place): &(&ObjId, &Place)| self.facts.short_text(**object, **place).is_some();
        let mut last: BTreeSet<ObjId> = out.iter().filter(|target| !text(target)).map(|(object, _)| *object).collect();
        for _ in 0..DEPTH {
            let next: BTreeSet<ObjId> = last
                .iter()
                .flat_map(|o| self.facts.objects[*o].pointers.values().flat_map(|t| t.keys().copied()))
                .collect();
            last = next.into_iter().filter(|o| !out.contains_key(o)).collect();
            out.extend(last.iter().map(|o| (*o, Place::ANY)));
        }
        out
    }
}
