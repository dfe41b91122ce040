//! Instructions as text.

use super::Writer;
use crate::function::{Function, InstId};
use crate::inst::{Atomic, Clause, FastMath, Inst, InstKind, IntFlags, Operand};

impl<'m> Writer<'m> {
    pub(super) fn fast_math(&mut self, fast: FastMath) {
        if fast == FastMath::FAST {
            return self.put("fast ");
        }
        let FastMath { nnan, ninf, nsz, arcp, contract, afn, reassoc } = fast;
        let flags = [
            (reassoc, "reassoc"),
            (nnan, "nnan"),
            (ninf, "ninf"),
            (nsz, "nsz"),
            (arcp, "arcp"),
            (contract, "contract"),
            (afn, "afn"),
        ];
        flags.iter().filter(|f| f.0).for_each(|f| self.word(f.1));
    }

    fn int_flags(&mut self, flags: IntFlags) {
        let IntFlags { nuw, nsw, exact, disjoint, nneg } = flags;
        let flags = [(nuw, "nuw"), (nsw, "nsw"), (exact, "exact"), (disjoint, "disjoint"), (nneg, "nneg")];
        flags.iter().filter(|f| f.0).for_each(|f| self.word(f.1));
    }

    fn scope(&mut self, scope: &str) {
        if !scope.is_empty() {
            self.put("syncscope(\"");
            super::escape(&mut self.out, scope.as_bytes());
            self.put("\") ");
        }
    }

    /// ` syncscope("…") seq_cst`
    fn atomic(&mut self, atomic: Option<&Atomic>) {
        if let Some(atomic) = atomic {
            self.put(" ");
            self.scope(&atomic.scope);
            self.put(atomic.ordering.name());
        }
    }

    /// `T a, b`
    fn pair(&mut self, func: &Function, a: Operand, b: Operand) {
        self.typed_operand(func, a);
        self.put(", ");
        self.operand(b);
    }

    /// An instruction without indentation and line end.
    pub(super) fn inst(&mut self, func: &'m Function, id: InstId) {
        let inst: &'m Inst = &func.insts[id];
        if let Some(result) = inst.result {
            self.operand(Operand::Local(result));
            self.put(" = ");
        }
        self.kind(func, inst);
        if let (true, Some(loc)) = (self.options.metadata, inst.loc) {
            self.put(", !dbg ");
            self.md_ref(loc);
        }
        self.attachments(", ", &inst.metadata);
    }

    fn kind(&mut self, func: &'m Function, inst: &'m Inst) {
        match &inst.kind {
            InstKind::Ret(None) => self.put("ret void"),
            InstKind::Ret(Some(value)) => self.words_then(func, "ret ", *value),
            InstKind::Br(to) => {
                self.put("br ");
                self.label(*to);
            }
            InstKind::CondBr { cond, then_to, else_to } => {
                self.words_then(func, "br ", *cond);
                self.put(", ");
                self.label(*then_to);
                self.put(", ");
                self.label(*else_to);
            }
            InstKind::Switch { value, default, cases } => {
                self.words_then(func, "switch ", *value);
                self.put(", ");
                self.label(*default);
                self.put(" [\n");
                for (case, to) in cases {
                    self.put("    ");
                    self.typed_constant(*case);
                    self.put(", ");
                    self.label(*to);
                    self.put("\n");
                }
                self.put("  ]");
            }
            InstKind::IndirectBr { address, targets } => {
                self.words_then(func, "indirectbr ", *address);
                self.put(", [");
                self.list(targets, |w, to| w.label(*to));
                self.put("]");
            }
            InstKind::Invoke { call, normal, unwind } => {
                self.call(func, "invoke", call);
                self.put("\n          to ");
                self.label(*normal);
                self.put(" unwind ");
                self.label(*unwind);
            }
            InstKind::Resume(value) => self.words_then(func, "resume ", *value),
            InstKind::Unreachable => self.put("unreachable"),
            InstKind::FNeg { fast, value } => {
                self.put("fneg ");
                self.fast_math(*fast);
                self.typed_operand(func, *value);
            }
            InstKind::Binary { op, flags, fast, lhs, rhs } => {
                self.word(op.name());
                self.int_flags(*flags);
                self.fast_math(*fast);
                self.pair(func, *lhs, *rhs);
            }
            InstKind::ExtractElement { vector, index } => self.operands(func, "extractelement ", &[*vector, *index]),
            InstKind::InsertElement { vector, value, index } => {
                self.operands(func, "insertelement ", &[*vector, *value, *index]);
            }
            InstKind::ShuffleVector { a, b, mask } => {
                self.operands(func, "shufflevector ", &[*a, *b]);
                self.shuffle_mask(mask);
            }
            InstKind::ExtractValue { aggregate, indices } => {
                self.words_then(func, "extractvalue ", *aggregate);
                self.indices(indices);
            }
            InstKind::InsertValue { aggregate, value, indices } => {
                self.operands(func, "insertvalue ", &[*aggregate, *value]);
                self.indices(indices);
            }
            InstKind::Alloca { .. }
            | InstKind::Load { .. }
            | InstKind::Store { .. }
            | InstKind::Fence(_)
            | InstKind::CmpXchg { .. }
            | InstKind::AtomicRmw { .. }
            | InstKind::Gep { .. } => self.memory(func, inst),
            InstKind::Cast { op, flags, fast, value } => {
                self.word(op.name());
                self.int_flags(*flags);
                self.fast_math(*fast);
                self.typed_operand(func, *value);
                self.put(" to ");
                self.ty(inst.ty);
            }
            InstKind::ICmp { pred, lhs, rhs } => {
                self.put("icmp ");
                self.word(pred.name());
                self.pair(func, *lhs, *rhs);
            }
            InstKind::FCmp { pred, fast, lhs, rhs } => {
                self.put("fcmp ");
                self.fast_math(*fast);
                self.word(pred.name());
                self.pair(func, *lhs, *rhs);
            }
            InstKind::Phi { fast, incoming } => {
                self.put("phi ");
                self.fast_math(*fast);
                self.ty(inst.ty);
                self.put(" ");
                self.list(incoming, |w, (value, block)| {
                    w.put("[ ");
                    w.operand(*value);
                    w.put(", ");
                    w.block_ref(*block);
                    w.put(" ]");
                });
            }
            InstKind::Select { fast, cond, if_true, if_false } => {
                self.put("select ");
                self.fast_math(*fast);
                self.operands(func, "", &[*cond, *if_true, *if_false]);
            }
            InstKind::Freeze(value) => self.words_then(func, "freeze ", *value),
            InstKind::Call(call) => self.call(func, "call", call),
            InstKind::VaArg { list } => {
                self.words_then(func, "va_arg ", *list);
                self.put(", ");
                self.ty(inst.ty);
            }
            InstKind::LandingPad { cleanup, clauses } => {
                self.put("landingpad ");
                self.ty(inst.ty);
                self.put(if *cleanup { "\n          cleanup" } else { "" });
                for clause in clauses {
                    let (word, value) = match clause {
                        Clause::Catch(value) => ("\n          catch ", value),
                        Clause::Filter(value) => ("\n          filter ", value),
                    };
                    self.words_then(func, word, *value);
                }
            }
        }
    }

