//! Finding the floating-point cells that a call reads and writes, by a dry run.
//!
//! Memory has no types. Before the run every word of the given objects is marked with its own address; marks follow
//! loads, stores and copies of memory and disappear when a word is overwritten. A mark that meets a floating-point
//! operation, comparison, store or result, or whose bits are taken apart after the word was loaded as a number, names
//! an input cell, wherever its bytes have been copied meanwhile; a mark that has gone from its place names an
//! overwritten word. Aligned words of 8 bytes are tried first, other widths only if the run loads such numbers, and
//! words that are not aligned, as those of packed structures, only if it loads numbers that are not. Words whose bytes
//! were taken apart are marked byte by byte in another run: bytes that are together again, elsewhere, were moved, and
//! where they meet a floating-point operation so, their word is an input cell, too.

use super::arithmetic::stores_integer;
use crate::limits::Limits;
use crate::machine::{CompareEvent, FloatArg, FloatEvent, Loss, Machine, MemAccess};
use crate::memory::inspect::AllocInfo;
use crate::memory::shadow::Shadow;
use crate::memory::{AllocId, Memory};
use crate::outcome::{Location, Stop};
use crate::program::Program;
use crate::shims::Interp;
use crate::shims::mpi::company::Company;
use crate::value::{Leaf, Pointer, Scalar, Value};
use ir::hash::HashMap;
use ir::{FloatKind, FuncId, InstKind};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A floating-point number in memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell {
    /// Its address.
    pub address: u64,
    /// Its object.
    pub object: AllocId,
    /// Its format, as it was used.
    pub kind: FloatKind,
}

impl Cell {
    /// A pointer to it.
    pub fn pointer(&self) -> Pointer {
        Pointer { addr: self.address, prov: self.object.bits() }
    }

    /// Its size in bytes.
    pub fn size(&self) -> u64 {
        Leaf::Float(self.kind).store_size()
    }
}

/// Bytes, aligned to their number, of which it is known whether they were overwritten or moved: those of the smallest
/// usual format.
pub const GRAIN: u64 = 4;

/// What a dry run found.
#[derive(Clone, Debug)]
pub struct Discovered {
    /// Cells whose initial values were used as numbers, by address.
    pub inputs: Vec<Cell>,
    /// Addresses of the [`GRAIN`]s of words whose initial values were taken apart as bits, or read by the library as
    /// bytes.
    pub taken: BTreeSet<u64>,
    /// Cells of the objects that were stored to as numbers, or loaded as numbers after other bytes (such as those of
    /// `memset`) had taken the place of their initial values, by address.
    pub stored: Vec<Cell>,
    /// Addresses of the [`GRAIN`]s of the objects that were overwritten in part or whole, by whatever means.
    pub overwritten: BTreeSet<u64>,
    /// The [`GRAIN`]s whose initial content is elsewhere in the objects, too or instead, moved as a whole or byte by
    /// byte: its address, and one where it is.
    pub moved: BTreeMap<u64, u64>,
    /// Addresses and sizes of the stores of pointers, and of integers that the program computes as integers
    /// ([`super::arithmetic`]): these bytes are no floating-point numbers.
    pub integers: BTreeMap<u64, u64>,
    /// The memory after the call.
    pub memory: Memory,
    /// The result.
    pub result: Value,
}

/// The mark of a word: where it was at the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Mark(u64);

impl Shadow for Mark {
    fn is_absent(&self) -> bool {
        self.0 == 0
    }
}

struct Finder<'p> {
    program: &'p Program,
    /// Marks met as numbers.
    used: BTreeMap<u64, FloatKind>,
    /// Marks whose bytes were taken as something else.
    taken: BTreeSet<u64>,
    /// Of marks of single bytes: runs of neighbours that were taken together, by the last instruction that did so.
    together: Option<(Location, Vec<Range<u64>>)>,
    /// Stores of numbers.
    stored: BTreeMap<u64, (AllocId, FloatKind)>,
    /// Loads of numbers.
    loaded: BTreeMap<u64, (AllocId, FloatKind)>,
    /// Stores of pointers and of computed integers: address and size.
    integers: BTreeMap<u64, u64>,
    /// Stores of integers that were met: are they computed?
    computed: HashMap<Location, bool>,
    /// Widths of unmarked numbers loaded or computed with.
    widths: BTreeSet<u64>,
    /// Widths of numbers loaded from where no aligned number can lie.
    unaligned: BTreeSet<u64>,
}

