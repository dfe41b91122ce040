//! The body of a function that may throw, without exceptions.

use super::carry::binary;
use super::handlers::{BEGIN, END, SEEN, TYPE_NUMBER};
use super::object::{self, Functions};
use super::types::Taken;
use super::{ENDINGS, Handler, Plan, RETHROW, THROW, handler, handlers, types, without};
use crate::base::blocks;
use crate::base::names::{GIVES_TEXT, INACTIVE, declare};
use crate::error::Diagnostic;
use crate::runtime::refuse;
use ir::exceptions::TYPE_INFO;
use ir::{
    Attr, AttrValue, Attrs, BinOp, BlockId, Call, Clause, FastMath, FuncId, Function, GepFlags, InstId, InstKind,
    IntPred, Module, Operand, TailKind,
};
use std::collections::BTreeMap;

const ALLOCATE: &str = "__cxa_allocate_exception";
const FREE: &str = "__cxa_free_exception";
/// What clang calls where an exception must not leave a function: it ends the program.
const TERMINATE: &str = "__clang_call_terminate";

/// What knows of exceptions that the unwinder carries, and would find none of ours.
const ASK_THE_RUNTIME: [&str; 6] = [
    "_ZSt17current_exceptionv",
    "_ZSt18uncaught_exceptionv",
    "_ZSt19uncaught_exceptionsv",
    "__cxa_current_exception_type",
    "__cxa_uncaught_exception",
    "__cxa_uncaught_exceptions",
];

/// One pointer for each type that is thrown, all but one of them null.
pub(super) type Exception = Vec<Operand>;

/// Where a call that was an `invoke` goes: on, or to a landing pad.
type Ways = Option<(BlockId, BlockId)>;

/// The place of an instruction.
type Place = (BlockId, usize);

/// The function in whose place `own` stands.
pub(super) fn lowered(
    m: &mut Module,
    (plan, object): (&Plan, &Functions),
    (original, own): (FuncId, FuncId),
) -> Result<Function, Diagnostic> {
    let func = m.functions[original].clone();
    let (depths, taken) = (handlers::depths(m, &func)?, handlers::taken(m, plan, &func));
    let texts = handlers::asks_for_text(m, &func);
    let mut copy = func;
    let head = &m.functions[own];
    (copy.name, copy.ret_attrs) = (head.name.clone(), head.ret_attrs.clone());
    (copy.flags, copy.clauses, copy.metadata) = (head.flags.clone(), head.clauses.clone(), head.metadata.clone());
    (copy.attrs, copy.personality) = (head.attrs.clone(), None);
    for (param, like) in copy.params.iter_mut().zip(&head.params) {
        param.attrs = like.attrs.clone();
    }
    let ptr = m.types.ptr();
    let caller = Operand::Local(copy.add_param(ptr, Attrs::default(), "thrown"));
    copy.insts.values_mut().for_each(|inst| inst.debug_records.clear());
    for inst in texts {
        if let Some(call) = copy.insts[inst].kind.as_call_mut() {
            let mark = |name: &str| Attr { name: name.to_owned(), value: AttrValue::Str(None) };
            call.fn_attrs.0.extend([INACTIVE, GIVES_TEXT].map(mark));
        }
    }
    let (handled, landed, called, pads) = (Vec::new(), Vec::new(), Vec::new(), BTreeMap::new());
    let mut body =
        Body { m, plan, object, func: copy, depths, taken, caller, handled, landed, called, pads, leave: None };
    body.prepare();
    for block in body.func.layout.clone() {
        body.lower(block);
    }
    let mut func = body.func;
    blocks::drop_unreachable(&mut func);
    Ok(func)
}

