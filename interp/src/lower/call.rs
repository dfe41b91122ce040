//! Calls: of intrinsics, of functions in the table, and all others.

use super::inst::{fast_bits, float_kind};
use super::{Lower, Lowered, attrs};
use crate::code::{Arg, CallSite, Callee, IntrinsicSite, ManyOutput, ManyPlace, ManySite, MathSite, Op, Slot, kinds};
use crate::host::{self, Host};
use crate::intrinsics::{Intrinsic, Promise};
use crate::value::Leaf;
use ir::asm::Effect;
use ir::{BinOp, Call, FloatKind, Inst, Type};
use rules::{Place, Row, Width};

/// The IR's name of a width of the table.
fn kind_of(width: Width) -> FloatKind {
    match width {
        Width::F16 => FloatKind::Half,
        Width::BF16 => FloatKind::BFloat,
        Width::F32 => FloatKind::Float,
        Width::F64 => FloatKind::Double,
        Width::F80 => FloatKind::X86Fp80,
        Width::F128 => FloatKind::Fp128,
    }
}

/// The operation of a library function of the table whose only result is one number, and its format.
pub fn table_function(name: &str) -> Option<(rules::Op, FloatKind)> {
    let found = rules::lookup_symbol(name)?;
    let single = found.row.returns_only() && matches!(found.row.outputs[0].value, rules::Value::Float { .. });
    single.then(|| (found.row.op, kind_of(found.width)))
}

/// The edges of an `invoke`, and its landing pad.
#[derive(Clone, Copy)]
pub struct Invoke {
    pub normal: u32,
    pub unwind: u32,
    pub landing: u32,
}

impl Lower<'_, '_> {
    pub(super) fn call(&mut self, call: &Call, inst: &Inst, invoke: Option<Invoke>) -> Lowered {
        let normal = invoke.map(|i| i.normal);
        let module = self.env.module;
        if let Some(func) = module.as_function(call.callee) {
            let function = &module.functions[func];
            if let Some(rest) = function.name.strip_prefix("llvm.")
                && !self.env.libraries.is_intrinsic(&function.name)
            {
                self.intrinsic(call, inst, &function.name).map_err(|e| format!("the intrinsic llvm.{rest}: {e}"))?;
                return self.then(normal);
            }
            if function.is_declaration()
                && let Some(found) = rules::lookup_symbol(&function.name)
                && self.math(call, inst, found.row, kind_of(found.width), None)?
            {
                return self.then(normal);
            }
        } else if let Some(asm) = module.as_asm(call.callee) {
            self.inline_asm(asm, call)?;
            return self.then(normal);
        }
        self.plain_call(call, inst, invoke)
    }

    /// Assembly without instructions, which moves what its constraints say.
    fn inline_asm(&mut self, asm: &ir::InlineAsm, call: &Call) -> Lowered {
        let arg = |n: usize| call.args.get(n).copied().ok_or("inline assembly with an operand that is not given");
        if asm.asks_processor() {
            // A processor that tells nothing of itself: every answer is zero.
            let (dst, a) = (self.result(), self.slot(arg(0)?)?);
            let outputs = asm.constraints.split(|c| *c == b',').filter(|c| c.first() == Some(&b'=')).count();
            for n in 0..outputs as Slot {
                self.emit(Op::IntBin { op: BinOp::Xor, dst: dst + n, a, b: a, width: 32, flags: 0 });
            }
            return Ok(());
        }
        let mut effects = asm.effects()?;
        // The parts of the result one after the other.
        effects.sort_by_key(|effect| match effect {
            Effect::Result { output, .. } => *output,
            Effect::Store { .. } | Effect::Copy { .. } | Effect::Barrier => 0,
        });
        let mut dst = self.result();
        for effect in effects {
            match effect {
                Effect::Result { from, .. } => {
                    let (value, a) = (arg(from)?, self.slot(arg(from)?)?);
                    for (i, leaf) in (0..).zip(self.leaves(value)?) {
                        self.emit(Op::Freeze { dst, a: a + i, leaf });
                        dst += 1;
                    }
                }
                Effect::Store { to, from } => self.store(arg(from)?, arg(to)?, 1)?,
                Effect::Copy { to, from } if arg(to)? == arg(from)? => {}
                Effect::Copy { .. } => return Err("inline assembly that ties two places in memory".to_owned()),
                Effect::Barrier => {}
            }
        }
        Ok(())
    }

