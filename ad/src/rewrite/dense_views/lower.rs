//! Accesses to such memory in one function, written as calls.

use super::sink::sink;
use super::{Accessors, Made, accessors, by_elements, is_dense, misuse, structure, unsupported};
use crate::base::builder::plain_call;
use crate::base::{blocks, names};
use crate::error::Diagnostic;
use crate::normalise::promote::promote;
use crate::request::outcome::{Dense, DenseShadow};
use ir::attr::Attrs;
use ir::cfg::Cfg;
use ir::hash::{HashMap, HashSet};
use ir::{
    BinOp, BlockId, Call, CastOp, FastMath, FuncId, Function, InstId, InstKind, IntFlags, IntPred, MdOperand, Module,
    Operand, Type, TypeId, ValueId,
};
use std::rc::Rc;

/// Where pointers come from.
struct Root {
    accessors: Accessors,
    /// The further arguments.
    extra: Vec<Operand>,
    /// Counted from one, for each function.
    number: usize,
}

/// What a pointer is: so many bytes behind the beginning.
#[derive(Clone)]
struct View {
    root: Rc<Root>,
    offset: Operand,
}

/// A function being lowered. The function is apart from the module.
pub(super) struct Lowering<'a> {
    m: &'a mut Module,
    made: &'a mut Made,
    func: &'a mut Function,
    views: HashMap<ValueId, View>,
    /// Phis of pointers, and the phis of their offsets.
    phis: Vec<(InstId, InstId)>,
    /// What was stored, by the call that stores it.
    stores: Vec<(InstId, Accessors)>,
    /// Calls of copies, and what they called.
    changed: Vec<(InstId, FuncId, Dense)>,
    out: Vec<InstId>,
}

impl<'a> Lowering<'a> {
    /// To lower a function whose parameters of these numbers are such pointers; they become offsets.
    pub fn new(
        m: &'a mut Module,
        made: &'a mut Made,
        func: &'a mut Function,
        params: Vec<(usize, Accessors)>,
    ) -> Result<Self, Diagnostic> {
        let i64t = m.types.int(64);
        let mut views = HashMap::default();
        for (n, accessors) in params {
            let extra = accessors.extra.iter().map(|ty| Operand::Local(func.add_param(*ty, Attrs::default(), "")));
            let root = Rc::new(Root { extra: extra.collect(), accessors, number: views.len() + 1 });
            let value = func.params[n].value;
            func.params[n].ty = i64t;
            func.params[n].attrs = Attrs::default();
            func.values[value].ty = i64t;
            views.insert(value, View { root, offset: Operand::Local(value) });
        }
        Ok(Lowering {
            m,
            made,
            func,
            views,
            phis: Vec::new(),
            stores: Vec::new(),
            changed: Vec::new(),
            out: Vec::new(),
        })
    }

    /// Lowers the function. Returned are the calls that get such pointers.
    pub fn run(mut self) -> Result<Vec<(InstId, FuncId, Dense)>, Diagnostic> {
        let order = Cfg::new(self.func).rpo().to_vec();
        for block in order {
            self.out = Vec::new();
            for inst in self.func.blocks[block].insts.clone() {
                self.instruction(inst)?;
            }
            let insts = std::mem::take(&mut self.out);
            self.func.blocks[block].insts = insts;
        }
        self.close_phis()?;
        self.forget();
        structure::tell(self.m, &mut self.made.structural, self.func, &self.stores);
        Ok(self.changed)
    }

    /// Debug information that speaks of what is gone goes, too.
    fn forget(&mut self) {
        blocks::drop_unreachable(self.func);
        let params = self.func.params.iter().map(|param| param.value);
        let results = self.func.inst_order().filter_map(|(_, inst)| self.func.insts[inst].result);
        let there: HashSet<ValueId> = params.chain(results).collect();
        let is_gone = |operand: &MdOperand| match operand {
            MdOperand::Local(operand) => operand.local().is_some_and(|value| !there.contains(&value)),
            _ => false,
        };
        for inst in self.func.insts.values_mut() {
            inst.debug_records.retain(|record| !record.operands.iter().any(is_gone));
        }
    }

    fn view(&self, operand: Operand) -> Option<View> {
        self.views.get(&operand.local()?).cloned()
    }

