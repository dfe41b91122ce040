//! The top level: where each entity starts, and the order in which they are read.

use super::lexer::Tok;
use super::{Fault, PResult, Parser, Symbol};
use crate::function::Function;
use crate::metadata::{MdBody, MdNode};
use crate::module::{FuncId, Global};
use crate::verify::sizes;

/// Kinds of top-level entities in the order in which they are read: each refers to earlier ones only.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Header,
    Comdat,
    Struct,
    Group,
    Metadata,
    NamedMetadata,
    Global,
    Function,
}

/// A top-level entity: where it starts, and where the next one does.
struct Item {
    kind: Kind,
    start: usize,
    func: Option<FuncId>,
}

impl<'a> Parser<'a> {
    /// The whole module.
    pub(super) fn module(&mut self) -> PResult<()> {
        let items = self.items()?;
        let text_end = {
            self.lex.seek(self.lex.text.len());
            self.lex.start
        };
        let first = items.first().map_or(text_end, |i| i.start);
        self.lex.seek(0);
        if self.lex.start != first && self.lex.tok != Tok::Eof {
            return self.stray();
        }
        let mut order: Vec<usize> = (0..items.len()).collect();
        order.sort_by_key(|i| items[*i].kind);
        let mut checked = false;
        for i in order {
            // Everything behind the structs may ask for the size of one.
            if !checked && items[i].kind > Kind::Struct {
                checked = true;
                self.check_types()?;
            }
            self.lex.seek(items[i].start);
            self.item(&items[i])?;
            let next = items.get(i + 1).map_or(text_end, |item| item.start);
            if self.lex.start != next && self.lex.tok != Tok::Eof {
                return self.stray();
            }
        }
        self.check_blocks()?;
        self.check_types()
    }

    fn check_types(&self) -> PResult<()> {
        sizes::check(&self.module.types).or_else(|why| self.unsupported(format!("{why}; that is")))
    }

    /// Text that belongs to no entity.
    fn stray(&self) -> PResult<()> {
        match self.lex.tok {
            Tok::Word("module") => self.unsupported("module-level inline assembly is"),
            Tok::Word("uselistorder" | "uselistorder_bb") => self.unsupported("an order of use lists is"),
            Tok::Bad(_) if self.lex.text[self.lex.start..].starts_with('^') => self.unsupported("a module summary is"),
            _ => self.expected("a top-level entity"),
        }
    }

    fn item(&mut self, item: &Item) -> PResult<()> {
        match (item.kind, item.func) {
            (Kind::Header, _) => self.header(),
            (Kind::Comdat, _) => self.comdat(),
            (Kind::Struct, _) => self.struct_definition(),
            (Kind::Group, _) => self.attr_group(),
            (Kind::Metadata, _) => self.numbered_node(),
            (Kind::NamedMetadata, _) => self.named_node(),
            (Kind::Global, _) => self.global(),
            (Kind::Function, None) => self.expected("a function name"),
            (Kind::Function, Some(id)) => {
                let define = self.lex.tok == Tok::Word("define");
                let func = self.function_header()?;
                self.module.functions[id] = if define { self.body(id, func)? } else { func };
                Ok(())
            }
        }
    }

    /// Finds the entities by the lines that start them, and gives structs, globals, functions and metadata nodes
    /// their identities.
    fn items(&mut self) -> PResult<Vec<Item>> {
        let text = self.lex.text;
        let (mut items, mut line) = (Vec::new(), 0);
        while line < text.len() {
            let end = text[line..].find('\n').map_or(text.len(), |n| line + n);
            let start = line + text[line..end].bytes().take_while(|b| matches!(b, b' ' | b'\t')).count();
            line = end + 1;
            let Some(kind) = self.kind_at(start, end)? else { continue };
            let func = if kind == Kind::Function { self.declare_function(start, end)? } else { None };
            items.push(Item { kind, start, func });
            if kind == Kind::Function && text[start..].starts_with("define") && !text[..end].trim_end().ends_with('}') {
                line = end_of_body(text, line);
            }
        }
        Ok(items)
    }

