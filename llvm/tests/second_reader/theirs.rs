//! What LLVM's library reads, in words.

use super::{Words, join};
use either::Either;
use llvm_ir::constant::Float;
use llvm_ir::instruction::{Atomicity, InlineAssembly, SynchronizationScope};
use llvm_ir::types::{FPType, Typed, Types};
use llvm_ir::{Constant, Function, Instruction, Module, Name, Operand, Terminator, Type};
use std::collections::{BTreeMap, HashMap};

/// The functions with a body, by name.
pub fn functions(text: &str) -> Result<BTreeMap<String, Words>, String> {
    let module = Module::from_ir_str(text)?;
    Ok(module.functions.iter().map(|f| (f.name.clone(), Reader::new(&module.types, f).function(f))).collect())
}

struct Reader<'a> {
    types: &'a Types,
    values: HashMap<&'a Name, usize>,
    blocks: HashMap<&'a Name, usize>,
}

impl<'a> Reader<'a> {
    fn new(types: &'a Types, function: &'a Function) -> Reader<'a> {
        let mut names: Vec<&Name> = function.parameters.iter().map(|p| &p.name).collect();
        for block in &function.basic_blocks {
            names.extend(block.instrs.iter().filter_map(Instruction::try_get_result));
            if let Terminator::Invoke(invoke) = &block.term
                && *types.type_of(invoke).as_ref() != Type::VoidType
            {
                names.push(&invoke.result);
            }
        }
        let values = names.into_iter().enumerate().map(|(n, name)| (name, n)).collect();
        let blocks = function.basic_blocks.iter().enumerate().map(|(n, block)| (&block.name, n)).collect();
        Reader { types, values, blocks }
    }

    fn function(&self, function: &Function) -> Words {
        let params: Vec<String> = function.parameters.iter().map(|p| ty(p.ty.as_ref())).collect();
        let rest = if function.is_var_arg { "..." } else { "" };
        let signature = format!("{} ({}{rest})", ty(function.return_type.as_ref()), params.join(", "));
        let block = |block: &llvm_ir::BasicBlock| {
            let instructions = block.instrs.iter().map(|inst| self.instruction(inst));
            instructions.chain([self.terminator(&block.term)]).collect()
        };
        Words { signature, blocks: function.basic_blocks.iter().map(block).collect() }
    }

    fn value(&self, operand: &Operand) -> String {
        match operand {
            Operand::LocalOperand { name, ty: of } => {
                // Blocks are no values that instructions name.
                let number = self.values.get(name).map_or("?".to_owned(), ToString::to_string);
                format!("{} %{number}", ty(of.as_ref()))
            }
            Operand::ConstantOperand(it) => constant(it.as_ref(), self.types),
            Operand::MetadataOperand => "metadata".to_owned(),
        }
    }

    fn block(&self, name: &Name) -> String {
        format!("block {}", self.blocks[name])
    }

    fn values<'b>(&self, operands: impl IntoIterator<Item = &'b Operand>) -> String {
        operands.into_iter().map(|operand| self.value(operand)).collect::<Vec<_>>().join(", ")
    }

    fn callee(&self, function: &Either<InlineAssembly, Operand>) -> String {
        match function {
            Either::Left(_) => "asm".to_owned(),
            Either::Right(operand) => self.value(operand),
        }
    }

    fn instruction(&self, inst: &Instruction) -> String {
        let result = || ty(self.types.type_of(inst).as_ref());
        match inst {
            Instruction::Load(i) => {
                let words = join(&[atomic(i.atomicity.as_ref()), volatile(i.volatile)]);
                let order = ordering(i.atomicity.as_ref());
                format!("load {words} {}, {}, align {} {order}", result(), self.value(&i.address), i.alignment)
            }
            Instruction::Store(i) => {
                let words = join(&[atomic(i.atomicity.as_ref()), volatile(i.volatile)]);
                let order = ordering(i.atomicity.as_ref());
                format!("store {words} {}, align {} {order}", self.values([&i.value, &i.address]), i.alignment)
            }
            Instruction::Fence(i) => format!("fence {}", ordering(Some(&i.atomicity))),
            Instruction::CmpXchg(i) => {
                let words = join(&[if i.weak { "weak" } else { "" }, volatile(i.volatile)]);
                let all = self.values([&i.address, &i.expected, &i.replacement]);
                format!("cmpxchg {words} {all} {} {}", ordering(Some(&i.atomicity)), i.failure_memory_ordering)
            }
            Instruction::AtomicRMW(i) => {
                let all = self.values([&i.address, &i.value]);
                format!("atomicrmw {} {} {all} {}", volatile(i.volatile), i.operation, ordering(Some(&i.atomicity)))
            }
            Instruction::Alloca(i) => {
                let (of, count) = (ty(i.allocated_type.as_ref()), self.value(&i.num_elements));
                format!("alloca {of}, {count}, align {}", i.alignment)
            }
            Instruction::GetElementPtr(i) => {
                let flag = if i.in_bounds { "inbounds" } else { "" };
                let of = ty(i.source_element_type.as_ref());
                let indices = self.values(&i.indices);
                format!("getelementptr {flag} {of}, {}, {indices}", self.value(&i.address))
            }
            Instruction::ICmp(i) => {
                let all = self.values([&i.operand0, &i.operand1]);
                format!("icmp {} {all} -> {}", i.predicate, result())
            }
            Instruction::FCmp(i) => {
                let all = self.values([&i.operand0, &i.operand1]);
                format!("fcmp {} {all} -> {}", i.predicate, result())
            }
            Instruction::Phi(i) => {
                let way = |(value, from): &(Operand, Name)| format!("[{}, {}]", self.value(value), self.block(from));
                let all: Vec<String> = i.incoming_values.iter().map(way).collect();
                format!("phi {} {}", result(), all.join(", "))
            }
            Instruction::Select(i) => {
                format!("select {}", self.values([&i.condition, &i.true_value, &i.false_value]))
            }
            Instruction::Freeze(i) => format!("freeze {}", self.value(&i.operand)),
            Instruction::Call(i) => {
                let tail = if i.is_tail_call { "tail" } else { "" };
                let (callee, of) = (self.callee(&i.function), ty(i.function_ty.as_ref()));
                let args = self.values(i.arguments.iter().map(|(arg, _)| arg));
                format!("{tail} call {callee} of {of} ({args}) {:?} -> {}", i.calling_convention, result())
            }
            Instruction::VAArg(i) => format!("va_arg {} -> {}", self.value(&i.arg_list), result()),
            Instruction::LandingPad(i) => {
                let cleanup = if i.cleanup { "cleanup" } else { "" };
                format!("landingpad {} {cleanup} {} clauses", result(), i.clauses.len())
            }
            _ => self.plain(inst),
        }
    }

    /// Instructions without anything but operands, flags and indices.
    fn plain(&self, inst: &Instruction) -> String {
        let result = || ty(self.types.type_of(inst).as_ref());
        let two = |op: &str, flags: &str, a: &Operand, b: &Operand| {
            format!("{op} {flags} {} -> {}", self.values([a, b]), result())
        };
        let cast = |op: &str, value: &Operand| format!("{op} {} -> {}", self.value(value), result());
        let wraps = |nuw: bool, nsw: bool| join(&[if nuw { "nuw" } else { "" }, if nsw { "nsw" } else { "" }]);
        let exact = |exact: bool| if exact { "exact" } else { "" };
        match inst {
            Instruction::Add(i) => two("add", &wraps(i.nuw, i.nsw), &i.operand0, &i.operand1),
            Instruction::Sub(i) => two("sub", &wraps(i.nuw, i.nsw), &i.operand0, &i.operand1),
            Instruction::Mul(i) => two("mul", &wraps(i.nuw, i.nsw), &i.operand0, &i.operand1),
            Instruction::Shl(i) => two("shl", &wraps(i.nuw, i.nsw), &i.operand0, &i.operand1),
            Instruction::UDiv(i) => two("udiv", exact(i.exact), &i.operand0, &i.operand1),
            Instruction::SDiv(i) => two("sdiv", exact(i.exact), &i.operand0, &i.operand1),
            Instruction::LShr(i) => two("lshr", exact(i.exact), &i.operand0, &i.operand1),
            Instruction::AShr(i) => two("ashr", exact(i.exact), &i.operand0, &i.operand1),
            Instruction::URem(i) => two("urem", "", &i.operand0, &i.operand1),
            Instruction::SRem(i) => two("srem", "", &i.operand0, &i.operand1),
            Instruction::And(i) => two("and", "", &i.operand0, &i.operand1),
            Instruction::Or(i) => two("or", "", &i.operand0, &i.operand1),
            Instruction::Xor(i) => two("xor", "", &i.operand0, &i.operand1),
            Instruction::FAdd(i) => two("fadd", "", &i.operand0, &i.operand1),
            Instruction::FSub(i) => two("fsub", "", &i.operand0, &i.operand1),
            Instruction::FMul(i) => two("fmul", "", &i.operand0, &i.operand1),
            Instruction::FDiv(i) => two("fdiv", "", &i.operand0, &i.operand1),
            Instruction::FRem(i) => two("frem", "", &i.operand0, &i.operand1),
            Instruction::FNeg(i) => cast("fneg", &i.operand),
            Instruction::Trunc(i) => cast("trunc", &i.operand),
            Instruction::ZExt(i) => cast("zext", &i.operand),
            Instruction::SExt(i) => cast("sext", &i.operand),
            Instruction::FPTrunc(i) => cast("fptrunc", &i.operand),
            Instruction::FPExt(i) => cast("fpext", &i.operand),
            Instruction::FPToUI(i) => cast("fptoui", &i.operand),
            Instruction::FPToSI(i) => cast("fptosi", &i.operand),
            Instruction::UIToFP(i) => cast("uitofp", &i.operand),
            Instruction::SIToFP(i) => cast("sitofp", &i.operand),
            Instruction::PtrToInt(i) => cast("ptrtoint", &i.operand),
            Instruction::IntToPtr(i) => cast("inttoptr", &i.operand),
            Instruction::BitCast(i) => cast("bitcast", &i.operand),
            Instruction::AddrSpaceCast(i) => cast("addrspacecast", &i.operand),
            Instruction::ExtractElement(i) => two("extractelement", "", &i.vector, &i.index),
            Instruction::InsertElement(i) => {
                format!("insertelement {} -> {}", self.values([&i.vector, &i.element, &i.index]), result())
            }
            Instruction::ShuffleVector(i) => {
                let all = self.values([&i.operand0, &i.operand1]);
                format!("shufflevector {all} {} -> {}", mask(i.mask.as_ref()), result())
            }
            Instruction::ExtractValue(i) => {
                format!("extractvalue {} {:?} -> {}", self.value(&i.aggregate), i.indices, result())
            }
            Instruction::InsertValue(i) => {
                let all = self.values([&i.aggregate, &i.element]);
                format!("insertvalue {all} {:?} -> {}", i.indices, result())
            }
            other => format!("{other}"),
        }
    }

    fn terminator(&self, terminator: &Terminator) -> String {
        match terminator {
            Terminator::Ret(t) => format!("ret {}", t.return_operand.as_ref().map_or("".into(), |v| self.value(v))),
            Terminator::Br(t) => format!("br {}", self.block(&t.dest)),
            Terminator::CondBr(t) => {
                let (yes, no) = (self.block(&t.true_dest), self.block(&t.false_dest));
                format!("br {}, {yes}, {no}", self.value(&t.condition))
            }
            Terminator::Switch(t) => {
                let way = |(value, to): &(llvm_ir::ConstantRef, Name)| {
                    format!("{} {}", constant(value.as_ref(), self.types), self.block(to))
                };
                let ways: Vec<String> = t.dests.iter().map(way).collect();
                let default = self.block(&t.default_dest);
                format!("switch {}, {default}, {}", self.value(&t.operand), ways.join(", "))
            }
            Terminator::IndirectBr(t) => {
                let ways: Vec<String> = t.possible_dests.iter().map(|to| self.block(to)).collect();
                format!("indirectbr {}, {}", self.value(&t.operand), ways.join(", "))
            }
            Terminator::Invoke(t) => {
                let (callee, of) = (self.callee(&t.function), ty(t.function_ty.as_ref()));
                let args = self.values(t.arguments.iter().map(|(arg, _)| arg));
                let (normal, unwind) = (self.block(&t.return_label), self.block(&t.exception_label));
                format!("invoke {callee} of {of} ({args}) {:?} to {normal} unwind {unwind}", t.calling_convention)
            }
            Terminator::Resume(t) => format!("resume {}", self.value(&t.operand)),
            Terminator::Unreachable(_) => "unreachable".to_owned(),
            other => format!("{other}"),
        }
    }
}

