//! Types of memory: from LLVM's own types, from TBAA, and through copies.

use crate::analysis::memory::blind::Blind;
use crate::analysis::memory::object::{MAX_MEMBERS, ObjId, ObjKind, Object, Targets};
use crate::analysis::memory::place::{Place, gcd};
use crate::analysis::memory::{
    Facts, MAX_APART, MAX_CHAIN, MAX_DEPTH, MAX_EXTERNALS, Phase, add_target, integer_lanes,
};
use crate::program::cell::Cell;
use ir::{FloatKind, Inst, MdId, MdOperand, Module, Operand, Type, TypeId};

/// Arrays of structures up to this length are described element by element.
pub(super) const MAX_UNROLLED: u64 = 16;

/// Copies of at most this many bytes are followed datum by datum.
const SHORT_COPY: u64 = 512;

/// Copies may bring types to the first so many bytes of an object, and to as many before it, even if no access is known
/// there.
const LEAST_LIMIT: i64 = 512;

/// And as far as other objects have data, but no farther than this.
const MOST_LIMIT: i64 = 1 << 10;

/// Data cells per object after which further ones are folded onto a stride of their size.
const MAX_CELLS: usize = 4096;

impl Facts {
    /// Memory at `targets` holds a `ty`. An array of characters outside of structures tells
    /// nothing: anything is copied through buffers.
    pub(super) fn seed_type(&mut self, m: &Module, targets: &Targets, ty: TypeId) {
        if !is_buffer(m, ty) {
            self.seed_parts(m, targets, ty);
        }
    }

    fn seed_parts(&mut self, m: &Module, targets: &Targets, ty: TypeId) {
        let size = m.size_of(ty);
        match m.types.get(ty) {
            Type::Int(_) => self.seed_cell(targets, Cell::Int, size),
            Type::Float(kind) => self.seed_cell(targets, Cell::Float(*kind), size),
            Type::Ptr(_) => self.seed_cell(targets, Cell::Ptr, size),
            Type::Array { elem, .. } | Type::Vector { elem, .. } => {
                let (step, count) = (m.size_of(*elem), m.types.element_count(ty).unwrap_or(0));
                if m.types.fields(*elem).is_none() || count > MAX_UNROLLED {
                    self.seed_parts(m, &within(targets, step, count), *elem);
                } else {
                    for i in 0..count {
                        self.seed_parts(m, &moved(targets, (i * step) as i64, 0), *elem);
                    }
                }
            }
            _ => {
                let Some(layout) = m.layout.struct_layout(&m.types, ty) else { return };
                let fields = m.types.fields(ty).map(|(f, _)| f.to_vec()).unwrap_or_default();
                let mut data = Vec::new();
                for (field, offset) in fields.into_iter().zip(layout.offsets) {
                    self.seed_parts(m, &moved(targets, offset as i64, 0), field);
                    data.push((offset, m.size_of(field)));
                }
                self.seed_idle(targets, &data, size);
            }
        }
    }

    /// Memory at `targets` holds a datum of that kind, told by an access of `access` bytes.
    pub(super) fn seed_cell(&mut self, targets: &Targets, cell: Cell, access: u64) {
        for (object, place) in targets {
            self.add_cell(*object, *place, cell, access);
        }
    }

    /// What the tags of a copy or fill of `size` bytes (unknown, if `None`) tell of its memory: `!tbaa.struct` the
    /// fields of a structure, `!tbaa` the elements of an array that a loop went over.
    pub(super) fn seed_tag(&mut self, m: &Module, inst: &Inst, targets: &Targets, size: Option<u64>) {
        if let Some(node) = inst.metadata("tbaa.struct") {
            let fields = tbaa_struct(m, node);
            for (offset, bytes, cell) in &fields {
                if let Some(cell) = cell {
                    self.seed_cell(&moved(targets, *offset as i64, 0), *cell, *bytes);
                }
            }
            let data: Vec<(u64, u64)> = fields.iter().map(|(offset, bytes, _)| (*offset, *bytes)).collect();
            self.seed_idle(targets, &data, size.unwrap_or(0));
        } else if let Some(cell) = inst.metadata("tbaa").and_then(|tag| tbaa_cell(m, tag)) {
            match cell {
                Cell::Float(_) | Cell::Ptr => self.seed_array(targets, cell, cell.size(0), size),
                Cell::Int | Cell::Either | Cell::Conflict => {}
            }
        }
    }

