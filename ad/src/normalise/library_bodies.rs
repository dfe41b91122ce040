//! `qsort`, `bsearch` and `posix_memalign` as IR: in place of the call a function that does the same, so that what it
//! moves has its adjoint like any other copy, the comparison is called like any other function, and memory has an
//! allocation to come from.
//!
//! Each call gets a function of its own, so that what one sorts says nothing about another. The order of comparisons is
//! that of glibc's merge sort (`msort.c`, up to 2.36), which is stable: n elements are split into n/2 and n − n/2, and
//! the left goes first on a tie. `bsearch` is glibc's bisection.

use crate::base::builder::{Builder, plain_call};
use crate::base::names::{self, declare, memcpy_intrinsic};
use ir::{BinOp, BlockId, CastOp, FuncId, Function, InstKind, IntPred, MdId, Module, Operand, TypeId};

/// Replaces the calls in a function whose elements have a size that is a constant.
pub fn lower(m: &mut Module, func: &mut Function) {
    let insts: Vec<_> = func.inst_order().map(|(_, inst)| inst).collect();
    for inst in insts {
        let Some(call) = func.insts[inst].kind.as_call().cloned() else { continue };
        let Some(callee) = m.as_function(call.callee).filter(|f| m.functions[*f].is_declaration()) else { continue };
        let loc = func.insts[inst].loc;
        let elements = |at: usize| m.as_int(call.args[at]).map(|size| size as u64).filter(|size| *size > 0);
        let (new, constant) = match (m.functions[callee].name.as_str(), call.args.len()) {
            ("qsort", 4) => match elements(2) {
                Some(size) => (sort(m, size, loc), Some(2)),
                None => continue,
            },
            ("bsearch", 5) => match elements(3) {
                Some(size) => (search(m, size, loc), Some(3)),
                None => continue,
            },
            ("posix_memalign", 3) => (allocate_to(m, loc), None),
            _ => continue,
        };
        let f = &m.functions[new];
        let (ret, params) = (f.ret, f.params.iter().map(|p| p.ty).collect());
        let mut direct = call;
        direct.callee = m.function_address(new);
        direct.fn_ty = m.types.func(ret, params);
        if let Some(at) = constant {
            direct.args.remove(at);
            direct.arg_attrs.remove(at);
        }
        if let Some(slot) = func.insts[inst].kind.as_call_mut() {
            *slot = direct;
        }
    }
}

/// `int allocate_to(ptr *to, i64 alignment, i64 size)`: what POSIX says of `posix_memalign`, with the allocation that C
/// has.
fn allocate_to(m: &mut Module, loc: Option<MdId>) -> FuncId {
    const OUT_OF_MEMORY: u128 = 12;
    let (ptr, i64t, i32t) = (m.types.ptr(), m.types.int(64), m.types.int(32));
    let allocator = declare(m, "aligned_alloc", ptr, &[i64t, i64t]);
    let mut f = Function::new(&names::unique(m, "__adj_posix_memalign"), i32t, &[ptr, i64t, i64t]);
    f.flags.linkage = "internal".to_owned();
    let [to, alignment, size] = [0, 1, 2].map(|i| f.param(i));
    let mut b = Builder::new(m, f);
    b.loc = loc;
    let (there, failed) = (b.f.add_block("there"), b.f.add_block("failed"));
    if let Some(memory) = b.call(allocator, vec![alignment, size]) {
        let null = b.m.zero(ptr);
        let fails = b.icmp(IntPred::Eq, memory, null);
        b.cond_br(fails, failed, there);
        b.at = there;
        b.store(memory, to, 8);
    }
    for (block, code) in [(there, 0), (failed, OUT_OF_MEMORY)] {
        b.at = block;
        let code = b.m.int(32, code);
        b.effect(InstKind::Ret(Some(code)));
    }
    b.m.functions.push(b.f)
}

/// A function with the types that these need at hand.
struct Maker<'m> {
    b: Builder<'m>,
    elem: TypeId,
    i64t: TypeId,
    ptr: TypeId,
    compare_ty: TypeId,
}

