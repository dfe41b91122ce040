//! Split reverse mode: `__enzyme_augmentfwd` runs the function and leaves a tape, `__enzyme_reverse` uses it up.
//!
//! A tape is a block of memory, the caller's own (`enzyme_allocated`, `enzyme_tape`) or made here: the record of the
//! function ([`mod@crate::reverse::root`]) and, if that is not all, the head of an arena ([`crate::runtime::tape`]) and
//! that of the table that all threads share ([`crate::runtime::run`]). So any number of tapes can be alive, in any
//! order. Memory that the caller can reach may change between the two calls, unless `enzyme_not_overwritten` promises
//! that it does not: what the reverse needs of it is on the tape.

use crate::base::builder::Builder;
use crate::base::names::{declare, unique};
use crate::emit::shadow_globals;
use crate::mode::Activity;
use crate::request::split_mode::Split;
use crate::reverse::root::Root;
use crate::runtime::run;
use crate::runtime::tape::{self, TAPE_ALIGN, TAPE_SIZE};
use ir::{FuncId, Function, GlobalId, InstKind, Module, Operand, TypeId};
use std::collections::BTreeMap;

/// What the wrappers share.
struct Wrappers<'a> {
    name: String,
    root: Root,
    globals: &'a BTreeMap<GlobalId, GlobalId>,
    /// Types of the arguments with their shadows.
    params: Vec<TypeId>,
    seed: Option<TypeId>,
    /// Offset of the arena's head.
    head: u64,
    /// That of the table's address.
    table: u64,
    size: u64,
}

/// Makes the interface of a split function.
pub fn wrap(
    m: &mut Module,
    primal: FuncId,
    activities: &[Activity],
    root: Root,
    globals: &BTreeMap<GlobalId, GlobalId>,
) -> Split {
    let f = &m.functions[primal];
    let mut params = Vec::new();
    for (param, activity) in f.params.iter().zip(activities) {
        params.extend(vec![param.ty; if activity.is_dup() { 2 } else { 1 }]);
    }
    let seed = m.types.float_kind(f.ret).map(|_| f.ret);
    let head = root.record.next_multiple_of(TAPE_ALIGN);
    // A tape of no bytes at all would be none.
    let size = if root.uses_arena { head + TAPE_SIZE } else { root.record.max(1) };
    let table = size.next_multiple_of(8);
    let size = if root.has_run { table + 8 } else { size };
    let w = Wrappers { name: f.name.clone(), root, globals, params, seed, head, table, size };
    let augmented = w.augmented(m);
    let frees = root.uses_arena || root.has_run;
    let reverse = w.reverse(m, "reverse", frees);
    let keeping = if frees { w.reverse(m, "keep", false) } else { reverse };
    let allocating = w.allocating(m, augmented);
    let freeing = w.freeing(m, reverse);
    let both = w.both(m, augmented, reverse);
    Split { augmented, allocating, reverse, freeing, keeping, both, size }
}

