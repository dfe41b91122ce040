//! Instructions in text: terminators, arithmetic, vectors, aggregates and the rest.
//! (`memory` has those that touch memory, `calls` the calls.)

use super::lexer::Tok;
use super::{PResult, Parser};
use crate::constant::{ConstId, ConstKind};
use crate::inst::{BinOp, CastOp, Clause, FastMath, FloatPred, InstKind, IntFlags, IntPred, Operand, TailKind};
use crate::types::{Type, TypeId};

impl Parser<'_> {
    /// An instruction and the type of its result.
    pub(super) fn instruction(&mut self) -> PResult<(InstKind, TypeId)> {
        let Tok::Word(word) = self.lex.tok else { return self.expected("an instruction") };
        let pos = self.lex;
        self.lex.advance();
        match word {
            "load" => self.load(),
            "store" => self.store(),
            "getelementptr" => self.gep(),
            "call" => self.call(TailKind::None),
            "tail" => self.marked_call(TailKind::Tail),
            "musttail" => self.marked_call(TailKind::MustTail),
            "notail" => self.marked_call(TailKind::NoTail),
            "br" => self.branch(),
            "phi" => self.phi(),
            "icmp" => self.icmp(),
            "fcmp" => self.fcmp(),
            "select" => self.select(),
            "ret" => self.ret(),
            "alloca" => self.alloca(),
            "switch" => self.switch(),
            "fneg" => {
                let fast = self.fast_math();
                let (ty, value) = self.typed_operand()?;
                Ok((InstKind::FNeg { fast, value }, ty))
            }
            "freeze" => {
                let (ty, value) = self.typed_operand()?;
                Ok((InstKind::Freeze(value), ty))
            }
            "extractelement" => self.extract_element(),
            "insertelement" => self.insert_element(),
            "shufflevector" => self.shuffle_vector(),
            "extractvalue" => self.extract_value(),
            "insertvalue" => self.insert_value(),
            "unreachable" => Ok((InstKind::Unreachable, self.void)),
            "indirectbr" => self.indirect_branch(),
            "invoke" => self.invoke(),
            "resume" => {
                let (_, value) = self.typed_operand()?;
                Ok((InstKind::Resume(value), self.void))
            }
            "landingpad" => self.landing_pad(),
            "va_arg" => {
                let (_, list) = self.typed_operand()?;
                self.punct(b',')?;
                let ty = self.ty()?;
                Ok((InstKind::VaArg { list }, ty))
            }
            "fence" => {
                let atomic = self.atomic()?;
                Ok((InstKind::Fence(atomic), self.void))
            }
            "cmpxchg" => self.cmpxchg(),
            "atomicrmw" => self.atomicrmw(),
            _ => {
                if let Some(op) = BinOp::ALL.iter().find(|op| op.name() == word) {
                    return self.binary(*op);
                }
                if let Some(op) = CastOp::ALL.iter().find(|op| op.name() == word) {
                    return self.cast(*op);
                }
                self.lex = pos;
                match word {
                    "callbr" | "catchswitch" | "catchpad" | "catchret" | "cleanuppad" | "cleanupret" => {
                        self.unsupported(format!("the instruction `{word}` is"))
                    }
                    _ => self.expected("an instruction"),
                }
            }
        }
    }

    /// Fast-math flags.
    pub(super) fn fast_math(&mut self) -> FastMath {
        let mut fast = FastMath::default();
        while let Tok::Word(word) = self.lex.tok {
            match word {
                "nnan" => fast.nnan = true,
                "ninf" => fast.ninf = true,
                "nsz" => fast.nsz = true,
                "arcp" => fast.arcp = true,
                "contract" => fast.contract = true,
                "afn" => fast.afn = true,
                "reassoc" => fast.reassoc = true,
                "fast" => fast = FastMath::FAST,
                _ => break,
            }
            self.lex.advance();
        }
        fast
    }

    fn int_flags(&mut self) -> IntFlags {
        let mut flags = IntFlags::default();
        while let Tok::Word(word) = self.lex.tok {
            match word {
                "nuw" => flags.nuw = true,
                "nsw" => flags.nsw = true,
                "exact" => flags.exact = true,
                "disjoint" => flags.disjoint = true,
                "nneg" => flags.nneg = true,
                _ => break,
            }
            self.lex.advance();
        }
        flags
    }

    fn binary(&mut self, op: BinOp) -> PResult<(InstKind, TypeId)> {
        let (mut flags, mut fast) = (IntFlags::default(), FastMath::default());
        if op.is_float() {
            fast = self.fast_math();
        } else {
            flags = self.int_flags();
        }
        let (ty, lhs) = self.typed_operand()?;
        self.punct(b',')?;
        let rhs = self.operand(ty)?;
        Ok((InstKind::Binary { op, flags, fast, lhs, rhs }, ty))
    }

    fn cast(&mut self, op: CastOp) -> PResult<(InstKind, TypeId)> {
        let flags = self.int_flags();
        let fast = self.fast_math();
        let (_, value) = self.typed_operand()?;
        self.word("to")?;
        let ty = self.ty()?;
        Ok((InstKind::Cast { op, flags, fast, value }, ty))
    }

    fn icmp(&mut self) -> PResult<(InstKind, TypeId)> {
        let Tok::Word(word) = self.lex.tok else { return self.expected("a predicate") };
        let Some(&pred) = IntPred::ALL.iter().find(|p| p.name() == word) else { return self.expected("a predicate") };
        self.lex.advance();
        let (ty, lhs) = self.typed_operand()?;
        self.punct(b',')?;
        let rhs = self.operand(ty)?;
        Ok((InstKind::ICmp { pred, lhs, rhs }, self.module.types.truth(ty)))
    }

    fn fcmp(&mut self) -> PResult<(InstKind, TypeId)> {
        let fast = self.fast_math();
        let Tok::Word(word) = self.lex.tok else { return self.expected("a predicate") };
        let Some(&pred) = FloatPred::ALL.iter().find(|p| p.name() == word) else { return self.expected("a predicate") };
        self.lex.advance();
        let (ty, lhs) = self.typed_operand()?;
        self.punct(b',')?;
        let rhs = self.operand(ty)?;
        Ok((InstKind::FCmp { pred, fast, lhs, rhs }, self.module.types.truth(ty)))
    }

    fn select(&mut self) -> PResult<(InstKind, TypeId)> {
        let fast = self.fast_math();
        let (_, cond) = self.typed_operand()?;
        self.punct(b',')?;
        let (ty, if_true) = self.typed_operand()?;
        self.punct(b',')?;
        let (_, if_false) = self.typed_operand()?;
        Ok((InstKind::Select { fast, cond, if_true, if_false }, ty))
    }

    fn phi(&mut self) -> PResult<(InstKind, TypeId)> {
        let fast = self.fast_math();
        let ty = self.ty()?;
        let mut incoming = Vec::new();
        loop {
            self.punct(b'[')?;
            let value = self.operand(ty)?;
            self.punct(b',')?;
            let block = self.block_name()?;
            self.punct(b']')?;
            incoming.push((value, block));
            let saved = self.lex;
            if !(self.accept(b',') && self.lex.tok == Tok::Punct(b'[')) {
                self.lex = saved;
                return Ok((InstKind::Phi { fast, incoming }, ty));
            }
        }
    }

    fn ret(&mut self) -> PResult<(InstKind, TypeId)> {
        let ty = self.ty()?;
        let value = if ty == self.void { None } else { Some(self.operand(ty)?) };
        Ok((InstKind::Ret(value), self.void))
    }

    fn branch(&mut self) -> PResult<(InstKind, TypeId)> {
        if self.lex.tok == Tok::Word("label") {
            return Ok((InstKind::Br(self.label()?), self.void));
        }
        let (_, cond) = self.typed_operand()?;
        self.punct(b',')?;
        let then_to = self.label()?;
        self.punct(b',')?;
        let else_to = self.label()?;
        Ok((InstKind::CondBr { cond, then_to, else_to }, self.void))
    }

    fn switch(&mut self) -> PResult<(InstKind, TypeId)> {
        let (_, value) = self.typed_operand()?;
        self.punct(b',')?;
        let default = self.label()?;
        self.punct(b'[')?;
        let mut cases = Vec::new();
        while !self.accept(b']') {
            let case: ConstId = self.typed_constant()?;
            self.punct(b',')?;
            cases.push((case, self.label()?));
        }
        Ok((InstKind::Switch { value, default, cases }, self.void))
    }

    fn indirect_branch(&mut self) -> PResult<(InstKind, TypeId)> {
        let (_, address) = self.typed_operand()?;
        self.punct(b',')?;
        self.punct(b'[')?;
        let mut targets = Vec::new();
        while !self.accept(b']') {
            if !targets.is_empty() {
                self.punct(b',')?;
            }
            targets.push(self.label()?);
        }
        Ok((InstKind::IndirectBr { address, targets }, self.void))
    }

    fn landing_pad(&mut self) -> PResult<(InstKind, TypeId)> {
        let ty = self.ty()?;
        let cleanup = self.accept_word("cleanup");
        let mut clauses = Vec::new();
        loop {
            if self.accept_word("catch") {
                clauses.push(Clause::Catch(self.typed_operand()?.1));
            } else if self.accept_word("filter") {
                clauses.push(Clause::Filter(self.typed_operand()?.1));
            } else {
                return Ok((InstKind::LandingPad { cleanup, clauses }, ty));
            }
        }
    }

    /// The lane type of a vector type.
    fn lane(&self, ty: TypeId, start: usize) -> PResult<TypeId> {
        match *self.module.types.get(ty) {
            Type::Vector { elem, .. } => Ok(elem),
            _ => self.fail_at(start, "an operand that should be a vector"),
        }
    }

    fn extract_element(&mut self) -> PResult<(InstKind, TypeId)> {
        let start = self.lex.start;
        let (ty, vector) = self.typed_operand()?;
        let lane = self.lane(ty, start)?;
        self.punct(b',')?;
        let (_, index) = self.typed_operand()?;
        Ok((InstKind::ExtractElement { vector, index }, lane))
    }

    fn insert_element(&mut self) -> PResult<(InstKind, TypeId)> {
        let (ty, vector) = self.typed_operand()?;
        self.punct(b',')?;
        let (_, value) = self.typed_operand()?;
        self.punct(b',')?;
        let (_, index) = self.typed_operand()?;
        Ok((InstKind::InsertElement { vector, value, index }, ty))
    }

    fn shuffle_vector(&mut self) -> PResult<(InstKind, TypeId)> {
        let start = self.lex.start;
        let (ty, a) = self.typed_operand()?;
        let lane = self.lane(ty, start)?;
        self.punct(b',')?;
        let (_, b) = self.typed_operand()?;
        self.punct(b',')?;
        let start = self.lex.start;
        let mask = self.typed_constant()?;
        let Some(mask) = self.shuffle_mask(mask) else {
            return self.fail_at(start, "a shuffle mask that is not constant integers");
        };
        let ty = self.module.types.vector(mask.len() as u32, lane);
        Ok((InstKind::ShuffleVector { a, b, mask }, ty))
    }

    fn shuffle_mask(&self, mask: ConstId) -> Option<Vec<Option<u32>>> {
        let constant = self.module.constants.get(mask);
        let Type::Vector { len, .. } = *self.module.types.get(constant.ty) else { return None };
        let lane = |id: &ConstId| match self.module.constants.get(*id).kind {
            ConstKind::Int(i) => u32::try_from(i).ok().map(Some),
            ConstKind::Undef | ConstKind::Poison => Some(None),
            _ => None,
        };
        match &constant.kind {
            ConstKind::Aggregate(lanes) => lanes.iter().map(lane).collect(),
            ConstKind::Zero => Some(vec![Some(0); len as usize]),
            ConstKind::Undef | ConstKind::Poison => Some(vec![None; len as usize]),
            _ => None,
        }
    }

    /// `, 0, 1` and the type of the element they lead to.
    fn indices(&mut self, mut ty: TypeId) -> PResult<(Vec<u32>, TypeId)> {
        let mut indices = Vec::new();
        loop {
            let saved = self.lex;
            if !(self.accept(b',') && matches!(self.lex.tok, Tok::Int(_))) {
                self.lex = saved;
                break;
            }
            let start = self.lex.start;
            let index = self.int()?;
            let vector = matches!(self.module.types.get(ty), Type::Vector { .. });
            match (self.module.types.element(ty, index), u32::try_from(index)) {
                (Some(element), Ok(index)) if !vector => {
                    ty = element;
                    indices.push(index);
                }
                _ => return self.fail_at(start, "an index of no element of the aggregate"),
            }
        }
        if indices.is_empty() { self.expected("an index") } else { Ok((indices, ty)) }
    }

    fn extract_value(&mut self) -> PResult<(InstKind, TypeId)> {
        let (ty, aggregate) = self.typed_operand()?;
        let (indices, element) = self.indices(ty)?;
        Ok((InstKind::ExtractValue { aggregate, indices }, element))
    }

    fn insert_value(&mut self) -> PResult<(InstKind, TypeId)> {
        let (ty, aggregate) = self.typed_operand()?;
        self.punct(b',')?;
        let (_, value): (TypeId, Operand) = self.typed_operand()?;
        let (indices, _) = self.indices(ty)?;
        Ok((InstKind::InsertValue { aggregate, value, indices }, ty))
    }
}
