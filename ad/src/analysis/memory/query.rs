//! Questions the later passes ask of the finished facts.

use crate::analysis::memory::object::{ObjId, ObjKind, Places, Targets};
use crate::analysis::memory::pieces::may_be_piece;
use crate::analysis::memory::place::Place;
use crate::analysis::memory::{Facts, types};
use crate::mode::Activity;
use crate::normalise::sources::Sources;
use crate::program::attributes::INACTIVE;
use crate::program::cell::{Cell, Span};
use crate::program::externals::{holds_float, holds_pointer};
use ir::{FloatKind, FuncId, Function, GlobalId, InstId, Module, Operand, Type, TypeId};
use std::collections::{BTreeMap, BTreeSet};

/// Has a pointer a shadow?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PointerKind {
    /// Never: what it points to is constant.
    Constant,
    /// Always, and the shadow is another object.
    Duplicated,
    /// Sometimes: where it points to constant memory its shadow is the pointer itself, and a test at
    /// run time tells the two apart.
    Mixed,
}

/// Bytes that are looked at one by one; they may be as many as an address with a key added is far away.
const MOST_BYTES: u64 = 1 << 12;

/// Bytes of a pointer.
const POINTER: u64 = 8;

impl Facts {
    /// The differentiated function, and what the call says of its arguments.
    pub fn asked(&self) -> Option<&(FuncId, Vec<Activity>)> {
        self.asked.as_ref()
    }

    /// Objects that memory from outside leads to, or that a function returns. Variables count if they hold what they
    /// hold beyond the call.
    pub(crate) fn found_outside(&self, root: FuncId, variables: bool) -> BTreeSet<ObjId> {
        let outside = |kind: &ObjKind| match kind {
            ObjKind::External { .. } => true,
            ObjKind::Global(_) => variables,
            _ => false,
        };
        let mut work: Vec<ObjId> = self.objects.iter().filter(|(_, o)| outside(&o.kind)).map(|(id, _)| id).collect();
        work.extend(self.returned(root).keys());
        let mut reached = BTreeSet::new();
        while let Some(id) = work.pop() {
            if reached.insert(id) {
                work.extend(self.objects[id].pointers.values().flat_map(|t| t.keys()));
            }
        }
        reached
    }

    /// May a duplicated pointer turn out to be its own shadow in the run?
    pub fn is_told_at_run_time(&self) -> bool {
        self.at_run_time
    }

    /// The pointer through which a function was called in the program that is called directly now.
    pub fn called_through(&self, at: (FuncId, InstId)) -> Option<Operand> {
        self.indirect.chosen.get(&at).map(|chosen| chosen.pointer)
    }

    /// Targets of an operand, read only.
    pub fn points_to(&self, m: &Module, func: FuncId, operand: Operand) -> Targets {
        match operand {
            Operand::Local(v) => self.targets.get(&(func, v)).cloned().unwrap_or_default(),
            Operand::Const(c) => self.constant_points_to(m, c),
        }
    }

    fn constant_points_to(&self, m: &Module, constant: ir::ConstId) -> Targets {
        // The fixed point has met every constant operand, so the objects exist: a scratch copy
        // of the mutable walk would find nothing new.
        let mut out = Targets::new();
        let mut stack = vec![constant];
        while let Some(c) = stack.pop() {
            match &m.constants.get(c).kind {
                ir::ConstKind::Global(g) => match m.globals[*g].alias_of {
                    Some(target) => stack.push(target),
                    None => {
                        if let Some(o) = self.sites.get(&ObjKind::Global(*g)) {
                            out.insert(*o, Place::at(0));
                        }
                    }
                },
                ir::ConstKind::Function(f) => {
                    out.extend(self.sites.get(&ObjKind::Function(*f)).map(|o| (*o, Place::at(0))));
                }
                ir::ConstKind::Aggregate(elems) => stack.extend(elems),
                ir::ConstKind::Expr(ir::ConstExpr::Cast(_, inner)) => stack.push(*inner),
                ir::ConstKind::Expr(ir::ConstExpr::Gep { elem_ty, base, indices, .. }) => {
                    let indices: Vec<Operand> = indices.iter().map(|i| Operand::Const(*i)).collect();
                    let base = self.constant_points_to(m, *base);
                    out.extend(types::gep_step(m, *elem_ty, &indices).reach_all(&base));
                }
                _ => {}
            }
        }
        out
    }

