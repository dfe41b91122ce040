//! From a spelling in a program to its row.
//!
//! A library name stands for a row and a floating-point width. `sin` gives `sinf` and `sinl`, the C23 names `sinf32`,
//! `sinf64`, `sinf32x`, `sinf64x`, `sinf128`. An intrinsic name carries its types: `llvm.fmuladd.v4f32`,
//! `llvm.powi.f64.i32`, `llvm.lrint.i64.f64`.

use crate::row::{Row, Width};
use crate::table::reductions::{REDUCTIONS, Reduction};
use crate::table::rows;
use std::collections::HashMap;
use std::sync::LazyLock;

/// A function found in the table.
#[derive(Clone, Copy, Debug)]
pub struct Symbol {
    /// Its row: what happens in each lane.
    pub row: &'static Row,
    /// Width of its floating-point operands, or of one lane.
    pub width: Width,
    /// Lanes of a fixed vector; none for a scalar.
    pub lanes: Option<u32>,
}

/// A vector reduction found in the table.
#[derive(Clone, Copy, Debug)]
pub struct FoundReduction {
    /// Which one.
    pub reduction: &'static Reduction,
    /// Width of one lane.
    pub width: Width,
    /// Lanes of the vector.
    pub lanes: u32,
}

/// Endings of the double spelling for each width, C99 and C23.
const ENDINGS: [(&str, Width); 8] = [
    ("", Width::F64),
    ("f", Width::F32),
    ("l", Width::F80),
    ("f32", Width::F32),
    ("f64", Width::F64),
    ("f32x", Width::F64),
    ("f64x", Width::F80),
    ("f128", Width::F128),
];

static SYMBOLS: LazyLock<HashMap<String, Symbol>> = LazyLock::new(|| {
    let mut symbols = HashMap::new();
    for row in rows() {
        for (name, width) in row.spellings() {
            symbols.insert(name, Symbol { row, width, lanes: None });
        }
    }
    symbols
});

static INTRINSICS: LazyLock<HashMap<&'static str, &'static Row>> = LazyLock::new(|| {
    rows().iter().flat_map(|row| row.symbols.intrinsics.iter().map(move |&name| (name, row))).collect()
});

/// The row of a library function or an intrinsic.
pub fn lookup(name: &str) -> Option<Symbol> {
    if name.starts_with("llvm.") { lookup_intrinsic(name) } else { lookup_symbol(name) }
}

/// The row of a library function, also in the spelling of a device's library.
pub fn lookup_symbol(name: &str) -> Option<Symbol> {
    let known = |name: &str| SYMBOLS.get(name).copied();
    known(name).or_else(|| known(&of_device(name)?))
}

/// The C name of a function that the libraries of CUDA (`__nv_sinf`, `__nv_fast_sinf`) and of AMD (`__ocml_sin_f32`)
/// have.
fn of_device(name: &str) -> Option<String> {
    if let Some(rest) = name.strip_prefix("__nv_") {
        return Some(rest.strip_prefix("fast_").unwrap_or(rest).to_owned());
    }
    let rest = name.strip_prefix("__ocml_")?;
    let rest = rest.strip_prefix("native_").unwrap_or(rest);
    let single = |base: &str| format!("{base}f");
    rest.strip_suffix("_f64").map(str::to_owned).or_else(|| rest.strip_suffix("_f32").map(single))
}

/// The row of an LLVM intrinsic, from its full name. None for scalable vectors and for reductions.
pub fn lookup_intrinsic(name: &str) -> Option<Symbol> {
    let (row, suffix) = split_at_dot(name, |base| INTRINSICS.get(base).copied())?;
    let (width, lanes) = suffix.split('.').find_map(parse_float_type)?;
    Some(Symbol { row, width, lanes })
}

/// The row of an LLVM floating-point instruction, from its mnemonic (`fadd`).
pub fn lookup_opcode(mnemonic: &str) -> Option<&'static Row> {
    rows().iter().find(|row| row.symbols.opcodes.contains(&mnemonic))
}