impl<'p> Finder<'p> {
    fn new(program: &'p Program) -> Finder<'p> {
        Finder {
            program,
            used: BTreeMap::new(),
            taken: BTreeSet::new(),
            together: None,
            stored: BTreeMap::new(),
            loaded: BTreeMap::new(),
            integers: BTreeMap::new(),
            computed: HashMap::default(),
            widths: BTreeSet::new(),
            unaligned: BTreeSet::new(),
        }
    }

    fn meet(&mut self, mark: &Mark, kind: FloatKind) {
        if !mark.is_absent() {
            self.used.insert(mark.0, kind);
        }
    }

    /// The grains of the words of that size that were taken as something else.
    fn grains_taken(&self, size: u64) -> BTreeSet<u64> {
        self.taken.iter().flat_map(|word| (word & !(GRAIN - 1)..word + size).step_by(GRAIN as usize)).collect()
    }

    fn operand(&mut self, arg: &FloatArg<'_, Mark>, at: Location) {
        self.meet(arg.shadow, arg.kind);
        if arg.shadow.is_absent() {
            // It may be a part of an integer that was loaded whole, or the bytes of a number.
            self.widths.insert(Leaf::Float(arg.kind).store_size());
            if self.together.as_ref().is_some_and(|(place, _)| *place == at) {
                self.meet_bytes(arg.kind);
            }
        }
    }

    /// Meets numbers whose bytes, one behind the other, were taken last.
    fn meet_bytes(&mut self, kind: FloatKind) {
        let size = Leaf::Float(kind).store_size();
        let runs = self.together.iter().flat_map(|(_, runs)| runs);
        let words = runs.filter(|run| run.end - run.start == size).map(|run| (run.start, kind));
        self.used.extend(words.collect::<Vec<_>>());
    }

    /// Notes a mark that is taken by an instruction beside the one before it.
    fn gather(&mut self, mark: u64, at: Location) {
        let (_, runs) = self.together.take_if(|(place, _)| *place == at).unwrap_or((at, Vec::new()));
        let (_, runs) = self.together.insert((at, runs));
        match runs.last_mut() {
            Some(last) if last.end == mark => last.end = mark + 1,
            _ => runs.push(mark..mark + 1),
        }
    }
}

impl Machine for Finder<'_> {
    type Shadow = Mark;
    const SHADOWS: bool = true;
    const OBSERVES_MEMORY: bool = true;
    const OBSERVES_LOCALS: bool = false;
    const FOLLOWS_LOSSES: bool = true;

    fn float_op(&mut self, event: &FloatEvent<'_, Mark>) -> Mark {
        event.args.iter().for_each(|arg| self.operand(arg, event.at));
        Mark::default()
    }

    fn beside(&self) -> Option<Self> {
        Some(Finder::new(self.program))
    }

    fn handed_over(&mut self, kind: FloatKind, mark: &Mark) {
        self.meet(mark, kind);
    }

    fn compare(&mut self, event: &CompareEvent<'_, Mark>) {
        self.operand(&event.a, event.at);
        self.operand(&event.b, event.at);
    }

    fn lost(&mut self, mark: &Mark, why: Loss, at: Location) -> Mark {
        if why == Loss::Inactive {
            return Mark::default();
        }
        self.taken.insert(mark.0);
        self.gather(mark.0, at);
        if let Some((_, kind)) = self.loaded.get(&mark.0) {
            self.meet(mark, *kind);
        }
        Mark::default()
    }

    fn load(&mut self, at: &MemAccess, _value: Scalar) -> Option<Mark> {
        if let Leaf::Float(kind) = at.leaf {
            let size = at.leaf.store_size();
            self.widths.insert(size);
            if !at.pointer.addr.is_multiple_of(size.next_power_of_two()) {
                self.unaligned.insert(size);
            }
            self.loaded.insert(at.pointer.addr, (AllocId::from_bits(at.pointer.prov), kind));
        }
        None
    }

    fn store(&mut self, at: &MemAccess, value: Scalar, shadow: &Mark) {
        match at.leaf {
            Leaf::Float(kind) => {
                self.meet(shadow, kind);
                self.stored.insert(at.pointer.addr, (AllocId::from_bits(at.pointer.prov), kind));
            }
            Leaf::Int(_) | Leaf::Ptr if shadow.is_absent() && value.bits() != 0 => {
                let pointer = at.leaf == Leaf::Ptr && value.hi != 0;
                let program = self.program;
                if pointer || *self.computed.entry(at.at).or_insert_with(|| stores_integer(program, at.at)) {
                    self.integers.insert(at.pointer.addr, at.leaf.store_size());
                }
            }
            Leaf::Int(_) | Leaf::Ptr => {}
        }
    }
}

/// A run to make: the call and the objects.
struct Dry<'a> {
    program: &'a Program,
    memory: Memory<Mark>,
    func: FuncId,
    args: Vec<Value<Mark>>,
    objects: Vec<AllocInfo>,
    limits: &'a Limits,
    company: Option<(&'a Company, usize)>,
}

