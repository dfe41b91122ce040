//! Which objects a function called through a pointer can get as an argument.
//!
//! `p->f(p)` and a virtual call `p->vtable[k](p)` read the function from the very object that they pass on. An object
//! in which another function lies at that place is not what this function gets, although `p` may point to both. So the
//! targets of an argument are filtered by where its own pointer leads: the "receiver" of points-to analyses for
//! object-oriented languages (Milanova, Rountev & Ryder, TOSEM 2005), here for any argument that has its base in common
//! with the address the function was loaded from.

use crate::analysis::memory::object::{ObjId, ObjKind, Targets};
use crate::analysis::memory::types::{gep_step, moved};
use crate::analysis::memory::{Facts, place};
use crate::normalise::indirect::Chosen;
use ir::{FuncId, Function, InstKind, Module, Operand, ValueId};

/// Loads followed back from the function pointer.
const MAX_LOADS: usize = 3;

/// Steps from a base to a function pointer: move by a constant and any multiple of a stride, then load.
struct Route {
    base: ValueId,
    steps: Vec<(i64, u64)>,
}

impl Facts {
    /// The targets of an argument of a call, perhaps through a pointer.
    pub(super) fn received(
        &mut self,
        m: &Module,
        (id, func): (FuncId, &Function),
        arg: Operand,
        chosen: Option<Chosen>,
    ) -> Targets {
        let mut targets = self.targets(m, id, arg);
        let Some(Chosen { pointer, function }) = chosen else { return targets };
        let (Some(base), ..) = strip(m, func, arg) else { return targets };
        for route in routes(m, func, pointer).iter().filter(|r| r.base == base) {
            let objects = self.targets(m, id, Operand::Local(base));
            let other = |o: &ObjId| {
                objects.get(o).is_some_and(|p| !self.leads_to(&Targets::from([(*o, *p)]), &route.steps, function))
            };
            let wrong: Vec<ObjId> = targets.keys().copied().filter(other).collect();
            for object in wrong {
                targets.remove(&object);
            }
        }
        targets
    }

    /// May these loads lead to that function?
    fn leads_to(&self, from: &Targets, steps: &[(i64, u64)], callee: FuncId) -> bool {
        let outside =
            |o: &ObjId| matches!(self.objects[*o].kind, ObjKind::External { .. } | ObjKind::Opaque | ObjKind::Lost);
        let is_callee = |o: &ObjId| outside(o) || self.objects[*o].kind == ObjKind::Function(callee);
        let Some(((by, stride), before)) = steps.split_last() else { return from.keys().any(is_callee) };
        let mut at = from.clone();
        for (by, stride) in before {
            at = self.known_pointers(&moved(&at, *by, *stride));
            if at.keys().any(outside) {
                return true;
            }
        }
        from.keys().any(outside) || self.stored_at(&moved(&at, *by, *stride)).any(|stored| stored.keys().any(is_callee))
    }
}

fn routes(m: &Module, func: &Function, pointer: Operand) -> Vec<Route> {
    let (mut out, mut steps, mut at) = (Vec::new(), Vec::new(), pointer);
    for _ in 0..MAX_LOADS {
        let Some(inst) = at.local().and_then(|v| func.def_inst(v)) else { break };
        let InstKind::Load { ptr, .. } = func.insts[inst].kind else { break };
        let (Some(base), by, stride) = strip(m, func, ptr) else { break };
        steps.insert(0, (by, stride));
        out.push(Route { base, steps: steps.clone() });
        at = Operand::Local(base);
    }
    out
}

/// The value that a pointer is computed from by `getelementptr`, and the offset between.
fn strip(m: &Module, func: &Function, mut pointer: Operand) -> (Option<ValueId>, i64, u64) {
    let (mut by, mut stride) = (0i64, 0);
    while let Some(v) = pointer.local() {
        let Some(InstKind::Gep { elem_ty, base, indices, .. }) = func.def_inst(v).map(|i| &func.insts[i].kind) else {
            return (Some(v), by, stride);
        };
        let step = gep_step(m, *elem_ty, indices);
        let (constant, variable) = step.unbounded();
        by = by.wrapping_add(constant);
        stride = place::gcd(stride, variable);
        pointer = *base;
    }
    (None, by, stride)
}

#[cfg(test)]
mod tests {
    use crate::analysis::memory::Facts;
    use crate::analysis::memory::object::ObjKind;
    use crate::mode::Activity;
    use crate::normalise::collect::collect;
    use crate::normalise::indirect::{Chosen, Indirect};
    use ir::{InstKind, Operand};

    /// What `copy` gets, where `of_a` or `of_b` has been chosen of what two objects hold, and it is a copy of that.
    fn given(pointers: &str, chosen: &str) -> Vec<String> {
        let text = format!(
            "define void @of_a(ptr %p) {{\n  ret void\n}}\ndefine void @of_b(ptr %p) {{\n  ret void\n}}\n\
             define void @copy(ptr %p) {{\n  ret void\n}}\n\
             define void @f(i1 %c) {{\n  %a = alloca ptr, align 8\n  %b = alloca ptr, align 8\n  \
             store ptr @of_a, ptr %a, align 8\n  store ptr @of_b, ptr %b, align 8\n  \
             %o = {pointers}\n  %q = load ptr, ptr %o, align 8\n  \
             call void @copy(ptr %o)\n  ret void\n}}\n"
        );
        let mut m = ir::parse::parse(&text, "receiver").unwrap();
        let [f, function, copy] = ["f", chosen, "copy"].map(|name| m.function(name).unwrap());
        let sources = collect(&mut m, f).unwrap();
        let func = &sources[&f];
        let of =
            |kind: fn(&InstKind) -> bool| func.inst_order().map(|(_, i)| i).filter(move |i| kind(&func.insts[*i].kind));
        let call = of(|kind| kind.as_call().is_some()).next().unwrap();
        let pointer = of(|kind| matches!(kind, InstKind::Load { .. })).find_map(|i| func.insts[i].result).unwrap();
        let slots: Vec<ir::InstId> = of(|kind| matches!(kind, InstKind::Alloca { .. })).collect();
        let mut indirect = Indirect::default();
        indirect.chosen.insert((f, call), Chosen { pointer: Operand::Local(pointer), function });
        let facts = Facts::analyse(&m, &sources, f, &[Activity::Const], &indirect).unwrap();
        let param = Operand::Local(m.functions[copy].params[0].value);
        let name = |object| match facts.objects[object].kind {
            ObjKind::Stack(_, slot) if slot == slots[0] => "a".to_owned(),
            ObjKind::Stack(_, slot) if slot == slots[1] => "b".to_owned(),
            other => format!("{other:?}"),
        };
        facts.points_to(&m, copy, param).into_keys().map(name).collect()
    }

    #[test]
    fn a_copy_gets_what_the_function_would_get() {
        let either = "select i1 %c, ptr %a, ptr %b";
        assert_eq!(given(either, "of_a"), ["a"]);
        assert_eq!(given(either, "of_b"), ["b"]);
    }

    /// Others may come to be known later: a function must not get what is not its own in the meantime.
    #[test]
    fn the_only_object_known_may_be_that_of_another_function() {
        let a = "getelementptr i8, ptr %a, i64 0";
        assert_eq!(given(a, "of_a"), ["a"]);
        assert!(given(a, "of_b").is_empty());
    }
}
