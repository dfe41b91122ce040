//! What pointers lead to, instruction by instruction.

use crate::analysis::memory::object::{ObjId, ObjKind, Targets};
use crate::analysis::memory::place::Place;
use crate::check::shadows::{At, Checker, Found, holds_pointer, is_copy};
use ir::{BinOp, Call, CastOp, Function, InstId, InstKind, Module, Operand, Type, TypeId};
use std::collections::BTreeSet;

/// Functions that give fresh memory.
const ALLOCATORS: [&str; 4] = ["malloc", "calloc", "_Znwm", "_Znam"];

/// Bytes of a pointer.
const SIZE: u64 = 8;

impl Checker<'_> {
    /// Does the result of an instruction, and the memory it writes, hold what its operands lead to?
    pub(super) fn points(&self, at: At) -> Found {
        let data = &at.func.insts[at.inst];
        let result = data.result.map(Operand::Local);
        let given = |operand: Operand| self.targets(at.id, operand);
        let passes = |from: Operand, what: &'static str| match result {
            Some(result) if !within(&given(from), &given(result)) => Err(what),
            _ => Ok(()),
        };
        match &data.kind {
            InstKind::Phi { incoming, .. } => {
                incoming.iter().try_for_each(|(v, _)| passes(*v, "a phi leads where its operands do not"))
            }
            InstKind::Select { if_true, if_false, .. } => {
                [*if_true, *if_false].into_iter().try_for_each(|v| passes(v, "a selected pointer leads elsewhere"))
            }
            InstKind::Freeze(v)
            | InstKind::ExtractValue { aggregate: v, .. }
            | InstKind::ExtractElement { vector: v, .. } => passes(*v, "a pointer taken from a value leads elsewhere"),
            InstKind::InsertValue { aggregate: v, value: w, .. }
            | InstKind::InsertElement { vector: v, value: w, .. } => {
                [*v, *w].into_iter().try_for_each(|v| passes(v, "a pointer put into a value is lost"))
            }
            InstKind::Cast {
                op: CastOp::IntToPtr | CastOp::PtrToInt | CastOp::AddrSpaceCast | CastOp::BitCast,
                value,
                ..
            } => passes(*value, "a pointer is lost in a conversion"),
            InstKind::Binary { op: BinOp::Add, lhs, rhs, .. } => {
                let objects = |v: Operand| given(v).into_keys().collect::<BTreeSet<ObjId>>();
                let kept = result.map(objects).unwrap_or_default();
                match [*lhs, *rhs].into_iter().all(|v| objects(v).is_subset(&kept)) {
                    true => Ok(()),
                    false => Err("an address that is moved leads elsewhere"),
                }
            }
            InstKind::Gep { elem_ty, base, indices, .. } => {
                let Some(result) = result else { return Ok(()) };
                let (from, to) = (given(*base), given(result));
                // No walk leaves a text that a string keeps within itself.
                let stays = |o: &ObjId, place: &Place| {
                    place.extent() > 0 && [Some(place), to.get(o)].into_iter().flatten().all(|p| self.is_text(*o, *p))
                };
                let moved = |o: &ObjId, place: &Place, by| if stays(o, place) { *place } else { place.moved(by, 0) };
                let reached = match constant_offset(self.m, *elem_ty, indices) {
                    Some(by) => from.iter().map(|(o, place)| (*o, moved(o, place, by))).collect(),
                    None => from.keys().filter_map(|o| Some((*o, *to.get(o)?))).collect(),
                };
                let all = from.keys().all(|o| to.contains_key(o));
                if all && within(&reached, &to) { Ok(()) } else { Err("an address that is moved leads elsewhere") }
            }
            InstKind::Alloca { .. } => self.made(at, ObjKind::Stack(at.id, at.inst)),
            InstKind::Load { ptr, .. } if self.m.types.is_ptr(data.ty) => {
                let found = result.map(given).unwrap_or_default();
                for (object, place) in given(*ptr) {
                    if !self.stored(object, place).all(|stored| within(stored, &found)) {
                        return Err("a pointer that is loaded leads elsewhere than what is stored there");
                    }
                    if found.is_empty() && matches!(self.facts.objects[object].kind, ObjKind::External { .. }) {
                        return Err("a pointer that is loaded from memory of the caller leads nowhere");
                    }
                }
                Ok(())
            }
            InstKind::Store { value, ptr, .. } if self.m.types.is_ptr(self.m.operand_ty(at.func, *value)) => {
                let put = given(*value);
                let kept = |(object, place): (ObjId, Place)| {
                    let there: BTreeSet<ObjId> = self.stored(object, place).flat_map(|t| t.keys().copied()).collect();
                    !self.fits(object, place) || put.keys().all(|o| there.contains(o))
                };
                match given(*ptr).into_iter().all(kept) {
                    true => Ok(()),
                    false => Err("a pointer that is stored is not found there"),
                }
            }
            InstKind::Ret(Some(value)) if holds_pointer(self.m, at.func.ret) => {
                match within(&given(*value), &self.facts.returned(at.id)) {
                    true => Ok(()),
                    false => Err("a pointer that is returned is lost"),
                }
            }
            InstKind::Call(call) | InstKind::Invoke { call, .. } => self.call_points(at, call),
            _ => Ok(()),
        }
    }

    fn call_points(&self, at: At, call: &Call) -> Found {
        let result = at.func.insts[at.inst].result.map(Operand::Local);
        if let Some((callee, body)) = self.body(call) {
            let pointer = self.facts.called_through((at.id, at.inst));
            for (n, (arg, param)) in call.args.iter().zip(&body.params).enumerate() {
                let [from, to] =
                    [(at.id, *arg), (callee, Operand::Local(param.value))].map(|(f, v)| self.targets(f, v));
                // Which objects a function is not given that was loaded from one of them, the analysis tells.
                let passed = match pointer {
                    Some(pointer) => from.is_empty() || !to.is_empty() || self.others_get(at, pointer, (body, n)),
                    None => within(&from, &to),
                };
                if !passed {
                    return Err("a pointer that is passed leads elsewhere in the function that gets it");
                }
            }
            let back = result.is_none_or(|v| within(&self.facts.returned(callee), &self.targets(at.id, v)));
            return if back { Ok(()) } else { Err("a pointer that a function returns leads elsewhere") };
        }
        match self.outside(call) {
            Some(name) if ALLOCATORS.contains(&name) => self.made(at, ObjKind::Heap(at.id, at.inst)),
            Some(name) if is_copy(name) => self.copies_pointers(at, call),
            _ => Ok(()),
        }
    }

    /// Does another function get something by that argument which the pointer may hold, or can it hold none of such a
    /// type?
    fn others_get(&self, at: At, pointer: Operand, (like, n): (&Function, usize)) -> bool {
        let types = |f: &Function| (f.ret, f.params.iter().map(|param| param.ty).collect::<Vec<_>>());
        let may_be = |object: &ObjId| match self.facts.objects[*object].kind {
            ObjKind::Function(f) => types(&self.m.functions[f]) == types(like),
            _ => false,
        };
        let gets = |inst: InstId| {
            let beside = self.facts.called_through((at.id, inst)) == Some(pointer);
            let callee = at.func.insts[inst].kind.as_call().and_then(|call| self.body(call)).filter(|_| beside);
            let param = callee.and_then(|(callee, body)| Some((callee, body.params.get(n)?.value)));
            param.is_some_and(|(callee, param)| !self.targets(callee, Operand::Local(param)).is_empty())
        };
        !self.targets(at.id, pointer).keys().any(may_be) || at.func.inst_order().any(|(_, inst)| gets(inst))
    }

    /// Is memory among what its address leads to?
    fn made(&self, at: At, kind: ObjKind) -> Found {
        let result = at.func.insts[at.inst].result.map(|v| self.targets(at.id, Operand::Local(v)));
        let known = self.facts.site(kind);
        match known.is_some_and(|object| result.is_none_or(|targets| targets.contains_key(&object))) {
            true => Ok(()),
            false => Err("memory is not among what its address leads to"),
        }
    }

    /// The pointers that may be stored at a place.
    fn stored(&self, object: ObjId, place: Place) -> impl Iterator<Item = &Targets> {
        let all = self.facts.objects[object].pointers.iter();
        all.filter(move |(at, _)| at.overlaps(SIZE, place, SIZE)).map(|(_, targets)| targets)
    }

    /// Can a pointer lie there? What is as long as it is known to be holds none beyond its ends, whatever an address is
    /// said to lead to: to store one there would be undefined behaviour.
    fn fits(&self, object: ObjId, place: Place) -> bool {
        place.within_object(SIZE, self.facts.objects[object].size).is_some()
    }

    fn copies_pointers(&self, at: At, call: &Call) -> Found {
        let (mut to, size) = (self.targets(at.id, call.args[0]), self.m.as_int(call.args[2]));
        let characters = |(o, place): (&ObjId, &Place)| self.moves_characters(*o, *place, size.map(|size| size as u64));
        to.retain(|o, place| !characters((o, place)));
        let from = self.targets(at.id, call.args[1]).into_iter();
        for (source, from) in from.filter(|(o, place)| is_exact(*place) && !characters((o, place))) {
            let end = size.and_then(|size| from.start.checked_add(i64::try_from(size).ok()?));
            let inside = |p: &Place| is_exact(*p) && p.start >= from.start && end.is_none_or(|end| p.start + 8 <= end);
            for (p, moved) in self.facts.objects[source].pointers.iter().filter(|(p, _)| inside(p)) {
                let kept = |(o, place): (&ObjId, &Place)| {
                    let all = self.facts.objects[*o].pointers.values();
                    let known: BTreeSet<ObjId> = all.flat_map(|t| t.keys().copied()).collect();
                    let there = place.moved(p.start.wrapping_sub(from.start), 0);
                    !self.fits(*o, there) || moved.keys().all(|m| known.contains(m))
                };
                if !to.iter().all(kept) {
                    return Err("a pointer that is copied is not found where it was copied to");
                }
            }
        }
        Ok(())
    }
}