    /// Do pointers lead only to what never has a shadow: functions, memory of the system, tables of such pointers? Then
    /// a place that holds them, but floats at other times (a union, the buffer of a `std::function`), needs no shadow
    /// pointer.
    pub fn are_plain(&self, m: &Module, targets: &Targets) -> bool {
        !targets.is_empty() && targets.keys().all(|o| self.is_plain(m, *o, 0))
    }

    fn is_plain(&self, m: &Module, object: ObjId, depth: u32) -> bool {
        const MAX_DEPTH: u32 = 4;
        match self.objects[object].kind {
            ObjKind::Function(_) | ObjKind::Opaque => true,
            ObjKind::Global(g) if m.globals[g].init.is_none() => !holds_float(m, m.globals[g].ty),
            ObjKind::Global(g) => {
                let mut inner = self.objects[object].pointers.values().flat_map(|t| t.keys());
                m.globals[g].constant && depth < MAX_DEPTH && inner.all(|o| self.is_plain(m, *o, depth + 1))
            }
            _ => false,
        }
    }

    /// May an address lead elsewhere than to its targets?
    pub fn leads_elsewhere(&self, m: &Module, func: FuncId, ptr: Operand) -> bool {
        let opaque = |o: &ObjId| matches!(self.objects[*o].kind, ObjKind::Opaque | ObjKind::Lost);
        self.unknown.has(self, m, func, ptr) || self.points_to(m, func, ptr).keys().any(opaque)
    }

    /// Do accesses at two addresses, each of so many bytes, never share one?
    pub fn apart(
        &self,
        m: &Module,
        func: FuncId,
        (one, size): (Operand, u64),
        (other, other_size): (Operand, u64),
    ) -> bool {
        if [one, other].into_iter().any(|ptr| self.leads_elsewhere(m, func, ptr)) {
            return false;
        }
        let (these, those) = (self.points_to(m, func, one), self.points_to(m, func, other));
        if these.is_empty() || those.is_empty() {
            return false;
        }
        let share = |(o, at): (&ObjId, &Place), (p, there): (&ObjId, &Place)| {
            // Pointers that the caller's memory holds may lead into the middle of what others of them lead to.
            let one_base = o == p && !matches!(self.objects[*o].kind, ObjKind::External { depth: 1.., .. });
            if one_base { at.overlaps(size, *there, other_size) } else { o == p || self.same_memory(*o, *p) }
        };
        !these.iter().any(|a| those.iter().any(|b| share(a, b)))
    }

    /// May a write to memory of the caller, or to a variable, change other memory of the caller or a variable, being
    /// the same under another name? A variable has none that only the functions of the module can name
    /// ([`crate::analysis::memory::escape`]), and neither has what is behind a `noalias` parameter (LangRef, "Parameter
    /// Attributes": what is accessed through it is not accessed otherwise, if it is modified at all).
    pub fn written_as(&self, write: ObjId, other: ObjId) -> bool {
        self.objects[write].written && self.same_memory(write, other)
    }

    /// May the two be the same memory under two names?
    pub fn same_memory(&self, one: ObjId, other: ObjId) -> bool {
        use ObjKind::{External, Global};
        let alone = |param, depth| depth == 0 && self.separate.contains(&param);
        match (self.objects[one].kind, self.objects[other].kind) {
            (External { param: w, depth: d, .. }, External { param: o, depth: e, .. }) => {
                (w, d) == (o, e) || !alone(w, d) && !alone(o, e)
            }
            (External { param, depth, .. }, Global(g)) | (Global(g), External { param, depth, .. }) => {
                !alone(param, depth) && self.exposed.contains(&g)
            }
            // Aliases are followed to what they name.
            (Global(w), Global(o)) => w == o,
            _ => false,
        }
    }