    /// So many bytes (all there are, if `None`) hold data of `step` bytes each.
    pub(super) fn seed_array(&mut self, targets: &Targets, cell: Cell, step: u64, bytes: Option<u64>) {
        let all = match bytes {
            Some(bytes) => within(targets, step, bytes / step),
            None => moved(targets, 0, step),
        };
        self.seed_cell(&all, cell, step);
    }

    pub(super) fn add_cell(&mut self, object: ObjId, place: Place, cell: Cell, access: u64) {
        let size = cell.size(access);
        let cells = &mut self.objects[object].cells;
        let (mut place, mut cell) = (place, cell);
        if cells.len() >= MAX_CELLS && !cells.contains_key(&(place, size)) {
            let step = gcd(gcd(gcd(place.stride, place.outer_step), place.step), size).max(1);
            place = Place::every(place.start.rem_euclid(step as i64), step);
            // Data of different kinds are told apart no longer.
            for ((at, bytes), other) in cells.iter_mut().filter(|((at, _), _)| at.stride != 0) {
                let differs = (*at, *bytes) != (place, size) || *other != cell;
                if differs && at.overlaps(*bytes, place, size) {
                    (*other, cell) = (Cell::Conflict, Cell::Conflict);
                }
            }
        }
        let joined = cells.get(&(place, size)).map_or(cell, |c| c.join(cell));
        self.changed |= cells.insert(place, size, joined);
    }

    /// `size` bytes (all there are, if `None`) are copied from `from` to `to`: types pass both ways,
    /// pointers and activity forwards.
    pub(super) fn copy(&mut self, m: &Module, to: &Targets, from: &Targets, size: Option<u64>) {
        for (src, src_place) in from {
            for (dst, dst_place) in to {
                if self.copy_text((*dst, *dst_place), (*src, *src_place), size) {
                    continue;
                }
                self.copy_cells(m, (*src, *src_place), (*dst, *dst_place), size, false);
                self.copy_cells(m, (*dst, *dst_place), (*src, *src_place), size, true);
                let pointers: Vec<_> = self.objects[*src].pointers.iter().map(|(p, t)| (*p, t.clone())).collect();
                let overlooked = self.overlooks(Blind::CopiedPointer);
                for (place, targets) in pointers.into_iter().filter(|_| !overlooked) {
                    // An index may be negative.
                    let place = place.down_to(src_place.start);
                    for at in shift(place, 8, *src_place, *dst_place, size, src == dst) {
                        self.store_pointers(*dst, at, &targets);
                    }
                }
                self.copy_pieces((*src, *src_place), (*dst, *dst_place), size, m);
                if self.objects[*src].varied && !self.overlooks(Blind::CopiedActivity) {
                    self.set_varied(*dst);
                    if size.is_some_and(|size| size <= SHORT_COPY && self.may_be_either(*src, *src_place, size)) {
                        self.leave_bits(*dst);
                    }
                }
            }
        }
    }

    /// Does nobody know what lies somewhere in the `size` bytes from a place: a number, or something else? No type
    /// goes with a copy of it.
    fn may_be_either(&self, object: ObjId, place: Place, size: u64) -> bool {
        self.phase == Phase::Activity
            && self.data_within(object, place, 0, size).iter().any(|span| span.cell == Cell::Conflict)
    }