    /// The jump of an `invoke` of something that was lowered in place.
    fn then(&mut self, normal: Option<u32>) -> Lowered {
        if let Some(edge) = normal {
            self.emit(Op::Jump { edge });
        }
        Ok(())
    }

    fn plain_call(&mut self, call: &Call, inst: &Inst, invoke: Option<Invoke>) -> Lowered {
        let module = self.env.module;
        if let Some(bundle) = call.bundles.first() {
            return Err(format!("a call with the operand bundle \"{}\"", bundle.tag));
        }
        let (callee, name) = match module.as_function(call.callee) {
            Some(func) => (Callee::Direct(func), module.functions[func].name.as_str()),
            None => (Callee::Indirect(self.slot(call.callee)?), "the function called"),
        };
        let fixed = match module.types.get(call.fn_ty) {
            Type::Func { params, .. } => params.len(),
            _ => return Err("a call without a function type".to_owned()),
        };
        let mut args = Vec::with_capacity(call.args.len());
        for (i, operand) in call.args.iter().enumerate() {
            let empty = ir::Attrs::default();
            let ty = self.ty(*operand);
            let arg_attrs = attrs::as_meant(self.env, name, call.arg_attrs.get(i).unwrap_or(&empty), ty);
            let what = || format!("argument {} of {name}", i + 1);
            args.push(Arg {
                slot: self.slot(*operand)?,
                leaves: self.leaves(*operand)?,
                checks: attrs::checks(self.env, &arg_attrs, ty, what)?,
                byval: attrs::byval(self.env, &arg_attrs),
                vector: self.is_vector(*operand),
            });
        }
        let site = CallSite {
            callee,
            ty: call.fn_ty,
            leaves: args.iter().flat_map(|a| a.leaves.iter().copied()).collect(),
            args,
            fixed,
            dst: self.result(),
            result: kinds(&*self.env.flat(inst.ty)?),
            ret_checks: attrs::result_checks(self.env, call, inst, || format!("the result of {name}"))?,
            noreturn: call.fn_attrs.has("noreturn"),
            normal: invoke.map(|i| i.normal),
            unwind: invoke.map(|i| (i.unwind, i.landing)),
            nounwind: call.fn_attrs.has("nounwind"),
        };
        self.code.calls.push(site);
        self.emit(Op::Call { site: self.code.calls.len() as u32 - 1 });
        Ok(())
    }

    fn intrinsic(&mut self, call: &Call, inst: &Inst, name: &str) -> Lowered {
        if let Some(rest) = name.strip_prefix("llvm.experimental.constrained.") {
            return self.constrained(call, inst, rest);
        }
        if let Some(kind) = Intrinsic::find(name) {
            self.known_intrinsic(call, inst, kind)?;
            if kind == Intrinsic::Assume {
                self.assumptions(call)?;
            }
            return Ok(());
        }
        if let Some(found) = rules::lookup_reduction(name) {
            return self.reduction(call, found.reduction, kind_of(found.width));
        }
        if let Some(found) = rules::lookup_intrinsic(name)
            && self.math(call, inst, found.row, kind_of(found.width), found.lanes)?
        {
            return Ok(());
        }
        Err("not supported".to_owned())
    }

