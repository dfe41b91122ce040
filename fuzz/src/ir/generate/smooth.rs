//! Numbers of programs that are differentiated: each operation is scaled so that no number leaves [-1, 1].

use super::Body;
use super::float::Way;
use crate::c::ast::Width;
use crate::c::rules::{self, Callable, Shape};
use crate::ir::ty::{Elem, Ty};
use ir::{BinOp, CastOp, FastMath, FloatKind, InstKind, Operand};

impl Body<'_, '_> {
    /// A number of at most 1.
    pub(super) fn smooth(&mut self, ty: Ty, kind: FloatKind, depth: u32) -> Operand {
        let next = depth - 1;
        match self.way(ty, kind) {
            Way::Arithmetic => self.smooth_arithmetic(ty, next),
            Way::Negate => {
                let value = self.value(ty, next);
                let (id, fast) = (self.b.ty(ty), self.fast());
                self.b.emit(InstKind::FNeg { fast, value }, id)
            }
            Way::Load => self.load_of(ty).unwrap_or_else(|| self.leaf(ty)),
            Way::FromInt => {
                let of = ty.of(Elem::Int(32));
                let value = self.value(of, next);
                let mask = self.b.bits(of, 7);
                let small = self.b.binary(BinOp::And, of, value, mask);
                let number = self.b.cast(CastOp::SIToFP, ty, small);
                self.scaled(ty, number, 0.125)
            }
            Way::Resize => {
                let other = if kind == FloatKind::Double { FloatKind::Float } else { FloatKind::Double };
                let value = self.value(ty.of(Elem::Float(other)), next);
                self.b.cast(if kind == FloatKind::Double { CastOp::FPExt } else { CastOp::FPTrunc }, ty, value)
            }
            Way::Intrinsic => self.smooth_intrinsic(ty, next),
            Way::Rule => self.library(ty, kind, next),
            Way::Lanes | Way::Bitcast => self.lanes(ty, next),
            Way::Select => self.choose(ty, next),
        }
    }

    /// Flags of fast mathematics, now and then.
    fn fast(&mut self) -> FastMath {
        match self.c.index(8) {
            0 => FastMath::FAST,
            1 => FastMath { contract: true, ..FastMath::default() },
            2 => FastMath { reassoc: true, nsz: true, ..FastMath::default() },
            _ => FastMath::default(),
        }
    }

    fn fast_binary(&mut self, op: BinOp, ty: Ty, lhs: Operand, rhs: Operand) -> Operand {
        let (id, fast) = (self.b.ty(ty), self.fast());
        self.b.emit(InstKind::Binary { op, flags: ir::IntFlags::default(), fast, lhs, rhs }, id)
    }

    /// A value times a constant.
    pub(super) fn scaled(&mut self, ty: Ty, value: Operand, by: f64) -> Operand {
        let by = self.b.number(ty, by);
        self.fast_binary(BinOp::FMul, ty, value, by)
    }

    fn smooth_arithmetic(&mut self, ty: Ty, depth: u32) -> Operand {
        let (a, b) = (self.value(ty, depth), self.value(ty, depth));
        match self.c.index(8) {
            0..=2 => {
                let op = if self.c.chance(60) { BinOp::FAdd } else { BinOp::FSub };
                let share = self.c.int(20, 80) as f64 / 100.0;
                let a = self.scaled(ty, a, share);
                let b = self.scaled(ty, b, 1.0 - share);
                self.fast_binary(op, ty, a, b)
            }
            3 => {
                // The divisor is at least 1.25.
                let base = self.b.number(ty, 2.25);
                let divisor = self.fast_binary(BinOp::FAdd, ty, b, base);
                self.fast_binary(BinOp::FDiv, ty, a, divisor)
            }
            _ => self.fast_binary(BinOp::FMul, ty, a, b),
        }
    }