    /// Passes types on, once those that accesses tell are all known: where data of an array and a field
    /// behind it meet, only both together tell which it is.
    fn copy_cells(
        &mut self,
        m: &Module,
        (src, src_place): (ObjId, Place),
        (dst, dst_place): (ObjId, Place),
        size: Option<u64>,
        back: bool,
    ) {
        // What lies in a table that nobody writes, its own type tells.
        let table = match self.objects[dst].kind {
            ObjKind::Global(g) => m.globals[g].constant && m.globals[g].init.is_some(),
            _ => false,
        };
        if self.phase == Phase::Accesses || table {
            return;
        }
        let once = |size| src != dst || is_apart(src_place, dst_place, size);
        if let Some(size) = size.filter(|s| *s <= SHORT_COPY && once(*s)) {
            for span in self.data_behind(src, src_place, size) {
                if back && !integer_lanes::tells_back(&span) {
                    continue;
                }
                let place = dst_place.moved(span.offset as i64, 0);
                // Through an index only what is new: the copy may be of one datum among others.
                let indexed = dst_place.stride != 0 || dst_place.extent() > 0;
                let nowhere = place.stride != 0 && place.stride < span.size;
                let at = Place::at(src_place.start.wrapping_add(span.offset as i64));
                let plain = span.cell == Cell::Ptr && self.holds_plain(m, src, at);
                let declared = matches!(self.objects[dst].cell_at(place.start), Some((_, _, Cell::Int)));
                let active = self.objects[src].varied && span.cell.float().is_some();
                if !back && active && (indexed && declared || nowhere) {
                    self.leave_bits(dst);
                }
                let known = |b: u64| self.objects[dst].cell_at(place.start + b as i64);
                // A number and a pointer that are copied to the same place of memory that is not the caller's take
                // turns.
                let own = matches!(self.objects[dst].kind, ObjKind::Stack(..) | ObjKind::Heap(..));
                let turns = || {
                    let same = |(first, size, cell): (i64, u64, Cell)| {
                        (first, size) == (place.start, span.size) && cell.may_take_turns() && cell != span.cell
                    };
                    own && span.cell.may_take_turns() && known(0).is_some_and(same)
                };
                if nowhere || plain || indexed && (0..span.size).any(|b| known(b).is_some()) && !turns() {
                    continue;
                }
                self.add_cell(dst, place, span.cell, span.size);
            }
            return;
        }
        let cells: Vec<_> = self.objects[src].cells.iter().map(|(k, c)| (*k, *c)).collect();
        for ((place, bytes), cell) in cells {
            if cell == Cell::Ptr && self.holds_plain(m, src, place) || back && cell == Cell::Either {
                continue;
            }
            let place = self.reaching(src, (place, bytes, cell), src_place, size);
            for at in shift(place, bytes, src_place, dst_place, size, src == dst) {
                // A datum at offsets closer than its size would be anywhere: that tells nothing.
                let somewhere = at.stride == 0 || at.stride >= bytes;
                if !somewhere && !back && self.objects[src].varied && cell.may_be_float() {
                    self.leave_bits(dst);
                }
                let object = &self.objects[dst];
                // Only what lies in the bytes that are copied lands.
                let exact = dst_place.stride == 0 && dst_place.extent() == 0;
                let lowest = if exact { object.floor.max(dst_place.start - bytes as i64 + 1) } else { object.floor };
                let Some(at) = at.from(lowest) else { continue };
                let same = |((p, b), c): (&(Place, u64), &Cell)| (*b, *c) == (bytes, cell) && p.includes(at);
                let is_known = || object.cells.iter().any(same);
                if somewhere && (object.floor..object.limit).contains(&at.start) {
                    self.add_cell(dst, at, cell, bytes);
                } else if somewhere && at.start >= object.limit && !is_known() {
                    match at.start < object.farthest {
                        true => self.add_cell(dst, at, cell, bytes),
                        false if cell == Cell::Int || at.start >= object.size => {}
                        false => self.changed |= !std::mem::replace(&mut self.objects[dst].cropped, true),
                    }
                }
            }
        }
    }

    /// The place of an array, down to where it begins in `size` bytes behind another (if it is not known how many: in
    /// all there are), if the array starts behind these: an index may be negative. It begins where nothing else is
    /// known, or, if it has to lie in the block and something is known everywhere, anywhere.
    fn reaching(
        &self,
        object: ObjId,
        (place, bytes, cell): (Place, u64, Cell),
        from: Place,
        size: Option<u64>,
    ) -> Place {
        let exact = from.stride == 0 && from.extent() == 0;
        let end = size.map_or(self.objects[object].size, |size| from.start.saturating_add_unsigned(size));
        let behind = place.start >= end;
        if place.stride == 0 || !exact || !behind {
            return place;
        }
        let mut low = place.down_to(from.start);
        if low.start < from.start {
            low = low.moved(place.stride as i64, 0);
        }
        let begins = |at: i64| self.objects[object].cell_at(at) == Some((at, bytes, cell));
        let found = low.members(low.start, end).take(MAX_MEMBERS).find(|at| begins(*at));
        match found {
            Some(start) => Place { start, ..low },
            None if place.start >= self.objects[object].size => low,
            None => place,
        }
    }