    fn instruction(&mut self, inst: InstId) -> Result<(), Diagnostic> {
        let kind = self.func.insts[inst].kind.clone();
        match &kind {
            InstKind::Call(call) | InstKind::Invoke { call, .. } if is_dense(self.m, call) => {
                let (accessors, extra) = accessors(self.m, self.func, inst, call)?;
                let root = Root { accessors, extra, number: self.views.len() + 1 };
                let view = View { root: Rc::new(root), offset: self.m.int(64, 0) };
                self.becomes(inst, view);
                if let InstKind::Invoke { normal, unwind, .. } = kind {
                    self.goes_on(inst, normal, unwind);
                }
                return Ok(());
            }
            InstKind::Phi { incoming, .. } => return self.phi(inst, incoming),
            _ if kind.operands().iter().all(|operand| self.view(*operand).is_none()) => {
                self.out.push(inst);
                return Ok(());
            }
            InstKind::Gep { elem_ty, base, indices, .. } => {
                if let Some(view) = self.view(*base)
                    && let Some(offset) = self.gep(inst, (*elem_ty, indices), view.offset)
                {
                    self.becomes(inst, View { offset, ..view });
                    return Ok(());
                }
            }
            InstKind::Cast { op: CastOp::BitCast, value, .. } | InstKind::Freeze(value) => {
                if let Some(view) = self.view(*value) {
                    self.becomes(inst, view);
                    return Ok(());
                }
            }
            InstKind::Select { cond, if_true, if_false, .. } => {
                if let (Some(a), Some(b)) = (self.view(*if_true), self.view(*if_false))
                    && Rc::ptr_eq(&a.root, &b.root)
                {
                    let i64t = self.m.types.int(64);
                    let fast = FastMath::default();
                    let choice = InstKind::Select { fast, cond: *cond, if_true: a.offset, if_false: b.offset };
                    let offset = self.push(inst, choice, i64t);
                    self.becomes(inst, View { offset, ..a });
                    return Ok(());
                }
            }
            InstKind::ICmp { pred, lhs, rhs } => {
                self.func.insts[inst].kind = self.compared(*pred, *lhs, *rhs);
                self.out.push(inst);
                return Ok(());
            }
            InstKind::Load { ptr, atomic: None, .. } => {
                if let Some(view) = self.view(*ptr) {
                    return self.load(inst, &view);
                }
            }
            InstKind::Store { value, ptr, atomic: None, .. } => {
                if let (Some(view), None) = (self.view(*ptr), self.view(*value)) {
                    return self.store(inst, *value, &view);
                }
            }
            InstKind::Call(call) | InstKind::Invoke { call, .. } => return self.call(inst, call),
            _ => {}
        }
        let message = "what this does with a pointer of `__enzyme_todense` cannot be followed: it is to be used for \
                       plain loads and stores, in functions that get it as an argument";
        Err(unsupported(self.m, self.func, inst, message.to_owned()))
    }

    /// The instruction made a pointer, and is gone.
    fn becomes(&mut self, inst: InstId, view: View) {
        if let Some(result) = self.func.insts[inst].result {
            self.views.insert(result, view);
        }
    }

    /// A call that might have thrown is gone.
    fn goes_on(&mut self, inst: InstId, normal: BlockId, unwind: BlockId) {
        let block = self.func.layout.iter().copied().find(|b| self.func.blocks[*b].insts.contains(&inst));
        if let Some(block) = block {
            blocks::remove_pred(self.func, unwind, block);
        }
        let void = self.m.types.void();
        let br = blocks::like(self.m, self.func, inst, InstKind::Br(normal), void);
        self.out.push(br);
    }

    /// A phi is one of such pointers if what comes in from a block that was visited before is one.
    fn phi(&mut self, inst: InstId, incoming: &[(Operand, BlockId)]) -> Result<(), Diagnostic> {
        let Some(view) = incoming.iter().find_map(|(value, _)| self.view(*value)) else {
            self.out.push(inst);
            return Ok(());
        };
        let i64t = self.m.types.int(64);
        let phi = blocks::like(
            self.m,
            self.func,
            inst,
            InstKind::Phi { fast: FastMath::default(), incoming: Vec::new() },
            i64t,
        );
        self.out.push(phi);
        self.phis.push((inst, phi));
        let offset = self.func.insts[phi].result.map_or(view.offset, Operand::Local);
        self.becomes(inst, View { offset, ..view });
        Ok(())
    }