impl Wrappers<'_> {
    fn begin<'m>(&self, m: &'m mut Module, what: &str, ret: TypeId, params: &[TypeId]) -> Builder<'m> {
        let mut f = Function::new(&unique(m, &format!("__adj_{what}_{}", self.name)), ret, params);
        f.flags.linkage = "internal".to_owned();
        // The oracle takes these calls over.
        f.attrs = f.attrs.flag("noinline");
        Builder::new(m, f)
    }

    fn end(b: Builder, value: Option<Operand>) -> FuncId {
        let mut b = b;
        b.effect(InstKind::Ret(value));
        let f = b.f;
        b.m.functions.push(f)
    }

    fn arguments(&self, b: &Builder) -> Vec<Operand> {
        (0..self.params.len()).map(|i| b.f.param(i)).collect()
    }

    fn augmented(&self, m: &mut Module) -> FuncId {
        let (ptr, ret) = (m.types.ptr(), m.functions[self.root.forward].ret);
        let mut b = self.begin(m, "augmented", ret, &[self.params.as_slice(), &[ptr]].concat());
        let tape = b.f.param(self.params.len());
        shadow_globals::clear_globals(&mut b, self.globals);
        let head = b.offset(tape, self.head);
        if self.root.uses_arena {
            let bytes = b.m.int(64, u128::from(TAPE_SIZE));
            tape::clear(&mut b, head, bytes);
        }
        let mut args = self.arguments(&b);
        args.extend([head, tape]);
        let before = self.root.has_run.then(|| {
            let (table, null) = (b.offset(tape, self.table), b.m.zero(ptr));
            b.store(null, table, 8);
            run::begin(&mut b, table)
        });
        let result = b.call(self.root.forward, args);
        before.into_iter().for_each(|before| run::go_back(&mut b, before));
        Self::end(b, result)
    }

    fn reverse(&self, m: &mut Module, what: &str, free: bool) -> FuncId {
        let (ptr, ret) = (m.types.ptr(), m.functions[self.root.reverse].ret);
        let mut params = self.params.clone();
        params.extend(self.seed);
        params.push(ptr);
        let mut b = self.begin(m, what, ret, &params);
        let args: Vec<Operand> = (0..params.len()).map(|i| b.f.param(i)).collect();
        let (tape, table) = (b.f.param(params.len() - 1), self.table);
        let run = self.root.has_run.then(|| {
            let table = b.offset(tape, table);
            (table, run::begin(&mut b, table))
        });
        let result = b.call(self.root.reverse, args);
        if let Some((table, before)) = run {
            run::go_back(&mut b, before);
            if free {
                let release = run::end(b.m);
                b.call(release, vec![table]);
            }
        }
        if free && self.root.uses_arena {
            let release = tape::tape_free(b.m);
            let head = b.offset(tape, self.head);
            b.call(release, vec![head]);
        }
        Self::end(b, result)
    }

    fn allocating(&self, m: &mut Module, augmented: FuncId) -> FuncId {
        let (ptr, i64t) = (m.types.ptr(), m.types.int(64));
        let inner = m.functions[augmented].ret;
        let mut fields = vec![ptr];
        fields.extend(m.types.fields(inner).map(|(f, _)| f.to_vec()).unwrap_or_default());
        let ret = m.types.tuple(fields.clone());
        let mut b = self.begin(m, "allocate", ret, &self.params);
        let malloc = declare(b.m, "malloc", ptr, &[i64t]);
        let bytes = b.m.int(64, u128::from(self.size));
        let null = b.m.zero(ptr);
        let tape = b.call(malloc, vec![bytes]).unwrap_or(null);
        let mut args = self.arguments(&b);
        args.push(tape);
        let result = b.call(augmented, args);
        let poison = b.m.constant(ret, ir::ConstKind::Poison);
        let mut whole = b.insert(poison, tape, 0);
        for i in 1..fields.len() as u32 {
            if let Some(result) = result {
                let part = b.extract(result, i - 1);
                whole = b.insert(whole, part, i);
            }
        }
        Self::end(b, Some(whole))
    }

    fn freeing(&self, m: &mut Module, reverse: FuncId) -> FuncId {
        let (ptr, void) = (m.types.ptr(), m.types.void());
        let (ret, params) =
            (m.functions[reverse].ret, m.functions[reverse].params.iter().map(|p| p.ty).collect::<Vec<_>>());
        let mut b = self.begin(m, "release", ret, &params);
        let args: Vec<Operand> = (0..params.len()).map(|i| b.f.param(i)).collect();
        let tape = b.f.param(params.len() - 1);
        let result = b.call(reverse, args);
        let free = declare(b.m, "free", void, &[ptr]);
        b.call(free, vec![tape]);
        Self::end(b, result)
    }

    fn both(&self, m: &mut Module, augmented: FuncId, reverse: FuncId) -> FuncId {
        let (i8t, ptr) = (m.types.int(8), m.types.ptr());
        let ret = m.functions[reverse].ret;
        let mut params = self.params.clone();
        params.extend(self.seed);
        let mut b = self.begin(m, "both", ret, &params);
        let elem_ty = b.m.types.array(self.size, i8t);
        let kind = InstKind::Alloca { elem_ty, count: None, align: TAPE_ALIGN, addr_space: 0, inalloca: false };
        let tape = b.value(kind, ptr);
        let mut args = self.arguments(&b);
        args.push(tape);
        b.call(augmented, args);
        let mut args: Vec<Operand> = (0..params.len()).map(|i| b.f.param(i)).collect();
        args.push(tape);
        let result = b.call(reverse, args);
        Self::end(b, result)
    }
}
