//! Gradients that the program gives for its own functions: what their signatures mean.
//!
//! For `R f(A…)` the convention is Enzyme's:
//!
//! - the *augmented forward* takes the arguments of `f`, each pointer followed by its shadow, does what `f` does,
//!   and returns `R`, or `{tape, R}`, or `{tape, R, shadow of R}`; when `f` returns nothing, the tape alone or nothing;
//! - the *reverse* takes the same, then the adjoint of the result if that is a float, then the tape if there is one,
//!   and returns the adjoints of the floats passed by value: one, or a structure of them in order.
//!
//! Structures may be returned in registers or through memory, as the C compiler decides. An integer may be followed
//! by a shadow, too, if both functions agree.

use crate::program::{attributes, externals};
use ir::{FuncId, Function, Module, TypeId};

/// A part of what a function returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// All of it.
    Whole,
    /// A field.
    Field(u32),
}

/// How a given gradient is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// The augmented forward.
    pub augmented: FuncId,
    /// The reverse.
    pub reverse: FuncId,
    /// Parameters of the function that are followed by a shadow.
    pub shadows: Vec<bool>,
    /// What the augmented forward returns through memory.
    pub augmented_sret: Option<TypeId>,
    /// What the reverse returns through memory.
    pub reverse_sret: Option<TypeId>,
    /// The tape, with its type.
    pub tape: Option<(Part, TypeId)>,
    /// The result of the function.
    pub result: Option<Part>,
    /// The shadow of the result.
    pub shadow: Option<Part>,
    /// Type of the adjoint of the result.
    pub seed: Option<TypeId>,
    /// The reverse takes the tape.
    pub takes_tape: bool,
    /// Parameters whose adjoint the reverse returns, with their types.
    pub adjoints: Vec<(usize, TypeId)>,
}

impl Signature {
    /// The signature of the gradient given for `f`; an error says how it breaks the convention.
    pub fn of(m: &Module, f: FuncId) -> Result<Signature, String> {
        let func = &m.functions[f];
        let Some((augmented, reverse)) = attributes::gradient(m, func) else {
            return Err(format!("`{}` has no gradient of its own", func.name));
        };
        if let Some(param) = func.params.iter().find(|p| p.attrs.has("byval") || p.attrs.has("sret")) {
            let what = if param.attrs.has("sret") { "returns" } else { "takes" };
            let name = &func.name;
            return Err(format!(
                "unsupported: `{name}` {what} a structure through memory, and has a gradient of its own"
            ));
        }
        let mut out = Signature {
            augmented,
            reverse,
            shadows: Vec::new(),
            augmented_sret: sret(&m.functions[augmented]),
            reverse_sret: sret(&m.functions[reverse]),
            tape: None,
            result: None,
            shadow: None,
            seed: externals::holds_float(m, func.ret).then_some(func.ret),
            takes_tape: false,
            adjoints: Vec::new(),
        };
        out.read_result(m, func)?;
        out.read_parameters(m, func)?;
        out.read_adjoints(m, func)?;
        Ok(out)
    }

    fn read_result(&mut self, m: &Module, func: &Function) -> Result<(), String> {
        let augmented = &m.functions[self.augmented];
        let ret = self.augmented_sret.unwrap_or(augmented.ret);
        let is_void = |ty| matches!(m.types.get(ty), ir::Type::Void);
        let fields = m.types.fields(ret).map(|(fields, _)| fields);
        match fields {
            _ if is_void(func.ret) => self.tape = (!is_void(ret)).then_some((Part::Whole, ret)),
            _ if ret == func.ret => self.result = Some(Part::Whole),
            Some([tape, result, rest @ ..]) if *result == func.ret && rest.iter().all(|r| r == result) => {
                self.tape = Some((Part::Field(0), *tape));
                self.result = Some(Part::Field(1));
                self.shadow = (rest.len() == 1).then_some(Part::Field(2));
            }
            _ => {
                return Err(format!(
                    "the augmented forward `{}` must return what `{}` returns, or {{tape, result}}, or {{tape, result, \
                     shadow of the result}}",
                    augmented.name, func.name
                ));
            }
        }
        Ok(())
    }