    /// Fills the phis of offsets.
    fn close_phis(&mut self) -> Result<(), Diagnostic> {
        for (old, new) in std::mem::take(&mut self.phis) {
            let InstKind::Phi { incoming, .. } = self.func.insts[old].kind.clone() else { continue };
            let own = self.func.insts[old].result.and_then(|result| self.views.get(&result).cloned());
            let mut offsets = Vec::new();
            for (value, block) in incoming {
                let view = self.view(value);
                let same = view.filter(|view| own.as_ref().is_some_and(|own| Rc::ptr_eq(&own.root, &view.root)));
                let Some(view) = same else {
                    let message = "a pointer of `__enzyme_todense` and another one meet here: which of them it is has \
                                   to be known";
                    return Err(unsupported(self.m, self.func, old, message.to_owned()));
                };
                offsets.push((view.offset, block));
            }
            if let InstKind::Phi { incoming, .. } = &mut self.func.insts[new].kind {
                *incoming = offsets;
            }
        }
        Ok(())
    }

    fn push(&mut self, near: InstId, kind: InstKind, ty: TypeId) -> Operand {
        let id = blocks::like(self.m, self.func, near, kind, ty);
        self.out.push(id);
        // What is pushed gives something.
        Operand::Local(self.func.insts[id].result.unwrap_or_else(|| unreachable!("an instruction without a result")))
    }

    fn binary(&mut self, near: InstId, op: BinOp, lhs: Operand, rhs: Operand) -> Operand {
        let ty = self.m.operand_ty(self.func, lhs);
        let kind = InstKind::Binary { op, flags: IntFlags::default(), fast: FastMath::default(), lhs, rhs };
        self.push(near, kind, ty)
    }

    /// An integer of another width, with its sign.
    fn widened(&mut self, near: InstId, value: Operand, to: TypeId) -> Operand {
        let from = self.m.operand_ty(self.func, value);
        let bits = |ty| if let Type::Int(bits) = self.m.types.get(ty) { *bits } else { 0 };
        let op = if bits(from) < bits(to) { CastOp::SExt } else { CastOp::Trunc };
        if from == to { value } else { self.push(near, blocks::cast(op, value), to) }
    }

    fn gep(&mut self, near: InstId, (elem_ty, indices): (TypeId, &[Operand]), base: Operand) -> Option<Operand> {
        let by = ir::gep::offset(self.m, elem_ty, indices)?;
        let i64t = self.m.types.int(64);
        if by.scaled.iter().any(|(index, _)| !self.m.types.is_int(self.m.operand_ty(self.func, *index))) {
            return None;
        }
        let mut offset = base;
        for (index, scale) in by.scaled {
            let index = match self.m.as_int(index) {
                Some(value) => {
                    let value = ir::gep::signed(self.m, index, value);
                    self.m.int(64, u128::from(value.wrapping_mul(scale as i64) as u64))
                }
                None => {
                    let (index, scale) = (self.widened(near, index, i64t), self.m.int(64, u128::from(scale)));
                    self.binary(near, BinOp::Mul, index, scale)
                }
            };
            offset = self.binary(near, BinOp::Add, offset, index);
        }
        let bytes = self.m.int(64, u128::from(by.bytes));
        Some(if by.bytes == 0 { offset } else { self.binary(near, BinOp::Add, offset, bytes) })
    }

    /// Such memory overlaps with no other: it lies behind all of it, in the order in which it was made.
    fn compared(&mut self, pred: IntPred, lhs: Operand, rhs: Operand) -> InstKind {
        let (a, b) = (self.view(lhs), self.view(rhs));
        if let (Some(a), Some(b)) = (&a, &b)
            && Rc::ptr_eq(&a.root, &b.root)
        {
            return InstKind::ICmp { pred, lhs: a.offset, rhs: b.offset };
        }
        let [lhs, rhs] = [a, b].map(|view| {
            let number = view.map_or(0, |view| view.root.number);
            self.m.int(64, number as u128)
        });
        InstKind::ICmp { pred, lhs, rhs }
    }

    /// The type of the numbers in it: what the function that loads gives.
    fn element(&self, view: &View) -> TypeId {
        self.m.functions[view.root.accessors.load].ret
    }

    /// How many numbers an access of this type is, if it is one of these.
    fn count(&self, ty: TypeId, element: TypeId) -> Option<u32> {
        match *self.m.types.get(ty) {
            _ if ty == element => Some(1),
            Type::Vector { len, elem } if elem == element => Some(len),
            Type::Int(_) if self.m.size_of(ty) == self.m.size_of(element) => Some(1),
            _ => None,
        }
    }