fn volatile(is: bool) -> &'static str {
    if is { "volatile" } else { "" }
}

fn atomic(it: Option<&Atomicity>) -> &'static str {
    if it.is_some() { "atomic" } else { "" }
}

fn ordering(it: Option<&Atomicity>) -> String {
    let Some(it) = it else { return String::new() };
    let scope = match it.synch_scope {
        SynchronizationScope::SingleThread => "singlethread",
        SynchronizationScope::System => "",
    };
    join(&[scope, &it.mem_ordering.to_string()])
}

/// The lanes that a shuffle picks.
fn mask(mask: &Constant) -> String {
    let lanes = |of: &Type| if let Type::VectorType { num_elements, .. } = of { *num_elements } else { 0 };
    let lane = |it: &Constant| match it {
        Constant::Int { value, .. } => value.to_string(),
        _ => "_".to_owned(),
    };
    let all: Vec<String> = match mask {
        Constant::Vector(all) => all.iter().map(|it| lane(it.as_ref())).collect(),
        Constant::AggregateZero(of) => vec!["0".to_owned(); lanes(of.as_ref())],
        Constant::Undef(of) | Constant::Poison(of) => vec!["_".to_owned(); lanes(of.as_ref())],
        other => vec![format!("{other}")],
    };
    format!("<{}>", all.join(", "))
}

