//! Numbers that lanes of a warp hand to each other.
//!
//! Each lane gets the value of another one, or its own (PTX ISA, `shfl.sync`). Which one it is, the same operation
//! tells of the numbers of the lanes. The reverse of getting is giving: a lane gets the adjoints of all those that
//! got its value. So a shuffle becomes a function with a gradient and a tangent of its own.

use crate::base::builder::Builder;
use crate::base::names::{declare, internal};
use crate::program::{attributes, device};
use ir::{BinOp, FloatKind, FuncId, Function, InstKind, IntPred, Module, Operand, TypeId};

/// Lanes of a warp.
const LANES: u64 = 32;

/// Puts functions with a derivative in the place of shuffles of floats.
pub(crate) fn lower(m: &mut Module, func: &mut Function) {
    let calls: Vec<_> = func.inst_order().map(|(_, inst)| inst).collect();
    for inst in calls {
        let callee = func.insts[inst].kind.as_call().and_then(|call| m.as_function(call.callee));
        let Some(shuffle) = callee.and_then(|f| Shuffle::of(m, f)) else { continue };
        let function = shuffle.function(m);
        let address = m.function_address(function);
        if let Some(call) = func.insts[inst].kind.as_call_mut() {
            call.callee = address;
        }
    }
}

/// A shuffle of floats.
struct Shuffle {
    function: FuncId,
    /// How it chooses a lane, as it is spelled: `down`, `up`, `bfly` or `idx`.
    how: &'static str,
    kind: FloatKind,
}

impl Shuffle {
    fn of(m: &Module, function: FuncId) -> Option<Shuffle> {
        let (how, kind) = device::shuffle(&m.functions[function].name)?;
        (m.functions[function].params.len() == 4).then_some(Shuffle { function, how, kind })
    }

    fn ty(&self, m: &mut Module) -> TypeId {
        m.types.float(self.kind)
    }

    /// `T (i32 mask, T value, i32 by, i32 lanes)`: the shuffle, with its derivatives.
    fn function(&self, m: &mut Module) -> FuncId {
        let (i32t, ty) = (m.types.int(32), self.ty(m));
        let name = format!("__adj_shuffle_{}_{}", self.how, self.kind.suffix());
        let f = match internal(m, &name, ty, &[i32t, ty, i32t, i32t]) {
            Ok(f) => f,
            Err(known) => return known,
        };
        let mut b = Builder::new(m, f);
        let args = (0..4).map(|i| b.f.param(i)).collect();
        let result = b.call(self.function, args);
        b.effect(InstKind::Ret(result));
        let f = b.f;
        let function = m.functions.push(f);
        let (reverse, tangent) = (self.reverse(m, &name), self.tangent(m, &name));
        attributes::give_gradient(m, function, self.function, reverse);
        attributes::give_derivative(m, function, tangent);
        function
    }

    /// `T (i32 mask, T value, T tangent, i32 by, i32 lanes)`
    fn tangent(&self, m: &mut Module, name: &str) -> FuncId {
        let (i32t, ty) = (m.types.int(32), self.ty(m));
        let f = match internal(m, &format!("{name}_tangent"), ty, &[i32t, ty, ty, i32t, i32t]) {
            Ok(f) => f,
            Err(known) => return known,
        };
        let mut b = Builder::new(m, f);
        let args = [0, 2, 3, 4].map(|i| b.f.param(i)).to_vec();
        let result = b.call(self.function, args);
        b.effect(InstKind::Ret(result));
        let f = b.f;
        m.functions.push(f)
    }

    /// `T (i32 mask, T value, i32 by, i32 lanes, T adjoint)`: the sum of the adjoints of the lanes that take this one's
    /// value. Each lane that is there is asked in turn.
    fn reverse(&self, m: &mut Module, name: &str) -> FuncId {
        let (i1, i32t, ty) = (m.types.int(1), m.types.int(32), self.ty(m));
        let f = match internal(m, &format!("{name}_reverse"), ty, &[i32t, ty, i32t, i32t, ty]) {
            Ok(f) => f,
            Err(known) => return known,
        };
        let lane = declare(m, device::LANE, i32t, &[]);
        let ballot = declare(m, device::BALLOT, i32t, &[i32t, i1]);
        let numbers = declare(m, &device::shuffle_of_numbers(self.how), i32t, &[i32t, i32t, i32t, i32t]);
        let number_of = declare(m, &device::shuffle_of_numbers("idx"), i32t, &[i32t, i32t, i32t, i32t]);
        let adjoint_of = declare(m, &device::shuffle_of_floats("idx", self.kind), ty, &[i32t, ty, i32t, i32t]);
        let mut b = Builder::new(m, f);
        let [mask, by, lanes, adjoint] = [0, 2, 3, 4].map(|i| b.f.param(i));
        let [yes, zero, one, all] = [b.m.int(1, 1), b.m.int(32, 0), b.m.int(32, 1), b.m.int(32, u128::from(LANES - 1))];
        let nothing = b.m.zero(ty);
        let number = |b: &mut Builder, f: FuncId, args: Vec<Operand>| b.call(f, args).unwrap_or(zero);
        let there = number(&mut b, ballot, vec![mask, yes]);
        let me = number(&mut b, lane, Vec::new());
        let taken_from = number(&mut b, numbers, vec![mask, me, by, lanes]);
        let entry = b.at;
        let [head, ask, next, done] = ["head", "ask", "next", "done"].map(|name| b.f.add_block(name));
        b.br(head);
        b.at = head;
        let phi = |b: &mut Builder, first: Operand, ty: TypeId| {
            let kind = InstKind::Phi { fast: Default::default(), incoming: vec![(first, entry)] };
            let id = b.push(kind, ty);
            (id, b.result(id))
        };
        let (turn, other) = phi(&mut b, zero, i32t);
        let (total, sum) = phi(&mut b, nothing, ty);
        let bit = b.binary(BinOp::LShr, there, other);
        let bit = b.binary(BinOp::And, bit, one);
        let is_there = b.icmp(IntPred::Ne, bit, zero);
        b.cond_br(is_there, ask, next);
        b.at = ask;
        let from = number(&mut b, number_of, vec![mask, taken_from, other, all]);
        let theirs = b.call(adjoint_of, vec![mask, adjoint, other, all]).unwrap_or(nothing);
        let is_mine = b.icmp(IntPred::Eq, from, me);
        let more = b.select(is_mine, theirs, nothing);
        let more = b.binary(BinOp::FAdd, sum, more);
        b.br(next);
        b.at = next;
        let kind = InstKind::Phi { fast: Default::default(), incoming: vec![(sum, head), (more, ask)] };
        let id = b.push(kind, ty);
        let so_far = b.result(id);
        let following = b.binary(BinOp::Add, other, one);
        let is_last = b.icmp(IntPred::Eq, other, all);
        b.cond_br(is_last, done, head);
        for (phi, value) in [(turn, following), (total, so_far)] {
            if let InstKind::Phi { incoming, .. } = &mut b.f.insts[phi].kind {
                incoming.push((value, next));
            }
        }
        b.at = done;
        b.effect(InstKind::Ret(Some(so_far)));
        let f = b.f;
        m.functions.push(f)
    }
}