    /// What an instruction may write or free, but for what a function does that it calls.
    pub fn writes(&self, func: FuncId, inst: InstId) -> &[ObjId] {
        self.writes.get(&(func, inst)).map_or(&[], Vec::as_slice)
    }

    /// The functions of ours that an instruction may call.
    pub fn called(&self, m: &Module, sources: &Sources, (id, func): (FuncId, &Function), inst: InstId) -> Vec<FuncId> {
        let Some(call) = func.insts[inst].kind.as_call() else { return Vec::new() };
        let direct = m.as_function(call.callee).filter(|_| !call.fn_attrs.has(INACTIVE));
        let candidates = self.indirect.candidates.get(&(id, inst)).into_iter().flatten().copied();
        direct.into_iter().chain(candidates).filter(|f| sources.contains_key(f)).collect()
    }

    /// What a call may call: functions with or without a body; `None` where nobody knows.
    pub fn callees(&self, m: &Module, id: FuncId, inst: InstId, call: &ir::Call) -> Vec<Option<FuncId>> {
        match self.indirect.candidates.get(&(id, inst)) {
            Some(candidates) => candidates.iter().copied().map(Some).collect(),
            None => vec![m.as_function(call.callee)],
        }
    }

    /// Has the object a shadow?
    pub fn is_shadowed(&self, object: ObjId) -> bool {
        self.shadowed.contains(&object)
    }

    /// The object of a global variable, if the functions mention it.
    pub fn global(&self, global: GlobalId) -> Option<ObjId> {
        self.sites.get(&ObjKind::Global(global)).copied()
    }

    /// The object of an allocation site.
    pub fn site(&self, kind: ObjKind) -> Option<ObjId> {
        self.sites.get(&kind).copied()
    }

    /// Has this pointer (or this value that holds pointers) a shadow?
    pub fn pointer_kind(&self, m: &Module, func: FuncId, operand: Operand) -> PointerKind {
        let targets = self.points_to(m, func, operand);
        let shadowed = targets.keys().filter(|o| self.is_shadowed(**o)).count();
        match shadowed {
            0 => PointerKind::Constant,
            n if n == targets.len() => PointerKind::Duplicated,
            _ => PointerKind::Mixed,
        }
    }

    /// Does a value carry active floats, so that it has an adjoint?
    pub fn has_adjoint(&self, m: &Module, func: FuncId, f: &Function, operand: Operand) -> bool {
        self.is_active(func, operand) && self.float_like(m, func, f, operand)
    }

    /// Does a value hold floats, by its type or as an integer that carries them?
    pub fn float_like(&self, m: &Module, func: FuncId, f: &Function, operand: Operand) -> bool {
        let ty = m.operand_ty(f, operand);
        holds_float(m, ty) || self.content(func, operand).iter().any(|s| s.cell.float().is_some())
    }

    /// Does a value hold pointers of which some have shadows, so that it has a shadow itself?
    pub fn has_shadow(&self, m: &Module, func: FuncId, f: &Function, operand: Operand) -> bool {
        let ty = m.operand_ty(f, operand);
        let content = self.content(func, operand);
        let carried = content.is_empty() || content.iter().any(|s| s.cell.may_be_pointer());
        self.tells_turns(m, func, operand)
            || (holds_pointer(m, ty) || may_be_piece(m, ty) && carried)
                && self.pointer_kind(m, func, operand) != PointerKind::Constant
    }

    /// Does a value carry what may be a pointer or a float, so that its shadow tells which ([`Cell::Either`])? One that
    /// cannot hold any pointer holds floats.
    pub fn tells_turns(&self, m: &Module, func: FuncId, operand: Operand) -> bool {
        self.may_turn(func, operand) && !self.points_to(m, func, operand).is_empty()
    }

