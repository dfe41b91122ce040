//! Several programs in one module, and the `main` that runs them.

use super::build::Builder;
use super::generate;
use super::odds::Odds;
use super::ty::Ty;
use crate::choices::{Choices, bytes_of_seed};
use crate::ir::generate::program::print_line;
use ir::{ConstKind, FuncId, Global, InstKind, IntPred, Module};
use std::collections::BTreeSet;

/// What programs are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Purpose {
    /// They are differentiated, and the gradient is judged.
    #[default]
    Gradient,
    /// They are executed, and their results compared.
    Semantics,
}

/// Programs of one module.
pub struct Batch {
    /// The module.
    pub module: Module,
    /// For each program, the function that is to be executed.
    pub programs: Vec<FuncId>,
    /// For each program, constructs that instructions alone do not tell.
    pub notes: Vec<BTreeSet<String>>,
}

/// Sets of inputs that each program of [`Purpose::Semantics`] is executed with.
pub const INPUTS: [[u64; 8]; 2] = [
    // Small integers, and 0.5, -1.25, 3, 1e-3.
    [3, 1, 7, 12, 0x3fe0_0000_0000_0000, 0xbff4_0000_0000_0000, 0x4008_0000_0000_0000, 0x3f50_624d_d2f1_a9fc],
    // Integers with bits everywhere, and -0, 1e300, infinity, the least denormal.
    [
        u64::MAX,
        0x8000_0000_0000_0000,
        0x0123_4567_89ab_cdef,
        0xffff_fffe_8000_7f80,
        1 << 63,
        0x7e37_e43c_8800_759c,
        0x7ff0 << 48,
        1,
    ],
];

/// The programs of some seeds.
pub fn of_seeds(seeds: &[u64], purpose: Purpose, odds: &Odds) -> Batch {
    let bytes: Vec<Vec<u8>> = seeds.iter().map(|seed| bytes_of_seed(*seed)).collect();
    of_bytes(&bytes, purpose, odds)
}

/// The programs that some decisions lead to.
pub fn of_bytes(bytes: &[Vec<u8>], purpose: Purpose, odds: &Odds) -> Batch {
    let mut b = Builder::new("case.ll");
    let (mut programs, mut notes) = (Vec::new(), Vec::new());
    for (index, bytes) in bytes.iter().enumerate() {
        let mut choices = Choices::new(bytes);
        let name = index.to_string();
        programs.push(match purpose {
            Purpose::Gradient => generate::gradient(&mut b, &mut choices, odds, &name),
            Purpose::Semantics => generate::semantics(&mut b, &mut choices, odds, &format!("p_{name}")),
        });
        notes.push(b.take_notes());
    }
    main(&mut b, purpose, &programs);
    Batch { module: b.module, programs, notes }
}

/// The global with the inputs.
pub const INPUTS_NAME: &str = "inputs";

/// `main` runs the program whose number is given, or all of them.
fn main(b: &mut Builder, purpose: Purpose, programs: &[FuncId]) {
    let (ptr, int, word) = (b.module.types.ptr(), b.ty(Ty::int(32)), b.ty(Ty::int(64)));
    let inputs = (purpose == Purpose::Semantics).then(|| {
        let row = b.module.types.array(8, word);
        let table = b.module.types.array(INPUTS.len() as u64, row);
        let rows = INPUTS.iter().map(|words| {
            let words = words.iter().filter_map(|w| b.i64(*w).constant()).collect();
            b.module.constants.intern(row, ConstKind::Aggregate(words))
        });
        let rows = rows.collect();
        let init = b.module.constants.intern(table, ConstKind::Aggregate(rows));
        let mut global = Global::new(INPUTS_NAME, table, Some(init));
        global.align = 16;
        let id = b.global(global);
        (b.module.global_address(id), row)
    });
    let main = b.function("main", int, &[int, ptr]);
    b.start(main);
    let (count, args) = (b.param(0), b.param(1));
    let (one, two) = (b.i64(1), b.i32(2));
    let alone = b.icmp(IntPred::Slt, Ty::int(32), count, two);
    let (parse, head) = (b.new_block(), b.new_block());
    let entry = b.block;
    b.cond_br(alone, head, parse);
    b.block = parse;
    let at = b.gep(ptr, args, vec![one]);
    let text = b.load(ptr, at, 8);
    let convert = b.declare("atoi", int, &[ptr], false);
    let all = b.bits(Ty::int(32), u128::MAX);
    let number = b.call(convert, vec![text]).unwrap_or(all);
    b.br(head);
    b.block = head;
    let wanted = b.phi(int, vec![(all, entry), (number, parse)]);
    for (index, program) in programs.iter().enumerate() {
        let index = b.i32(index as u32);
        let this = b.icmp(IntPred::Eq, Ty::int(32), wanted, index);
        let each = b.icmp(IntPred::Eq, Ty::int(32), wanted, all);
        let runs = b.binary(ir::BinOp::Or, Ty::BIT, this, each);
        let (then_to, next) = (b.new_block(), b.new_block());
        b.cond_br(runs, then_to, next);
        b.block = then_to;
        match inputs {
            None => {
                b.call(*program, Vec::new());
            }
            Some((base, row)) => {
                for set in 0..INPUTS.len() {
                    let set = b.i64(set as u64);
                    let at = b.gep(row, base, vec![set]);
                    if let Some(result) = b.call(*program, vec![at]) {
                        print_line(b, result);
                    }
                }
            }
        }
        b.br(next);
        b.block = next;
    }
    let zero = b.i32(0);
    b.effect(InstKind::Ret(Some(zero)));
}