    /// The kind of entity that starts at `start`, whose line ends at `end`.
    fn kind_at(&mut self, start: usize, end: usize) -> PResult<Option<Kind>> {
        let line = &self.lex.text[start..end];
        Ok(match line.as_bytes().first() {
            Some(b'@' | b'%' | b'$' | b'!') => self.definition_at(start)?,
            Some(b's') if line.starts_with("source_filename") => Some(Kind::Header),
            Some(b't') if line.starts_with("target ") => Some(Kind::Header),
            Some(b'a') if line.starts_with("attributes #") => Some(Kind::Group),
            Some(b'd') if line.starts_with("define ") || line.starts_with("declare ") => Some(Kind::Function),
            _ => None,
        })
    }

    /// A sigil with a name, and `=`.
    fn definition_at(&mut self, start: usize) -> PResult<Option<Kind>> {
        self.lex.seek(start);
        let tok = self.lex.tok;
        self.lex.advance();
        if self.lex.tok != Tok::Punct(b'=') {
            return Ok(None);
        }
        match tok {
            Tok::Local(name) => {
                let text = self.name(name)?;
                if name.quoted && text.bytes().all(|b| b.is_ascii_digit()) {
                    return Err(Fault::at(start, "unsupported: a struct name of digits alone is not supported").into());
                }
                let id = self.module.types.declare_struct(&text);
                match self.structs.insert(text, id) {
                    None => Ok(Some(Kind::Struct)),
                    Some(_) => Err(Fault::at(start, "a struct is defined twice").into()),
                }
            }
            Tok::Global(name) => {
                let void = self.void;
                let text = self.name(name)?;
                let id = self.module.globals.push(Global::new(&text, void, None));
                self.declare(start, name.quoted, text, Symbol::Global(id))?;
                Ok(Some(Kind::Global))
            }
            Tok::Comdat(_) => Ok(Some(Kind::Comdat)),
            Tok::MdName(_) => Ok(Some(Kind::NamedMetadata)),
            Tok::MdNum(number) => {
                let index = number as usize;
                // Numbers are dense in what LLVM prints; a wild one must not claim memory.
                if index > self.lex.text.len() {
                    return Err(Fault::at(start, "a metadata number out of range").into());
                }
                if index >= self.md_ids.len() {
                    self.md_ids.resize(index + 1, None);
                }
                if self.md_ids[index].is_some() {
                    return Err(Fault::at(start, "a metadata node is defined twice").into());
                }
                let empty = MdNode { distinct: false, body: MdBody::Tuple(Vec::new()) };
                self.md_ids[index] = Some(self.module.metadata.push(empty));
                Ok(Some(Kind::Metadata))
            }
            _ => Ok(None),
        }
    }

    fn declare(&mut self, pos: usize, quoted: bool, name: std::borrow::Cow<'a, str>, symbol: Symbol) -> PResult<()> {
        if quoted && name.bytes().all(|b| b.is_ascii_digit()) {
            return Err(Fault::at(pos, "unsupported: a global name of digits alone is not supported").into());
        }
        match self.symbols.insert(name, symbol) {
            None => Ok(()),
            Some(_) => Err(Fault::at(pos, "a global name is defined twice").into()),
        }
    }

    /// The function whose header stands on the line from `start` to `end`: the first name with `@`.
    fn declare_function(&mut self, start: usize, end: usize) -> PResult<Option<FuncId>> {
        self.lex.seek(start);
        while self.lex.start < end {
            if let Tok::Global(name) = self.lex.tok {
                let text = self.name(name)?;
                let id = self.module.functions.push(Function::new(&text, self.void, &[]));
                self.declare(start, name.quoted, text, Symbol::Func(id))?;
                return Ok(Some(id));
            }
            self.lex.advance();
        }
        Ok(None)
    }
}

/// The start of the line behind the one that closes a body.
fn end_of_body(text: &str, mut line: usize) -> usize {
    while line < text.len() {
        let end = text[line..].find('\n').map_or(text.len(), |n| line + n);
        let closes = text[line..end].trim() == "}";
        line = end + 1;
        if closes {
            break;
        }
    }
    line
}