    /// An active float has come to where integers are declared: these are bits of it, for whoever loads them.
    pub(super) fn leave_bits(&mut self, object: ObjId) {
        if self.phase == Phase::Activity && !self.objects[object].bits {
            self.objects[object].bits = true;
            self.changed = true;
        }
    }

    /// Are the pointers at a place of an object all plain?
    fn holds_plain(&self, m: &Module, object: ObjId, place: Place) -> bool {
        self.are_plain(m, &self.known_pointers(&Targets::from([(object, place)])))
    }

    /// Copies of unknown length between objects at different offsets would move types farther with each round: none
    /// goes beyond what accesses reach, there or, for what is not known yet, anywhere.
    pub(super) fn set_limits(&mut self) {
        let reach = |object: &Object| if object.size == i64::MAX { object.horizon() } else { object.size };
        let farthest = self.objects.values().map(reach).max().unwrap_or(0).min(MOST_LIMIT);
        for object in self.objects.values_mut() {
            let (end, horizon) = (object.limit, object.horizon().max(LEAST_LIMIT));
            object.limit = end.min(horizon);
            object.farthest = end.min(horizon.max(farthest));
            let lowest = object.cells.keys().map(|(place, _)| place.start).min().unwrap_or(0);
            object.floor = object.floor.max(lowest.min(-LEAST_LIMIT));
        }
    }

    /// An object has so many bytes: no copy goes beyond its ends (LangRef, `llvm.memcpy`: the behaviour would be
    /// undefined).
    pub(super) fn set_size(&mut self, object: ObjId, bytes: u64) {
        self.objects[object].floor = 0;
        let object = &mut self.objects[object];
        object.size = object.size.min(i64::try_from(bytes).unwrap_or(i64::MAX).max(1));
        object.limit = object.limit.min(object.size);
    }

    /// Active floats may now lie in `object`.
    pub(super) fn set_varied(&mut self, object: ObjId) {
        let active = self.phase == Phase::Activity;
        let object = &mut self.objects[object];
        if active && !object.varied && !object.is_constant() {
            object.varied = true;
            self.changed = true;
        }
    }

    /// What a load of a pointer at `targets` may give. Memory of the caller that nobody wrote gives
    /// further memory of the caller.
    pub(super) fn load_pointers(&mut self, targets: &Targets) -> Targets {
        let (mut out, mut looked_at) = (Targets::new(), 0);
        for (object, place) in targets {
            self.materialise(*object, *place);
            for (at, stored) in &self.objects[*object].pointers {
                if at.overlaps(8, *place, 8) {
                    looked_at += stored.len();
                    for (target, p) in stored {
                        add_target(&mut out, *target, *p);
                    }
                }
            }
        }
        self.looked_at += looked_at;
        out
    }

    /// Names the memory that the caller's pointer at `place` of an external object leads to.
    fn materialise(&mut self, object: ObjId, place: Place) {
        use ObjKind::External;
        let External { param, depth, constant, .. } = self.objects[object].kind else { return };
        // Pointers of one array, some of which were met alone, lead to what those lead to.
        let mut targets = Targets::new();
        for (known, to) in &self.objects[object].named {
            if known.holds(place) {
                return;
            }
            if known.meets(place) {
                targets.extend(to.iter().map(|(o, p)| (*o, *p)));
            }
        }
        if !targets.is_empty() {
            self.name_pointers(object, place, targets);
            return;
        }
        let apart = match depth < MAX_DEPTH {
            true => depth == 0 || self.externals < MAX_EXTERNALS,
            false => depth < MAX_CHAIN && self.externals < MAX_APART && !self.recurs(object, place),
        };
        let kind = match apart {
            true => External { param, depth: depth + 1, constant, parent: Some((object, place)) },
            false => self.objects[self.folded(object, place)].kind,
        };
        targets.insert(self.object(kind), Place::at(0));
        // Where activity is told at run time, it is told of each pointer.
        if let (External { param, depth, parent, .. }, true, false) = (kind, self.at_run_time, constant) {
            targets.insert(self.object(External { param, depth, constant: true, parent }), Place::at(0));
        }
        self.name_pointers(object, place, targets);
    }