impl<'m> Maker<'m> {
    fn new(m: &'m mut Module, name: &str, size: u64, params: usize, result: bool, loc: Option<MdId>) -> Maker<'m> {
        let (ptr, i64t, i32t, void) = (m.types.ptr(), m.types.int(64), m.types.int(32), m.types.void());
        let i8t = m.types.int(8);
        let elem = m.types.array(size, i8t);
        let compare_ty = m.types.func(i32t, vec![ptr, ptr]);
        // (key,) base, count, comparison(, spare memory)
        let types = if result { vec![ptr, ptr, i64t, ptr] } else { [ptr, i64t, ptr, ptr][..params].to_vec() };
        let mut f = Function::new(&names::unique(m, name), if result { ptr } else { void }, &types);
        f.flags.linkage = "internal".to_owned();
        let mut b = Builder::new(m, f);
        b.loc = loc;
        Maker { b, elem, i64t, ptr, compare_ty }
    }

    fn finish(self) -> FuncId {
        self.b.m.functions.push(self.b.f)
    }

    fn at(&mut self, base: Operand, index: Operand) -> Operand {
        let kind = InstKind::Gep { elem_ty: self.elem, flags: Default::default(), base, indices: vec![index] };
        self.b.value(kind, self.ptr)
    }

    fn phi(&mut self, first: Operand, from: BlockId) -> (ir::InstId, Operand) {
        let kind = InstKind::Phi { fast: Default::default(), incoming: vec![(first, from)] };
        let id = self.b.push(kind, self.i64t);
        (id, self.b.result(id))
    }

    fn comes_from(&mut self, phi: ir::InstId, value: Operand, from: BlockId) {
        if let InstKind::Phi { incoming, .. } = &mut self.b.f.insts[phi].kind {
            incoming.push((value, from));
        }
    }

    fn compare(&mut self, compare: Operand, a: Operand, b: Operand) -> Operand {
        let call = plain_call(compare, self.compare_ty, vec![a, b], String::new());
        let i32t = self.b.m.types.int(32);
        self.b.value(InstKind::Call(Box::new(call)), i32t)
    }

    fn copy(&mut self, to: Operand, from: Operand, bytes: Operand) {
        let memcpy = memcpy_intrinsic(self.b.m);
        let plain = self.b.m.int(1, 0);
        self.b.call(memcpy, vec![to, from, bytes, plain]);
    }
}

/// `void sort(ptr base, i64 n, ptr compare)`: takes spare memory and calls the recursive function.
fn sort(m: &mut Module, size: u64, loc: Option<MdId>) -> FuncId {
    let merge = merge(m, size, loc);
    let (ptr, i64t, void) = (m.types.ptr(), m.types.int(64), m.types.void());
    let (malloc, free) = (declare(m, "malloc", ptr, &[i64t]), declare(m, "free", void, &[ptr]));
    let mut f = Maker::new(m, "__adj_qsort", size, 3, false, loc);
    let [base, n, compare] = [0, 1, 2].map(|i| f.b.f.param(i));
    let bytes = f.b.m.int(64, u128::from(size));
    let bytes = f.b.binary(BinOp::Mul, n, bytes);
    if let Some(spare) = f.b.call(malloc, vec![bytes]) {
        f.b.call(merge, vec![base, n, compare, spare]);
        f.b.call(free, vec![spare]);
    }
    f.b.effect(InstKind::Ret(None));
    f.finish()
}

/// `void merge(ptr base, i64 n, ptr compare, ptr spare)`
fn merge(m: &mut Module, size: u64, loc: Option<MdId>) -> FuncId {
    // Calls itself: its number must be known before its body is.
    let (ptr, i64t, void) = (m.types.ptr(), m.types.int(64), m.types.void());
    let mut f = Maker::new(m, "__adj_qsort_merge", size, 4, false, loc);
    let mut stub = Function::new(&f.b.f.name, void, &[ptr, i64t, ptr, ptr]);
    stub.flags.linkage = "internal".to_owned();
    let own = f.b.m.functions.push(stub);
    let [base, n, compare, spare] = [0, 1, 2, 3].map(|i| f.b.f.param(i));
    let [split, head, step, rest, out] = ["split", "head", "step", "rest", "out"].map(|name| f.b.f.add_block(name));
    let [zero, one, two] = [0, 1, 2].map(|v| f.b.m.int(64, v));
    let bytes = f.b.m.int(64, u128::from(size));
    let small = f.b.icmp(IntPred::Ult, n, two);
    f.b.cond_br(small, out, split);

    f.b.at = split;
    let left = f.b.binary(BinOp::LShr, n, one);
    let right = f.b.binary(BinOp::Sub, n, left);
    let middle = f.at(base, left);
    f.b.call(own, vec![base, left, compare, spare]);
    f.b.call(own, vec![middle, right, compare, spare]);
    f.b.br(head);

    f.b.at = head;
    let ((i_phi, i), (j_phi, j)) = (f.phi(zero, split), f.phi(zero, split));
    let [more_left, more_right] = [(i, left), (j, right)].map(|(a, b)| f.b.icmp(IntPred::Ult, a, b));
    let both = f.b.binary(BinOp::And, more_left, more_right);
    f.b.cond_br(both, step, rest);

    f.b.at = step;
    let (a, b) = (f.at(base, i), f.at(middle, j));
    let order = f.compare(compare, a, b);
    let none = f.b.m.int(32, 0);
    let first = f.b.icmp(IntPred::Sle, order, none);
    let from = f.b.select(first, a, b);
    let k = f.b.binary(BinOp::Add, i, j);
    let to = f.at(spare, k);
    f.copy(to, from, bytes);
    let taken = f.b.cast(CastOp::ZExt, first, i64t);
    let other = f.b.binary(BinOp::Sub, one, taken);
    let (next_i, next_j) = (f.b.binary(BinOp::Add, i, taken), f.b.binary(BinOp::Add, j, other));
    f.comes_from(i_phi, next_i, step);
    f.comes_from(j_phi, next_j, step);
    f.b.br(head);

    // What is left of the right half is in its place already.
    f.b.at = rest;
    let k = f.b.binary(BinOp::Add, i, j);
    let (to, from) = (f.at(spare, k), f.at(base, i));
    let remain = f.b.binary(BinOp::Sub, left, i);
    let length = f.b.binary(BinOp::Mul, remain, bytes);
    f.copy(to, from, length);
    let merged = f.b.binary(BinOp::Add, left, j);
    let length = f.b.binary(BinOp::Mul, merged, bytes);
    f.copy(base, spare, length);
    f.b.br(out);

    f.b.at = out;
    f.b.effect(InstKind::Ret(None));
    let Maker { b, .. } = f;
    b.m.functions[own] = b.f;
    own
}

/// `ptr search(ptr key, ptr base, i64 n, ptr compare)`
fn search(m: &mut Module, size: u64, loc: Option<MdId>) -> FuncId {
    let mut f = Maker::new(m, "__adj_bsearch", size, 4, true, loc);
    let [key, base, n, compare] = [0, 1, 2, 3].map(|i| f.b.f.param(i));
    let entry = f.b.at;
    let [head, look, next, found, none] = ["head", "look", "next", "found", "none"].map(|name| f.b.f.add_block(name));
    let [zero, one] = [0, 1].map(|v| f.b.m.int(64, v));
    f.b.br(head);

    f.b.at = head;
    let ((low_phi, low), (high_phi, high)) = (f.phi(zero, entry), f.phi(n, entry));
    let more = f.b.icmp(IntPred::Ult, low, high);
    f.b.cond_br(more, look, none);

    f.b.at = look;
    let sum = f.b.binary(BinOp::Add, low, high);
    let middle = f.b.binary(BinOp::LShr, sum, one);
    let element = f.at(base, middle);
    let order = f.compare(compare, key, element);
    let equal_to = f.b.m.int(32, 0);
    let equal = f.b.icmp(IntPred::Eq, order, equal_to);
    f.b.cond_br(equal, found, next);

    f.b.at = next;
    let less = f.b.icmp(IntPred::Slt, order, equal_to);
    let above = f.b.binary(BinOp::Add, middle, one);
    let (low, high) = (f.b.select(less, low, above), f.b.select(less, middle, high));
    f.comes_from(low_phi, low, next);
    f.comes_from(high_phi, high, next);
    f.b.br(head);

    f.b.at = found;
    f.b.effect(InstKind::Ret(Some(element)));
    f.b.at = none;
    let null = f.b.m.zero(f.ptr);
    f.b.effect(InstKind::Ret(Some(null)));
    f.finish()
}