    fn known_intrinsic(&mut self, call: &Call, inst: &Inst, kind: Intrinsic) -> Lowered {
        if kind == Intrinsic::Nothing {
            return Ok(());
        }
        let dst = self.result();
        if kind == Intrinsic::First {
            let value = *call.args.first().ok_or("no argument")?;
            let (src, n) = (self.slot(value)?, self.leaves(value)?.len() as u32);
            self.emit(Op::Copy { dst, src, n });
            return Ok(());
        }
        let result = kinds(&*self.env.flat(inst.ty)?);
        let mut args = Vec::with_capacity(call.args.len());
        for operand in &call.args {
            args.push((self.slot(*operand)?, self.leaves(*operand)?));
        }
        let aligns =
            (0..call.args.len()).map(|i| call.arg_attrs.get(i).and_then(|a| a.int("align")).unwrap_or(1)).collect();
        let site = IntrinsicSite { kind, dst, result, args, aligns };
        if kind.is_elementwise() && site.result.len() > 1 {
            for lane in 0..site.result.len() {
                let at = lane as Slot;
                let of_lane = |(slot, leaves): &(Slot, Vec<Leaf>)| match leaves.get(lane) {
                    Some(leaf) if leaves.len() > 1 => (slot + at, vec![*leaf]),
                    _ => (*slot, leaves.clone()),
                };
                let args = site.args.iter().map(of_lane).collect();
                self.push_intrinsic(IntrinsicSite {
                    kind,
                    dst: dst + at,
                    result: vec![site.result[lane]],
                    args,
                    aligns: Vec::new(),
                });
            }
        } else {
            self.push_intrinsic(site);
        }
        Ok(())
    }

    /// The operand bundles of an `llvm.assume` that an execution can break.
    fn assumptions(&mut self, call: &Call) -> Lowered {
        for bundle in &call.bundles {
            let Some(promise) = Promise::find(&bundle.tag) else { continue };
            let mut args = Vec::new();
            for input in &bundle.inputs {
                args.push((self.slot(*input)?, self.leaves(*input)?));
            }
            if !args.is_empty() {
                let kind = Intrinsic::Assumed(promise);
                self.push_intrinsic(IntrinsicSite {
                    kind,
                    dst: super::POISON,
                    result: Vec::new(),
                    args,
                    aligns: Vec::new(),
                });
            }
        }
        Ok(())
    }

    fn push_intrinsic(&mut self, site: IntrinsicSite) {
        self.code.intrinsics.push(site);
        self.emit(Op::Intrinsic { site: self.code.intrinsics.len() as u32 - 1 });
    }

    /// Ordered, or as a tree of halves (as the code generator does) when the call allows reassociation.
    fn reduction(&mut self, call: &Call, reduction: &rules::Reduction, kind: FloatKind) -> Lowered {
        let (start, vector) = match (reduction.start, call.args.as_slice()) {
            (true, [start, vector]) => (Some(*start), *vector),
            (false, [vector]) => (None, *vector),
            _ => return Err("wrong arguments".to_owned()),
        };
        let fast = fast_bits(call.fast);
        let n = self.leaves(vector)?.len() as Slot;
        let from = self.slot(vector)?;
        let mut lanes: Vec<Slot> = (from..from + n).collect();
        let start = start.map(|s| self.slot(s)).transpose()?;
        if call.fast.reassoc && n.is_power_of_two() || start.is_none() {
            while lanes.len() > 1 {
                let half = lanes.len().div_ceil(2);
                for i in half..lanes.len() {
                    let dst = self.take(1);
                    self.join(reduction.op, kind, fast, dst, (lanes[i - half], lanes[i]));
                    lanes[i - half] = dst;
                }
                lanes.truncate(half);
            }
        }
        let mut lanes = start.into_iter().chain(lanes);
        let mut sum = lanes.next().ok_or("an empty vector")?;
        for lane in lanes {
            let dst = self.take(1);
            self.join(reduction.op, kind, fast, dst, (sum, lane));
            sum = dst;
        }
        let dst = self.result();
        self.emit(Op::Copy { dst, src: sum, n: 1 });
        Ok(())
    }