fn is_exact(place: Place) -> bool {
    place.stride == 0 && place.extent() == 0
}

/// Is all that the first leads to among what the second leads to, at the same offsets?
fn within(these: &Targets, those: &Targets) -> bool {
    these.iter().all(|(object, place)| those.get(object).is_some_and(|p| p.join(*place) == *p))
}

/// The bytes that constant indices move an address by.
fn constant_offset(m: &Module, elem: TypeId, indices: &[Operand]) -> Option<i64> {
    let signed = |index: Operand| {
        let bits = m.as_int(index)?;
        let Type::Int(width @ 1..=64) = m.types.get(m.constants.get(index.constant()?).ty) else { return None };
        Some((bits << (128 - *width)) as i128 >> (128 - *width))
    };
    let (first, rest) = indices.split_first()?;
    let mut at = signed(*first)? * i128::from(m.size_of(elem));
    let mut ty = elem;
    for index in rest {
        let n = u64::try_from(signed(*index)?).ok()?;
        at += i128::from(m.layout.element_offset(&m.types, ty, n)?);
        ty = m.types.element(ty, n)?;
    }
    i64::try_from(at).ok()
}

#[cfg(test)]
mod tests {
    use crate::analysis::memory::Facts;
    use crate::check::shadows;
    use crate::mode::Activity;
    use crate::normalise::collect::collect;
    use crate::normalise::indirect::{Chosen, Indirect};
    use ir::{InstKind, Operand};

