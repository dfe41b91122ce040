//! Whole programs: their helpers, the function that counts, and how it is called.

use super::memory::Array;
use super::{Body, Builder, Choices, Elem, Helper, Odds, Param, Ty};
use crate::c::print::value;
use ir::{Attrs, ConstKind, FloatKind, FuncId, Global, GlobalId, InstKind, MdOperand, Operand, TypeId};

/// Words of one set of inputs: integers, then numbers.
pub(super) const WORDS: [usize; 2] = [4, 4];

/// A program whose result is an `i64` that depends on all it computes: `i64 @NAME(ptr inputs)`.
pub fn semantics(b: &mut Builder, c: &mut Choices<'_>, odds: &Odds, name: &str) -> FuncId {
    let helpers = helpers(b, c, odds, name, None);
    let word = Ty::int(64);
    let (id, ptr) = (b.ty(word), b.module.types.ptr());
    let func = b.function(name, id, &[ptr]);
    b.start(func);
    let (inputs, hash) = (b.param(0), b.alloca(id, 8));
    let zero = b.i64(0);
    b.store(zero, hash, 8);
    let mut body = Body::new(b, c, odds, None, &helpers);
    body.hash = Some(hash);
    body.ret = Some(word);
    let float = Ty::float(FloatKind::Double);
    let double = body.b.ty(float);
    let start = body.b.i64(WORDS[0] as u64);
    let numbers = body.b.gep(double, inputs, vec![start]);
    for (base, cell, len) in [(inputs, word, WORDS[0]), (numbers, float, WORDS[1])] {
        body.arrays.push(Array { base, cell, len: len as u32, writable: false, root: None });
        let known: Vec<Operand> = (0..2).filter_map(|_| body.load_of(cell)).collect();
        known.into_iter().for_each(|value| body.keep(value, cell));
    }
    body.statements(odds.statements);
    body.finish();
    func
}

/// A program that is differentiated: `void @run_NAME()` makes the call and prints a hash of what it leaves.
pub fn gradient(b: &mut Builder, c: &mut Choices<'_>, odds: &Odds, name: &str) -> FuncId {
    let real = if c.chance(odds.rare_format) { FloatKind::Float } else { FloatKind::Double };
    let helpers = helpers(b, c, odds, name, Some(real));
    let mut params = vec![Param::Array(Ty::float(real), 4, true)];
    for _ in 0..c.int(0, 3) {
        params.push(match c.index(6) {
            // What is written to constant memory must not depend on an input: such memory is only read.
            0 | 1 => Param::Array(Ty::float(real), 4, !c.chance(odds.inactive)),
            2 | 3 => Param::Value(Ty::float(real)),
            4 => Param::Array(Ty::int(32), 4, false),
            _ => Param::Value(Ty::int(32)),
        });
    }
    if c.chance(odds.scratch) {
        params.push(Param::Scratch(Ty::float(real), 4));
    }
    let ret = (!c.chance(odds.void)).then_some(Ty::float(real));
    let func = function(b, &format!("f_{name}"), &params, ret);
    write(b, c, odds, Some(real), &helpers, &Helper { func, params: params.clone(), ret, cost: 0, sibling: None });
    Request { b, c, odds, name, real, tokens: Vec::new(), types: Vec::new(), results: Vec::new(), left: Vec::new() }
        .write(func, &params, ret)
}

impl<'a, 'c> Body<'a, 'c> {
    fn new(
        b: &'a mut Builder,
        c: &'a mut Choices<'c>,
        odds: &'a Odds,
        real: Option<FloatKind>,
        helpers: &'a [Helper],
    ) -> Body<'a, 'c> {
        Body {
            b,
            c,
            odds,
            real: real.unwrap_or(FloatKind::Double),
            smooth: real.is_some(),
            known: Vec::new(),
            arrays: Vec::new(),
            records: Vec::new(),
            scratch: Vec::new(),
            heap: Vec::new(),
            hash: None,
            helpers,
            itself: None,
            around: Vec::new(),
            ret: None,
            factor: 1,
            left: odds.cost,
            depth: 0,
            roots: 0,
        }
    }
}