    fn join(&mut self, op: rules::Op, kind: FloatKind, fast: u8, dst: Slot, (a, b): (Slot, Slot)) {
        match op {
            rules::Op::FAdd => self.float_binary(BinOp::FAdd, kind, fast, dst, a, b),
            rules::Op::FMul => self.float_binary(BinOp::FMul, kind, fast, dst, a, b),
            _ => {
                let host = host::find(op, kind);
                let floats = vec![(a, kind), (b, kind)];
                self.push_math(MathSite { op, host, kind, fast, dst, floats, ints: Vec::new() });
            }
        }
    }

    fn push_math(&mut self, site: MathSite) {
        if let (rules::Op::FMulAdd, FloatKind::Double, 0, [(a, _), (b, _), (c, _)]) =
            (site.op, site.kind, site.fast, site.floats.as_slice())
        {
            return self.emit(Op::FMulAdd { dst: site.dst, a: *a, b: *b, c: *c });
        }
        self.code.math.push(site);
        self.emit(Op::Math { site: self.code.math.len() as u32 - 1 });
    }

    /// Lowers a call of an operation of the table; false if the call does not have the row's operands.
    fn math(&mut self, call: &Call, inst: &Inst, row: &Row, kind: FloatKind, lanes: Option<u32>) -> Lowered<bool> {
        if row.operands.len() != call.args.len() {
            return Ok(false);
        }
        let result = kinds(&*self.env.flat(inst.ty)?);
        let single = row.returns_only() && matches!(row.outputs[0].value, rules::Value::Float { .. });
        for lane in 0..lanes.unwrap_or(1) {
            let mut site = MathSite {
                op: row.op,
                host: if single { host::find(row.op, kind) } else { Host::Soft },
                kind,
                fast: fast_bits(call.fast),
                dst: self.result() + lane,
                floats: Vec::new(),
                ints: Vec::new(),
            };
            let mut pointers = vec![super::POISON; call.args.len()];
            for (i, (operand, wanted)) in call.args.iter().zip(&row.operands).enumerate() {
                let leaves = self.leaves(*operand)?;
                // A scalar operand of a vector operation (`llvm.powi`) serves all lanes.
                let at = if leaves.len() > 1 { lane } else { 0 };
                let Some(leaf) = leaves.get(at as usize) else { return Ok(false) };
                let slot = self.slot(*operand)? + at;
                match (wanted, leaf) {
                    (rules::Operand::Active | rules::Operand::Inactive(_), Leaf::Float(k)) if *k == kind => {
                        site.floats.push((slot, kind));
                    }
                    (rules::Operand::InactiveOf(width, _), Leaf::Float(k)) if *k == kind_of(*width) => {
                        site.floats.push((slot, *k));
                    }
                    (rules::Operand::Integer, Leaf::Int(width)) => site.ints.push((slot, *width)),
                    (rules::Operand::FloatOut | rules::Operand::IntOut, Leaf::Ptr) => pointers[i] = slot,
                    _ => return Ok(false),
                }
            }
            if single && result.get(lane as usize).copied().map(float_kind) == Some(Ok(kind)) {
                self.push_math(site);
            } else if !single {
                self.many(row, site, &result, &pointers, lanes)?;
            } else {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn many(&mut self, row: &Row, math: MathSite, result: &[Leaf], pointers: &[Slot], lanes: Option<u32>) -> Lowered {
        let place = |place: Place| match place {
            Place::Return => ManyPlace::Leaf(0),
            // The results of a vector operation stand one after the other, each with all its lanes.
            Place::Field(i) => ManyPlace::Leaf(i as u32 * lanes.unwrap_or(1)),
            Place::Pointer(i) => ManyPlace::Pointer(pointers.get(i).copied().unwrap_or(super::POISON)),
        };
        let outputs = row.outputs.iter().map(|output| ManyOutput {
            place: place(output.place),
            is_float: matches!(output.value, rules::Value::Float { .. }),
        });
        self.code.many.push(ManySite { math, result: result.to_vec(), outputs: outputs.collect() });
        self.emit(Op::MathMany { site: self.code.many.len() as u32 - 1 });
        Ok(())
    }
}