    /// Does a value carry data of memory in which pointers and floats take turns?
    pub fn may_turn(&self, func: FuncId, operand: Operand) -> bool {
        self.content(func, operand).iter().any(|s| s.cell == Cell::Either)
    }

    /// May a datum of the other kind, a float or a pointer, lie where this one does behind a pointer with these
    /// targets? Where it does, the shadow of one is what is left of the other's. Only at the `same` place, if that is
    /// asked.
    pub fn takes_turns(&self, m: &Module, targets: &Targets, datum: &Span, same: bool) -> bool {
        let (at, size) = (datum.offset, datum.size);
        let same = same || !targets.keys().all(|o| self.is_own(*o));
        targets.iter().any(|(o, p)| {
            let object = &self.objects[*o];
            let either = || self.data_within(*o, *p, at, size).iter().any(|s| s.cell == Cell::Either);
            self.is_shadowed(*o) && (object.turns && either() || self.met_by(m, (*o, *p), datum, same).is_some())
        })
    }

    /// Is it memory that the differentiated functions make, and that is gone when the call has ended?
    pub fn is_own(&self, object: ObjId) -> bool {
        let object = &self.objects[object];
        matches!(object.kind, ObjKind::Stack(..) | ObjKind::Heap(..)) && !object.outlives
    }

    /// What lies where this datum does, together with what is known to lie at the very same place at other times.
    pub fn with_others(&self, m: &Module, places: &Places, datum: &Span) -> Cell {
        let others =
            places.iter().filter(|(o, _)| self.is_shadowed(*o)).filter_map(|at| self.met_by(m, *at, datum, true));
        others.fold(datum.cell, Cell::join)
    }

    /// What of the other kind may meet this datum, if anything; in conflict, if not at the same bytes. In memory that
    /// is gone when the call has ended it may be by any index, unless asked for the `same` place. What the caller finds
    /// in fields beside each other has to be at the same place.
    fn met_by(&self, m: &Module, (object, place): (ObjId, Place), datum: &Span, same: bool) -> Option<Cell> {
        let (known, place) = (&self.objects[object], place.moved(datum.offset as i64, 0));
        let own = self.is_own(object);
        let form = |p: &Place| (p.stride, p.step, p.outer_step);
        let meets = |at: &Place, bytes| {
            let there = own && (!same || at.start == place.start) || form(at) == form(&place);
            there && at.overlaps(bytes, place, datum.size)
        };
        let member = |at: &Place, bytes| at.covers(bytes, place.start) == Some(place.start);
        let covers = |at: &Place| own && datum.size == POINTER && member(at, POINTER);
        let whole = |at: &Place, bytes, cell| match bytes == datum.size && member(at, bytes) {
            true => cell,
            false => Cell::Conflict,
        };
        let leads = |to: &Targets| !self.are_plain(m, to) && to.keys().any(|o| self.is_shadowed(*o));
        let join = |all: Option<Cell>, cell: Cell| Some(all.map_or(cell, |all| all.join(cell)));
        // What the caller's own accesses tell of a `double` at the place of a pointer is known as such already.
        let told = |cell: Cell| !own && matches!(cell, Cell::Either | Cell::Float(FloatKind::Double));
        match datum.cell {
            cell if !known.both || told(cell) => None,
            Cell::Ptr => {
                let floats = known.cells.iter().filter(|(_, cell)| cell.float().is_some() && !told(**cell));
                let floats = floats.filter(|((at, bytes), _)| meets(at, *bytes));
                floats.map(|((at, bytes), cell)| whole(at, *bytes, *cell)).fold(None, join)
            }
            Cell::Float(_) => {
                let pointers = known.pointers.iter().filter(|(at, to)| (covers(at) || meets(at, POINTER)) && leads(to));
                pointers.map(|(at, _)| whole(at, POINTER, Cell::Ptr)).fold(None, join)
            }
            Cell::Int | Cell::Either | Cell::Conflict => None,
        }
    }

