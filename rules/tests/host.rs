//! The list of the host's functions must say of names and signatures what the rows say.

use rules::row::Operand;
use rules::{Op, Value, Width, lookup_symbol};

struct Listed {
    parameters: &'static str,
    result: &'static str,
    op: Op,
    double: &'static str,
    float: &'static str,
}

macro_rules! list {
    ($($parameters:tt $(-> $result:ident)? { $($op:ident $double:ident $float:ident;)* })*) => {
        vec![$(
            (stringify!($parameters), concat!($(stringify!($result))?),
             vec![$((Op::$op, stringify!($double), stringify!($float))),*])
        ),*]
    };
}

fn listed() -> Vec<Listed> {
    let groups = rules::for_each_host_function!(list);
    let mut functions = Vec::new();
    for (parameters, result, members) in groups {
        for (op, double, float) in members {
            functions.push(Listed { parameters, result, op, double, float });
        }
    }
    functions
}

#[test]
fn names_belong_to_their_rows() {
    for function in listed() {
        for (name, width) in [(function.double, Width::F64), (function.float, Width::F32)] {
            let found = lookup_symbol(name).unwrap_or_else(|| panic!("{name} is not in the table"));
            assert_eq!((found.row.op, found.width), (function.op, width), "{name}");
        }
    }
}

#[test]
fn signatures_are_those_of_the_rows() {
    for function in listed() {
        let row = function.op.row();
        let parameters: Vec<&str> = function.parameters.trim_matches(['(', ')']).split(',').map(str::trim).collect();
        assert_eq!(parameters.len(), row.operands.len(), "{}", function.double);
        for (parameter, operand) in parameters.iter().zip(&row.operands) {
            let fits = match operand {
                Operand::Active | Operand::Inactive(_) => *parameter == "F",
                Operand::InactiveOf(..) => *parameter == "long double",
                Operand::Integer => matches!(*parameter, "i32" | "i64"),
                Operand::FloatOut => *parameter == "out F",
                Operand::IntOut => *parameter == "out i32",
                Operand::Text => *parameter == "text",
            };
            assert!(fits, "{}: {parameter} for {operand:?}", function.double);
        }
        let returned = row.outputs.iter().find(|output| output.place == rules::Place::Return);
        let fits = match returned.map(|output| &output.value) {
            Some(Value::Float { .. }) => function.result == "F",
            Some(Value::Integer) => matches!(function.result, "i32" | "i64"),
            None => function.result.is_empty(),
        };
        assert!(fits, "{} returns {}", function.double, function.result);
    }
}

/// Rows with a library name that the C library of the host does not have, or not under a plain C signature.
#[test]
fn no_library_function_is_forgotten() {
    let absent = [Op::SinPi, Op::CosPi, Op::TanPi, Op::SinCosPi];
    let functions = listed();
    for &op in Op::ALL.iter().filter(|op| !op.row().symbols.library.is_empty()) {
        let count = functions.iter().filter(|function| function.op == op).count();
        assert_eq!(count, usize::from(!absent.contains(&op)), "{}", op.name());
    }
}