    /// A call of one of the two functions, which may take fewer arguments than there are.
    fn access(
        &mut self,
        near: InstId,
        function: FuncId,
        mut args: Vec<Operand>,
        extra: &[Operand],
    ) -> Result<InstKind, Diagnostic> {
        args.extend(extra);
        let f = &self.m.functions[function];
        let (ret, cc, params): (TypeId, String, Vec<TypeId>) =
            (f.ret, f.cc.clone(), f.params.iter().map(|p| p.ty).collect());
        args.truncate(params.len());
        for (n, ty) in params.iter().enumerate() {
            let given = self.m.operand_ty(self.func, args[n]);
            if given != *ty && self.m.types.is_int(given) && self.m.types.is_int(*ty) {
                args[n] = self.widened(near, args[n], *ty);
            } else if given != *ty {
                let (name, n) = (&self.m.functions[function].name, n + 1);
                let message = format!("what `{name}` would get here for its parameter {n} is of another type");
                return Err(misuse(self.m, self.func, near, message));
            }
        }
        let (callee, fn_ty) = (self.m.function_address(function), self.m.types.func(ret, params));
        Ok(InstKind::Call(Box::new(plain_call(callee, fn_ty, args, cc))))
    }

    /// Each number of an access at its offset.
    fn at(&mut self, near: InstId, view: &View, lane: u32, element: TypeId) -> Operand {
        let by = u128::from(lane) * u128::from(self.m.size_of(element));
        let by = self.m.int(64, by);
        if lane == 0 { view.offset } else { self.binary(near, BinOp::Add, view.offset, by) }
    }

    fn load(&mut self, inst: InstId, view: &View) -> Result<(), Diagnostic> {
        let (ty, element) = (self.func.insts[inst].ty, self.element(view));
        let count = self.counted(inst, ty, element)?;
        let mut whole = (count > 1).then(|| self.m.constant(ty, ir::ConstKind::Poison));
        for lane in 0..count {
            let at = self.at(inst, view, lane, element);
            let call = self.access(inst, view.root.accessors.load, vec![at], &view.root.extra)?;
            let is_last = lane + 1 == count;
            let kind = match whole {
                None if ty == element => call,
                None => blocks::bitcast(self.push(inst, call, element)),
                Some(vector) => {
                    let (value, index) = (self.push(inst, call, element), self.m.int(32, u128::from(lane)));
                    InstKind::InsertElement { vector, value, index }
                }
            };
            if is_last {
                self.put(inst, kind);
            } else {
                whole = Some(self.push(inst, kind, ty));
            }
        }
        Ok(())
    }

    fn counted(&self, inst: InstId, ty: TypeId, element: TypeId) -> Result<u32, Diagnostic> {
        self.count(ty, element).ok_or_else(|| {
            let message = "memory of `__enzyme_todense` is accessed as numbers of the type that its function loads";
            unsupported(self.m, self.func, inst, message.to_owned())
        })
    }

    /// Another instruction in the place of this one.
    fn put(&mut self, inst: InstId, kind: InstKind) {
        self.func.insts[inst].kind = kind;
        self.func.insts[inst].metadata.clear();
        self.out.push(inst);
    }

    fn store(&mut self, inst: InstId, value: Operand, view: &View) -> Result<(), Diagnostic> {
        let (ty, element, void) = (self.m.operand_ty(self.func, value), self.element(view), self.m.types.void());
        let count = self.counted(inst, ty, element)?;
        for lane in 0..count {
            let value = match count {
                1 if ty == element => value,
                1 => self.push(inst, blocks::bitcast(value), element),
                _ => {
                    let index = self.m.int(32, u128::from(lane));
                    self.push(inst, InstKind::ExtractElement { vector: value, index }, element)
                }
            };
            let at = self.at(inst, view, lane, element);
            let call = self.access(inst, view.root.accessors.store, vec![value, at], &view.root.extra)?;
            let call = blocks::like(self.m, self.func, inst, call, void);
            self.func.insts[call].origin = self.func.insts[inst].origin;
            self.stores.push((call, view.root.accessors.clone()));
            self.out.push(call);
        }
        Ok(())
    }

