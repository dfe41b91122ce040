//! Integer operations of many widths against integers without a width: results, poison and undefined behaviour as the
//! LangRef defines them by what does not fit.
//!
//! Each operation is a function of two parameters that is executed as a program's would be.

use interp::value::{Scalar, Tag, mask128};
use interp::{Interp, Limits, Plain, Program, Stop, Value};
use proptest::prelude::*;
use rug::Integer;
use rug::ops::Pow;
use std::cell::LazyCell;

const WIDTHS: [u8; 16] = [1, 2, 7, 8, 15, 16, 24, 31, 32, 33, 63, 64, 65, 100, 127, 128];

const BINARY: [(&str, &[&str]); 13] = [
    ("add", &["", "nuw", "nsw", "nuw nsw"]),
    ("sub", &["", "nuw", "nsw", "nuw nsw"]),
    ("mul", &["", "nuw", "nsw", "nuw nsw"]),
    ("shl", &["", "nuw", "nsw", "nuw nsw"]),
    ("udiv", &["", "exact"]),
    ("sdiv", &["", "exact"]),
    ("lshr", &["", "exact"]),
    ("ashr", &["", "exact"]),
    ("urem", &[""]),
    ("srem", &[""]),
    ("and", &[""]),
    ("or", &["", "disjoint"]),
    ("xor", &[""]),
];

const PREDICATES: [&str; 10] = ["eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"];

const INTRINSICS: [&str; 14] = [
    "uadd.sat", "sadd.sat", "usub.sat", "ssub.sat", "ushl.sat", "sshl.sat", "umin", "umax", "smin", "smax", "ctpop",
    "ctlz", "cttz", "abs",
];

const OVERFLOWS: [&str; 6] = [
    "uadd.with.overflow",
    "sadd.with.overflow",
    "usub.with.overflow",
    "ssub.with.overflow",
    "umul.with.overflow",
    "smul.with.overflow",
];

/// What an operation gives.
#[derive(Clone, PartialEq, Debug)]
enum Result {
    Defined(Vec<u128>),
    Poison,
    Undefined,
}

fn power(exponent: u32) -> Integer {
    Integer::from(2).pow(exponent)
}

/// An integer of some width, as both of the numbers that its bits are.
#[derive(Clone, Debug)]
struct Number {
    width: u8,
    unsigned: Integer,
    signed: Integer,
}

impl Number {
    fn new(bits: u128, width: u8) -> Number {
        let unsigned = Integer::from(bits);
        let negative = unsigned >= power(u32::from(width) - 1);
        let signed = if negative { unsigned.clone() - power(width.into()) } else { unsigned.clone() };
        Number { width, unsigned, signed }
    }

    fn bits(width: u8, exact: &Integer) -> u128 {
        exact.clone().div_rem_euc(power(width.into())).1.to_u128().unwrap()
    }

    fn is_unsigned(width: u8, exact: &Integer) -> bool {
        *exact >= 0 && *exact < power(width.into())
    }

    fn is_signed(width: u8, exact: &Integer) -> bool {
        *exact >= -power(u32::from(width) - 1) && *exact < power(u32::from(width) - 1)
    }
}

/// A result that is exact in the integers, in so many bits, with the promises of its flags.
fn promised(width: u8, flags: &str, unsigned: &Integer, signed: &Integer) -> Result {
    let breaks = flags.contains("nuw") && !Number::is_unsigned(width, unsigned)
        || flags.contains("nsw") && !Number::is_signed(width, signed);
    if breaks { Result::Poison } else { Result::Defined(vec![Number::bits(width, unsigned)]) }
}