/// A vector reduction, from the intrinsic's full name.
pub fn lookup_reduction(name: &str) -> Option<FoundReduction> {
    let (reduction, suffix) =
        split_at_dot(name, |base| REDUCTIONS.iter().find(|reduction| reduction.intrinsic == base))?;
    let (width, lanes) = parse_float_type(suffix)?;
    Some(FoundReduction { reduction, width, lanes: lanes? })
}

/// The library name in the spelling of a width.
fn with_ending(base: &str, ending: &str) -> String {
    if base.contains('*') { base.replace('*', ending) } else { format!("{base}{ending}") }
}

/// Splits at the dot before which the name is known.
fn split_at_dot<T>(name: &str, known: impl Fn(&str) -> Option<T>) -> Option<(T, &str)> {
    let dots = name.match_indices('.').map(|(position, _)| position);
    let mut found = dots.filter_map(|dot| known(&name[..dot]).map(|value| (value, &name[dot + 1..])));
    found.next_back()
}

/// `f64`, `v4f32`, … as in intrinsic names.
fn parse_float_type(text: &str) -> Option<(Width, Option<u32>)> {
    let (lanes, element) = match text.strip_prefix('v') {
        Some(vector) => {
            let digits = vector.find(|c: char| !c.is_ascii_digit())?;
            (Some(vector[..digits].parse().ok()?), &vector[digits..])
        }
        None => (None, text),
    };
    let width = match element {
        "f16" => Width::F16,
        "bf16" => Width::BF16,
        "f32" => Width::F32,
        "f64" => Width::F64,
        "f80" => Width::F80,
        "f128" => Width::F128,
        _ => return None,
    };
    Some((width, lanes))
}

impl Row {
    /// Every library spelling with its width, those included that older headers used under `-ffast-math`
    /// (`__sin_finite`).
    pub fn spellings(&self) -> Vec<(String, Width)> {
        let mut spellings: Vec<(String, Width)> =
            self.symbols.irregular.iter().map(|&(name, width)| (name.to_string(), width)).collect();
        for base in self.symbols.library {
            for (ending, width) in ENDINGS {
                let name = with_ending(base, ending);
                if !name.starts_with('_') {
                    spellings.push((format!("__{name}_finite"), width));
                }
                spellings.push((name, width));
            }
        }
        spellings
    }

    /// The name an emitter should call for this operation in the given width: the intrinsic where LLVM has one, with
    /// its type suffix, else the library function. None for instructions and for widths no library has (F16, BF16
    /// without an intrinsic).
    pub fn callee(&self, width: Width) -> Option<String> {
        if let Some(intrinsic) = self.symbols.intrinsics.first() {
            let integer = if self.int_positions().next().is_some() { ".i32" } else { "" };
            return Some(format!("{intrinsic}.{}{integer}", width.mangled()));
        }
        self.library_function(width)
    }

    /// The same on an NVIDIA device, where LLVM has no code for intrinsics that are functions, but a library has
    /// functions of C's names (CUDA libdevice User's Guide).
    pub fn callee_of_libdevice(&self, width: Width) -> Option<String> {
        match width {
            Width::F32 | Width::F64 if !self.is_arithmetic() => {
                self.library_function(width).map(|name| format!("__nv_{name}"))
            }
            _ => self.callee(width),
        }
    }

    fn library_function(&self, width: Width) -> Option<String> {
        let ending = match width {
            Width::F32 => "f",
            Width::F64 => "",
            Width::F80 => "l",
            Width::F128 => "f128",
            Width::F16 | Width::BF16 => return None,
        };
        self.symbols.library.first().map(|base| with_ending(base, ending))
    }
}

impl Width {
    /// The type's part in the name of an intrinsic.
    pub fn mangled(self) -> &'static str {
        match self {
            Width::F16 => "f16",
            Width::BF16 => "bf16",
            Width::F32 => "f32",
            Width::F64 => "f64",
            Width::F80 => "f80",
            Width::F128 => "f128",
        }
    }

    /// Bits of the significand, the leading one included.
    pub fn precision(self) -> u32 {
        match self {
            Width::F16 => 11,
            Width::BF16 => 8,
            Width::F32 => 24,
            Width::F64 => 53,
            Width::F80 => 64,
            Width::F128 => 113,
        }
    }
}
