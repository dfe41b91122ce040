//! Function bodies: blocks, names and numbers of values, instructions in order.
//!
//! Unnamed parameters, blocks and results share one sequence of numbers, in the order of the text. A name may be
//! used before its definition; its value is then created at the first use and completed at the definition.

use super::lexer::{Name, Tok};
use super::{Fault, PResult, Parser};
use crate::constant::ConstKind;
use crate::entity::SecondaryMap;
use crate::entity::packed_option::ReservedValue;
use crate::function::{Block, BlockId, Function, InstId, Value, ValueDef, ValueId};
use crate::inst::{DebugRecord, Inst, Operand};
use crate::module::FuncId;
use crate::types::{Type, TypeId};
use std::borrow::Cow;
use std::collections::HashMap;

/// Entities of one sort by name or number.
struct Names<'a, T> {
    named: HashMap<Cow<'a, str>, T>,
    numbered: Vec<Option<T>>,
    /// Those that were used before they were defined, with the place of the use.
    forward: Vec<(T, usize)>,
}

impl<T: Copy> Names<'_, T> {
    fn new() -> Self {
        Names { named: HashMap::new(), numbered: Vec::new(), forward: Vec::new() }
    }

    fn number(&mut self, number: u32) -> &mut Option<T> {
        let index = number as usize;
        if index >= self.numbered.len() {
            self.numbered.resize(index + 1, None);
        }
        &mut self.numbered[index]
    }
}

/// The blocks of a function by name or number, whether read already or only asked for so far; then the ids are those
/// that the blocks will have, in the order of asking.
#[derive(Default)]
pub(super) struct BlockNames {
    known: HashMap<String, BlockId>,
    /// Names with the places where they were asked for; none once the function has been read.
    wanted: Option<Vec<(String, usize)>>,
}

/// The function being read.
pub(super) struct Body<'a> {
    pub func: Function,
    id: FuncId,
    values: Names<'a, ValueId>,
    blocks: Names<'a, BlockId>,
    placed: SecondaryMap<BlockId, bool>,
    /// The number of the next unnamed value or block.
    next: u32,
    /// Debug records that wait for their instruction.
    records: Vec<DebugRecord>,
}

impl Body<'_> {
    fn is_defined(&self, value: ValueId) -> bool {
        self.func.values[value].def != ValueDef::Inst(InstId::reserved_value())
    }
}

impl<'a> Parser<'a> {
    /// `{ blocks }`
    pub(super) fn body(&mut self, id: FuncId, func: Function) -> PResult<Function> {
        let mut body = Body {
            func,
            id,
            values: Names::new(),
            blocks: Names::new(),
            placed: SecondaryMap::new(),
            next: 0,
            records: Vec::new(),
        };
        for param in &body.func.params {
            let name = body.func.values[param.value].name.clone();
            if name.is_empty() {
                *body.values.number(body.next) = Some(param.value);
                body.next += 1;
            } else if body.values.named.insert(Cow::Owned(name), param.value).is_some() {
                return self.fail("two parameters have the same name");
            }
        }
        // Blocks whose addresses were taken before get the ids that were given out.
        for (name, pos) in self.blocks_of.remove(&id).and_then(|names| names.wanted).unwrap_or_default() {
            let block = body.func.blocks.push(Block::default());
            body.blocks.forward.push((block, pos));
            match name.parse::<u32>() {
                Ok(number) => {
                    self.check_number(Some(number))?;
                    *body.blocks.number(number) = Some(block);
                }
                Err(_) => {
                    body.blocks.named.insert(Cow::Owned(name), block);
                }
            }
        }
        self.body = Some(Box::new(body));
        self.punct(b'{')?;
        self.blocks()?;
        self.punct(b'}')?;
        match self.body.take() {
            Some(body) => {
                let named = body.blocks.named.iter().map(|(name, block)| (name.clone().into_owned(), *block));
                let numbered = body.blocks.numbered.iter().enumerate();
                let numbered = numbered.filter_map(|(number, block)| Some((number.to_string(), (*block)?)));
                let known = named.chain(numbered).collect();
                self.blocks_of.insert(id, BlockNames { known, wanted: None });
                Ok(body.func)
            }
            None => self.fail("a body inside a body"),
        }
    }

