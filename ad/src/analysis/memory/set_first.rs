//! Variables that the differentiated function sets before anything reads them, so that it does not matter what others
//! have left there.
//!
//! `work = buffer; …; work[i] = …` is how old code hands a workspace to its parts. A program that also calls the
//! function itself, to compare, sets the variable in `main`, too, once the compiler has written it out there. A
//! variable that no address leads to ([`super::escape`]) is read by what names it, or calls functions that do: if the
//! assignment dominates all of that, others' values are gone before the first look. The assignment may be in a function
//! that is called first and has set the variable whenever it returns.

use crate::base::names::variable;
use crate::normalise::sources::Sources;
use crate::program::externals::{External, classify};
use ir::cfg::{Cfg, Positions};
use ir::dom::DomTree;
use ir::{ConstExpr, ConstId, ConstKind, FuncId, Function, GlobalId, InstId, InstKind, Module, Operand};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Does a function set a pointer in a variable before anything can read it? Of a variable of threads it sets one, and
/// the threads that it makes find others.
pub(super) fn is_set_first(m: &Module, sources: &Sources, root: FuncId, global: GlobalId) -> bool {
    let pointer = m.types.is_ptr(m.globals[global].ty) && m.globals[global].thread_local.is_empty();
    pointer && Search { m, sources, global, known: RefCell::default() }.sets(root, false)
}

struct Search<'a> {
    m: &'a Module,
    sources: &'a Sources,
    global: GlobalId,
    /// Functions of which it is known whether they have set it when they return; of one that is looked at, that it has
    /// not.
    known: RefCell<BTreeMap<FuncId, bool>>,
}