    /// The type in which the adjoint of a value is kept ([`adjoint_type`]).
    pub fn adjoint_ty(&self, m: &mut Module, func: FuncId, f: &Function, operand: Operand) -> TypeId {
        let ty = m.operand_ty(f, operand);
        adjoint_type(m, ty, self.content(func, operand), 0)
    }

    /// Does the function's result carry active floats?
    pub fn returns_active(&self, func: FuncId) -> bool {
        self.ret_active.contains(&func)
    }

    /// What the integers that the function returns carry.
    pub fn return_content(&self, func: FuncId) -> &[Span] {
        self.ret_content.get(&func).map_or(&[], |l| l.spans())
    }

    /// Where the pointers lead that the function returns.
    pub fn returned(&self, func: FuncId) -> Targets {
        self.ret_targets.get(&func).cloned().unwrap_or_default()
    }

    /// Does the function's result hold pointers with shadows?
    pub fn returns_shadow(&self, func: FuncId) -> bool {
        let turns = self.return_content(func).iter().any(|s| s.cell == Cell::Either);
        self.ret_targets.get(&func).is_some_and(|t| turns && !t.is_empty() || t.keys().any(|o| self.is_shadowed(*o)))
    }

    /// May floats that depend on active inputs lie in some target?
    pub fn any_varied(&self, targets: &Targets) -> bool {
        targets.keys().any(|o| self.objects[*o].varied)
    }

    /// The data in `[0, size)` behind pointers to these places; bytes not mentioned are integers or
    /// unused. `Err` names an offset at which two accounts contradict each other.
    pub fn spans(&self, places: &Places, size: u64) -> Result<Vec<Span>, u64> {
        // By offset; none overlaps another.
        let mut spans: BTreeMap<u64, Span> = BTreeMap::new();
        for (object, place) in places {
            for span in self.data_within(*object, *place, 0, size) {
                let same = |s: &Span| (s.offset, s.size) == (span.offset, span.size);
                let last = spans.range(..span.offset.saturating_add(span.size)).next_back().map(|(_, s)| *s);
                if last.is_some_and(|s| !same(&s) && s.overlaps(span.offset, span.size)) {
                    return Err(span.offset);
                }
                let known = spans.entry(span.offset).or_insert(span);
                known.cell = known.cell.join(span.cell);
                if known.cell == Cell::Conflict {
                    return Err(span.offset);
                }
            }
        }
        Ok(spans.into_values().collect())
    }

    /// May a float, or data of unknown type, lie whole in the `size` bytes from a place on? Of many bytes it is only
    /// asked whether a float meets them.
    pub fn may_hold_float(&self, object: ObjId, place: Place, size: u64) -> bool {
        match size <= MOST_BYTES {
            true => self.data_within(object, place, 0, size).iter().any(|span| span.cell.may_be_float()),
            false => self.may_meet_float(object, place, size),
        }
    }

    /// The same, or a part of a float.
    pub fn may_meet_float(&self, object: ObjId, place: Place, size: u64) -> bool {
        if size <= MOST_BYTES {
            return self.may_hold_float(object, place, size) || self.cuts_float(object, place, 0, size);
        }
        let cells = &self.objects[object].cells;
        cells.iter().any(|((at, bytes), cell)| cell.may_be_float() && at.overlaps(*bytes, place, size))
    }