    /// The function being read. Instructions are parsed inside bodies only, so that the error cannot arise there;
    /// constants may be anywhere.
    pub(super) fn current(&mut self) -> PResult<&mut Body<'a>> {
        match self.body.as_deref_mut() {
            Some(body) => Ok(body),
            None => Err(Fault::at(self.lex.start, "a local value outside a function").into()),
        }
    }

    fn blocks(&mut self) -> PResult<()> {
        let mut block = None;
        loop {
            match self.lex.tok {
                Tok::Punct(b'}') => break,
                Tok::Label(name) => {
                    self.check_terminated(block)?;
                    block = Some(self.labelled_block(name)?);
                    self.lex.advance();
                }
                Tok::Record(word) => {
                    let record = self.debug_record(word)?;
                    self.current()?.records.push(record);
                }
                _ => {
                    let at = match block {
                        Some(open) if !self.is_terminated(open)? => open,
                        // An entry block without label, or one behind a terminator: it has the next number.
                        _ => self.unlabelled_block()?,
                    };
                    block = Some(at);
                    self.statement(at)?;
                }
            }
        }
        self.check_terminated(block)?;
        if block.is_none() {
            return self.expected("a block");
        }
        self.check_forward()
    }

    fn is_terminated(&mut self, block: BlockId) -> PResult<bool> {
        Ok(self.current()?.func.terminator(block).is_some())
    }

    fn check_terminated(&mut self, block: Option<BlockId>) -> PResult<()> {
        if !self.current()?.records.is_empty() {
            return self.fail("a debug record without an instruction behind it");
        }
        match block {
            Some(open) if !self.is_terminated(open)? => self.fail("the block before this place has no terminator"),
            _ => Ok(()),
        }
    }

    /// All that was used must have been defined.
    fn check_forward(&mut self) -> PResult<()> {
        let body = self.current()?;
        let value = body.values.forward.iter().find(|(v, _)| !body.is_defined(*v)).map(|f| f.1);
        let block = body.blocks.forward.iter().find(|(b, _)| !body.placed[*b]).map(|f| f.1);
        match (value, block) {
            (Some(pos), _) => Err(Fault::at(pos, "a value that is not defined").into()),
            (_, Some(pos)) => Err(Fault::at(pos, "a block that is not defined").into()),
            (None, None) => Ok(()),
        }
    }

    fn unlabelled_block(&mut self) -> PResult<BlockId> {
        let number = self.current()?.next;
        self.place(Some(number), Cow::Borrowed(""))
    }

    fn labelled_block(&mut self, name: Name<'a>) -> PResult<BlockId> {
        match name.number() {
            Some(number) if number < self.current()?.next => {
                let next = self.current()?.next;
                self.fail(format!("the block should be numbered {next} or more"))
            }
            Some(number) => self.place(Some(number), Cow::Borrowed("")),
            None => {
                let name = self.name(name)?;
                self.place(None, name)
            }
        }
    }

    /// Puts the block of that number or name behind the others.
    fn place(&mut self, number: Option<u32>, name: Cow<'a, str>) -> PResult<BlockId> {
        self.check_number(number)?;
        let body = self.current()?;
        let known = match number {
            Some(number) => {
                body.next = number + 1;
                *body.blocks.number(number)
            }
            None => body.blocks.named.get(&name).copied(),
        };
        let id = known.unwrap_or_else(|| body.func.blocks.push(Block::default()));
        if body.placed[id] {
            return self.fail(format!("the block `{name}` is defined twice"));
        }
        body.placed[id] = true;
        body.func.blocks[id].name = name.clone().into_owned();
        body.func.layout.push(id);
        match number {
            Some(number) => *body.blocks.number(number) = Some(id),
            None => {
                body.blocks.named.insert(name, id);
            }
        }
        Ok(id)
    }

    /// Numbers index tables: a wild one must not claim memory.
    fn check_number(&self, number: Option<u32>) -> PResult<()> {
        match number {
            Some(number) if number as usize > self.lex.text.len() => self.fail("a number out of range"),
            _ => Ok(()),
        }
    }

    /// Every block whose address is taken belongs to a body that has been read by now.
    pub(super) fn check_blocks(&self) -> PResult<()> {
        let open = self.blocks_of.values().filter_map(|names| names.wanted.as_ref()?.first());
        match open.map(|(_, pos)| *pos).min() {
            Some(pos) => Err(Fault::at(pos, "a block that is not defined").into()),
            None => Ok(()),
        }
    }

    /// `%x` as a block of some function.
    pub(super) fn block_of(&mut self, func: FuncId) -> PResult<BlockId> {
        if self.body.as_ref().is_some_and(|body| body.id == func) {
            return self.block_name();
        }
        let Tok::Local(name) = self.lex.tok else { return self.expected("a block") };
        let pos = self.lex.start;
        let text = match name.number() {
            Some(number) => number.to_string(),
            None => self.name(name)?.into_owned(),
        };
        let names = self
            .blocks_of
            .entry(func)
            .or_insert_with(|| BlockNames { known: HashMap::new(), wanted: Some(Vec::new()) });
        let id = match (names.known.get(&text), &mut names.wanted) {
            (Some(id), _) => *id,
            (None, Some(wanted)) => {
                let id = BlockId::from_u32(wanted.len() as u32);
                wanted.push((text.clone(), pos));
                names.known.insert(text, id);
                id
            }
            (None, None) => return self.fail("a block that is not defined"),
        };
        self.lex.advance();
        Ok(id)
    }

    /// `label %x`
    pub(super) fn label(&mut self) -> PResult<BlockId> {
        self.word("label")?;
        self.block_name()
    }

    /// `%x` where a block must stand.
    pub(super) fn block_name(&mut self) -> PResult<BlockId> {
        let Tok::Local(name) = self.lex.tok else { return self.expected("a block") };
        let (pos, number) = (self.lex.start, name.number());
        self.check_number(number)?;
        let text = self.name(name)?;
        let body = self.current()?;
        let known = match number {
            Some(number) => *body.blocks.number(number),
            None => body.blocks.named.get(&text).copied(),
        };
        let id = match known {
            Some(id) => id,
            None => {
                let id = body.func.blocks.push(Block::default());
                body.blocks.forward.push((id, pos));
                match number {
                    Some(number) => *body.blocks.number(number) = Some(id),
                    None => {
                        body.blocks.named.insert(text, id);
                    }
                }
                id
            }
        };
        self.lex.advance();
        Ok(id)
    }

    /// A type and an operand of it.
    pub(super) fn typed_operand(&mut self) -> PResult<(TypeId, Operand)> {
        let ty = self.ty()?;
        Ok((ty, self.operand(ty)?))
    }

    /// An operand of type `ty`.
    pub(super) fn operand(&mut self, ty: TypeId) -> PResult<Operand> {
        if let Tok::Local(name) = self.lex.tok {
            let value = self.local(name, ty)?;
            self.lex.advance();
            return Ok(Operand::Local(value));
        }
        if *self.module.types.get(ty) == Type::Metadata {
            let kind = ConstKind::Metadata(self.md_operand()?);
            return Ok(self.module.constant(ty, kind));
        }
        Ok(Operand::Const(self.constant(ty)?))
    }

    fn local(&mut self, name: Name<'a>, ty: TypeId) -> PResult<ValueId> {
        let (pos, number) = (self.lex.start, name.number());
        self.check_number(number)?;
        let text = if number.is_some() { Cow::Borrowed("") } else { self.name(name)? };
        let body = self.current()?;
        let known = match number {
            Some(number) => *body.values.number(number),
            None => body.values.named.get(&text).copied(),
        };
        if let Some(value) = known {
            let defined = body.func.values[value].ty;
            return if defined == ty { Ok(value) } else { self.type_clash(name, defined, ty) };
        }
        let def = ValueDef::Inst(InstId::reserved_value());
        let value = body.func.values.push(Value { ty, def, name: text.clone().into_owned() });
        body.values.forward.push((value, pos));
        match number {
            Some(number) => *body.values.number(number) = Some(value),
            None => {
                body.values.named.insert(text, value);
            }
        }
        Ok(value)
    }

    fn type_clash<T>(&self, name: Name<'a>, defined: TypeId, used: TypeId) -> PResult<T> {
        let text = |ty| crate::print::type_text(&self.module.types, ty);
        self.fail(format!("`%{}` has type {} but is used as {}", name.raw, text(defined), text(used)))
    }

    /// `[%x =] instruction, !metadata …` at the end of `block`.
    fn statement(&mut self, block: BlockId) -> PResult<()> {
        let pos = self.lex.start;
        let mut name = None;
        if let Tok::Local(n) = self.lex.tok {
            name = Some(n);
            self.lex.advance();
            self.punct(b'=')?;
        }
        let (kind, ty) = self.instruction()?;
        let mut inst = Inst::new(kind, ty);
        while self.accept(b',') {
            let Tok::MdName(raw) = self.lex.tok else { return self.expected("attached metadata") };
            let (kind, node) = self.attachment(raw)?;
            if kind == "dbg" {
                inst.loc = Some(node);
            } else {
                inst.metadata.push((kind, node));
            }
        }
        let is_void = ty == self.void;
        let body = self.current()?;
        inst.debug_records = std::mem::take(&mut body.records);
        let id = body.func.insts.push(inst);
        body.func.blocks[block].insts.push(id);
        match name {
            Some(_) if is_void => Err(Fault::at(pos, "an instruction without result has a name").into()),
            None if is_void => Ok(()),
            name => self.define(name, ty, id, pos),
        }
    }

    /// Gives the instruction its result.
    fn define(&mut self, name: Option<Name<'a>>, ty: TypeId, inst: InstId, pos: usize) -> PResult<()> {
        let number = match name {
            Some(n) => n.number(),
            None => Some(self.current()?.next),
        };
        self.check_number(number)?;
        let text = match name {
            Some(n) if number.is_none() => self.name(n)?,
            _ => Cow::Borrowed(""),
        };
        let body = self.current()?;
        let known = match number {
            Some(n) if n < body.next => {
                return Err(Fault::at(pos, "a value with a number that is already taken").into());
            }
            Some(n) => {
                body.next = n + 1;
                *body.values.number(n)
            }
            None => body.values.named.get(&text).copied(),
        };
        let def = ValueDef::Inst(inst);
        let value = match known {
            Some(value) if body.is_defined(value) => return Err(Fault::at(pos, "a value is defined twice").into()),
            Some(value) if body.func.values[value].ty != ty => {
                let used = body.func.values[value].ty;
                return self.type_clash(name.unwrap_or(Name { raw: "", quoted: false }), ty, used);
            }
            Some(value) => {
                body.func.values[value].def = def;
                value
            }
            None => body.func.values.push(Value { ty, def, name: text.clone().into_owned() }),
        };
        body.func.insts[inst].result = Some(value);
        match number {
            Some(n) => *body.values.number(n) = Some(value),
            None => {
                body.values.named.insert(text, value);
            }
        }
        Ok(())
    }
}