/// A type in LLVM's words, address spaces included.
fn ty(it: &Type) -> String {
    let list = |all: &[llvm_ir::TypeRef]| all.iter().map(|of| ty(of.as_ref())).collect::<Vec<_>>().join(", ");
    match it {
        Type::VoidType => "void".to_owned(),
        Type::IntegerType { bits } => format!("i{bits}"),
        Type::PointerType { addr_space: 0 } => "ptr".to_owned(),
        Type::PointerType { addr_space } => format!("ptr addrspace({addr_space})"),
        Type::FPType(kind) => match kind {
            FPType::Half => "half",
            FPType::BFloat => "bfloat",
            FPType::Single => "float",
            FPType::Double => "double",
            FPType::FP128 => "fp128",
            FPType::X86_FP80 => "x86_fp80",
            FPType::PPC_FP128 => "ppc_fp128",
        }
        .to_owned(),
        Type::FuncType { result_type, param_types, is_var_arg } => {
            let rest = if *is_var_arg { "..." } else { "" };
            format!("{} ({}{rest})", ty(result_type.as_ref()), list(param_types))
        }
        Type::VectorType { element_type, num_elements, .. } => {
            format!("<{num_elements} x {}>", ty(element_type.as_ref()))
        }
        Type::ArrayType { element_type, num_elements } => format!("[{num_elements} x {}]", ty(element_type.as_ref())),
        Type::StructType { element_types, is_packed } => {
            if *is_packed {
                format!("<{{{}}}>", list(element_types))
            } else {
                format!("{{{}}}", list(element_types))
            }
        }
        Type::NamedStructType { name } => format!("%{name}"),
        Type::MetadataType => "metadata".to_owned(),
        Type::LabelType => "label".to_owned(),
        Type::TokenType => "token".to_owned(),
        other => format!("{other}"),
    }
}

