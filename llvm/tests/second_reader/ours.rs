//! What `ir` reads, in the words of [`super::theirs`]. Types of results that operands imply are not repeated: of some
//! the other reader has another opinion (an address of a block is a label to it, a vector of addresses an address).

use super::{Tally, Words, join};
use ir::{Atomic, Call, ConstExpr, ConstId, ConstKind, FloatKind, Function, Inst, InstKind, Module, Operand, Type};
use ir::{BinOp, BlockId, FastMath, GepFlags, IntFlags, TailKind, TypeId, ValueId};
use std::collections::{BTreeMap, HashMap};

/// The functions with a body, by name.
pub fn functions(module: &Module, tally: &mut Tally) -> BTreeMap<String, Words> {
    let defined = module.functions.values().filter(|f| !f.is_declaration());
    defined.map(|f| (f.name.clone(), Reader::new(module, f, tally).function())).collect()
}

struct Reader<'a> {
    module: &'a Module,
    function: &'a Function,
    values: HashMap<ValueId, usize>,
    blocks: HashMap<BlockId, usize>,
    tally: &'a mut Tally,
}

impl<'a> Reader<'a> {
    fn new(module: &'a Module, function: &'a Function, tally: &'a mut Tally) -> Reader<'a> {
        let results = function.inst_order().filter_map(|(_, inst)| function.insts[inst].result);
        let values = function.params.iter().map(|p| p.value).chain(results).enumerate().map(|(n, v)| (v, n)).collect();
        let blocks = function.layout.iter().enumerate().map(|(n, block)| (*block, n)).collect();
        Reader { module, function, values, blocks, tally }
    }

    fn function(&mut self) -> Words {
        let function = self.function;
        let params: Vec<String> = function.params.iter().map(|p| self.ty(function.value_ty(p.value))).collect();
        let rest = if function.vararg { "..." } else { "" };
        let signature = format!("{} ({}{rest})", self.ty(function.ret), params.join(", "));
        let block = |block: &BlockId| {
            function.blocks[*block].insts.iter().map(|inst| self.instruction(&function.insts[*inst])).collect()
        };
        Words { signature, blocks: function.layout.iter().map(block).collect() }
    }

    /// Counts what the other reader has no place for.
    fn lost(&mut self, what: &'static str, is_there: bool) {
        if is_there {
            *self.tally.lost.entry(what).or_default() += 1;
        }
    }

    fn fast(&mut self, fast: FastMath) {
        self.lost("fast-math flags", fast != FastMath::default());
    }

    fn value(&mut self, operand: Operand) -> String {
        match operand {
            Operand::Local(v) => format!("{} %{}", self.ty(self.function.value_ty(v)), self.values[&v]),
            Operand::Const(c) => self.constant(c),
        }
    }

    fn block(&self, block: BlockId) -> String {
        format!("block {}", self.blocks[&block])
    }

    fn values(&mut self, operands: &[Operand]) -> String {
        operands.iter().map(|operand| self.value(*operand)).collect::<Vec<_>>().join(", ")
    }

    fn ordering(&mut self, it: Option<&Atomic>) -> String {
        it.map_or(String::new(), |it| self.scoped(&it.scope, it.ordering))
    }

    fn scoped(&mut self, scope: &str, ordering: ir::Ordering) -> String {
        let known = matches!(scope, "" | "singlethread");
        self.lost("scope of synchronisation", !known);
        join(&[if known { scope } else { "" }, ordering.name()])
    }

    fn callee(&mut self, call: &Call) -> String {
        let asm = call.callee.constant().map(|c| &self.module.constants.get(c).kind);
        if matches!(asm, Some(ConstKind::InlineAsm(_))) {
            self.lost("text of an assembler expression", true);
            return "asm".to_owned();
        }
        self.value(call.callee)
    }

    /// Callee, type, arguments and convention of a call.
    fn call(&mut self, call: &Call) -> String {
        self.fast(call.fast);
        self.lost("operand bundle", !call.bundles.is_empty());
        let callee = self.callee(call);
        let args = self.values(&call.args);
        format!("{callee} of {} ({args}) {}", self.ty(call.fn_ty), convention(&call.cc))
    }

    fn instruction(&mut self, inst: &Inst) -> String {
        let result = self.ty(inst.ty);
        self.lost("metadata of an instruction", !inst.metadata.is_empty());
        self.lost("debug record", !inst.debug_records.is_empty());
        match &inst.kind {
            InstKind::Load { ptr, align, volatile, atomic } => {
                let words = join(&[if atomic.is_some() { "atomic" } else { "" }, word(*volatile, "volatile")]);
                let order = self.ordering(atomic.as_ref());
                format!("load {words} {result}, {}, align {align} {order}", self.value(*ptr))
            }
            InstKind::Store { value, ptr, align, volatile, atomic } => {
                let words = join(&[if atomic.is_some() { "atomic" } else { "" }, word(*volatile, "volatile")]);
                let order = self.ordering(atomic.as_ref());
                format!("store {words} {}, align {align} {order}", self.values(&[*value, *ptr]))
            }
            InstKind::Fence(atomic) => format!("fence {}", self.ordering(Some(atomic))),
            InstKind::CmpXchg { ptr, expected, new, weak, volatile, success, failure, scope, align: _ } => {
                self.lost("alignment of cmpxchg and atomicrmw", true);
                let words = join(&[word(*weak, "weak"), word(*volatile, "volatile")]);
                let all = self.values(&[*ptr, *expected, *new]);
                format!("cmpxchg {words} {all} {} {}", self.scoped(scope, *success), failure.name())
            }
            InstKind::AtomicRmw { op, ptr, value, volatile, ordering, scope, align: _ } => {
                self.lost("alignment of cmpxchg and atomicrmw", true);
                let all = self.values(&[*ptr, *value]);
                let order = self.scoped(scope, *ordering);
                format!("atomicrmw {} {} {all} {order}", word(*volatile, "volatile"), op.name())
            }
            InstKind::Alloca { elem_ty, count, align, addr_space: _, inalloca } => {
                self.lost("inalloca", *inalloca);
                let count = count.map_or("i32 1".to_owned(), |count| self.value(count));
                format!("alloca {}, {count}, align {align}", self.ty(*elem_ty))
            }
            InstKind::Gep { elem_ty, flags, base, indices } => {
                self.gep_flags(*flags);
                let (of, base, indices) = (self.ty(*elem_ty), self.value(*base), self.values(indices));
                format!("getelementptr {} {of}, {base}, {indices}", word(flags.inbounds, "inbounds"))
            }
            InstKind::ICmp { pred, lhs, rhs } => {
                format!("icmp {} {} -> {result}", pred.name(), self.values(&[*lhs, *rhs]))
            }
            InstKind::FCmp { pred, fast, lhs, rhs } => {
                self.fast(*fast);
                format!("fcmp {} {} -> {result}", pred.name(), self.values(&[*lhs, *rhs]))
            }
            InstKind::Phi { fast, incoming } => {
                self.fast(*fast);
                let mut way = |(value, from): &(Operand, BlockId)| {
                    let value = self.value(*value);
                    format!("[{value}, {}]", self.block(*from))
                };
                let all: Vec<String> = incoming.iter().map(&mut way).collect();
                format!("phi {result} {}", all.join(", "))
            }
            InstKind::Select { fast, cond, if_true, if_false } => {
                self.fast(*fast);
                format!("select {}", self.values(&[*cond, *if_true, *if_false]))
            }
            InstKind::Freeze(value) => format!("freeze {}", self.value(*value)),
            InstKind::Call(call) => {
                self.lost("musttail and notail", matches!(call.tail, TailKind::MustTail | TailKind::NoTail));
                let tail = if matches!(call.tail, TailKind::Tail | TailKind::MustTail) { "tail" } else { "" };
                format!("{tail} call {} -> {result}", self.call(call))
            }
            InstKind::VaArg { list } => format!("va_arg {} -> {result}", self.value(*list)),
            InstKind::LandingPad { cleanup, clauses } => {
                self.lost("clauses of a landing pad", !clauses.is_empty());
                format!("landingpad {result} {} {} clauses", word(*cleanup, "cleanup"), clauses.len())
            }
            InstKind::Ret(value) => format!("ret {}", value.map_or(String::new(), |v| self.value(v))),
            InstKind::Br(to) => format!("br {}", self.block(*to)),
            InstKind::CondBr { cond, then_to, else_to } => {
                format!("br {}, {}, {}", self.value(*cond), self.block(*then_to), self.block(*else_to))
            }
            InstKind::Switch { value, default, cases } => {
                let value = self.value(*value);
                let mut way = |(value, to): &(ConstId, BlockId)| {
                    let value = self.constant(*value);
                    format!("{value} {}", self.block(*to))
                };
                let ways: Vec<String> = cases.iter().map(&mut way).collect();
                format!("switch {value}, {}, {}", self.block(*default), ways.join(", "))
            }
            InstKind::IndirectBr { address, targets } => {
                let ways: Vec<String> = targets.iter().map(|to| self.block(*to)).collect();
                format!("indirectbr {}, {}", self.value(*address), ways.join(", "))
            }
            InstKind::Invoke { call, normal, unwind } => {
                let call = self.call(call);
                format!("invoke {call} to {} unwind {}", self.block(*normal), self.block(*unwind))
            }
            InstKind::Resume(value) => format!("resume {}", self.value(*value)),
            InstKind::Unreachable => "unreachable".to_owned(),
            _ => self.plain(&inst.kind, &result),
        }
    }

    /// Instructions without anything but operands, flags and indices.
    fn plain(&mut self, kind: &InstKind, result: &str) -> String {
        match kind {
            InstKind::Binary { op, flags, fast, lhs, rhs } => {
                self.fast(*fast);
                self.lost("or disjoint", flags.disjoint);
                let words = flag_words(*op, *flags);
                format!("{} {words} {} -> {result}", op.name(), self.values(&[*lhs, *rhs]))
            }
            InstKind::FNeg { fast, value } => {
                self.fast(*fast);
                format!("fneg {} -> {result}", self.value(*value))
            }
            InstKind::Cast { op, flags, fast, value } => {
                self.fast(*fast);
                self.lost("nneg, nuw and nsw of conversions", *flags != IntFlags::default());
                format!("{} {} -> {result}", op.name(), self.value(*value))
            }
            InstKind::ExtractElement { vector, index } => {
                format!("extractelement  {} -> {result}", self.values(&[*vector, *index]))
            }
            InstKind::InsertElement { vector, value, index } => {
                format!("insertelement {} -> {result}", self.values(&[*vector, *value, *index]))
            }
            InstKind::ShuffleVector { a, b, mask } => {
                let lanes: Vec<String> = mask.iter().map(|l| l.map_or("_".to_owned(), |l| l.to_string())).collect();
                format!("shufflevector {} <{}> -> {result}", self.values(&[*a, *b]), lanes.join(", "))
            }
            InstKind::ExtractValue { aggregate, indices } => {
                format!("extractvalue {} {indices:?} -> {result}", self.value(*aggregate))
            }
            InstKind::InsertValue { aggregate, value, indices } => {
                format!("insertvalue {} {indices:?} -> {result}", self.values(&[*aggregate, *value]))
            }
            other => format!("{other:?}"),
        }
    }

    fn gep_flags(&mut self, flags: GepFlags) {
        self.lost("nusw and nuw of getelementptr", flags.nuw || flags.nusw && !flags.inbounds);
    }

    fn ty(&self, id: TypeId) -> String {
        let list = |all: &[TypeId]| all.iter().map(|of| self.ty(*of)).collect::<Vec<_>>().join(", ");
        match self.module.types.get(id) {
            Type::Void => "void".to_owned(),
            Type::Int(bits) => format!("i{bits}"),
            Type::Float(kind) => kind.keyword().to_owned(),
            Type::Ptr(0) => "ptr".to_owned(),
            Type::Ptr(space) => format!("ptr addrspace({space})"),
            Type::Vector { len, elem } => format!("<{len} x {}>", self.ty(*elem)),
            Type::Array { len, elem } => format!("[{len} x {}]", self.ty(*elem)),
            Type::Struct { fields, packed: true } => format!("<{{{}}}>", list(fields)),
            Type::Struct { fields, packed: false } => format!("{{{}}}", list(fields)),
            Type::Named(id) => format!("%{}", self.module.types.named(*id).name),
            Type::Func { ret, params, vararg } => {
                format!("{} ({}{})", self.ty(*ret), list(params), word(*vararg, "..."))
            }
            Type::Label => "label".to_owned(),
            Type::Token => "token".to_owned(),
            Type::Metadata => "metadata".to_owned(),
        }
    }

    fn constants(&mut self, all: &[ConstId]) -> String {
        all.iter().map(|it| self.constant(*it)).collect::<Vec<_>>().join(", ")
    }

    fn constant(&mut self, id: ConstId) -> String {
        let module = self.module;
        let it = module.constants.get(id);
        let of = self.ty(it.ty);
        let value = match &it.kind {
            ConstKind::Int(value) => {
                self.lost("high bits of an integer", *value > u64::MAX.into());
                (*value as u64).to_string()
            }
            ConstKind::Float(bits) => self.number(*bits, it.ty),
            ConstKind::Null => "null".to_owned(),
            ConstKind::Undef => "undef".to_owned(),
            ConstKind::Poison => "poison".to_owned(),
            ConstKind::Zero => "zero".to_owned(),
            ConstKind::TokenNone => "none".to_owned(),
            ConstKind::Aggregate(all) => self.constants(all),
            ConstKind::Bytes(bytes) => bytes.iter().map(|byte| format!("i8 {byte}")).collect::<Vec<_>>().join(", "),
            ConstKind::Global(global) => return format!("ptr @{}", module.globals[*global].name),
            ConstKind::Function(function) => return format!("ptr @{}", module.functions[*function].name),
            ConstKind::BlockAddress(..) => {
                self.lost("function and block of a block's address", true);
                return "blockaddress".to_owned();
            }
            ConstKind::InlineAsm(_) => "asm".to_owned(),
            ConstKind::Metadata(_) => {
                self.lost("metadata operand", true);
                return "metadata".to_owned();
            }
            ConstKind::Expr(ConstExpr::Cast(op, value)) => format!("{} ({})", op.name(), self.constant(*value)),
            ConstKind::Expr(ConstExpr::Gep { flags, base, indices, in_range, elem_ty: _ }) => {
                self.gep_flags(*flags);
                self.lost("inrange", in_range.is_some());
                self.lost("element type of a constant getelementptr", true);
                let (base, indices) = (self.constant(*base), self.constants(indices));
                return format!("getelementptr {} ({base}, {indices})", word(flags.inbounds, "inbounds"));
            }
            ConstKind::Expr(ConstExpr::Binary { op, nuw, nsw, lhs, rhs }) => {
                self.lost("nuw and nsw of constants", *nuw || *nsw);
                format!("{} ({})", op.name(), self.constants(&[*lhs, *rhs]))
            }
        };
        format!("{of} {value}")
    }

    fn number(&mut self, bits: u128, ty: TypeId) -> String {
        match self.module.types.float_kind(ty) {
            Some(FloatKind::Float) if f32::from_bits(bits as u32).is_nan() => self.nan(),
            Some(FloatKind::Double) if f64::from_bits(bits as u64).is_nan() => self.nan(),
            Some(FloatKind::Float | FloatKind::Double) => format!("{bits:x}"),
            _ => {
                self.lost("value of a half, bfloat, x86_fp80 or fp128", true);
                "a number".to_owned()
            }
        }
    }

    fn nan(&mut self) -> String {
        self.lost("payload of a NaN", true);
        "nan".to_owned()
    }
}

fn word(is: bool, word: &'static str) -> &'static str {
    if is { word } else { "" }
}

/// The flags that the operation can have.
fn flag_words(op: BinOp, flags: IntFlags) -> String {
    match op {
        BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl => join(&[word(flags.nuw, "nuw"), word(flags.nsw, "nsw")]),
        BinOp::UDiv | BinOp::SDiv | BinOp::LShr | BinOp::AShr => word(flags.exact, "exact").to_owned(),
        _ => String::new(),
    }
}

/// The other reader's name of a calling convention.
fn convention(keyword: &str) -> &str {
    match keyword {
        "" | "ccc" => "C",
        "fastcc" => "Fast",
        "coldcc" => "Cold",
        other => other,
    }
}