    /// `f` calls a copy of the function that one of two objects holds. What the check says if the analysis takes it for
    /// this function.
    fn checked(taken_for: &str) -> bool {
        let text = "define void @g(ptr %p) {\n  ret void\n}\ndefine void @h(ptr %p) {\n  ret void\n}\n\
                    define void @copy(ptr %p) {\n  ret void\n}\n\
                    define void @f(ptr %x, i1 %c) {\n  %a = alloca ptr, align 8\n  %b = alloca ptr, align 8\n  \
                    store ptr @g, ptr %a, align 8\n  store ptr @h, ptr %b, align 8\n  \
                    %o = select i1 %c, ptr %a, ptr %b\n  %q = load ptr, ptr %o, align 8\n  \
                    call void @copy(ptr %o)\n  ret void\n}\n";
        let mut m = ir::parse::parse(text, "passed").unwrap();
        let f = m.function("f").unwrap();
        let sources = collect(&mut m, f).unwrap();
        let func = &sources[&f];
        let call = func.inst_order().map(|(_, i)| i).find(|i| func.insts[*i].kind.as_call().is_some()).unwrap();
        let loads = func.inst_order().filter(|(_, i)| matches!(func.insts[*i].kind, InstKind::Load { .. }));
        let pointer = Operand::Local(loads.filter_map(|(_, i)| func.insts[i].result).next().unwrap());
        let mut indirect = Indirect::default();
        indirect.chosen.insert((f, call), Chosen { pointer, function: m.function(taken_for).unwrap() });
        let activities = [Activity::Dup, Activity::Const];
        let facts = Facts::analyse(&m, &sources, f, &activities, &indirect).unwrap();
        shadows::check(&m, &sources, &facts).is_ok()
    }

    #[test]
    fn what_a_pointer_calls_gets_something() {
        assert!(checked("g"));
        assert!(!checked("copy"), "no object holds the copy, which got nothing");
    }
}