    fn call(&mut self, inst: InstId, call: &Call) -> Result<(), Diagnostic> {
        let views: Vec<Option<View>> = call.args.iter().map(|arg| self.view(*arg)).collect();
        let callee = self.m.as_function(call.callee).filter(|f| !self.m.functions[*f].vararg);
        let Some(callee) = callee else {
            let message = "a pointer of `__enzyme_todense` is passed to what is not known here";
            return Err(unsupported(self.m, self.func, inst, message.to_owned()));
        };
        let f = &self.m.functions[callee];
        let copies = ["llvm.memcpy", "llvm.memmove"].iter().any(|start| f.name.starts_with(start));
        if f.is_declaration() {
            if ["llvm.lifetime", "llvm.assume", "llvm.experimental.noalias"].iter().any(|s| f.name.starts_with(s)) {
                return Ok(());
            }
            let clears =
                f.name.starts_with("llvm.memset") && call.args.get(1).and_then(|v| self.m.as_int(*v)) == Some(0);
            if !copies && !clears {
                let message =
                    format!("a pointer of `__enzyme_todense` is passed to `{}`, which has no body here", f.name);
                return Err(unsupported(self.m, self.func, inst, message));
            }
            let element = views.iter().flatten().next().map(|view| self.element(view));
            let Some(element) = element.filter(|ty| self.m.types.float_kind(*ty).is_some()) else { return Ok(()) };
            let helper = by_elements(self.m, element, copies);
            let args = if copies { vec![0, 1, 2] } else { vec![0, 2] };
            let views = args.iter().map(|n| views[*n].clone()).collect();
            let args = args.iter().map(|n| call.args[*n]).collect();
            let plain = Call::plain(call.callee, call.fn_ty, args);
            return self.call_copy(inst, (helper, plain), views);
        }
        self.call_copy(inst, (callee, call.clone()), views)
    }

    /// A call of the function that is made for such arguments.
    fn call_copy(
        &mut self,
        inst: InstId,
        (callee, mut made): (FuncId, Call),
        views: Vec<Option<View>>,
    ) -> Result<(), Diagnostic> {
        let (mut params, mut shadows) = (Vec::new(), Vec::new());
        for (n, view) in views.iter().enumerate() {
            let Some(view) = view else { continue };
            params.push((n, view.root.accessors.clone()));
            let Accessors { load, ref extra, .. } = view.root.accessors;
            shadows.push(DenseShadow { param: n, load, extra: extra.len() });
            made.args[n] = view.offset;
            if let Some(attrs) = made.arg_attrs.get_mut(n) {
                *attrs = Attrs::default();
            }
        }
        for view in views.iter().flatten() {
            made.args.extend(&view.root.extra);
        }
        made.arg_attrs.resize(made.args.len(), Attrs::default());
        // The functions behind such memory may access any other.
        made.fn_attrs.0.retain(|attr| attr.name != "memory");
        made.tail = ir::inst::TailKind::None;
        let copy = copy(self.m, self.made, callee, params)?;
        let f = &self.m.functions[copy];
        let (ret, types) = (f.ret, f.params.iter().map(|p| p.ty).collect());
        let (address, fn_ty) = (self.m.function_address(copy), self.m.types.func(ret, types));
        (made.callee, made.fn_ty) = (address, fn_ty);
        let made = Box::new(made);
        let kind = match self.func.insts[inst].kind {
            InstKind::Invoke { normal, unwind, .. } => InstKind::Invoke { call: made, normal, unwind },
            _ => InstKind::Call(made),
        };
        self.put(inst, kind);
        self.changed.push((inst, callee, Dense { called: copy, shadows }));
        Ok(())
    }
}

/// The copy of a function whose parameters of these numbers are such pointers.
fn copy(m: &mut Module, made: &mut Made, id: FuncId, params: Vec<(usize, Accessors)>) -> Result<FuncId, Diagnostic> {
    let key = (id, params.clone());
    if let Some(known) = made.copies.get(&key) {
        return Ok(*known);
    }
    let name = format!("{}.dense", m.functions[id].name);
    let mut func = names::copied(m, &m.functions[id], &name);
    // What memory this one accesses is another matter.
    func.attrs.0.retain(|attr| attr.name != "memory");
    blocks::drop_unreachable(&mut func);
    promote(m, &mut func);
    let roots: Vec<ValueId> = params.iter().map(|(n, _)| func.params[*n].value).collect();
    sink(m, &mut func, &roots);
    let mut signature = func.clone();
    signature.layout.clear();
    let i64t = m.types.int(64);
    for (n, accessors) in &params {
        signature.params[*n].ty = i64t;
        for ty in &accessors.extra {
            signature.add_param(*ty, Attrs::default(), "");
        }
    }
    let new = m.functions.push(signature);
    made.copies.insert(key, new);
    let changed = Lowering::new(m, made, &mut func, params)?.run()?;
    m.functions[new] = func;
    made.add(new, changed);
    Ok(new)
}