impl<'a> Dry<'a> {
    /// Runs with marks on the words of that size, `phase` bytes off their alignment, that do not touch a cell known
    /// already.
    fn run(
        &self,
        (size, phase): (u64, u64),
        known: &BTreeMap<u64, Cell>,
    ) -> Result<(Finder<'a>, Memory<Mark>, Value<Mark>), Stop> {
        let mut memory = self.memory.clone();
        for object in &self.objects {
            for address in words(object, size, phase) {
                let pointer = Pointer { addr: address, prov: object.id.bits() };
                let touches = known.range(..address + size).next_back().is_some_and(|(at, c)| at + c.size() > address);
                if !touches && memory.is_defined(pointer, size) {
                    memory.set_shadow(pointer, size, Mark(address));
                }
            }
        }
        let (mut finder, memory, result) = self.execute(memory)?;
        for (leaf, (_, mark)) in self.result_leaves().iter().zip(&result.leaves) {
            if let Leaf::Float(kind) = leaf {
                finder.meet(mark, *kind);
            }
        }
        Ok((finder, memory, result))
    }

    /// Makes the call.
    fn execute(&self, memory: Memory<Mark>) -> Result<(Finder<'a>, Memory<Mark>, Value<Mark>), Stop> {
        let mut interp = Interp::with_memory(self.program, Finder::new(self.program), memory, self.limits.clone());
        let result = match self.company {
            Some((company, rank)) => company.call(rank, &mut interp, (self.func, &self.args))?.0,
            None => interp.call(self.func, &self.args)?,
        };
        let (finder, memory) = interp.into_parts();
        Ok((finder, memory, result))
    }

    /// The grains of those that were taken apart whose bytes are together again elsewhere: their addresses, and one
    /// where they are. What is used so is entered among the known cells.
    fn moved_by_bytes(
        &self,
        taken: &BTreeSet<u64>,
        known: &mut BTreeMap<u64, Cell>,
    ) -> Result<BTreeMap<u64, u64>, Stop> {
        let mut memory = self.memory.clone();
        for object in &self.objects {
            let within = taken.range(object.base & !(GRAIN - 1)..object.base + object.size);
            let bytes = within.flat_map(|grain| *grain..grain + GRAIN);
            for address in bytes.filter(|at| (object.base..object.base + object.size).contains(at)) {
                let pointer = Pointer { addr: address, prov: object.id.bits() };
                if memory.is_defined(pointer, 1) {
                    memory.set_shadow(pointer, 1, Mark(address));
                }
            }
        }
        let (mut finder, after, result) = self.execute(memory)?;
        // What the call returns is put together by its `ret`.
        let module = &self.program.module;
        let returned = finder.together.as_ref().is_some_and(|(at, _)| {
            at.func == self.func && matches!(module.functions[at.func].insts[at.inst].kind, InstKind::Ret(_))
        });
        for (leaf, (_, mark)) in self.result_leaves().iter().zip(&result.leaves) {
            if let (Leaf::Float(kind), true) = (leaf, returned && mark.is_absent()) {
                finder.meet_bytes(*kind);
            }
        }
        finder.used.retain(|address, kind| {
            let end = address + Leaf::Float(*kind).store_size();
            known.range(..end).next_back().is_none_or(|(at, cell)| at + cell.size() <= *address)
        });
        self.note(&finder, known);
        let mut moved = BTreeMap::new();
        for object in &self.objects {
            let arrived: BTreeMap<u64, u64> = self.arrived(object, &after).map(|(from, to)| (to, from)).collect();
            for (to, from) in arrived.iter().filter(|(_, from)| from.is_multiple_of(GRAIN)) {
                if (1..GRAIN).all(|i| arrived.get(&(to + i)) == Some(&(from + i))) {
                    moved.insert(*from, *to);
                }
            }
        }
        Ok(moved)
    }

    /// Enters what a run has found among the objects.
    fn note(&self, finder: &Finder<'_>, known: &mut BTreeMap<u64, Cell>) {
        for (address, kind) in &finder.used {
            let inside = |o: &&AllocInfo| o.base <= *address && *address < o.base + o.size;
            if let Some(object) = self.objects.iter().find(inside) {
                known.insert(*address, Cell { address: *address, object: object.id, kind: *kind });
            }
        }
    }