/// A constant with its type.
fn constant(it: &Constant, types: &Types) -> String {
    let one = |it: &llvm_ir::ConstantRef| constant(it.as_ref(), types);
    let list = |all: &[llvm_ir::ConstantRef]| all.iter().map(one).collect::<Vec<_>>().join(", ");
    let of = ty(it.get_type(types).as_ref());
    let value = match it {
        Constant::Int { value, .. } => value.to_string(),
        Constant::Float(Float::Single(value)) if value.is_nan() => "nan".to_owned(),
        Constant::Float(Float::Single(value)) => format!("{:x}", value.to_bits()),
        Constant::Float(Float::Double(value)) if value.is_nan() => "nan".to_owned(),
        Constant::Float(Float::Double(value)) => format!("{:x}", value.to_bits()),
        Constant::Float(_) => "a number".to_owned(),
        Constant::Null(_) => "null".to_owned(),
        Constant::AggregateZero(_) => "zero".to_owned(),
        Constant::Struct { values, .. } => list(values),
        Constant::Array { elements, .. } => list(elements),
        Constant::Vector(all) => list(all),
        Constant::Undef(_) => "undef".to_owned(),
        Constant::Poison(_) => "poison".to_owned(),
        Constant::BlockAddress => return "blockaddress".to_owned(),
        Constant::GlobalReference { name, .. } => {
            let name = match name {
                Name::Name(name) => name.to_string(),
                Name::Number(number) => number.to_string(),
            };
            return format!("ptr @{name}");
        }
        Constant::TokenNone => "none".to_owned(),
        Constant::Add(e) => format!("add ({}, {})", one(&e.operand0), one(&e.operand1)),
        Constant::Sub(e) => format!("sub ({}, {})", one(&e.operand0), one(&e.operand1)),
        Constant::Mul(e) => format!("mul ({}, {})", one(&e.operand0), one(&e.operand1)),
        Constant::Xor(e) => format!("xor ({}, {})", one(&e.operand0), one(&e.operand1)),
        Constant::GetElementPtr(e) => {
            let flag = if e.in_bounds { "inbounds" } else { "" };
            return format!("getelementptr {flag} ({}, {})", one(&e.address), list(&e.indices));
        }
        Constant::Trunc(e) => format!("trunc ({})", one(&e.operand)),
        Constant::PtrToInt(e) => format!("ptrtoint ({})", one(&e.operand)),
        Constant::IntToPtr(e) => format!("inttoptr ({})", one(&e.operand)),
        Constant::BitCast(e) => format!("bitcast ({})", one(&e.operand)),
        Constant::AddrSpaceCast(e) => format!("addrspacecast ({})", one(&e.operand)),
        other => format!("{other}"),
    };
    format!("{of} {value}")
}