fn binary(op: &str, flags: &str, a: &Number, b: &Number) -> Result {
    let width = a.width;
    let one = |exact: Integer| Result::Defined(vec![Number::bits(width, &exact)]);
    let exact_or_poison = |value: Integer, is_exact: bool| match flags.contains("exact") && !is_exact {
        true => Result::Poison,
        false => one(value),
    };
    let by = b.unsigned.to_u32().filter(|by| *by < u32::from(width));
    let divides = matches!(op, "udiv" | "sdiv" | "urem" | "srem");
    let overflows = a.signed == -power(u32::from(width) - 1) && b.signed == -1;
    if divides && (b.unsigned == 0 || op.starts_with('s') && overflows) {
        return Result::Undefined;
    }
    match (op, by) {
        ("add", _) => promised(width, flags, &(&a.unsigned + &b.unsigned).into(), &(&a.signed + &b.signed).into()),
        ("sub", _) => promised(width, flags, &(&a.unsigned - &b.unsigned).into(), &(&a.signed - &b.signed).into()),
        ("mul", _) => promised(width, flags, &(&a.unsigned * &b.unsigned).into(), &(&a.signed * &b.signed).into()),
        ("shl", Some(by)) => promised(width, flags, &(&a.unsigned << by).into(), &(&a.signed << by).into()),
        ("lshr", Some(by)) => {
            let (quotient, rest) = a.unsigned.clone().div_rem_floor(power(by));
            exact_or_poison(quotient, rest == 0)
        }
        ("ashr", Some(by)) => {
            let (quotient, rest) = a.signed.clone().div_rem_floor(power(by));
            exact_or_poison(quotient, rest == 0)
        }
        ("shl" | "lshr" | "ashr", None) => Result::Poison,
        ("udiv", _) => {
            let (quotient, rest) = a.unsigned.clone().div_rem(b.unsigned.clone());
            exact_or_poison(quotient, rest == 0)
        }
        ("sdiv", _) => {
            let (quotient, rest) = a.signed.clone().div_rem(b.signed.clone());
            exact_or_poison(quotient, rest == 0)
        }
        ("urem", _) => one(a.unsigned.clone().div_rem(b.unsigned.clone()).1),
        ("srem", _) => one(a.signed.clone().div_rem(b.signed.clone()).1),
        ("and", _) => one(a.signed.clone() & &b.signed),
        ("or", _) if flags == "disjoint" && (a.unsigned.clone() & &b.unsigned) != 0 => Result::Poison,
        ("or", _) => one(a.signed.clone() | &b.signed),
        ("xor", _) => one(a.signed.clone() ^ &b.signed),
        _ => panic!("{op} is no operation"),
    }
}

fn holds(predicate: &str, a: &Number, b: &Number) -> bool {
    let (unsigned, signed) = (a.unsigned.cmp(&b.unsigned), a.signed.cmp(&b.signed));
    match predicate {
        "eq" => unsigned.is_eq(),
        "ne" => unsigned.is_ne(),
        "ugt" => unsigned.is_gt(),
        "uge" => unsigned.is_ge(),
        "ult" => unsigned.is_lt(),
        "ule" => unsigned.is_le(),
        "sgt" => signed.is_gt(),
        "sge" => signed.is_ge(),
        "slt" => signed.is_lt(),
        "sle" => signed.is_le(),
        _ => panic!("{predicate} is no predicate"),
    }
}

/// What an operation that an intrinsic carries out gives in the integers; the choice between signed and unsigned is the
/// first letter of its name.
fn plain(name: &str, a: &Number, b: &Number) -> Integer {
    let (x, y) = if name.starts_with('s') { (&a.signed, &b.signed) } else { (&a.unsigned, &b.unsigned) };
    match &name[1..4] {
        "add" => (x + y).into(),
        "sub" => (x - y).into(),
        "mul" => (x * y).into(),
        "shl" => (x << b.unsigned.to_u32().unwrap()).into(),
        "min" => x.min(y).clone(),
        "max" => x.max(y).clone(),
        _ => panic!("{name} is no intrinsic"),
    }
}

