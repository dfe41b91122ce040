//! Who wrote a cell: any machine, plus a record of the stores to floating-point cells of chosen objects.
//!
//! For each cell the number of stores is counted and the last few are kept with their instruction and value, so that a
//! wrong component of a gradient can be traced to the store that made it.

use crate::machine::{CallContext, CompareEvent, FloatEvent, Loss, Machine, MemAccess};
use crate::memory::AllocId;
use crate::outcome::{Location, Res};
use crate::program::Program;
use crate::value::{Leaf, Scalar, Value};
use ir::hash::HashSet;
use ir::{FloatKind, FuncId};
use std::collections::{BTreeMap, VecDeque};

/// One store.
#[derive(Clone, Debug)]
pub struct StoreRecord<S> {
    /// The instruction.
    pub at: Location,
    /// Its number among all recorded stores of the run: their order.
    pub order: u64,
    /// Bits stored.
    pub bits: u128,
    /// Their shadow.
    pub shadow: S,
}

/// The stores to one cell.
#[derive(Clone, Debug)]
pub struct CellStores<S> {
    /// The format stored last.
    pub kind: FloatKind,
    /// How many there were.
    pub count: u64,
    /// The first store.
    pub first: StoreRecord<S>,
    /// The last ones, oldest first; the first is among them until it is pushed out.
    pub last: VecDeque<StoreRecord<S>>,
}

/// Stores kept for each cell.
const KEPT: usize = 8;

/// A machine that records stores and passes everything on to another.
#[derive(Debug)]
pub struct Watch<M: Machine> {
    /// The machine watched over.
    pub inner: M,
    objects: HashSet<AllocId>,
    cells: BTreeMap<u64, CellStores<M::Shadow>>,
    order: u64,
}

impl<M: Machine> Watch<M> {
    /// Watches the stores to these objects.
    pub fn new(inner: M, objects: impl IntoIterator<Item = AllocId>) -> Watch<M> {
        Watch { inner, objects: objects.into_iter().collect(), cells: BTreeMap::new(), order: 0 }
    }

    /// The stores to the cell at an address.
    pub fn stores(&self, address: u64) -> Option<&CellStores<M::Shadow>> {
        self.cells.get(&address)
    }

    /// All cells stored to, by address.
    pub fn cells(&self) -> impl Iterator<Item = (u64, &CellStores<M::Shadow>)> {
        self.cells.iter().map(|(address, stores)| (*address, stores))
    }
}

impl<M: Machine> Machine for Watch<M> {
    type Shadow = M::Shadow;
    const SHADOWS: bool = M::SHADOWS;
    const OBSERVES_MEMORY: bool = true;
    const OBSERVES_LOCALS: bool = M::OBSERVES_LOCALS;
    const FOLLOWS_LOSSES: bool = M::FOLLOWS_LOSSES;

    fn intercepts(&self, program: &Program, func: FuncId) -> bool {
        self.inner.intercepts(program, func)
    }

    fn call(
        &mut self,
        cx: &mut CallContext<'_, M::Shadow>,
        func: FuncId,
        args: &[Value<M::Shadow>],
    ) -> Res<Value<M::Shadow>> {
        self.inner.call(cx, func, args)
    }

    fn float_op(&mut self, event: &FloatEvent<'_, M::Shadow>) -> M::Shadow {
        self.inner.float_op(event)
    }

    fn handed_over(&mut self, kind: FloatKind, shadow: &M::Shadow) {
        self.inner.handed_over(kind, shadow);
    }

    fn compare(&mut self, event: &CompareEvent<'_, M::Shadow>) {
        self.inner.compare(event);
    }

    fn lost(&mut self, shadow: &M::Shadow, why: Loss, at: Location) -> M::Shadow {
        self.inner.lost(shadow, why, at)
    }

    fn load(&mut self, at: &MemAccess, value: Scalar) -> Option<M::Shadow> {
        if M::OBSERVES_MEMORY { self.inner.load(at, value) } else { None }
    }

    fn store(&mut self, at: &MemAccess, value: Scalar, shadow: &M::Shadow) {
        if M::OBSERVES_MEMORY {
            self.inner.store(at, value, shadow);
        }
        let Leaf::Float(kind) = at.leaf else { return };
        if !self.objects.contains(&AllocId::from_bits(at.pointer.prov)) {
            return;
        }
        let record = StoreRecord { at: at.at, order: self.order, bits: value.bits(), shadow: shadow.clone() };
        self.order += 1;
        let cell = self.cells.entry(at.pointer.addr).or_insert_with(|| CellStores {
            kind,
            count: 0,
            first: record.clone(),
            last: VecDeque::new(),
        });
        cell.kind = kind;
        cell.count += 1;
        if cell.last.len() == KEPT {
            cell.last.pop_front();
        }
        cell.last.push_back(record);
    }
}
