//! The operands of a call, by name: read as its spelling has them, with their extents. What LAPACK says of how it went
//! is read once, after the call.

use crate::emit::blas::lower::Lower;
use crate::emit::blas::spelling::{COLUMNS, spelled};
use ir::{BinOp, CastOp, IntPred, Operand};
use rules::blas::{Kind, Shape};

impl Lower<'_, '_> {
    /// Names the arguments of a call of the routine.
    pub(crate) fn arguments(&mut self, arguments: &[Operand]) {
        let (real, i32t) = (self.real(), self.b.m.types.int(32));
        let mut arguments = arguments.iter().copied();
        let by_value = self.rule.spelling.cblas;
        let layout = match by_value && self.rule.routine.has_layout() {
            true => arguments.next(),
            false => None,
        };
        let layout = layout.unwrap_or_else(|| self.i32(COLUMNS));
        self.values.insert("layout".to_owned(), layout);
        for (name, kind) in self.rule.routine.operands() {
            let Some(argument) = arguments.next() else { return };
            let value = match kind {
                Kind::Data(_) | Kind::Packed(_) => argument,
                Kind::Info => {
                    self.info = Some(argument);
                    continue;
                }
                Kind::Part | Kind::Storage => self.letter(kind, argument),
                Kind::Count if !by_value => self.b.load(i32t, argument, 4),
                Kind::Scalar if !by_value => {
                    self.values.insert(format!("{name}.at"), argument);
                    let align = self.b.align(real);
                    self.b.load(real, argument, align)
                }
                Kind::Count | Kind::Scalar => argument,
                flag => self.flag_of(flag, argument),
            };
            self.values.insert(name.to_owned(), value);
            if kind.is_memory() {
                self.values.insert(format!("{name}.at"), value);
            }
            if matches!(kind, Kind::Data(_)) {
                let Some(argument) = arguments.next() else { return };
                let stride = if by_value { argument } else { self.b.load(i32t, argument, 4) };
                self.values.insert(format!("{name}.ld"), stride);
                self.values.insert(format!("{name}'.ld"), stride);
            }
        }
    }

    /// Names what the call has left: its result, and how it went.
    pub(crate) fn called(&mut self, result: Option<Operand>) {
        self.values.extend(result.map(|r| ("r".to_owned(), r)));
        if let Some(info) = self.info {
            let i32t = self.b.m.types.int(32);
            let info = self.b.load(i32t, info, 4);
            self.values.insert("info".to_owned(), info);
        }
    }

    /// A letter in upper case, all that say the same made one.
    fn letter(&mut self, kind: Kind, argument: Operand) -> Operand {
        let i8t = self.b.m.types.int(8);
        let letter = self.b.load(i8t, argument, 1);
        let [upper, all] = [0xDF, b'G'].map(|c| self.b.m.int(8, u128::from(c)));
        let letter = self.b.binary(BinOp::And, letter, upper);
        if kind == Kind::Storage {
            return letter;
        }
        let is_part = self.is_one_of(letter, *b"UL");
        self.b.select(is_part, letter, all)
    }

    fn is_one_of(&mut self, letter: Operand, letters: [u8; 2]) -> Operand {
        let [a, b] = letters.map(|c| {
            let c = self.b.m.int(8, u128::from(c));
            self.b.icmp(IntPred::Eq, letter, c)
        });
        self.b.binary(BinOp::Or, a, b)
    }

    /// What a flag says, as a bit. Whatever is not the one value that a library looks for is the other.
    fn flag_of(&mut self, kind: Kind, argument: Operand) -> Operand {
        let (numbers, letters) = spelled(kind);
        let (value, values) = match self.rule.spelling.cblas {
            true => (argument, numbers.map(|n| self.b.m.int(32, n))),
            false => {
                let i8t = self.b.m.types.int(8);
                let letter = self.b.load(i8t, argument, 1);
                let upper = self.b.m.int(8, 0xDF);
                let letter = self.b.binary(BinOp::And, letter, upper);
                (letter, letters.map(|c| self.b.m.int(8, u128::from(c))))
            }
        };
        match kind {
            Kind::Unit => self.b.icmp(IntPred::Eq, value, values[1]),
            _ => self.b.icmp(IntPred::Ne, value, values[0]),
        }
    }

    /// The shape of an operand of the primal.
    fn shape(&self, name: &str) -> Option<Shape> {
        self.rule.routine.operands().into_iter().find_map(|(n, kind)| match kind {
            Kind::Data(shape) if n == name => Some(shape),
            _ => None,
        })
    }

    pub(super) fn value(&mut self, name: &str) -> Operand {
        let zero = self.b.m.int(32, 0);
        // The rows name nothing else: a test of the table.
        self.values.get(name).copied().unwrap_or(zero)
    }

    /// Elements of a packed triangle.
    fn packed_elements(&mut self, order: &str) -> Operand {
        let (order, i64t, i32t) = (self.value(order), self.b.m.types.int(64), self.b.m.types.int(32));
        let order = self.b.cast(CastOp::SExt, order, i64t);
        let [one, two] = [1, 2].map(|n| self.b.m.int(64, n));
        let next = self.b.binary(BinOp::Add, order, one);
        let twice = self.b.binary(BinOp::Mul, order, next);
        let elements = self.b.binary(BinOp::SDiv, twice, two);
        self.b.cast(CastOp::Trunc, elements, i32t)
    }

    /// Rows of a matrix in a storage of LAPACK's: those of a band are its diagonals, and where it is to be factored as
    /// many again as there are below the main one.
    fn stored_rows(&mut self, storage: &str) -> Operand {
        let [letter, m, kl, ku] = [storage, "m", "kl", "ku"].map(|name| self.value(name));
        let one = self.i32(1);
        let lower = self.b.binary(BinOp::Add, kl, one);
        let upper = self.b.binary(BinOp::Add, ku, one);
        let twice = self.b.binary(BinOp::Add, kl, kl);
        let whole = self.b.binary(BinOp::Add, twice, upper);
        let mut rows = m;
        for (c, count) in [(b'B', lower), (b'Q', upper), (b'Z', whole)] {
            let is = self.is_one_of(letter, [c, c]);
            rows = self.b.select(is, count, rows);
        }
        rows
    }

    /// Rows (or elements) and columns of an operand of the primal.
    pub(super) fn extent(&mut self, name: &str) -> (Operand, Option<Operand>) {
        let kind = self.rule.routine.operands().into_iter().find(|(n, _)| *n == name).map(|(_, kind)| kind);
        if let Some(Kind::Packed(order)) = kind {
            return (self.packed_elements(order), None);
        }
        let Some(shape) = self.shape(name) else { return (self.i32(0), None) };
        if shape.plain.0 == "type" {
            let columns = shape.plain.1.map(|c| self.value(c));
            return (self.stored_rows("type"), columns);
        }
        let (rows, columns) = (self.value(shape.plain.0), shape.plain.1.map(|c| self.value(c)));
        let Some((flag, (flagged_rows, flagged_columns))) = shape.flagged else { return (rows, columns) };
        let flag = self.value(flag);
        let other = (self.value(flagged_rows), flagged_columns.map(|c| self.value(c)));
        let rows = self.b.select(flag, other.0, rows);
        let columns = columns.zip(other.1).map(|(plain, flagged)| self.b.select(flag, flagged, plain));
        (rows, columns)
    }

    pub(super) fn count(&mut self, token: &str) -> Operand {
        match token.strip_prefix('#') {
            Some(name) => self.extent(name).0,
            None => match token.parse() {
                Ok(number) => self.i32(number),
                Err(_) => self.value(token),
            },
        }
    }
}