    fn name_pointers(&mut self, object: ObjId, place: Place, targets: Targets) {
        self.store_pointers(object, place, &targets);
        self.objects[object].named.push((place, targets));
    }

    /// Are two objects on the way reached through the same place of ones that hold the same data? Then this is a list
    /// or a tree. (One may look so by chance, while its data are not all known.)
    fn recurs(&self, object: ObjId, place: Place) -> bool {
        let (mut at, mut alike) = (object, 0);
        while let ObjKind::External { parent: Some((parent, via)), .. } = self.objects[at].kind {
            let parent = self.merged(parent);
            alike += usize::from(via == place && *self.objects[parent].cells == *self.objects[object].cells);
            at = parent;
        }
        alike >= 2
    }

    /// The nearest object on the way from the parameter that was itself reached through `place`: in a
    /// recursive structure, the same field of another node. Else the object itself.
    fn folded(&self, object: ObjId, place: Place) -> ObjId {
        let mut at = object;
        while let ObjKind::External { parent: Some((parent, via)), .. } = self.objects[at].kind {
            if via == place {
                return at;
            }
            at = parent;
        }
        object
    }
}

/// An array of characters alone: a buffer that may hold anything.
fn is_buffer(m: &Module, ty: TypeId) -> bool {
    let byte = |ty| matches!(m.types.get(ty), Type::Int(8));
    matches!(m.types.get(ty), Type::Array { elem, .. } if byte(*elem) || is_buffer(m, *elem))
}

/// Targets moved by a constant and any multiple of `stride`.
pub(super) fn moved(targets: &Targets, by: i64, stride: u64) -> Targets {
    targets.iter().map(|(o, p)| (*o, p.moved(by, stride))).collect()
}

/// Targets moved by any index into an array of `count` elements.
pub(super) fn within(targets: &Targets, step: u64, count: u64) -> Targets {
    targets.iter().map(|(o, p)| (*o, p.within(step, count))).collect()
}

/// Do copies from one offset of an object to another move each datum once?
fn is_apart(src: Place, dst: Place, size: u64) -> bool {
    let exact = |p: Place| p.stride == 0 && p.extent() == 0;
    exact(src) && exact(dst) && src.start.abs_diff(dst.start) >= size
}

/// Where the data at `place` land when the bytes from `src` on go to `dst`. Short copies are followed datum by
/// datum, so that a structure that travels through many temporaries keeps its exact offsets.
pub(super) fn shift(place: Place, bytes: u64, src: Place, dst: Place, size: Option<u64>, same: bool) -> Vec<Place> {
    let by = dst.start.wrapping_sub(src.start);
    let stride = gcd(src.stride, dst.stride);
    if same && by != 0 && !size.is_some_and(|s| s <= SHORT_COPY && is_apart(src, dst, s)) {
        // Within one object a datum may be moved again and again.
        return vec![place.moved(0, gcd(stride, by.unsigned_abs()))];
    }
    let Some(size) = size.filter(|s| *s <= SHORT_COPY) else {
        let beyond = size.is_some_and(|s| place.start >= src.start.saturating_add(s as i64));
        let mut moved = place.moved(by, stride);
        if moved.stride != 0 && moved.start < 0 {
            moved.start = moved.start.rem_euclid(moved.stride as i64);
        }
        return if beyond { Vec::new() } else { vec![moved] };
    };
    let (first, end) = (src.start, src.start.saturating_add(size as i64));
    let members = place.members(first.saturating_sub(bytes as i64 - 1), end);
    members.map(|at| Place { start: at.wrapping_add(by), ..dst }).collect()
}

/// Where a `getelementptr` leads.
#[derive(Clone, Default)]
pub(super) struct GepStep {
    /// The constant part of its offset.
    by: i64,
    /// The stride of its variable part; 0 if there is none.
    stride: u64,
    /// Variable indices into arrays of known length: size of the elements, their number.
    bounded: Vec<(u64, u64)>,
}

