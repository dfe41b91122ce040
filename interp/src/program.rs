//! A module made ready for execution: every function lowered, global variables laid out in an initial memory.

use crate::code::Code;
use crate::grid;
use crate::link::{Link, Symbols};
use crate::lower::{self, Locals};
use crate::memory::{AllocKind, Memory};
use crate::outcome::{Location, Place, Res};
use crate::value::{Leaf, Pointer, Scalar};
use ir::entity::{EntityRef, PrimaryMap, SecondaryMap};
use ir::hash::HashMap;
use ir::{ConstId, ConstKind, FloatKind, FuncId, GlobalId, Module, SourceLoc, Type};
use std::cell::OnceCell;
use std::rc::Rc;

/// Why a module cannot be executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// In a sentence without a full stop.
    pub message: String,
    /// The function or global it is about.
    pub symbol: Option<String>,
}

impl std::fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.symbol {
            Some(symbol) => write!(f, "@{symbol}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for Diagnostic {}

/// An executable module.
pub struct Program {
    /// The module.
    pub module: Rc<Module>,
    /// Functions that were reached, lowered with local scalars in registers.
    code: PrimaryMap<FuncId, OnceCell<Code>>,
    /// The same with local scalars in memory, for who wants to see accesses there.
    observed: PrimaryMap<FuncId, OnceCell<Code>>,
    memo: lower::Memo,
    /// The memory before the first instruction.
    pub(crate) image: Memory<()>,
    /// Addresses of global variables.
    pub globals: SecondaryMap<GlobalId, Pointer>,
    /// Addresses of functions.
    pub functions: SecondaryMap<FuncId, Pointer>,
    /// Functions to run before `main`, in order.
    pub constructors: Vec<FuncId>,
    /// Declared functions of the table with one number as their result, for calls through pointers.
    pub(crate) math: SecondaryMap<FuncId, Option<(rules::Op, FloatKind)>>,
    by_name: HashMap<String, FuncId>,
    libraries: &'static dyn Link,
}

impl Program {
    /// Makes a module ready, with what the libraries bring into it.
    pub fn linked(module: Rc<Module>, libraries: &'static dyn Link) -> Result<Program, Vec<Diagnostic>> {
        let module = libraries.declare(&module).map_or(module, Rc::new);
        let general = |message: &str| vec![Diagnostic { message: message.to_owned(), symbol: None }];
        if !module.layout.little_endian || module.layout.pointer_size != 8 {
            return Err(general("only little-endian targets with pointers of 64 bits are supported"));
        }
        let unreached = || module.functions.keys().map(|_| OnceCell::new()).collect();
        let mut program = Program {
            code: unreached(),
            observed: unreached(),
            memo: lower::Memo::new(&module, libraries),
            image: Memory::default(),
            globals: SecondaryMap::new(),
            functions: SecondaryMap::new(),
            constructors: Vec::new(),
            math: SecondaryMap::new(),
            by_name: module.functions.iter().map(|(id, f)| (f.name.clone(), id)).collect(),
            libraries,
            module: Rc::clone(&module),
        };
        program.lay_out()?;
        let mut image = std::mem::take(&mut program.image);
        let filled = libraries.initialise(program.symbols(), &mut image);
        program.image = image;
        filled.map_err(|fault| general(&fault.message))?;
        let symbols = Symbols { module: &module, globals: &program.globals, functions: &program.functions };
        let env = lower::Env::new(symbols, &program.memo, libraries);
        let mut faults = Vec::new();
        for (id, global) in module.globals.iter() {
            if let Some(init) = global.init
                && let Err(message) = write_constant(&env, &mut program.image, program.globals[id], init)
            {
                faults.push(Diagnostic { message, symbol: Some(global.name.clone()) });
            }
            if global.constant {
                program.image.freeze_object(program.globals[id]);
            }
        }
        for function in module.functions.values() {
            if let Err(message) = lower::signature(&env, function) {
                faults.push(Diagnostic { message, symbol: Some(function.name.clone()) });
            }
        }
        program.math = module.functions.iter().filter(|(_, f)| f.is_declaration()).fold(
            SecondaryMap::new(),
            |mut math, (id, f)| {
                math[id] = lower::table_function(&f.name);
                math
            },
        );
        program.constructors = constructors(&module);
        if faults.is_empty() { Ok(program) } else { Err(faults) }
    }

    fn lay_out(&mut self) -> Result<(), Vec<Diagnostic>> {
        let module = Rc::clone(&self.module);
        let failed = |name: &str, fault: Box<crate::outcome::Fault>| {
            vec![Diagnostic { message: fault.message, symbol: Some(name.to_owned()) }]
        };
        for (id, function) in module.functions.iter() {
            self.functions[id] = self.image.allocate_function(id).map_err(|f| failed(&function.name, f))?;
        }
        for (id, global) in module.globals.iter().filter(|(_, g)| g.alias_of.is_none()) {
            let align = global.align.max(module.layout.align_of(&module.types, global.ty));
            let size = module.size_of(global.ty);
            let kind = AllocKind::Global(id);
            self.globals[id] = self.image.allocate(size, align, kind, None).map_err(|f| failed(&global.name, f))?;
            // The padding of an object of static storage is zero, as the linker leaves it.
            let fill: Res = match global.init {
                Some(_) => self.image.fill(self.globals[id], Scalar::word(0), size),
                None => self.libraries.initialise_variable(&mut self.image, &global.name, self.globals[id]),
            };
            fill.map_err(|f| failed(&global.name, f))?;
        }
        Ok(())
    }

    /// Its symbols, and where they are.
    pub fn symbols(&self) -> Symbols<'_> {
        Symbols { module: &self.module, globals: &self.globals, functions: &self.functions }
    }

    /// Does it name a function without which there is one thread, and one order of what is executed?
    pub fn is_concurrent(&self) -> bool {
        self.memo.threads
    }

    /// The function of that name.
    pub fn function(&self, name: &str) -> Option<FuncId> {
        self.by_name.get(name).copied()
    }

    /// The lowered form of a function.
    pub fn code(&self, func: FuncId) -> &Code {
        self.code[func].get_or_init(|| self.lowered(func, Locals::Registers))
    }

    /// The lowered form of a function with its local scalars in memory.
    pub(crate) fn observed(&self, func: FuncId) -> &Code {
        self.observed[func].get_or_init(|| self.lowered(func, Locals::Memory))
    }

    fn lowered(&self, func: FuncId, locals: Locals) -> Code {
        let env = lower::Env::new(self.symbols(), &self.memo, self.libraries);
        // A signature that cannot be lowered has been refused when the program was made.
        lower::function(&env, &self.module.functions[func], locals).unwrap_or_default()
    }

    /// A place of the program in words.
    pub fn place(&self, at: Option<Location>, text: String) -> Place {
        let Some(location) = at else {
            return Place { text, function: None, at, source: None, instruction: String::new() };
        };
        let function = &self.module.functions[location.func];
        Place {
            text,
            function: Some(function.name.clone()),
            at,
            source: self.module.nearest_loc(function, location.inst),
            instruction: ir::print::print_inst(&self.module, function, location.inst).trim().to_owned(),
        }
    }

    /// The source position of an instruction.
    pub fn source(&self, at: Location) -> Option<SourceLoc> {
        self.module.source_loc(&self.module.functions[at.func], at.inst)
    }
}

/// Writes a constant of any type to memory that is already zero. Zeros are left alone.
fn write_constant(env: &lower::Env<'_>, memory: &mut Memory<()>, at: Pointer, id: ConstId) -> Result<(), String> {
    let module = env.module;
    let constant = module.constants.get(id);
    let element = |i: usize| {
        let offset = module.layout.element_offset(&module.types, constant.ty, i as u64);
        offset.map(|o| at.offset(o as i64)).ok_or_else(|| "an element outside of its type".to_owned())
    };
    match &constant.kind {
        ConstKind::Zero => Ok(()),
        ConstKind::Bytes(bytes) => memory.write_bytes(at, bytes).map_err(|f| f.message),
        ConstKind::Aggregate(elements) if !matches!(module.types.get(constant.ty), Type::Vector { .. }) => {
            for (i, item) in elements.iter().enumerate() {
                write_constant(env, memory, element(i)?, *item)?;
            }
            Ok(())
        }
        ConstKind::Undef | ConstKind::Poison => {
            let byte = if constant.kind == ConstKind::Undef { Scalar::undef(Leaf::Int(8)) } else { Scalar::POISON };
            memory.fill(at, byte, module.size_of(constant.ty)).map_err(|f| f.message)
        }
        _ => {
            let flat = env.flat(constant.ty)?;
            if flat.packed_bits {
                return Err("a global vector whose lanes are not whole bytes".to_owned());
            }
            let values = env.constant(id)?;
            for ((leaf, offset), value) in flat.leaves.iter().zip(&values) {
                memory.store(at.offset(*offset as i64), *leaf, *value, 1).map_err(|f| f.message)?;
            }
            Ok(())
        }
    }
}

/// `llvm.global_ctors`: an array of `{ i32 priority, ptr function, ptr data }`, run by ascending priority.
fn constructors(module: &Module) -> Vec<FuncId> {
    let list = module.global("llvm.global_ctors").and_then(|g| module.globals[g].init);
    let Some(ConstKind::Aggregate(entries)) = list.map(|init| &module.constants.get(init).kind) else {
        return Vec::new();
    };
    let mut found: Vec<(u128, FuncId)> = Vec::new();
    for entry in entries {
        if let ConstKind::Aggregate(fields) = &module.constants.get(*entry).kind
            && let [priority, function, ..] = fields.as_slice()
            && let ConstKind::Int(priority) = module.constants.get(*priority).kind
            && let Some(func) = module.as_function(ir::Operand::Const(*function))
            && !grid::registers(&module.functions[func].name)
        {
            found.push((priority, func));
        }
    }
    found.sort_by_key(|(priority, _)| *priority);
    found.into_iter().map(|(_, func)| func).collect()
}

/// Index of a function in tables by function.
pub(crate) fn index(func: FuncId) -> usize {
    func.index()
}