fn intrinsic(name: &str, a: &Number, b: &Number) -> Result {
    let width = a.width;
    let bits = |exact: &Integer| Number::bits(width, exact);
    let digits = || (0..u32::from(width)).map(|i| a.unsigned.get_bit(i));
    let counted = |count: usize| Result::Defined(vec![bits(&Integer::from(count))]);
    match name {
        "ctpop" => counted(digits().filter(|d| *d).count()),
        "ctlz" => counted(digits().rev().take_while(|d| !d).count()),
        "cttz" => counted(digits().take_while(|d| !d).count()),
        "abs" => Result::Defined(vec![bits(&a.signed.clone().abs())]),
        "ushl.sat" | "sshl.sat" if b.unsigned >= width => Result::Poison,
        _ => {
            let exact = plain(name, a, b);
            let (low, high) = if name.starts_with('s') {
                (-power(u32::from(width) - 1), power(u32::from(width) - 1) - 1_u32)
            } else {
                (Integer::new(), power(width.into()) - 1_u32)
            };
            if name.ends_with("overflow") {
                let fits = low <= exact && exact <= high;
                return Result::Defined(vec![bits(&exact), u128::from(!fits)]);
            }
            Result::Defined(vec![bits(&exact.clamp(&low, &high))])
        }
    }
}

/// A conversion to another width.
fn conversion(op: &str, flags: &str, a: &Number, to: u8) -> Result {
    match op {
        "trunc" => promised(to, flags, &a.unsigned, &a.signed),
        "zext" if flags == "nneg" && a.signed < 0 => Result::Poison,
        "zext" => Result::Defined(vec![Number::bits(to, &a.unsigned)]),
        _ => Result::Defined(vec![Number::bits(to, &a.signed)]),
    }
}

/// The functions of all operations in all widths.
fn text() -> String {
    let mut out = String::new();
    for w in WIDTHS {
        let mut define = |name: String, result: &str, body: String| {
            out += &format!("define {result} @\"{name}\"(i{w} %a, i{w} %b) {{\n{body}  ret {result} %r\n}}\n");
        };
        for (op, all) in BINARY {
            for flags in all {
                define(format!("{op} {flags} {w}"), &format!("i{w}"), format!("  %r = {op} {flags} i{w} %a, %b\n"));
            }
        }
        for predicate in PREDICATES {
            define(format!("{predicate} {w}"), "i1", format!("  %r = icmp {predicate} i{w} %a, %b\n"));
        }
        for name in INTRINSICS {
            let rest = match name {
                "ctpop" => String::new(),
                "ctlz" | "cttz" | "abs" => ", i1 false".to_owned(),
                _ => format!(", i{w} %b"),
            };
            let body = format!("  %r = call i{w} @llvm.{name}.i{w}(i{w} %a{rest})\n");
            define(format!("{name} {w}"), &format!("i{w}"), body);
        }
        for name in OVERFLOWS {
            let result = format!("{{ i{w}, i1 }}");
            let body = format!("  %r = call {result} @llvm.{name}.i{w}(i{w} %a, i{w} %b)\n");
            define(format!("{name} {w}"), &result, body);
        }
        for to in WIDTHS {
            let ops: &[(&str, &str)] = match to.cmp(&w) {
                std::cmp::Ordering::Less => &[("trunc", ""), ("trunc", "nuw"), ("trunc", "nsw"), ("trunc", "nuw nsw")],
                std::cmp::Ordering::Equal => &[],
                std::cmp::Ordering::Greater => &[("zext", ""), ("zext", "nneg"), ("sext", "")],
            };
            for (op, flags) in ops {
                let body = format!("  %r = {op} {flags} i{w} %a to i{to}\n");
                define(format!("{op} {flags} {w} {to}"), &format!("i{to}"), body);
            }
        }
        for name in INTRINSICS {
            let rest = match name {
                "ctpop" => String::new(),
                "ctlz" | "cttz" | "abs" => ", i1".to_owned(),
                _ => format!(", i{w}"),
            };
            out += &format!("declare i{w} @llvm.{name}.i{w}(i{w}{rest})\n");
        }
        for name in OVERFLOWS {
            out += &format!("declare {{ i{w}, i1 }} @llvm.{name}.i{w}(i{w}, i{w})\n");
        }
    }
    out
}