    /// Floats of arrays in `[0, size)` behind these places, or a multiple of `period` behind that, where these `spans`
    /// have nothing, since other data say integer there: what lies there depends on an index. A copy may take them for
    /// floats. The shadow of an integer is zero, as far as memory is the functions' own; what the caller keeps there is
    /// its affair.
    pub fn among_integers(&self, places: &Places, (size, period): (u64, u64), spans: &[Span]) -> Vec<Span> {
        let own = |object: ObjId| matches!(self.objects[object].kind, ObjKind::Stack(..) | ObjKind::Heap(..));
        let mut found: BTreeMap<u64, Span> = BTreeMap::new();
        if !places.iter().all(|(object, _)| own(*object)) {
            return Vec::new();
        }
        let known: BTreeMap<u64, &Span> = spans.iter().map(|span| (span.offset, span)).collect();
        for (object, place) in places {
            let object = &self.objects[*object];
            if !object.cells.values().any(|cell| *cell == Cell::Int) {
                continue;
            }
            let end = place.start.saturating_add_unsigned(size);
            let end = if period == 0 { end } else { object.horizon().saturating_add_unsigned(period).max(end) };
            for ((array, _), cell) in object.cells.iter().filter(|((array, _), _)| array.stride != 0) {
                let Cell::Float(_) = cell else { continue };
                let bytes = cell.size(0);
                for first in array.down_to(place.start.max(object.floor)).members(place.start, end) {
                    let offset = first.wrapping_sub(place.start) as u64;
                    let offset = if period == 0 { offset } else { offset % period };
                    let taken = known
                        .range(..offset + bytes)
                        .next_back()
                        .is_some_and(|(_, s)| s.overlaps(offset, bytes))
                        || found.range(..offset + bytes).next_back().is_some_and(|(_, s)| s.overlaps(offset, bytes));
                    if offset + bytes <= size && !taken {
                        found.insert(offset, Span { offset, size: bytes, cell: *cell });
                    }
                }
            }
        }
        found.into_values().collect()
    }

    /// Where the known data behind a pointer end, for copies of a length known only at run time.
    pub fn known_size(&self, places: &Places) -> u64 {
        // A pointer that is said to lead to before the object leads nowhere.
        let end = |(o, place): &(ObjId, Place)| {
            let object = &self.objects[*o];
            object.horizon().saturating_sub(place.start.max(object.floor)).max(0) as u64
        };
        places.iter().map(end).max().unwrap_or(0)
    }

    /// The bytes that there are at most behind a pointer, if that is known of all memory with data in it.
    pub fn room(&self, m: &Module, targets: &Targets) -> Option<u64> {
        let mut most = None;
        for (object, place) in targets {
            let known = &self.objects[*object];
            let size = match known.kind {
                ObjKind::Global(global) if m.globals[global].init.is_some() => m.size_of(m.globals[global].ty) as i64,
                _ => known.size,
            };
            if size != i64::MAX {
                let first = place.within_object(1, size).map_or(size, |place| place.down_to(0).start.max(0));
                most = most.max(Some((size - first).max(0).unsigned_abs()));
            } else if known.cells.values().any(|cell| *cell != Cell::Int) {
                return None;
            }
        }
        most
    }

    /// The length after which the data behind the pointer repeats, for copies of a length known only at
    /// run time: the stride of its arrays; 0 if it has none of unknown length.
    pub fn period(&self, places: &Places) -> u64 {
        let mut period = 0;
        for (object, _) in places {
            for ((place, size), cell) in self.objects[*object].cells.iter() {
                if *cell != Cell::Int && place.stride != 0 {
                    period = crate::analysis::memory::place::gcd(period, place.stride.max(*size));
                }
            }
        }
        period
    }

    /// Does everything known behind the pointer repeat with that period, as `spans` (of one period) say?
    /// A header before an array, or two arrays one after the other, do not.
    pub fn is_periodic(&self, places: &Places, period: u64, spans: &[Span]) -> bool {
        // Periods that are looked at; what has more is not told.
        const MOST: u64 = 1 << 13;
        places.iter().all(|(object, at)| {
            let known = &self.objects[*object];
            // Arrays of different strides first meet within their common multiple.
            let strides = known.cells.keys().map(|(place, _)| place.stride);
            let meeting = strides.fold(1, crate::analysis::memory::place::lcm).min(1 << 12);
            let end = known.horizon().saturating_add_unsigned(meeting);
            let times = end.saturating_sub(at.start).max(0).unsigned_abs().div_ceil(period.max(1));
            times <= MOST
                && (0..times).all(|time| {
                    let start = at.start.saturating_add_unsigned(time.saturating_mul(period));
                    let data = self.data_at(*object, start, 0, period, true);
                    // What is cut by the end of a period does not repeat.
                    let cut = self.cuts_float(*object, Place::at(start), 0, period);
                    // The last ones may be beyond the end of an array.
                    !cut && data.iter().all(|s| match s.cell {
                        Cell::Int => !spans.iter().any(|x| x.overlaps(s.offset, s.size)),
                        _ => {
                            let same = |x: &&Span| (x.offset, x.size) == (s.offset, s.size);
                            spans.iter().find(same).is_some_and(|x| x.cell.join(s.cell) == x.cell)
                        }
                    })
                })
        })
    }
}