impl GepStep {
    /// The place reached from another.
    pub(super) fn reach(&self, place: Place) -> Place {
        let moved = place.moved(self.by, self.stride);
        self.bounded.iter().fold(moved, |p, (step, count)| p.within(*step, *count))
    }

    /// The places reached.
    pub(super) fn reach_all(&self, targets: &Targets) -> Targets {
        targets.iter().map(|(o, p)| (*o, self.reach(*p))).collect()
    }

    /// The constant part, and the stride of the variable part without its bounds.
    pub(super) fn unbounded(&self) -> (i64, u64) {
        (self.by, self.bounded.iter().fold(self.stride, |stride, (step, _)| gcd(stride, *step)))
    }

    fn step(&mut self, index: Option<i64>, size: u64, count: Option<u64>, divisor: impl FnOnce() -> u64) {
        if let Some(i) = index {
            self.by = self.by.wrapping_add(i.wrapping_mul(size as i64));
            return;
        }
        match (divisor(), count) {
            // As far as is known now the index is always zero.
            (0, _) => {}
            // An array of one element at the end of a structure is C's old way to say "any number".
            (every, Some(count)) if count > 1 => {
                self.bounded.push((size.saturating_mul(every), count.div_ceil(every)));
            }
            (every, _) => self.stride = gcd(self.stride, size.saturating_mul(every)),
        }
    }
}

/// What a `getelementptr` adds to its base.
pub(super) fn gep_step(m: &Module, elem_ty: TypeId, indices: &[Operand]) -> GepStep {
    gep_step_by(m, elem_ty, indices, |_| 1)
}

/// The same, where each variable index is known to be a multiple of something.
pub(super) fn gep_step_by(
    m: &Module,
    elem_ty: TypeId,
    indices: &[Operand],
    mut divisor: impl FnMut(Operand) -> u64,
) -> GepStep {
    let (mut out, mut ty) = (GepStep::default(), elem_ty);
    for (n, index) in indices.iter().enumerate() {
        let constant = m.as_int(*index).map(|v| ir::gep::signed(m, *index, v));
        if n == 0 {
            out.step(constant, m.size_of(ty), None, || divisor(*index));
            continue;
        }
        let field = constant.unwrap_or(0).max(0) as u64;
        let elem = m.types.element(ty, field).or_else(|| m.types.element(ty, 0));
        match m.types.get(ty) {
            Type::Array { elem, len } => out.step(constant, m.size_of(*elem), Some(*len), || divisor(*index)),
            Type::Vector { elem, len } => {
                out.step(constant, m.layout.store_size(&m.types, *elem), Some(u64::from(*len)), || divisor(*index));
            }
            _ => out.by = out.by.wrapping_add(m.layout.element_offset(&m.types, ty, field).unwrap_or(0) as i64),
        }
        ty = elem.unwrap_or(ty);
    }
    out
}

/// The kind of data a TBAA access tag speaks of.
pub(super) fn tbaa_cell(m: &Module, tag: MdId) -> Option<Cell> {
    let MdOperand::Node(access) = m.metadata[tag].operands().get(1)? else { return None };
    let MdOperand::Str(name) = m.metadata[*access].operands().first()? else { return None };
    Some(match name.as_slice() {
        b"double" => Cell::Float(FloatKind::Double),
        b"float" => Cell::Float(FloatKind::Float),
        b"long double" => Cell::Float(FloatKind::X86Fp80),
        b"any pointer" | b"vtable pointer" => Cell::Ptr,
        b"int" | b"long" | b"short" | b"bool" | b"long long" => Cell::Int,
        _ => return None,
    })
}

/// The fields a `!tbaa.struct` node names: offset, size, and kind if it tells that.
fn tbaa_struct(m: &Module, node: MdId) -> Vec<(u64, u64, Option<Cell>)> {
    let number = |op: &MdOperand| match op {
        MdOperand::Const(c) => m.as_int(Operand::Const(*c)).map(|v| v as u64),
        _ => None,
    };
    let mut out = Vec::new();
    for field in m.metadata[node].operands().chunks_exact(3) {
        if let (Some(offset), Some(size), MdOperand::Node(tag)) = (number(&field[0]), number(&field[1]), &field[2]) {
            out.push((offset, size, tbaa_cell(m, *tag)));
        }
    }
    out
}
