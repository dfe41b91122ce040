//! What a program tells an AD tool about its functions and variables, by conventions of names.
//!
//! Three spellings, those of Enzyme: a *registration*, a global variable such as
//! `void *__enzyme_register_gradient_f[3] = {f, augmented, reverse}`; an *annotation*,
//! `__attribute__((annotate("enzyme_inactive")))`, which clang keeps in `@llvm.global.annotations`; and
//! attributes and metadata of that name on the function itself. Here they are only found; what they
//! mean is the business of whoever differentiates.

use crate::constant::{ConstExpr, ConstId, ConstKind};
use crate::metadata::{MdId, MdOperand, SourceLoc};
use crate::module::{FuncId, GlobalId, Module};
use std::collections::BTreeSet;

/// Names of registrations, as parts of the (perhaps mangled) name of a global variable. No name is part of another.
pub const REGISTRATIONS: [&str; 10] = [
    "__enzyme_register_gradient",
    "__enzyme_register_derivative",
    "__enzyme_register_splitderivative",
    "__enzyme_inactivefn",
    "__enzyme_inactive_global",
    "__enzyme_function_like",
    "__enzyme_allocation_like",
    "__enzyme_nofree",
    "__enzyme_shouldrecompute",
    "__enzyme_checkpoint_loop",
];

/// How annotations, attributes and metadata start.
pub const PREFIX: &str = "enzyme_";

/// A function or a variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Symbol {
    /// A function.
    Function(FuncId),
    /// A variable.
    Global(GlobalId),
}

/// A registration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Registration {
    /// The variable.
    pub global: GlobalId,
    /// One of [`REGISTRATIONS`].
    pub name: &'static str,
    /// The elements of its initialiser; the initialiser itself if it is no aggregate.
    pub elements: Vec<ConstId>,
}

impl Module {
    /// The registrations, in the order of the variables.
    pub fn registrations(&self) -> Vec<Registration> {
        let mut out = Vec::new();
        for (id, global) in self.globals.iter() {
            let Some(name) = REGISTRATIONS.into_iter().find(|n| global.name.contains(n)) else { continue };
            let Some(init) = global.init else { continue };
            let elements = match &self.constants.get(init).kind {
                ConstKind::Aggregate(elements) => elements.clone(),
                _ => vec![init],
            };
            out.push(Registration { global: id, name, elements });
        }
        out
    }

    /// The annotations that start with [`PREFIX`], with what they are on.
    pub fn annotations(&self) -> Vec<(Symbol, String)> {
        let Some(init) = self.global("llvm.global.annotations").and_then(|g| self.globals[g].init) else {
            return Vec::new();
        };
        let ConstKind::Aggregate(entries) = &self.constants.get(init).kind else { return Vec::new() };
        let mut out = Vec::new();
        for entry in entries {
            let ConstKind::Aggregate(fields) = &self.constants.get(*entry).kind else { continue };
            let [symbol, text, ..] = fields.as_slice() else { continue };
            if let (Some(symbol), Some(text)) = (self.symbol(*symbol), self.text(*text))
                && text.starts_with(PREFIX)
            {
                out.push((symbol, text));
            }
        }
        out
    }

    /// Functions that are told something about: they must reach the differentiation as they are, neither inlined nor
    /// seen through, or what is told of them comes too late.
    pub fn hinted_functions(&self) -> BTreeSet<FuncId> {
        let registered = self.registrations().into_iter().flat_map(|r| r.elements).filter_map(|c| self.symbol(c));
        let annotated = self.annotations().into_iter().map(|(symbol, _)| symbol);
        let named = registered.chain(annotated).filter_map(|s| match s {
            Symbol::Function(f) => Some(f),
            Symbol::Global(_) => None,
        });
        let marked = self.functions.iter().filter(|(_, f)| {
            f.attrs.0.iter().any(|a| a.name.starts_with(PREFIX))
                || f.metadata.iter().any(|(k, _)| k.starts_with(PREFIX))
        });
        named.chain(marked.map(|(id, _)| id)).collect()
    }