    /// Addresses of the words of that size that no longer hold what they did at the start, as a whole.
    fn changed<'b>(
        &'b self,
        object: &'b AllocInfo,
        size: u64,
        after: &'b Memory<Mark>,
    ) -> impl Iterator<Item = u64> + 'b {
        words(object, size, 0).filter(move |address| {
            let word = Pointer { addr: *address, prov: object.id.bits() };
            let marked = after.shadow(word, size) == Some(&Mark(*address));
            !marked && (self.memory.is_defined(word, size) || after.is_defined(word, size))
        })
    }

    /// Marks that are found elsewhere in an object than where they were set, and where.
    fn arrived<'b>(&'b self, object: &'b AllocInfo, after: &'b Memory<Mark>) -> impl Iterator<Item = (u64, u64)> + 'b {
        let places = after.shadows_of(object.id).map(|(offset, _, mark)| (mark.0, object.base + offset));
        places.filter(|(from, to)| from != to)
    }

    fn result_leaves(&self) -> Vec<Leaf> {
        let module = &self.program.module;
        let ret = module.functions[self.func].ret;
        let flat = crate::value::Flat::new(&module.types, &module.layout, ret).unwrap_or_default();
        flat.leaves.iter().map(|(leaf, _)| *leaf).collect()
    }
}

/// Addresses of the words of an object, so many bytes behind a multiple of their size in memory (16 for the 10 bytes of
/// `x86_fp80`).
fn words(object: &AllocInfo, size: u64, phase: u64) -> impl Iterator<Item = u64> {
    let step = size.next_power_of_two();
    let end = object.base + object.size;
    let from = object.base.saturating_sub(phase).next_multiple_of(step) + phase;
    (from..end).step_by(step as usize).take_while(move |address| address + size <= end)
}

/// Runs a call on a copy of the memory and finds the floating-point cells of `objects` that it reads and writes.
pub fn discover<S: Shadow>(
    program: &Program,
    memory: &Memory<S>,
    (func, args): (FuncId, &[Value]),
    objects: &[AllocId],
    limits: &Limits,
) -> Result<Discovered, Stop> {
    discover_beside(program, memory, (func, args), objects, (limits, None))
}

/// The same for a rank, with the other ranks beside it.
pub fn discover_beside<S: Shadow>(
    program: &Program,
    memory: &Memory<S>,
    (func, args): (FuncId, &[Value]),
    objects: &[AllocId],
    (limits, company): (&Limits, Option<(&Company, usize)>),
) -> Result<Discovered, Stop> {
    const DOUBLE: u64 = 8;
    let memory = memory.without_shadows();
    let infos = objects.iter().filter_map(|id| memory.info(Pointer { addr: 0, prov: id.bits() })).collect();
    let args = args.iter().map(Value::without_shadows).collect();
    let dry = Dry { program, memory, func, args, objects: infos, limits, company };
    let mut known = BTreeMap::new();
    let (finder, after, result) = dry.run((DOUBLE, 0), &known)?;
    dry.note(&finder, &mut known);
    let aligned = finder.widths.iter().filter(|size| **size != DOUBLE).map(|size| (*size, 0));
    let unaligned = finder.unaligned.iter().flat_map(|size| (1..size.next_power_of_two()).map(|phase| (*size, phase)));
    let mut taken = finder.grains_taken(DOUBLE);
    for words in aligned.chain(unaligned) {
        let (finder, _, _) = dry.run(words, &known)?;
        dry.note(&finder, &mut known);
        taken.extend(finder.grains_taken(words.0));
    }
    let integers = finder.integers;
    let mut stored = finder.loaded;
    stored.retain(|address, (object, kind)| {
        let place = Pointer { addr: *address, prov: object.bits() };
        let size = Leaf::Float(*kind).store_size();
        let overwritten = after.shadow(place, size).is_none_or(|mark| *mark != Mark(*address));
        size == DOUBLE && overwritten && !known.contains_key(address)
    });
    stored.extend(finder.stored);
    let stored = stored.iter().filter(|(_, (object, _))| objects.contains(object));
    // Where no word was touched, no part of one was either.
    let touched = dry.objects.iter().any(|object| {
        let whole = object.base.is_multiple_of(DOUBLE) && object.size.is_multiple_of(DOUBLE);
        !whole || dry.changed(object, DOUBLE, &after).next().is_some() || dry.arrived(object, &after).next().is_some()
    });
    let (mut overwritten, mut moved) = (BTreeSet::new(), BTreeMap::new());
    if touched {
        let (_, after, _) = dry.run((GRAIN, 0), &BTreeMap::new())?;
        for object in &dry.objects {
            overwritten.extend(dry.changed(object, GRAIN, &after));
            moved.extend(dry.arrived(object, &after));
        }
        if taken.iter().any(|grain| !moved.contains_key(grain)) {
            moved.extend(dry.moved_by_bytes(&taken, &mut known)?);
        }
    }
    Ok(Discovered {
        moved,
        taken,
        inputs: known.values().copied().collect(),
        stored: stored
            .map(|(address, (object, kind))| Cell { address: *address, object: *object, kind: *kind })
            .collect(),
        overwritten,
        integers,
        memory: after.without_shadows(),
        result: result.without_shadows(),
    })
}
