//! What functions that deal with messages are written with: a builder that knows the library's handles, the frame in
//! which the forward pass leaves what the reverse needs, and structured control flow.

use super::library::Handles;
use crate::base::builder::Builder;
use crate::base::names::{declare, internal};
use ir::{BinOp, CastOp, FuncId, Global, InstKind, IntPred, Module, Operand, TypeId};

/// Bytes of a place in a frame.
const PLACE: u64 = 8;

/// A function under construction.
pub(super) struct Code<'m> {
    pub b: Builder<'m>,
    pub handles: Handles,
    pub ptr: TypeId,
    pub i32t: TypeId,
    pub i64t: TypeId,
}

impl<'m> Code<'m> {
    /// A function of that name; its number, if the module has it already.
    pub fn new(m: &'m mut Module, name: &str, ret: TypeId, params: &[TypeId]) -> Result<Code<'m>, FuncId> {
        let f = internal(m, name, ret, params)?;
        let handles = Handles::of(m);
        let (ptr, i32t, i64t) = (m.types.ptr(), m.types.int(32), m.types.int(64));
        Ok(Code { b: Builder::new(m, f), handles, ptr, i32t, i64t })
    }

    /// Ends it.
    pub fn finish(mut self, result: Option<Operand>) -> FuncId {
        self.b.effect(InstKind::Ret(result));
        self.b.m.functions.push(self.b.f)
    }

    pub fn param(&self, index: usize) -> Operand {
        self.b.f.param(index)
    }

    pub fn long(&mut self, n: i64) -> Operand {
        self.b.m.int(64, n as u64 as u128)
    }

    pub fn int(&mut self, n: i32) -> Operand {
        self.b.m.int(32, n as u32 as u128)
    }

    pub fn null(&mut self) -> Operand {
        self.b.m.zero(self.ptr)
    }

    /// An integer of 32 bits as one of 64.
    pub fn widened(&mut self, n: Operand) -> Operand {
        self.b.cast(CastOp::SExt, n, self.i64t)
    }

    /// The other way.
    pub fn narrowed(&mut self, n: Operand) -> Operand {
        self.b.cast(CastOp::Trunc, n, self.i32t)
    }

    pub fn times(&mut self, a: Operand, b: Operand) -> Operand {
        self.b.binary(BinOp::Mul, a, b)
    }

    pub fn is(&mut self, a: Operand, b: Operand) -> Operand {
        self.b.icmp(IntPred::Eq, a, b)
    }

    pub fn is_not(&mut self, a: Operand, b: Operand) -> Operand {
        self.b.icmp(IntPred::Ne, a, b)
    }

    pub fn is_null(&mut self, a: Operand) -> Operand {
        let null = self.null();
        self.is(a, null)
    }

    /// Is an integer of 64 bits other than zero?
    pub fn any(&mut self, a: Operand) -> Operand {
        let zero = self.long(0);
        self.is_not(a, zero)
    }

    /// A variable on the stack.
    pub fn local(&mut self, ty: TypeId) -> Operand {
        let (align, ptr) = (self.b.align(ty).max(8), self.ptr);
        self.b.value(InstKind::Alloca { elem_ty: ty, count: None, align, addr_space: 0, inalloca: false }, ptr)
    }

    /// So many bytes on the stack.
    pub fn room(&mut self, bytes: u64) -> Operand {
        let byte = self.b.m.types.int(8);
        let ty = self.b.m.types.array(bytes, byte);
        self.local(ty)
    }

    /// Does something where a condition holds.
    pub fn when(&mut self, cond: Operand, body: impl FnOnce(&mut Self)) {
        let [then, behind] = ["then", "behind"].map(|n| self.b.f.add_block(n));
        self.b.cond_br(cond, then, behind);
        self.b.at = then;
        body(self);
        self.b.br(behind);
        self.b.at = behind;
    }

    /// Does something for each number below `count`.
    pub fn each(&mut self, count: Operand, body: impl FnOnce(&mut Self, Operand)) {
        let entry = self.b.at;
        let [head, inner, done] = ["head", "body", "done"].map(|n| self.b.f.add_block(n));
        let (zero, one) = (self.long(0), self.long(1));
        self.b.br(head);
        self.b.at = head;
        let phi = self.b.push(InstKind::Phi { fast: Default::default(), incoming: vec![(zero, entry)] }, self.i64t);
        let i = self.b.result(phi);
        let more = self.b.icmp(IntPred::Slt, i, count);
        self.b.cond_br(more, inner, done);
        self.b.at = inner;
        body(self, i);
        let next = self.b.binary(BinOp::Add, i, one);
        self.b.br(head);
        let last = self.b.at;
        if let InstKind::Phi { incoming, .. } = &mut self.b.f.insts[phi].kind {
            incoming.push((next, last));
        }
        self.b.at = done;
    }

    /// A variable of the module that holds an address, at first null.
    pub fn variable(&mut self, name: &str) -> Operand {
        let known = self.b.m.global(name);
        let global = known.unwrap_or_else(|| {
            let null = self.b.m.zero(self.ptr).constant();
            let mut global = Global::new(name, self.ptr, null);
            global.flags.linkage = "internal".to_owned();
            global.align = 8;
            self.b.m.globals.push(global)
        });
        self.b.m.global_address(global)
    }

    /// A call of a function of MPI, which returns whether all went well; declared as the arguments ask for.
    pub fn mpi(&mut self, name: &str, args: Vec<Operand>) -> Operand {
        let params: Vec<TypeId> = args.iter().map(|arg| self.b.ty(*arg)).collect();
        let f = declare(self.b.m, &format!("MPI_{name}"), self.i32t, &params);
        let failed = self.int(-1);
        self.b.call(f, args).unwrap_or(failed)
    }

    /// A call of a function of ours that returns something.
    pub fn call(&mut self, f: FuncId, args: Vec<Operand>) -> Operand {
        let null = self.null();
        self.b.call(f, args).unwrap_or(null)
    }

    /// What stands at a place of a frame.
    pub fn load(&mut self, frame: Operand, place: usize, ty: TypeId) -> Operand {
        let at = self.b.offset(frame, PLACE * place as u64);
        self.b.load(ty, at, PLACE)
    }

    pub fn store(&mut self, frame: Operand, place: usize, value: Operand) {
        let at = self.b.offset(frame, PLACE * place as u64);
        self.b.store(value, at, PLACE);
    }
}

/// How the frame of a call is laid out: its arguments, the shadows of its buffers (null where there is none), how the
/// buffers' types lay out their floats ([`super::layout`]; null for floats side by side), and what else the reverse
/// needs.
#[derive(Clone)]
pub(super) struct Frame {
    /// Types of the arguments.
    pub args: Vec<TypeId>,
    /// Number of buffers.
    pub buffers: usize,
}

impl Frame {
    /// Places for what else is needed: four for weights, lists and nodes of messages; one for the node of a collective
    /// operation; two for the rooms of its reverse.
    const MORE: usize = 7;
    /// Where the node of a collective operation is.
    pub const NODE: usize = 4;

    pub fn shadow(&self, buffer: usize) -> usize {
        self.args.len() + buffer
    }

    pub fn layout(&self, buffer: usize) -> usize {
        self.args.len() + self.buffers + buffer
    }

    pub fn more(&self, index: usize) -> usize {
        self.args.len() + 2 * self.buffers + index
    }

    pub fn bytes(&self) -> u64 {
        PLACE * self.more(Frame::MORE) as u64
    }
}