    /// The function or variable that a constant is the address of, through casts and aliases.
    pub fn symbol(&self, constant: ConstId) -> Option<Symbol> {
        let mut constant = constant;
        // A malformed module may have a circle of aliases.
        for _ in 0..=self.globals.len() {
            match &self.constants.get(constant).kind {
                ConstKind::Function(f) => return Some(Symbol::Function(*f)),
                ConstKind::Global(g) => match self.globals[*g].alias_of {
                    Some(target) => constant = target,
                    None => return Some(Symbol::Global(*g)),
                },
                ConstKind::Expr(ConstExpr::Cast(_, inner)) => constant = *inner,
                _ => return None,
            }
        }
        None
    }

    /// The characters of a constant string that a constant is the address of, without the final zero.
    pub fn text(&self, address: ConstId) -> Option<String> {
        let Symbol::Global(g) = self.symbol(address)? else { return None };
        match &self.constants.get(self.globals[g].init?).kind {
            ConstKind::Bytes(bytes) => {
                let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
                String::from_utf8(bytes[..end].to_vec()).ok()
            }
            ConstKind::Zero => Some(String::new()),
            _ => None,
        }
    }

    /// The function that the metadata node of a function's attachment names: `!{ptr @g}`.
    pub fn metadata_function(&self, node: MdId) -> Option<FuncId> {
        match self.metadata[node].operands().first()? {
            MdOperand::Const(c) => match self.symbol(*c)? {
                Symbol::Function(f) => Some(f),
                Symbol::Global(_) => None,
            },
            _ => None,
        }
    }

    /// Where a variable is declared, with debug information.
    pub fn global_loc(&self, global: GlobalId) -> Option<SourceLoc> {
        let (_, node) = self.globals[global].metadata.iter().find(|(k, _)| k == "dbg")?;
        self.declaration_loc(self.metadata[*node].node("var").unwrap_or(*node))
    }
}

#[cfg(test)]
mod tests {
    const TEXT: &str = r#"
@__enzyme_register_gradient_f = global [3 x ptr] [ptr @f, ptr @augmented, ptr @reverse]
@_ZL19__enzyme_inactivefn = internal global ptr @quiet
@name = private constant [6 x i8] c"log1p\00"
@__enzyme_function_like_g = global [2 x ptr] [ptr @g, ptr @name]
@note = private constant [16 x i8] c"enzyme_inactive\00"
@other = private constant [6 x i8] c"other\00"
@file = private constant [4 x i8] c"a.c\00"
@llvm.global.annotations = appending global [2 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @noted, ptr @note, ptr @file, i32 4, ptr null }, { ptr, ptr, ptr, i32, ptr } { ptr @plain, ptr @other, ptr @file, i32 5, ptr null }]
declare double @f(double)
declare double @augmented(double)
declare double @reverse(double, double)
declare void @quiet()
declare double @g(double)
declare void @noted()
declare void @plain()
declare double @attributed(double) "enzyme_math"="sin"
declare !enzyme_gradient !0 double @described(double)
!0 = !{ptr @reverse}
"#;

    #[test]
    fn every_spelling_is_found_and_nothing_else() {
        let m = crate::parse(TEXT, "a.ll").unwrap();
        let names: Vec<&str> = m.hinted_functions().into_iter().map(|f| m.functions[f].name.as_str()).collect();
        assert_eq!(names, ["f", "augmented", "reverse", "quiet", "g", "noted", "attributed", "described"]);
        let found = m.registrations();
        let kinds: Vec<&str> = found.iter().map(|r| r.name).collect();
        assert_eq!(kinds, ["__enzyme_register_gradient", "__enzyme_inactivefn", "__enzyme_function_like"]);
        assert_eq!(m.text(found[2].elements[1]).as_deref(), Some("log1p"));
        let described = m.function("described").unwrap();
        let node = m.functions[described].metadata[0].1;
        assert_eq!(m.metadata_function(node), m.function("reverse"));
    }
}
