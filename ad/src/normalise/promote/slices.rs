//! Which parts of which stack slots are only loaded and stored, each always as the same type, or as a number and its
//! bits.

use crate::base::blocks;
use crate::normalise::promote;
use crate::program::externals::{External, classify, holds_pointer};
use ir::hash::HashMap;
use ir::{FloatKind, Function, Inst, InstId, InstKind, Module, Operand, TypeId, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// Copies of at most so many bytes are written out.
const MAX_COPY: u64 = 128;

/// An access that goes away.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    /// The slice.
    pub slice: usize,
    /// It is a store.
    pub store: bool,
}

/// The slices to promote.
#[derive(Default)]
pub(super) struct Slices {
    /// The type of each.
    pub types: Vec<TypeId>,
    /// The loads and stores of them.
    pub accesses: HashMap<InstId, Access>,
    /// Is the address of a slot among what is stored there?
    pub addresses: bool,
}

/// How a slot is used: loads and stores by offset, with their types; copies of known length.
#[derive(Default)]
struct Uses {
    accesses: Vec<(InstId, u64, TypeId, bool)>,
    copies: Vec<InstId>,
}

/// A slot and where in it a pointer points.
type Pointers = HashMap<ValueId, (InstId, u64)>;

impl Slices {
    /// Finds them.
    pub fn find(m: &Module, func: &Function) -> Slices {
        let mut out = Slices::default();
        let (pointers, slots) = slots(m, func);
        for (_, uses) in slots {
            if uses.copies.is_empty() {
                out.add(m, &uses);
            }
        }
        let is_address = |inst: &InstId| match func.insts[*inst].kind {
            InstKind::Store { value, .. } => value.local().is_some_and(|v| pointers.contains_key(&v)),
            _ => false,
        };
        out.addresses = out.accesses.keys().any(is_address);
        out
    }

    fn add(&mut self, m: &Module, uses: &Uses) {
        let end = |at: u64, ty: TypeId| at + m.layout.store_size(&m.types, ty);
        let mut by_place: BTreeMap<u64, usize> = BTreeMap::new();
        for (inst, at, ty, store) in &uses.accesses {
            let other = |(_, a, t, _): &(InstId, u64, TypeId, bool)| {
                !(a == at && is_number_and_bits(m, *t, *ty)) && *a < end(*at, *ty) && *at < end(*a, *t)
            };
            if uses.accesses.iter().any(other) {
                continue;
            }
            let slice = *by_place.entry(*at).or_insert_with(|| {
                self.types.push(*ty);
                self.types.len() - 1
            });
            // Its bits are made of the number, which the analyses follow.
            if m.types.float_kind(*ty).is_some() {
                self.types[slice] = *ty;
            }
            self.accesses.insert(*inst, Access { slice, store: *store });
        }
    }
}

/// Are two types the same, or one of them a number and the other an integer of its bits?
fn is_number_and_bits(m: &Module, a: TypeId, b: TypeId) -> bool {
    let bits = |ty| {
        let is_number = matches!(m.types.float_kind(ty), Some(FloatKind::Double | FloatKind::Float));
        m.layout.bit_width(&m.types, ty).filter(|_| is_number || m.types.is_int(ty))
    };
    a == b || m.types.is_int(a) != m.types.is_int(b) && bits(a).is_some() && bits(a) == bits(b)
}

/// The slots whose address goes nowhere, and the pointers into them.
fn slots(m: &Module, func: &Function) -> (Pointers, BTreeMap<InstId, Uses>) {
    let mut pointers = Pointers::default();
    let mut slots: BTreeMap<InstId, Uses> = BTreeMap::new();
    for (_, inst) in func.inst_order() {
        if let InstKind::Alloca { count: None, inalloca: false, .. } = func.insts[inst].kind
            && let Some(v) = func.insts[inst].result
        {
            pointers.insert(v, (inst, 0));
            slots.insert(inst, Uses::default());
        }
    }
    // Blocks need not stand in an order in which definitions come first.
    loop {
        let known = pointers.len();
        for (_, inst) in func.inst_order() {
            if let InstKind::Gep { elem_ty, base, indices, .. } = &func.insts[inst].kind
                && let Some((slot, at)) = base.local().and_then(|v| pointers.get(&v)).copied()
                && let Some(by) = ir::gep::constant_offset(m, *elem_ty, indices)
                && let Some(at) = at.checked_add_signed(by)
                && let Some(v) = func.insts[inst].result
            {
                pointers.insert(v, (slot, at));
            }
        }
        if pointers.len() == known {
            break;
        }
    }
    for (_, inst) in func.inst_order() {
        note_uses(m, func, inst, &pointers, &mut slots);
    }
    (pointers, slots)
}

