//! Calls: direct, through a pointer that is chosen or read from a table, of the function itself.

use super::{Body, Helper, Param, Ty};
use ir::{ConstKind, Global, IntPred, Operand};

impl Body<'_, '_> {
    pub(super) fn call(&mut self) {
        if let Some((helper, left)) = self.itself.clone()
            && self.factor == 1
            && self.c.chance(70)
        {
            // One call of itself for each: the number of calls stays linear.
            self.itself = None;
            return self.call_itself(&helper, left);
        }
        let all = self.helpers;
        let fitting: Vec<&Helper> = all.iter().filter(|h| h.cost * self.factor <= self.left).collect();
        let Some(helper) = self.c.pick(&fitting) else { return };
        self.left -= helper.cost * self.factor;
        let depth = self.b.i32(2);
        let args = self.arguments(helper, depth);
        self.call_of(helper, args);
    }

    fn call_itself(&mut self, helper: &Helper, left: Operand) {
        let word = Ty::int(32);
        let (zero, one) = (self.b.i32(0), self.b.i32(1));
        let goes_on = self.b.icmp(IntPred::Sgt, word, left, zero);
        let (then_to, join) = (self.b.new_block(), self.b.new_block());
        self.b.cond_br(goes_on, then_to, join);
        let before = self.b.block;
        let otherwise = helper.ret.map(|ty| self.constant(ty));
        self.b.block = then_to;
        let less = self.b.binary(ir::BinOp::Sub, word, left, one);
        let mark = self.mark();
        let args = self.arguments(helper, less);
        let called = self.b.call(helper.func, args);
        self.forget(mark);
        let from = self.b.block;
        self.b.br(join);
        self.b.block = join;
        if let (Some(ty), Some(value), Some(other)) = (helper.ret, called, otherwise) {
            let id = self.b.ty(ty);
            let result = self.b.phi(id, vec![(value, from), (other, before)]);
            self.keep(result, ty);
        }
    }

    fn arguments(&mut self, helper: &Helper, depth: Operand) -> Vec<Operand> {
        let one = |param: &Param| match *param {
            Param::Depth => depth,
            Param::Value(ty) => self.value(ty, 2),
            Param::Array(cell, len, writable) => {
                if let Some(lent) = writable.then(|| self.lent(cell, len)).flatten() {
                    return lent;
                }
                let fits = |a: &super::memory::Array| a.cell == cell && a.len >= len && (a.writable || !writable);
                let found = self.array_where(fits);
                found.unwrap_or_else(|| self.new_array(cell, len)).base
            }
            // No helper has one.
            Param::Scratch(cell, len) => self.new_array(cell, len).base,
        };
        helper.params.iter().map(one).collect()
    }

    fn call_of(&mut self, helper: &Helper, args: Vec<Operand>) {
        let ptr = self.b.module.types.ptr();
        let result = match helper.sibling.filter(|_| self.c.chance(self.odds.through)) {
            Some(sibling) => {
                let two = [helper.func, sibling].map(|f| self.b.module.function_address(f));
                let callee = match self.c.chance(50) {
                    true => {
                        let cond = self.condition(Ty::BIT, 1);
                        self.b.select(ptr, cond, two[0], two[1])
                    }
                    false => {
                        let index = self.index(2);
                        let table = self.table(two);
                        let at = self.b.gep(ptr, table, vec![index]);
                        self.b.load(ptr, at, 8)
                    }
                };
                let function = &self.b.module.functions[helper.func];
                let (ret, params) = (function.ret, function.params.iter().map(|p| p.ty).collect());
                let fn_ty = self.b.module.types.func(ret, params);
                self.b.call_through(callee, fn_ty, ret, args)
            }
            None => self.b.call(helper.func, args),
        };
        if let (Some(value), Some(ty)) = (result, helper.ret) {
            self.mix(value, ty);
            self.keep(value, ty);
        }
    }

    /// A constant table of two functions.
    fn table(&mut self, two: [Operand; 2]) -> Operand {
        let ptr = self.b.module.types.ptr();
        let ty = self.b.module.types.array(2, ptr);
        let entries = two.iter().filter_map(|f| f.constant()).collect();
        let init = self.b.module.constants.intern(ty, ConstKind::Aggregate(entries));
        let name = format!("table.{}", self.b.module.globals.len());
        let mut global = Global::new(&name, ty, Some(init));
        global.constant = true;
        global.flags.linkage = "internal".to_owned();
        let id = self.b.global(global);
        self.b.module.global_address(id)
    }
}