    fn memory(&mut self, func: &Function, inst: &Inst) {
        match &inst.kind {
            InstKind::Alloca { elem_ty, count, align, addr_space, inalloca } => {
                self.put("alloca ");
                self.put(if *inalloca { "inalloca " } else { "" });
                self.ty(*elem_ty);
                if let Some(count) = count {
                    self.words_then(func, ", ", *count);
                }
                self.put(&format!(", align {align}"));
                if *addr_space != 0 {
                    self.put(&format!(", addrspace({addr_space})"));
                }
            }
            InstKind::Load { ptr, align, volatile, atomic } => {
                self.put("load ");
                self.put(if atomic.is_some() { "atomic " } else { "" });
                self.put(if *volatile { "volatile " } else { "" });
                self.ty(inst.ty);
                self.words_then(func, ", ", *ptr);
                self.atomic(atomic.as_ref());
                self.put(", align ");
                self.number(align);
            }
            InstKind::Store { value, ptr, align, volatile, atomic } => {
                self.put("store ");
                self.put(if atomic.is_some() { "atomic " } else { "" });
                self.put(if *volatile { "volatile " } else { "" });
                self.operands(func, "", &[*value, *ptr]);
                self.atomic(atomic.as_ref());
                self.put(", align ");
                self.number(align);
            }
            InstKind::Fence(atomic) => {
                self.put("fence");
                self.atomic(Some(atomic));
            }
            InstKind::CmpXchg { ptr, expected, new, align, weak, volatile, success, failure, scope } => {
                self.put("cmpxchg ");
                self.put(if *weak { "weak " } else { "" });
                self.put(if *volatile { "volatile " } else { "" });
                self.operands(func, "", &[*ptr, *expected, *new]);
                self.put(" ");
                self.scope(scope);
                self.put(&format!("{} {}, align {align}", success.name(), failure.name()));
            }
            InstKind::AtomicRmw { op, ptr, value, align, volatile, ordering, scope } => {
                self.put("atomicrmw ");
                self.put(if *volatile { "volatile " } else { "" });
                self.word(op.name());
                self.operands(func, "", &[*ptr, *value]);
                self.put(" ");
                self.scope(scope);
                self.put(&format!("{}, align {align}", ordering.name()));
            }
            InstKind::Gep { elem_ty, flags, base, indices } => {
                self.put("getelementptr ");
                self.gep_flags(*flags);
                self.ty(*elem_ty);
                self.words_then(func, ", ", *base);
                for index in indices {
                    self.words_then(func, ", ", *index);
                }
            }
            // `kind` sends the instructions above alone.
            _ => {}
        }
    }

    /// The words, then a typed operand.
    fn words_then(&mut self, func: &Function, words: &str, operand: Operand) {
        self.put(words);
        self.typed_operand(func, operand);
    }

    /// The words, then typed operands with commas between.
    fn operands(&mut self, func: &Function, words: &str, operands: &[Operand]) {
        self.put(words);
        self.list(operands, |w, o| w.typed_operand(func, *o));
    }

    fn indices(&mut self, indices: &[u32]) {
        for index in indices {
            self.put(", ");
            self.number(index);
        }
    }

    fn shuffle_mask(&mut self, mask: &[Option<u32>]) {
        self.put(&format!(", <{} x i32> ", mask.len()));
        if mask.iter().all(|lane| *lane == Some(0)) {
            self.put("zeroinitializer");
        } else if mask.iter().all(Option::is_none) {
            self.put("poison");
        } else {
            self.put("<");
            self.list(mask, |w, lane| match lane {
                Some(lane) => w.put(&format!("i32 {lane}")),
                None => w.put("i32 poison"),
            });
            self.put(">");
        }
    }
}