    fn read_parameters(&mut self, m: &Module, func: &Function) -> Result<(), String> {
        let types =
            |f: &Function| -> Vec<TypeId> { f.params.iter().filter(|p| !p.attrs.has("sret")).map(|p| p.ty).collect() };
        let (augmented, reverse) = (types(&m.functions[self.augmented]), types(&m.functions[self.reverse]));
        let is_int = |ty| matches!(m.types.get(ty), ir::Type::Int(_));
        for integers in [false, true] {
            let shadowed = |ty| m.types.is_ptr(ty) || integers && is_int(ty);
            let doubled: Vec<TypeId> =
                func.params.iter().flat_map(|p| vec![p.ty; if shadowed(p.ty) { 2 } else { 1 }]).collect();
            if augmented != doubled {
                continue;
            }
            let mut without = doubled;
            without.extend(self.seed);
            let mut with = without.clone();
            with.extend(self.tape.map(|(_, ty)| ty));
            if reverse == with || reverse == without {
                self.takes_tape = self.tape.is_some() && reverse == with;
                self.shadows = func.params.iter().map(|p| shadowed(p.ty)).collect();
                return Ok(());
            }
        }
        let (augmented, reverse) = (&m.functions[self.augmented].name, &m.functions[self.reverse].name);
        Err(format!(
            "the gradient given for `{}` does not have its parameters: `{augmented}` takes them with a shadow after \
             each pointer, `{reverse}` the same, then the adjoint of the result if it is a float, then the tape if \
             there is one",
            func.name
        ))
    }

    fn read_adjoints(&mut self, m: &Module, func: &Function) -> Result<(), String> {
        let floats = func.params.iter().enumerate().filter(|(_, p)| externals::holds_float(m, p.ty));
        self.adjoints = floats.map(|(i, p)| (i, p.ty)).collect();
        let reverse = &m.functions[self.reverse];
        let ret = self.reverse_sret.unwrap_or(reverse.ret);
        let returned = if matches!(m.types.get(ret), ir::Type::Void) { 0 } else { m.size_of(ret) };
        let needed: u64 = self.adjoints.iter().map(|(_, ty)| m.size_of(*ty)).sum();
        if self.adjoints.is_empty() || returned >= needed && externals::holds_float(m, ret) {
            return Ok(());
        }
        Err(format!(
            "the reverse `{}` must return the adjoints of the floats that `{}` takes by value: {} of them, in order",
            reverse.name,
            func.name,
            self.adjoints.len()
        ))
    }
}

/// Which parameters of `f` the tangent given for it takes with their duals behind them, and whether it returns the
/// result with the tangent.
pub fn tangent(m: &Module, f: FuncId, tangent: FuncId) -> Result<(Vec<bool>, bool), String> {
    let (func, rule) = (&m.functions[f], &m.functions[tangent]);
    let doubled = |ty| externals::holds_float(m, ty) || m.types.is_ptr(ty);
    let params: Vec<bool> = func.params.iter().map(|p| doubled(p.ty)).collect();
    let wanted = parameters(func, &params, 1);
    let both = m.types.fields(rule.ret).is_some_and(|(fields, _)| fields == [func.ret, func.ret]);
    if rule.params.iter().map(|p| p.ty).eq(wanted) && (both || rule.ret == func.ret) {
        return Ok((params, both));
    }
    Err(format!(
        "the tangent `{}` of `{}` must take each pointer and each float with its shadow or tangent behind it, and \
         return the tangent, or the result and the tangent",
        rule.name, func.name
    ))
}

/// The type that a function returns through its first parameter.
fn sret(f: &Function) -> Option<TypeId> {
    f.params.first()?.attrs.ty("sret")
}

/// The parameters of a tangent: those of the function, each with its duals behind it where it has any.
pub(crate) fn parameters(source: &Function, duals: &[bool], width: usize) -> Vec<TypeId> {
    let params = source.params.iter().zip(duals);
    params.flat_map(|(p, dual)| std::iter::repeat_n(p.ty, if *dual { 1 + width } else { 1 })).collect()
}