thread_local! {
    static PROGRAM: LazyCell<Program> = LazyCell::new(|| {
        let module = ir::parse(&text(), "integers.ll").expect("the functions are IR");
        ir::verify(&module).expect("the functions are well formed");
        Program::new(&module).expect("the functions can be executed")
    });
}

fn execute(name: &str, a: u128, b: u128) -> Result {
    PROGRAM.with(|program| {
        let func = program.function(name).unwrap_or_else(|| panic!("{name} is defined"));
        let args = [Value::scalar(Scalar::wide(a)), Value::scalar(Scalar::wide(b))];
        match Interp::new(program, Plain, Limits::default()).call(func, &args) {
            Ok(value) => {
                let leaves: Vec<Scalar> = value.leaves.iter().map(|(leaf, _)| *leaf).collect();
                match leaves.iter().all(|leaf| leaf.tag == Tag::Init) {
                    true => Result::Defined(leaves.iter().map(|leaf| leaf.bits()).collect()),
                    false => Result::Poison,
                }
            }
            Err(Stop::Undefined(_)) => Result::Undefined,
            Err(stop) => panic!("{name}: {stop}"),
        }
    })
}

/// Bits of a width: any, few, all but few, and those around a single one.
fn operand(width: u8) -> impl Strategy<Value = u128> {
    let mask = mask128(width);
    prop_oneof![
        3 => any::<u128>().prop_map(move |bits| bits & mask),
        2 => (any::<u128>(), 0..=u32::from(width - 1)).prop_map(move |(bits, by)| (bits & mask) >> by),
        2 => (0..u32::from(width), -1..=1_i8).prop_map(move |(at, by)| {
            (1_u128 << at).wrapping_add_signed(i128::from(by)) & mask
        }),
        1 => (0..4_u128).prop_map(move |less| (mask - (less & mask)) & mask),
        2 => 0..=u128::from(width).min(mask),
    ]
}

fn operands() -> impl Strategy<Value = (u8, u128, u128)> {
    let of = |width| (Just(width), operand(width), operand(width));
    prop::sample::select(WIDTHS.to_vec()).prop_flat_map(of)
}

fn binary_op() -> impl Strategy<Value = (&'static str, &'static str)> {
    let all = BINARY.iter().flat_map(|(op, flags)| flags.iter().map(move |flags| (*op, *flags)));
    prop::sample::select(all.collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn binary_operations((op, flags) in binary_op(), (width, a, b) in operands()) {
        let expected = binary(op, flags, &Number::new(a, width), &Number::new(b, width));
        prop_assert_eq!(execute(&format!("{op} {flags} {width}"), a, b), expected);
    }

    #[test]
    fn comparisons(predicate in prop::sample::select(PREDICATES.to_vec()), (width, a, b) in operands()) {
        let expected = holds(predicate, &Number::new(a, width), &Number::new(b, width));
        let found = execute(&format!("{predicate} {width}"), a, b);
        prop_assert_eq!(found, Result::Defined(vec![u128::from(expected)]));
    }

    #[test]
    fn intrinsics(
        name in prop::sample::select([&INTRINSICS[..], &OVERFLOWS].concat()),
        (width, a, b) in operands(),
    ) {
        let expected = intrinsic(name, &Number::new(a, width), &Number::new(b, width));
        prop_assert_eq!(execute(&format!("{name} {width}"), a, b), expected);
    }

    #[test]
    fn conversions(to in prop::sample::select(WIDTHS.to_vec()), flags in 0..4_usize, (width, a, b) in operands()) {
        let (op, flags) = match to.cmp(&width) {
            std::cmp::Ordering::Less => ("trunc", ["", "nuw", "nsw", "nuw nsw"][flags]),
            std::cmp::Ordering::Equal => return Ok(()),
            std::cmp::Ordering::Greater => [("zext", ""), ("zext", "nneg"), ("sext", ""), ("sext", "")][flags],
        };
        let expected = conversion(op, flags, &Number::new(a, width), to);
        prop_assert_eq!(execute(&format!("{op} {flags} {width} {to}"), a, b), expected);
    }
}