/// The helpers of a program: later ones may call earlier ones.
fn helpers(b: &mut Builder, c: &mut Choices<'_>, odds: &Odds, name: &str, real: Option<FloatKind>) -> Vec<Helper> {
    let mut all: Vec<Helper> = Vec::new();
    for number in 0..c.int(0, odds.helpers) {
        let recursive = c.chance(odds.recursion);
        let (mut params, ret) = signature(b, c, odds, real);
        if recursive {
            params.insert(0, Param::Depth);
        }
        let twins = if c.chance(odds.through + 15) { 2 } else { 1 };
        let mut made = Vec::new();
        for twin in 0..twins {
            let func = function(b, &format!("h{number}{}_{name}", ["", "b"][twin]), &params, ret);
            b.module.functions[func].flags.linkage = "internal".to_owned();
            if c.chance(odds.noinline) {
                b.module.functions[func].attrs = Attrs::default().flag("noinline");
            }
            let mut it = Helper { func, params: params.clone(), ret, cost: 0, sibling: None };
            let smaller = Odds { statements: odds.statements / 2 + 1, cost: odds.cost / 5, ..odds.clone() };
            let spent = write(b, c, &smaller, real, &all, &it);
            it.cost = (spent + 1) * if recursive { 3 } else { 1 };
            made.push(it);
        }
        if let [one, other] = made.as_mut_slice() {
            one.sibling = Some(other.func);
            one.cost = one.cost.max(other.cost);
        }
        all.extend(made);
    }
    all
}

fn signature(b: &mut Builder, c: &mut Choices<'_>, odds: &Odds, real: Option<FloatKind>) -> (Vec<Param>, Option<Ty>) {
    let count = c.int(1, 3);
    let mut any = Body::new(b, c, odds, real, &[]);
    let mut params = Vec::new();
    for _ in 0..count {
        let ty = any.any_ty();
        let len = any.c.pick(&[1, 2, 4]).unwrap_or(2);
        let whole = ty.lanes.is_none() || ty.is_bytes();
        params.push(match any.c.chance(50) && whole {
            true => {
                let cell = if any.smooth && any.c.chance(70) { Ty::float(any.real) } else { ty };
                Param::Array(cell, len, any.c.chance(70))
            }
            false => Param::Value(ty),
        });
    }
    let ret = match any.smooth {
        true if any.c.chance(75) => Some(Ty::float(any.real)),
        true => None,
        false if any.c.chance(85) => Some(any.any_ty()),
        false => None,
    };
    (params, ret)
}

/// A new function of that signature.
fn function(b: &mut Builder, name: &str, params: &[Param], ret: Option<Ty>) -> FuncId {
    let ptr = b.module.types.ptr();
    let ids: Vec<TypeId> = params
        .iter()
        .map(|param| match param {
            Param::Value(ty) => b.ty(*ty),
            Param::Array(..) | Param::Scratch(..) => ptr,
            Param::Depth => b.ty(Ty::int(32)),
        })
        .collect();
    let ret = match ret {
        Some(ty) => b.ty(ty),
        None => b.module.types.void(),
    };
    b.function(name, ret, &ids)
}

/// Writes the body; answers how many statements it executes at most.
fn write(
    b: &mut Builder,
    c: &mut Choices<'_>,
    odds: &Odds,
    real: Option<FloatKind>,
    helpers: &[Helper],
    it: &Helper,
) -> u64 {
    b.start(it.func);
    let mut body = Body::new(b, c, odds, real, helpers);
    body.ret = it.ret;
    for (index, param) in it.params.iter().enumerate() {
        let value = body.b.param(index);
        match *param {
            Param::Value(ty) => body.keep(value, ty),
            Param::Array(cell, len, writable) => {
                body.arrays.push(Array { base: value, cell, len, writable, root: None });
            }
            Param::Scratch(cell, len) => {
                body.scratch.push(Array { base: value, cell, len, writable: true, root: None });
            }
            Param::Depth => {
                let helper = Helper { cost: odds.cost, ..it.clone() };
                body.itself = Some((helper, value));
            }
        }
    }
    body.statements(odds.statements);
    body.finish();
    odds.cost - body.left
}