fn note_uses(m: &Module, func: &Function, inst: InstId, pointers: &Pointers, slots: &mut BTreeMap<InstId, Uses>) {
    let kind = &func.insts[inst].kind;
    let slot_of = |o: &Operand| o.local().and_then(|v| pointers.get(&v)).copied();
    let size = |slot: InstId| match func.insts[slot].kind {
        InstKind::Alloca { elem_ty, .. } => m.size_of(elem_ty),
        _ => 0,
    };
    let mut access = |slot: InstId, at: u64, ty: TypeId, store: bool| {
        if at + m.layout.store_size(&m.types, ty) > size(slot) {
            slots.remove(&slot);
        } else if let Some(uses) = slots.get_mut(&slot) {
            uses.accesses.push((inst, at, ty, store));
        }
    };
    match kind {
        InstKind::Load { ptr, volatile: false, atomic: None, .. } => {
            if let Some((slot, at)) = slot_of(ptr) {
                access(slot, at, func.insts[inst].ty, false);
            }
            return;
        }
        InstKind::Store { ptr, value, volatile: false, atomic: None, .. } => {
            if let Some((slot, at)) = slot_of(ptr) {
                access(slot, at, m.operand_ty(func, *value), true);
            }
            // The slot whose address is stored is known by more than its name, as long as that is stored.
            if let Some((slot, _)) = slot_of(value) {
                slots.remove(&slot);
            }
            return;
        }
        InstKind::Gep { indices, .. } if func.insts[inst].result.is_some_and(|v| pointers.contains_key(&v)) => {
            debug_assert!(indices.iter().all(|i| i.constant().is_some()));
            return;
        }
        InstKind::Call(_) if is_lifetime(m, func, inst) => return,
        InstKind::Call(call) if copied(m, func, inst).is_some() => {
            for (slot, _) in call.args[..2].iter().filter_map(slot_of) {
                if let Some(uses) = slots.get_mut(&slot) {
                    uses.copies.push(inst);
                }
            }
            return;
        }
        _ => {}
    }
    for (slot, _) in kind.operands().iter().filter_map(slot_of) {
        slots.remove(&slot);
    }
}

fn is_lifetime(m: &Module, func: &Function, inst: InstId) -> bool {
    let callee = func.insts[inst].kind.as_call().and_then(|c| m.as_function(c.callee));
    callee.is_some_and(|f| m.functions[f].name.starts_with("llvm.lifetime."))
}

/// Destination, source and length of a short copy of known length.
fn copied(m: &Module, func: &Function, inst: InstId) -> Option<(Operand, Operand, u64)> {
    let call = func.insts[inst].kind.as_call()?;
    let callee = m.as_function(call.callee)?;
    let is_copy = matches!(classify(m, &m.functions[callee]), External::Copy) && func.insts[inst].result.is_none();
    let volatile = call.args.get(3).and_then(|v| m.as_int(*v)).unwrap_or(0) != 0;
    let length = m.as_int(*call.args.get(2)?)? as u64;
    (is_copy && !volatile && length <= MAX_COPY).then_some((call.args[0], call.args[1], length))
}

/// Writes copies from or to slots out, scalar by scalar of the slot's type, where that leaves no byte out and agrees
/// with the other accesses of the slots; lifetimes of slots are of no further use.
pub(super) fn expand_copies(m: &mut Module, func: &mut Function) {
    let (pointers, slots) = slots(m, func);
    for block in func.layout.clone() {
        let mut out = Vec::new();
        for inst in func.blocks[block].insts.clone() {
            if is_lifetime(m, func, inst) && ends_in_slot(m, func, inst, &pointers, &slots) {
                continue;
            }
            match expansion(m, func, inst, &pointers, &slots) {
                Some(scalars) => write_out(m, func, inst, &scalars, &mut out),
                None => out.push(inst),
            }
        }
        func.blocks[block].insts = out;
    }
}