impl Search<'_> {
    /// Has a function set the variable whenever it returns, before anything could read it?
    fn always_sets(&self, id: FuncId) -> bool {
        if let Some(known) = self.known.borrow().get(&id) {
            return *known;
        }
        self.known.borrow_mut().insert(id, false);
        let sets = self.sets(id, true);
        self.known.borrow_mut().insert(id, sets);
        sets
    }

    /// Is there an assignment in front of everything that may read the variable, and of every return if so asked?
    fn sets(&self, id: FuncId, returns: bool) -> bool {
        let Some(func) = self.sources.get(&id) else { return false };
        let cfg = Cfg::new(func);
        let dom = DomTree::new(func, &cfg);
        let positions = Positions::new(func);
        let order: Vec<InstId> = func.inst_order().map(|(_, inst)| inst).collect();
        let sets = |inst: &InstId| match &func.insts[*inst].kind {
            InstKind::Store { ptr, value, .. } => {
                self.is_it(*ptr) && self.m.types.is_ptr(self.m.operand_ty(func, *value))
            }
            kind => kind
                .as_call()
                .and_then(|call| self.m.as_function(call.callee))
                .is_some_and(|callee| self.sources.contains_key(&callee) && self.always_sets(callee)),
        };
        let looks =
            |inst: &InstId| self.may_look(func, *inst) || returns && matches!(func.insts[*inst].kind, InstKind::Ret(_));
        let readers: Vec<InstId> = order.iter().copied().filter(|inst| looks(inst)).collect();
        let in_front = |set: InstId| readers.iter().all(|r| *r == set || dom.inst_dominates(&positions, set, *r));
        order.iter().copied().filter(sets).any(in_front)
    }

    /// May the instruction read the variable, or hand its address on?
    fn may_look(&self, func: &Function, inst: InstId) -> bool {
        let kind = &func.insts[inst].kind;
        if let InstKind::Store { value, ptr, .. } = kind
            && self.is_it(*ptr)
        {
            return self.mentions(*value);
        }
        let Some(call) = kind.as_call() else {
            return kind.operands().into_iter().any(|operand| self.mentions(operand));
        };
        // What has no body here cannot name it, unless it calls somebody back.
        let callee = self.m.as_function(call.callee).map(|f| classify(self.m, &self.m.functions[f]));
        let knows_nothing = matches!(
            callee,
            Some(
                External::Allocate { .. }
                    | External::Free { .. }
                    | External::Copy
                    | External::Set
                    | External::Rule(_)
                    | External::Reduction(_)
                    | External::Held
                    | External::Links(_)
            )
        );
        !knows_nothing || call.args.iter().any(|arg| self.mentions(*arg))
    }

    fn is_it(&self, operand: Operand) -> bool {
        operand.constant().and_then(|constant| variable(self.m, constant)) == Some(self.global)
    }

    fn mentions(&self, operand: Operand) -> bool {
        operand.constant().is_some_and(|constant| self.names(constant))
    }

    fn names(&self, constant: ConstId) -> bool {
        match &self.m.constants.get(constant).kind {
            ConstKind::Global(g) => *g == self.global || self.m.globals[*g].alias_of.is_some_and(|of| self.names(of)),
            ConstKind::Aggregate(elements) => elements.iter().any(|element| self.names(*element)),
            ConstKind::Expr(ConstExpr::Cast(_, inner) | ConstExpr::Gep { base: inner, .. }) => self.names(*inner),
            ConstKind::Expr(ConstExpr::Binary { lhs, rhs, .. }) => self.names(*lhs) || self.names(*rhs),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normalise::collect::collect;

    /// Is `@work` set first in `f` with this body?
    fn set_first(body: &str) -> bool {
        set_first_in("", body)
    }

    /// The same in a variable of that kind.
    fn set_first_in(kind: &str, body: &str) -> bool {
        let text = format!(
            "@work = internal {kind}global ptr null\n@buffer = internal global [8 x double] zeroinitializer\n\
             declare ptr @malloc(i64)\ndeclare double @sin(double)\ndeclare void @other()\n\
             define internal double @use(i64 %i) {{\n  %w = load ptr, ptr @work\n  \
             %p = getelementptr double, ptr %w, i64 %i\n  %v = load double, ptr %p\n  ret double %v\n}}\n\
             define internal void @prepare() {{\n  store ptr @buffer, ptr @work\n  ret void\n}}\n\
             define internal void @may_prepare(i1 %c) {{\n  br i1 %c, label %set, label %end\nset:\n  \
             store ptr @buffer, ptr @work\n  br label %end\nend:\n  ret void\n}}\n\
             define double @f(ptr %x, i1 %c, i64 %i) {{\n{body}  %r = call double @use(i64 %i)\n  ret double %r\n}}\n"
        );
        let mut m = ir::parse(&text, "set_first").expect("the test's IR parses");
        let f = m.function("f").expect("f is there");
        let sources = collect(&mut m, f).expect("it can be normalised");
        let work = m.globals.iter().find(|(_, g)| g.name == "work").map(|(id, _)| id).expect("the variable");
        is_set_first(&m, &sources, f, work)
    }

    #[test]
    fn what_is_set_before_it_is_read() {
        assert!(set_first("  store ptr @buffer, ptr @work\n"));
        assert!(set_first("  %own = call ptr @malloc(i64 64)\n  store ptr %own, ptr @work\n"));
        // In a function that always does, or whatever else is done before.
        assert!(set_first("  call void @prepare()\n"));
        assert!(set_first("  %a = load double, ptr %x\n  %b = call double @sin(double %a)\n  call void @prepare()\n"));
    }

    #[test]
    fn what_may_be_read_as_others_left_it() {
        assert!(!set_first(""));
        assert!(!set_first("  call void @may_prepare(i1 %c)\n"));
        assert!(!set_first("  %early = call double @use(i64 0)\n  store ptr @buffer, ptr @work\n"));
        assert!(!set_first("  %early = load ptr, ptr @work\n  store ptr %early, ptr @work\n"));
        // Nobody knows what it calls.
        assert!(!set_first("  call void @other()\n  store ptr @buffer, ptr @work\n"));
        // On one of two ways.
        let branch =
            "  br i1 %c, label %set, label %end\nset:\n  store ptr @buffer, ptr @work\n  br label %end\nend:\n";
        assert!(!set_first(branch));
        // Another thread has another one.
        assert!(!set_first_in("thread_local ", "  store ptr @buffer, ptr @work\n"));
        // Only its second half.
        assert!(!set_first("  %q = getelementptr i8, ptr @work, i64 4\n  store i32 0, ptr %q\n"));
    }
}