/// The differentiated call of a program.
struct Request<'a, 'c, 'd> {
    b: &'a mut Builder,
    c: &'a mut Choices<'c>,
    odds: &'d Odds,
    name: &'d str,
    real: FloatKind,
    /// What the call passes, and its types.
    tokens: Vec<Operand>,
    types: Vec<TypeId>,
    /// Results: adjoints of values, or the tangent.
    results: Vec<TypeId>,
    /// Arrays that are looked at in the end.
    left: Vec<(GlobalId, u32)>,
}

impl Request<'_, '_, '_> {
    fn write(mut self, func: FuncId, params: &[Param], ret: Option<Ty>) -> FuncId {
        let forward = self.c.chance(self.odds.forward);
        let (void, ptr) = (self.b.module.types.void(), self.b.module.types.ptr());
        let real = self.b.ty(Ty::float(self.real));
        let run = self.b.function(&format!("run_{}", self.name), void, &[]);
        self.b.start(run);
        let address = self.b.module.function_address(func);
        self.pass(address, ptr);
        for (index, param) in params.iter().enumerate() {
            match *param {
                Param::Array(Ty { elem: Elem::Float(_), .. }, len, active) => {
                    self.marker(if active { "enzyme_dup" } else { "enzyme_const" });
                    self.array(index, "", len, false);
                    if active {
                        let zero = self.c.chance(50) && !forward;
                        self.array(index, "d", len, zero);
                    }
                }
                Param::Scratch(_, len) => {
                    self.marker("enzyme_const");
                    self.array(index, "", len, false);
                }
                Param::Array(_, len, _) => {
                    self.marker("enzyme_const");
                    self.integers(index, len);
                }
                Param::Value(Ty { elem: Elem::Float(_), .. }) => {
                    let numbers = [self.number(), self.number()];
                    self.pass(numbers[0], real);
                    if forward {
                        self.pass(numbers[1], real);
                    } else {
                        self.results.push(real);
                    }
                }
                Param::Value(_) | Param::Depth => {
                    let value = self.c.int(0, 5) as u32;
                    let (value, int) = (self.b.i32(value), self.b.ty(Ty::int(32)));
                    self.pass(value, int);
                }
            }
        }
        if forward && ret.is_some() {
            self.results.push(real);
        }
        let result = match self.results.as_slice() {
            [] => void,
            [one] => *one,
            several => self.b.module.types.tuple(several.to_vec()),
        };
        let entry = if forward { "__enzyme_fwddiff" } else { "__enzyme_autodiff" };
        let entry = self.b.declare(&format!("{entry}_{}", self.name), result, &[], true);
        let fn_ty = self.b.module.types.intern(ir::Type::Func { ret: result, params: Vec::new(), vararg: true });
        let callee = self.b.module.function_address(entry);
        let given = self.b.call_through(callee, fn_ty, result, std::mem::take(&mut self.tokens));
        self.show(given, result);
        run
    }

    fn pass(&mut self, value: Operand, ty: TypeId) {
        self.tokens.push(value);
        self.types.push(ty);
    }

    fn marker(&mut self, text: &str) {
        let ty = self.b.module.types.intern(ir::Type::Metadata);
        let word = self.b.module.constant(ty, ConstKind::Metadata(MdOperand::Str(text.as_bytes().to_vec())));
        self.pass(word, ty);
    }

    fn number(&mut self) -> Operand {
        let number = self.c.decimal(0.9);
        self.b.number(Ty::float(self.real), number)
    }

    /// A global array of numbers.
    fn array(&mut self, index: usize, prefix: &str, len: u32, zero: bool) {
        let elem = Ty::float(self.real);
        let seed = self.c.int(0, i64::from(u16::MAX)) as u64;
        let lanes: Vec<ir::ConstId> = (0..len as usize)
            .filter_map(|i| {
                let number = if zero { 0.0 } else { value(seed, i) / 1.5 };
                self.b.number(elem, number).constant()
            })
            .collect();
        let id = self.global(elem, lanes, format!("{prefix}x_{}_{index}", self.name));
        self.left.push((id, len));
    }

    fn integers(&mut self, index: usize, len: u32) {
        let elem = Ty::int(32);
        let cells = (0..len).filter_map(|_| {
            let value = self.c.int(0, 9) as u128;
            self.b.bits(elem, value).constant()
        });
        let cells = cells.collect();
        self.global(elem, cells, format!("n_{}_{index}", self.name));
    }

    fn global(&mut self, elem: Ty, cells: Vec<ir::ConstId>, name: String) -> GlobalId {
        let id = self.b.ty(elem);
        let ty = self.b.module.types.array(cells.len() as u64, id);
        let init = self.b.module.constants.intern(ty, ConstKind::Aggregate(cells));
        let mut global = Global::new(&name, ty, Some(init));
        global.align = 16;
        let id = self.b.global(global);
        let (address, ptr) = (self.b.module.global_address(id), self.b.module.types.ptr());
        self.pass(address, ptr);
        id
    }

    /// Prints a hash of the bits of all results.
    fn show(mut self, given: Option<Operand>, result: TypeId) {
        let real = Ty::float(self.real);
        let id = self.b.ty(real);
        let mut hash = self.b.i64(1);
        let mut numbers = Vec::new();
        match (given, self.results.len()) {
            (Some(one), 1) => numbers.push(one),
            (Some(aggregate), count) if result != id => {
                for index in 0..count as u32 {
                    numbers.push(self.b.emit(InstKind::ExtractValue { aggregate, indices: vec![index] }, id));
                }
            }
            _ => {}
        }
        let align = u64::from(real.bits() / 8);
        for (global, len) in std::mem::take(&mut self.left) {
            let base = self.b.module.global_address(global);
            for index in 0..len {
                let index = self.b.i64(u64::from(index));
                let at = self.b.gep(id, base, vec![index]);
                numbers.push(self.b.load(id, at, align));
            }
        }
        let (word, bits) = (Ty::int(64), Ty::int(real.bits()));
        let zero = self.b.number(real, 0.0);
        for number in numbers {
            // Of two zeros either may be the smaller one: their sign does not count.
            let number = self.b.binary(ir::BinOp::FAdd, real, number, zero);
            let raw = self.b.cast(ir::CastOp::BitCast, bits, number);
            let nan = self.b.fcmp(ir::FloatPred::Uno, real, number, number);
            let (same, bits_id) = (self.b.bits(bits, 0x7e57), self.b.ty(bits));
            let raw = self.b.select(bits_id, nan, same, raw);
            let raw = if bits == word { raw } else { self.b.cast(ir::CastOp::ZExt, word, raw) };
            let factor = self.b.i64(0x9e37_79b9_7f4a_7c15);
            hash = self.b.binary(ir::BinOp::Mul, word, hash, factor);
            hash = self.b.binary(ir::BinOp::Add, word, hash, raw);
        }
        print_line(self.b, hash);
        self.b.effect(InstKind::Ret(None));
    }
}

/// Prints a word on a line of its own.
pub(crate) fn print_line(b: &mut Builder, word: Operand) {
    let (ptr, int) = (b.module.types.ptr(), b.ty(Ty::int(32)));
    let format = match b.module.global("format") {
        Some(known) => known,
        None => {
            let text = b"%016lx\n\0".to_vec();
            let byte = b.ty(Ty::int(8));
            let ty = b.module.types.array(text.len() as u64, byte);
            let init = b.module.constants.intern(ty, ConstKind::Bytes(text));
            let mut global = Global::new("format", ty, Some(init));
            global.constant = true;
            global.flags.linkage = "internal".to_owned();
            b.global(global)
        }
    };
    let format = b.module.global_address(format);
    let printf = b.declare("printf", int, &[ptr], true);
    b.call(printf, vec![format, word]);
}