    fn smooth_intrinsic(&mut self, ty: Ty, depth: u32) -> Operand {
        let a = self.value(ty, depth);
        match self.c.index(8) {
            0 => self.b.uniform("llvm.fabs", ty, vec![a]),
            1 => {
                // The root of at least a quarter.
                let (half, base) = (self.scaled(ty, a, 0.3), self.b.number(ty, 0.6));
                let inside = self.fast_binary(BinOp::FAdd, ty, half, base);
                self.b.uniform("llvm.sqrt", ty, vec![inside])
            }
            2 | 3 => {
                let (b, c) = (self.value(ty, depth), self.value(ty, depth));
                let (a, c) = (self.scaled(ty, a, 0.5), self.scaled(ty, c, 0.5));
                self.b.uniform(if self.c.chance(50) { "llvm.fma" } else { "llvm.fmuladd" }, ty, vec![a, b, c])
            }
            4 => {
                let b = self.value(ty, depth);
                let names = ["llvm.minnum", "llvm.maxnum", "llvm.minimum", "llvm.maximum", "llvm.copysign"];
                let name = self.c.pick(&names).unwrap_or(names[0]);
                self.b.uniform(name, ty, vec![a, b])
            }
            5 => self.b.uniform("llvm.sin", ty, vec![a]),
            6 => {
                let wave = self.b.uniform("llvm.cos", ty, vec![a]);
                self.scaled(ty, wave, 0.9)
            }
            _ => {
                let grown = self.b.uniform("llvm.exp", ty, vec![a]);
                self.scaled(ty, grown, 0.36)
            }
        }
    }

    /// A call of a function of the table. In programs that are differentiated its argument is brought into a region of
    /// its row.
    pub(super) fn library(&mut self, ty: Ty, kind: FloatKind, depth: u32) -> Operand {
        let expressions: Vec<&Callable> = rules::all().iter().filter(|c| c.is_expression()).collect();
        let Some(callable) = self.c.pick(&expressions) else { return self.leaf(ty) };
        let width = if kind == FloatKind::Float { Width::F32 } else { Width::F64 };
        let (id, int, long) = (self.b.ty(ty), self.b.ty(Ty::int(32)), self.b.ty(Ty::int(64)));
        let (mut args, mut params) = (Vec::new(), Vec::new());
        for (low, high) in &callable.domain {
            let arg = match low == high {
                true => self.b.number(ty, *low),
                false => {
                    let value = self.value(ty, depth);
                    if self.smooth { self.mapped(ty, value, *low, *high) } else { value }
                }
            };
            args.push(arg);
            params.push(id);
        }
        let whole = callable.ints.first().map(|(low, high)| self.c.int(*low, *high) as u64);
        let whole = whole.unwrap_or(1);
        match callable.shape {
            Shape::IntFirst => {
                args.insert(0, self.b.i32(whole as u32));
                params.insert(0, int);
            }
            Shape::IntLast("long") => {
                args.push(self.b.i64(whole));
                params.push(long);
            }
            Shape::IntLast(_) => {
                args.push(self.b.i32(whole as u32));
                params.push(int);
            }
            Shape::Plain | Shape::IntOut | Shape::FloatOut | Shape::TwoOut => {}
        }
        if !self.smooth && callable.op == ::rules::Op::CopySign {
            // Whose sign it takes, so that no NaN's shows.
            args.iter_mut().skip(1).for_each(|sign| *sign = self.no_nan(ty, *sign));
        }
        let func = self.b.declare(callable.name(width), id, &params, false);
        let Some(result) = self.b.call(func, args) else { return self.leaf(ty) };
        if !self.smooth && kind == FloatKind::Float {
            // LLVM folds these by the function for `double`, which may round otherwise than the library at run time.
            self.b.mark_call("nobuiltin");
        }
        // Which zero is the smaller one is open for the C library too; sums of it and zero are zero.
        let least = |name: &&str| name.starts_with("llvm.minnum") || name.starts_with("llvm.maxnum");
        if !self.smooth && callable.op.row().symbols.intrinsics.iter().any(least) {
            let zero = self.b.number(ty, 0.0);
            return self.b.binary(BinOp::FAdd, ty, result, zero);
        }
        if self.smooth && callable.bound > 1.0 { self.scaled(ty, result, 1.0 / callable.bound) } else { result }
    }

    /// A number of at most 1 as one between two bounds.
    fn mapped(&mut self, ty: Ty, value: Operand, low: f64, high: f64) -> Operand {
        let half = (high - low) / 2.0;
        let stretched = self.scaled(ty, value, half);
        let middle = self.b.number(ty, low + half);
        self.fast_binary(BinOp::FAdd, ty, stretched, middle)
    }
}