pub(super) struct Body<'a> {
    pub(super) m: &'a mut Module,
    pub(super) plan: &'a Plan,
    pub(super) object: &'a Functions,
    pub(super) func: Function,
    pub(super) depths: BTreeMap<InstId, usize>,
    pub(super) taken: BTreeMap<InstId, Vec<(usize, Taken)>>,
    /// Where the caller wants the exception that is thrown.
    pub(super) caller: Operand,
    /// Where the exceptions of running handlers are held, the outermost first.
    pub(super) handled: Vec<Exception>,
    /// Where the exception is held that the last landing pad got.
    pub(super) landed: Exception,
    /// Where functions that are called put theirs, the first of an array.
    pub(super) called: Exception,
    /// What landing pads get: phis.
    pub(super) pads: BTreeMap<BlockId, Vec<InstId>>,
    /// Where the function gives an exception to its caller, and which: phis.
    pub(super) leave: Option<(BlockId, Vec<InstId>)>,
}

/// Where instructions are put: in a block, before that instruction.
#[derive(Clone, Copy)]
pub(super) struct At {
    pub(super) block: BlockId,
    pub(super) index: usize,
    /// Has their place in the source.
    pub(super) like: InstId,
}

impl Body<'_> {
    fn lower(&mut self, block: BlockId) {
        let mut next = Some((block, 0));
        while let Some((block, index)) = next {
            let Some(inst) = self.func.blocks[block].insts.get(index).copied() else { break };
            next = self.instruction(At { block, index, like: inst });
        }
    }

    /// Lowers an instruction; gives the place of the next one, unless the block has ended.
    fn instruction(&mut self, mut at: At) -> Option<Place> {
        let inst = at.like;
        match self.func.insts[inst].kind.clone() {
            InstKind::LandingPad { cleanup, clauses } => Some(self.landing(at, cleanup, &clauses)),
            InstKind::Resume(landed) => {
                let ptr = self.m.types.ptr();
                let kind = InstKind::ExtractValue { aggregate: landed, indices: vec![0] };
                let object = self.value(&mut at, kind, ptr);
                let exception = self.exception(&mut at, object, 0..self.plan.thrown.len());
                self.unwind(at, &exception, None);
                None
            }
            InstKind::Call(call) => self.call_in_place(at, &call, None),
            InstKind::Invoke { call, normal, unwind } => {
                // A call, and the way on.
                self.func.insts[inst].kind = InstKind::Call(call.clone());
                let void = self.m.types.void();
                let onwards = blocks::like(self.m, &mut self.func, inst, InstKind::Br(normal), void);
                self.func.blocks[at.block].insts.push(onwards);
                let unwinds = self.unwinds(inst, &call);
                if !unwinds {
                    blocks::remove_pred(&mut self.func, unwind, at.block);
                }
                self.call_in_place(at, &call, unwinds.then_some((normal, unwind)))
            }
            _ => Some((at.block, at.index + 1)),
        }
    }

    /// May an exception come out of a call?
    fn unwinds(&self, inst: InstId, call: &Call) -> bool {
        let Some(callee) = self.m.as_function(call.callee) else { return !self.plan.candidates(call).is_empty() };
        let thrown_again = || self.m.functions[callee].name == RETHROW && self.depths.contains_key(&inst);
        let thrown = || !self.plan.thrown_by(self.m, &self.func, call).is_empty();
        self.plan.lowered.contains_key(&callee) || thrown() || thrown_again()
    }

    /// Lowers a call; of what was an `invoke` it is known where it goes.
    fn call_in_place(&mut self, mut at: At, call: &Call, ways: Ways) -> Option<Place> {
        let next = Some((at.block, at.index + 1));
        let Some(callee) = self.m.as_function(call.callee) else {
            let candidates = self.plan.candidates(call);
            return if candidates.is_empty() { next } else { self.throwing_pointer(at, call, candidates, ways) };
        };
        if let Some(lowered) = self.plan.lowered.get(&callee).copied() {
            self.no_exception(&mut at);
            let call = self.throwing(call, lowered);
            self.func.insts[at.like].kind = InstKind::Call(Box::new(call));
            self.func.insts[at.like].metadata.clear();
            return self.behind(At { index: at.index + 1, ..at }, ways);
        }
        let thrown = self.plan.thrown_by(self.m, &self.func, call);
        if !thrown.is_empty() {
            let exception = self.thrown(&mut at, call, &thrown);
            self.gone(at, &exception, ways);
            return None;
        }
        let name = self.m.functions[callee].name.clone();
        if ASK_THE_RUNTIME.contains(&name.as_str()) {
            let refusal = refuse::refusal(self.m, "what asks for the exceptions of a thread is not differentiated\n");
            self.effect(&mut at, refusal);
            return Some((at.block, at.index + 1));
        }
        let depth = self.depths.get(&at.like).copied();
        let value = match (name.as_str(), depth) {
            (ALLOCATE, _) => Some(self.allocated(&mut at, call.args[0])),
            (FREE, _) => self.call(&mut at, self.object.free, call.args.clone()),
            (BEGIN, Some(depth)) => Some(self.begun(&mut at, call.args[0], Some(depth))),
            (SEEN, _) => Some(self.begun(&mut at, call.args[0], None)),
            (END, Some(depth)) => {
                let slots = self.handled[depth - 1].clone();
                let exception = self.load(&mut at, &slots);
                for (pointer, end) in exception.into_iter().zip(&self.object.end) {
                    self.call(&mut at, *end, vec![pointer]);
                }
                None
            }
            (RETHROW, Some(depth)) => {
                let slots = self.handled[depth - 1].clone();
                let exception = self.load(&mut at, &slots);
                for pointer in &exception {
                    self.call(&mut at, self.object.again, vec![*pointer]);
                }
                self.gone(at, &exception, ways);
                return None;
            }
            (TERMINATE, _) => {
                let void = self.m.types.void();
                let terminate = declare(self.m, "_ZSt9terminatev", void, &[]);
                self.call(&mut at, terminate, Vec::new())
            }
            (name, _) if name.starts_with(TYPE_NUMBER) => {
                let number = types::type_name(self.m, call.args[0]).map_or(0, |name| self.plan.number_handled(&name));
                Some(self.m.int(32, u128::from(number)))
            }
            _ => return next,
        };
        let inst = self.func.blocks[at.block].insts.remove(at.index);
        if let (Some(old), Some(new)) = (self.func.insts[inst].result, value) {
            blocks::replace_uses(&mut self.func, old, new);
        }
        Some((at.block, at.index))
    }

    /// What a call throws.
    fn thrown(&mut self, at: &mut At, call: &Call, thrown: &[(usize, String)]) -> Exception {
        let is_ours = self.m.as_function(call.callee).is_some_and(|f| self.m.functions[f].name == THROW);
        let null = self.null();
        let object = match is_ours {
            true => call.args[0],
            false => self.made_by_library(at, call, &thrown[0].1),
        };
        if self.plan.rethrows {
            self.call(at, self.object.make, vec![object]);
        }
        let mut exception = vec![null; self.plan.thrown.len()];
        for (index, name) in thrown {
            let info = self.m.global(&format!("{TYPE_INFO}{name}")).filter(|_| thrown.len() > 1);
            exception[*index] = match info.map(|global| self.m.global_address(global)) {
                None => object,
                Some(info) => {
                    let is_it = self.compare(at, IntPred::Eq, call.args[1], info);
                    self.select(at, is_it, object, null)
                }
            };
        }
        exception
    }

    /// What a handler sees that is there, or begins as the innermost of so many.
    fn begun(&mut self, at: &mut At, object: Operand, begins: Option<usize>) -> Operand {
        let ways = self.taken.get(&at.like).cloned().unwrap_or_default();
        let exception = self.exception(at, object, ways.iter().map(|(index, _)| *index));
        if let Some(depth) = begins {
            let slots = self.handled[depth].clone();
            self.store(at, &exception, &slots);
            for (index, _) in ways.iter().filter(|_| self.plan.rethrows) {
                self.call(at, self.object.begin, vec![exception[*index]]);
            }
        }
        self.seen(at, &exception, &ways)
    }

    /// An exception is thrown in place of the instruction; nothing behind it is executed.
    fn gone(&mut self, at: At, exception: &[Operand], ways: Ways) {
        for next in self.func.successors(at.block) {
            blocks::remove_pred(&mut self.func, next, at.block);
        }
        self.unwind(at, exception, ways.map(|(_, unwind)| unwind));
    }

    /// No exception has come out of a call so far.
    fn no_exception(&mut self, at: &mut At) {
        let none = vec![self.null(); self.plan.thrown.len()];
        let slots = self.called.clone();
        self.store(at, &none, &slots);
    }

    /// A call of the function that stands for one that may throw.
    fn throwing(&mut self, call: &Call, lowered: FuncId) -> Call {
        let mut new = call.clone();
        new.callee = self.m.function_address(lowered);
        new.fn_ty = refuse::function_type(self.m, lowered);
        (new.tail, new.ret_attrs) = (TailKind::None, Attrs::default());
        new.fn_attrs = without(&new.fn_attrs, &ENDINGS);
        for attrs in &mut new.arg_attrs {
            *attrs = without(attrs, &["returned"]);
        }
        let last = self.m.functions[lowered].params.len() - 1;
        new.args.insert(last, self.called[0]);
        new.arg_attrs.insert(last, Attrs::default());
        new
    }

    /// What follows a call out of which an exception may come.
    fn behind(&mut self, mut at: At, ways: Ways) -> Option<Place> {
        let slots = self.called.clone();
        let exception = self.load(&mut at, &slots);
        let (onwards, next) = match ways {
            Some((normal, _)) => {
                self.func.blocks[at.block].insts.truncate(at.index);
                (normal, None)
            }
            None => {
                let rest = blocks::split(&mut self.func, at.block, at.index, "returned");
                (rest, Some((rest, 0)))
            }
        };
        let is_thrown = self.is_some(&mut at, &exception);
        let to = self.unwound(at, &exception, ways.map(|(_, unwind)| unwind));
        self.effect(&mut at, InstKind::CondBr { cond: is_thrown, then_to: to, else_to: onwards });
        next
    }

    /// A call through a pointer that may lead to functions that throw: these are called by what stands for them.
    fn throwing_pointer(
        &mut self,
        at: At,
        call: &Call,
        candidates: Vec<(FuncId, FuncId)>,
        ways: Ways,
    ) -> Option<Place> {
        let (inst, ret, void) = (at.like, self.func.insts[at.like].ty, self.m.types.void());
        // The call goes to blocks of their own, and its result comes from there.
        let rest = blocks::split(&mut self.func, at.block, at.index, "called");
        if let Some((_, unwind)) = ways {
            blocks::rename_pred(&mut self.func, unwind, at.block, rest);
        }
        let mut here = at;
        self.no_exception(&mut here);
        let mut incoming = Vec::new();
        for (function, lowered) in candidates {
            let address = self.m.function_address(function);
            let is_it = self.compare(&mut here, IntPred::Eq, call.callee, address);
            let [it, other] = ["function", "other"].map(|name| self.func.add_block(name));
            self.effect(&mut here, InstKind::CondBr { cond: is_it, then_to: it, else_to: other });
            let mut there = At { block: it, index: 0, like: inst };
            let direct = self.throwing(call, lowered);
            incoming.push((self.put(&mut there, InstKind::Call(Box::new(direct)), ret), it));
            self.effect(&mut there, InstKind::Br(rest));
            here = At { block: other, index: 0, like: inst };
        }
        incoming.push((self.put(&mut here, InstKind::Call(Box::new(call.clone())), ret), here.block));
        self.effect(&mut here, InstKind::Br(rest));
        let mut join = At { block: rest, index: 1, like: inst };
        if ret == void {
            self.func.blocks[rest].insts.remove(0);
            join.index = 0;
        } else {
            let incoming = incoming.into_iter().map(|(call, from)| (self.result(call), from)).collect();
            self.func.insts[inst].kind = InstKind::Phi { fast: FastMath::default(), incoming };
            self.func.insts[inst].metadata.clear();
        }
        self.behind(join, ways)
    }

    /// Memory for an exception of that size: a block of its own wherever one is made, so that the analyses tell what is
    /// thrown here from what is thrown there.
    fn allocated(&mut self, at: &mut At, size: Operand) -> Operand {
        let (ptr, i64t, i8t) = (self.m.types.ptr(), self.m.types.int(64), self.m.types.int(8));
        let malloc = declare(self.m, "malloc", ptr, &[i64t]);
        let header = self.m.int(64, u128::from(object::HEADER));
        let bytes = match self.m.as_int(size) {
            Some(size) => self.m.int(64, size + u128::from(object::HEADER)),
            None => self.value(at, binary(BinOp::Add, size, header), i64t),
        };
        let block = self.call(at, malloc, vec![bytes]).unwrap_or(bytes);
        let kind = InstKind::Gep { elem_ty: i8t, flags: GepFlags::default(), base: block, indices: vec![header] };
        self.value(at, kind, ptr)
    }

    /// What a function of the library throws: an object of a standard class with a text.
    fn made_by_library(&mut self, at: &mut At, call: &Call, class: &str) -> Operand {
        const LONGEST: u128 = 512;
        let (ptr, void, i64t, i32t) =
            (self.m.types.ptr(), self.m.types.void(), self.m.types.int(64), self.m.types.int(32));
        let mut text = call.args[0];
        if call.args.len() > 1 {
            let (i8t, snprintf) = (self.m.types.int(8), self.m.function("snprintf"));
            let snprintf = snprintf.unwrap_or_else(|| {
                let id = declare(self.m, "snprintf", i32t, &[ptr, i64t, ptr]);
                self.m.functions[id].vararg = true;
                id
            });
            let elem_ty = self.m.types.array(LONGEST as u64, i8t);
            let kind = InstKind::Alloca { elem_ty, count: None, align: 1, addr_space: 0, inalloca: false };
            // Once for each call of the function, however often that is thrown.
            let entry = self.func.entry();
            let mut first = At { block: entry, index: 0, like: at.like };
            let written = self.value(&mut first, kind, ptr);
            at.index += usize::from(at.block == entry);
            let mut args = vec![written, self.m.int(64, LONGEST), text];
            args.extend(&call.args[1..]);
            self.call(at, snprintf, args);
            text = written;
        }
        let size = self.m.int(64, 16);
        let object = self.allocated(at, size);
        let constructor = declare(self.m, &format!("_ZN{class}C1EPKc"), void, &[ptr, ptr]);
        self.call(at, constructor, vec![object, text]);
        object
    }

    /// What a landing pad gives: the exception, and the number of the first of its types that takes it.
    fn landing(&mut self, mut at: At, cleanup: bool, clauses: &[Clause]) -> Place {
        let inst = at.like;
        let pair = self.func.insts[inst].ty;
        let Some(phis) = self.pads.get(&at.block).cloned() else { return (at.block, at.index + 1) };
        let exception: Exception = phis.iter().map(|phi| self.result(*phi)).collect();
        let slots = self.landed.clone();
        self.store(&mut at, &exception, &slots);
        let handlers: Vec<Handler> = clauses.iter().map(|clause| handler(self.m, clause)).collect();
        let takes_all = handlers.iter().any(|h| matches!(h, Handler::All));
        let mut selector = self.m.int(32, 0);
        for handler in handlers.iter().rev() {
            let Handler::Of(name) = handler else { continue };
            let own = self.m.int(32, u128::from(self.plan.number_handled(name)));
            let taken = self.plan.taken_by(self.m, name);
            if taken.len() == self.plan.thrown.len() {
                selector = own;
                continue;
            }
            for (index, _) in taken {
                let is_it = self.is_some(&mut at, &exception[index..=index]);
                selector = self.select(&mut at, is_it, own, selector);
            }
        }
        let (none, object) = (self.m.zero(pair), self.object(&mut at, &exception));
        let kind = InstKind::InsertValue { aggregate: none, value: object, indices: vec![0] };
        let landed = self.value(&mut at, kind, pair);
        self.func.insts[inst].kind = InstKind::InsertValue { aggregate: landed, value: selector, indices: vec![1] };
        at.index += 1;
        if cleanup || takes_all {
            return (at.block, at.index);
        }
        let rest = blocks::split(&mut self.func, at.block, at.index, "landed");
        let zero = self.m.int(32, 0);
        let is_taken = self.compare(&mut at, IntPred::Ne, selector, zero);
        let onwards = self.unwound(at, &exception, None);
        self.effect(&mut at, InstKind::CondBr { cond: is_taken, then_to: rest, else_to: onwards });
        (rest, 0)
    }
}