fn ends_in_slot(
    m: &Module,
    func: &Function,
    inst: InstId,
    pointers: &Pointers,
    slots: &BTreeMap<InstId, Uses>,
) -> bool {
    debug_assert!(is_lifetime(m, func, inst));
    let args = func.insts[inst].kind.operands();
    args.iter().filter_map(|o| pointers.get(&o.local()?)).any(|(slot, _)| slots.contains_key(slot))
}

/// A scalar that a copy moves, by its offset: what it is where it comes from, and where it goes to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Moved {
    at: u64,
    from: TypeId,
    to: TypeId,
}

/// The scalars that a copy moves. The bits of a number may become an integer of its size, and the other way round.
fn expansion(
    m: &Module,
    func: &Function,
    inst: InstId,
    pointers: &Pointers,
    slots: &BTreeMap<InstId, Uses>,
) -> Option<Vec<Moved>> {
    let (to, from, length) = copied(m, func, inst)?;
    let sides: Vec<(InstId, u64)> = [from, to]
        .iter()
        .filter_map(|o| pointers.get(&o.local()?))
        .filter(|(s, _)| slots.contains_key(s))
        .copied()
        .collect();
    let mut found: Vec<Vec<(u64, TypeId)>> = Vec::new();
    for (slot, at) in &sides {
        let InstKind::Alloca { elem_ty, .. } = func.insts[*slot].kind else { return None };
        let mut all = Vec::new();
        promote::scalars(m, elem_ty, 0, &mut all);
        let size = |ty| m.layout.store_size(&m.types, ty);
        let inside = |(o, ty): &(u64, TypeId)| *o >= *at && o + size(*ty) <= at + length;
        let part: Vec<(u64, TypeId)> = all.iter().filter(|s| inside(s)).map(|(o, ty)| (o - at, *ty)).collect();
        let covered: u64 = part.iter().map(|(_, ty)| size(*ty)).sum();
        // Padding matters to nobody where both sides are slots.
        if covered != length && sides.len() < 2 {
            return None;
        }
        let fits = |(_, o, ty, _): &(InstId, u64, TypeId, bool)| {
            *o + size(*ty) <= *at || *o >= at + length || part.contains(&(o.wrapping_sub(*at), *ty))
        };
        if !slots[slot].accesses.iter().all(fits) {
            return None;
        }
        // Characters may be anything, unless the program looks at them one by one: as bytes it could not be told.
        let is_byte = |ty: TypeId| m.types.is_int(ty) && size(ty) == 1;
        let apart = |(_, o, ty, _): &(InstId, u64, TypeId, bool)| *o + size(*ty) <= *at || *o >= at + length;
        if part.iter().all(|(_, ty)| is_byte(*ty)) && slots[slot].accesses.iter().all(apart) {
            return None;
        }
        found.push(part);
    }
    let (from, to) = (found.first()?, found.last()?);
    let bits = |ty| m.layout.bit_width(&m.types, ty).filter(|_| !holds_pointer(m, ty));
    let same = |((a, f), (b, t)): (&(u64, TypeId), &(u64, TypeId))| {
        a == b && (f == t || bits(*f).is_some() && bits(*f) == bits(*t))
    };
    let moved = |((at, from), (_, to)): (&(u64, TypeId), &(u64, TypeId))| Moved { at: *at, from: *from, to: *to };
    let agree = from.len() == to.len() && from.iter().zip(to).all(same);
    agree.then(|| from.iter().zip(to).map(moved).collect())
}