/// The float type that overlays an integer type: `double` on `i64`, `<2 x float>` on `i64`.
pub fn float_view(m: &mut Module, ty: TypeId, kind: FloatKind) -> TypeId {
    let float = m.types.float(kind);
    let bits = match m.types.get(ty) {
        Type::Int(bits) => u64::from(*bits),
        Type::Vector { .. } => m.layout.bit_width(&m.types, ty).unwrap_or(0),
        _ => return ty,
    };
    match bits / u64::from(kind.bits()) {
        0 | 1 => float,
        n => m.types.vector(n as u32, float),
    }
}

/// The type in which the adjoint of a value of type `ty` is kept: its own, except that integers that carry floats have
/// the adjoints of these: a float or a vector of them if they are all of one kind and fill the integer, else a tuple in
/// order of offset.
pub fn adjoint_type(m: &mut Module, ty: TypeId, content: &[Span], at: u64) -> TypeId {
    let kinds = carried(m, ty, content, at);
    match m.types.get(ty).clone() {
        _ if kinds.is_empty() => ty,
        Type::Ptr(_) => {
            let bits = m.types.int(64);
            packed_type(m, bits, &kinds)
        }
        Type::Int(_) => packed_type(m, ty, &kinds),
        Type::Vector { elem, .. } if matches!(m.types.get(elem), Type::Int(_)) => packed_type(m, ty, &kinds),
        Type::Array { len, elem } => {
            let size = m.size_of(elem);
            let elems: Vec<TypeId> = (0..len).map(|i| adjoint_type(m, elem, content, at + i * size)).collect();
            if elems.windows(2).all(|w| w[0] == w[1]) { m.types.array(len, elems[0]) } else { m.types.tuple(elems) }
        }
        _ => {
            let fields = m.types.fields(ty).map(|(f, _)| f.to_vec()).unwrap_or_default();
            let offsets = m.layout.struct_layout(&m.types, ty).map(|l| l.offsets).unwrap_or_default();
            let fields = fields.into_iter().zip(offsets).map(|(f, o)| adjoint_type(m, f, content, at + o)).collect();
            m.types.tuple(fields)
        }
    }
}

/// The floats that content puts into `[at, at + size of ty)`.
pub fn carried(m: &Module, ty: TypeId, content: &[Span], at: u64) -> Vec<(u64, FloatKind)> {
    let size = m.size_of(ty);
    let float = |s: &Span| s.is_within(at, size).then(|| Some((s.offset - at, s.cell.float()?)))?;
    content.iter().filter_map(float).collect()
}

/// The type of the adjoint of an integer (or a vector of integers) with these floats.
fn packed_type(m: &mut Module, ty: TypeId, floats: &[(u64, FloatKind)]) -> TypeId {
    let kind = floats[0].1;
    let size = Cell::Float(kind).size(0);
    let fills = floats.iter().enumerate().all(|(i, (at, k))| *k == kind && *at == i as u64 * size)
        && floats.len() as u64 * size == m.layout.store_size(&m.types, ty);
    if fills {
        return float_view(m, ty, kind);
    }
    let fields = floats.iter().map(|(_, k)| m.types.float(*k)).collect();
    m.types.tuple(fields)
}