fn write_out(m: &mut Module, func: &mut Function, inst: InstId, scalars: &[Moved], out: &mut Vec<InstId>) {
    let Some((to, from, _)) = copied(m, func, inst) else { return };
    let aligned = |i: usize| func.insts[inst].kind.as_call().and_then(|c| c.arg_attrs[i].int("align")).unwrap_or(1);
    let [to_align, from_align] = [aligned(0), aligned(1)];
    let at_offset = |align: u64, at: u64| if at == 0 { align } else { align.min(1 << at.trailing_zeros()) };
    let (loc, ptr, void) = (func.insts[inst].loc, m.types.ptr(), m.types.void());
    let mut push = |func: &mut Function, kind, ty, result| {
        let mut new = Inst::new(kind, ty);
        new.loc = loc;
        let id = func.create_inst(new, result);
        out.push(id);
        func.insts[id].result.map(Operand::Local)
    };
    // All is read before anything is written, as by one copy.
    let mut values = Vec::new();
    let places: BTreeSet<Moved> = scalars.iter().copied().collect();
    for Moved { at, from: ty, to: as_ty } in &places {
        let i8t = m.types.int(8);
        let address = InstKind::Gep {
            elem_ty: i8t,
            flags: Default::default(),
            base: from,
            indices: vec![m.int(64, u128::from(*at))],
        };
        let Some(address) = push(func, address, ptr, true) else { return };
        let load = InstKind::Load { ptr: address, align: at_offset(from_align, *at), volatile: false, atomic: None };
        let mut value = push(func, load, *ty, true);
        if let Some(bits) = value.filter(|_| ty != as_ty) {
            value = push(func, blocks::bitcast(bits), *as_ty, true);
        }
        values.push((*at, value));
    }
    for (at, value) in values {
        let Some(value) = value else { continue };
        let i8t = m.types.int(8);
        let address = InstKind::Gep {
            elem_ty: i8t,
            flags: Default::default(),
            base: to,
            indices: vec![m.int(64, u128::from(at))],
        };
        let Some(address) = push(func, address, ptr, true) else { return };
        let store =
            InstKind::Store { value, ptr: address, align: at_offset(to_align, at), volatile: false, atomic: None };
        push(func, store, void, false);
    }
}

#[cfg(test)]
mod tests {
    use ir::parse::parse;

    /// A number of a variable whose address stands in another one, and what is left of both.
    fn promoted(also: &str) -> String {
        let text = format!(
            "declare void @seen(ptr)\ndefine double @f(double %x) {{\n  %v = alloca double, align 8\n  \
             %p = alloca ptr, align 8\n  store double %x, ptr %v, align 8\n  store ptr %v, ptr %p, align 8\n{also}  \
             %at = load ptr, ptr %p, align 8\n  %y = load double, ptr %at, align 8\n  ret double %y\n}}\n"
        );
        let mut m = parse(&text, "slices").unwrap();
        let f = m.function("f").unwrap();
        let mut func = m.functions[f].clone();
        super::super::promote(&mut m, &mut func);
        ir::print::print_function(&m, &func)
    }

    #[test]
    fn variables_whose_addresses_stand_in_variables_are_promoted() {
        let text = promoted("");
        assert!(text.contains("ret double %x") && !text.contains("alloca"), "{text}");
        // The address of the number is known to others, that of its address to nobody.
        let text = promoted("  call void @seen(ptr %v)\n");
        assert!(text.contains("load double, ptr %v") && !text.contains("alloca ptr"), "{text}");
        let text = promoted("  call void @seen(ptr %p)\n");
        assert!(text.contains("alloca double") && text.contains("alloca ptr"), "{text}");
    }

    #[test]
    fn variables_that_are_read_as_a_number_and_as_its_bits_are_the_number() {
        let text = "declare void @seen(ptr)\ndefine double @f(i64 %w, i1 %c) {\n  %v = alloca { i32, double }, align 8\n  \
                    %seen = alloca double, align 8\n  %m = getelementptr i8, ptr %v, i64 8\n  \
                    store i64 %w, ptr %m, align 8\n  %x = load double, ptr %m, align 8\n  \
                    br i1 %c, label %more, label %end\nmore:\n  %y = fadd double %x, 1.0\n  \
                    store double %y, ptr %m, align 8\n  br label %end\nend:\n  \
                    %b = load i64, ptr %m, align 8\n  store i64 %b, ptr %seen, align 8\n  \
                    call void @seen(ptr %seen)\n  %z = load double, ptr %m, align 8\n  ret double %z\n}\n";
        let mut m = parse(text, "slices").unwrap();
        let f = m.function("f").unwrap();
        let mut func = m.functions[f].clone();
        super::super::promote(&mut m, &mut func);
        let text = ir::print::print_function(&m, &func);
        assert!(text.contains("phi double") && !text.contains("phi i64") && !text.contains("ptr %v"), "{text}");
        assert!(text.contains("bitcast i64 %w to double") && text.matches("to i64").count() == 1, "{text}");
        // Of what others see, nobody knows what it is.
        assert_eq!(text.matches("store i64").count(), 1, "{text}");
        m.functions[f] = func;
        assert!(ir::verify::verify(&m).is_ok());
    }
}
