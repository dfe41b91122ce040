//! Global variables, aliases, comdats, struct definitions and function headers in text.

use super::lexer::Tok;
use super::{PResult, Parser, Symbol};
use crate::attr::Attrs;
use crate::constant::ConstId;
use crate::function::{Function, SymbolFlags};
use crate::module::GlobalId;
use crate::types::TypeId;

/// What stands behind a function's parameters.
#[derive(Default)]
struct Trailer {
    attrs: Attrs,
    clauses: Vec<String>,
    personality: Option<ConstId>,
}

impl Parser<'_> {
    /// `%name = type { … }` or `opaque`
    pub(super) fn struct_definition(&mut self) -> PResult<()> {
        let Tok::Local(name) = self.lex.tok else { return self.expected("a struct name") };
        let Some(&id) = self.structs.get(&self.name(name)?) else { return self.expected("a known struct") };
        self.lex.advance();
        self.punct(b'=')?;
        self.word("type")?;
        if self.accept_word("opaque") {
            return Ok(());
        }
        let packed = self.accept(b'<');
        let fields = self.fields()?;
        if packed {
            self.punct(b'>')?;
        }
        self.module.types.set_body(id, fields, packed);
        Ok(())
    }

    /// `$name = comdat any`
    pub(super) fn comdat(&mut self) -> PResult<()> {
        let Tok::Comdat(name) = self.lex.tok else { return self.expected("a comdat") };
        let name = self.name(name)?.into_owned();
        self.lex.advance();
        self.punct(b'=')?;
        self.word("comdat")?;
        let Tok::Word(kind) = self.lex.tok else { return self.expected("a selection kind") };
        if !matches!(kind, "any" | "exactmatch" | "largest" | "nodeduplicate" | "samesize") {
            return self.expected("a selection kind");
        }
        self.lex.advance();
        self.module.comdats.push((name, kind.to_owned()));
        Ok(())
    }

    /// Linkage, preemption, visibility and DLL storage class, those that stand here.
    fn symbol_flags(&mut self) -> SymbolFlags {
        let mut flags = SymbolFlags::default();
        while let Tok::Word(word) = self.lex.tok {
            let slot = match word {
                "private"
                | "internal"
                | "available_externally"
                | "linkonce"
                | "weak"
                | "common"
                | "appending"
                | "extern_weak"
                | "linkonce_odr"
                | "weak_odr"
                | "external" => &mut flags.linkage,
                "dso_local" | "dso_preemptable" => &mut flags.preemption,
                "default" | "hidden" | "protected" => &mut flags.visibility,
                "dllimport" | "dllexport" => &mut flags.dll,
                _ => break,
            };
            word.clone_into(slot);
            self.lex.advance();
        }
        flags
    }

    fn unnamed_addr(&mut self) -> String {
        match self.lex.tok {
            Tok::Word(word @ ("unnamed_addr" | "local_unnamed_addr")) => self.lex.advance_with(word.to_owned()),
            _ => String::new(),
        }
    }

    /// `thread_local` or `thread_local(initialexec)`
    fn thread_local(&mut self) -> PResult<String> {
        if !self.accept_word("thread_local") {
            return Ok(String::new());
        }
        if self.lex.tok == Tok::Punct(b'(') {
            return Ok(format!("thread_local({})", self.lex.parenthesised()?));
        }
        Ok("thread_local".to_owned())
    }

    /// `@name = … global T init, …`, or an alias.
    pub(super) fn global(&mut self) -> PResult<()> {
        let Tok::Global(name) = self.lex.tok else { return self.expected("a global name") };
        let Some(&Symbol::Global(id)) = self.symbols.get(&self.name(name)?) else {
            return self.expected("a known global");
        };
        self.lex.advance();
        self.punct(b'=')?;
        let flags = self.symbol_flags();
        let thread_local = self.thread_local()?;
        let unnamed_addr = self.unnamed_addr();
        let global = &mut self.module.globals[id];
        global.flags = SymbolFlags { unnamed_addr, ..flags };
        global.thread_local = thread_local;
        match self.lex.tok {
            Tok::Word("alias") => return self.alias(id),
            Tok::Word("ifunc") => return self.unsupported("indirect functions (`ifunc`) are"),
            _ => {}
        }
        let addr_space = self.addr_space()?;
        let externally_initialized = self.accept_word("externally_initialized");
        let constant = self.accept_word("constant");
        if !constant {
            self.word("global")?;
        }
        let ty = self.ty()?;
        let declared = matches!(self.module.globals[id].flags.linkage.as_str(), "external" | "extern_weak");
        let init = if declared { None } else { Some(self.constant(ty)?) };
        let global = &mut self.module.globals[id];
        (global.addr_space, global.externally_initialized, global.constant) =
            (addr_space, externally_initialized, constant);
        (global.ty, global.init) = (ty, init);
        while self.accept(b',') {
            if let Tok::MdName(raw) = self.lex.tok {
                let attachment = self.attachment(raw)?;
                self.module.globals[id].metadata.push(attachment);
            } else if self.accept_word("align") {
                self.module.globals[id].align = self.int()?;
            } else {
                let clause = self.clause()?;
                self.module.globals[id].clauses.push(clause);
            }
        }
        self.module.globals[id].attrs = self.fn_attrs()?;
        Ok(())
    }

    fn alias(&mut self, id: GlobalId) -> PResult<()> {
        self.word("alias")?;
        let ty = self.ty()?;
        self.punct(b',')?;
        // LLVM prints a constant expression here without its type.
        let bare = matches!(self.lex.tok, Tok::Word("getelementptr" | "bitcast" | "inttoptr" | "addrspacecast"));
        let target = if bare {
            let ptr = self.module.types.ptr();
            self.constant(ptr)?
        } else {
            self.typed_constant()?
        };
        let global = &mut self.module.globals[id];
        (global.ty, global.alias_of) = (ty, Some(target));
        while self.accept(b',') {
            let clause = self.clause()?;
            self.module.globals[id].clauses.push(clause);
        }
        Ok(())
    }

    /// A trailing clause as text: `section "…"`, `comdat($x)`, …
    fn clause(&mut self) -> PResult<String> {
        let Tok::Word(word) = self.lex.tok else { return self.expected("a clause") };
        self.lex.advance();
        match word {
            "section" | "partition" | "code_model" | "gc" => {
                let Tok::Str(raw) = self.lex.tok else { return self.expected("a string") };
                Ok(self.lex.advance_with(format!("{word} \"{raw}\"")))
            }
            "comdat" if self.lex.tok == Tok::Punct(b'(') => Ok(format!("comdat({})", self.lex.parenthesised()?)),
            "comdat"
            | "no_sanitize_address"
            | "no_sanitize_hwaddress"
            | "sanitize_memtag"
            | "sanitize_address_dyninit" => Ok(word.to_owned()),
            "align" => Ok(format!("align {}", self.int()?)),
            "prefix" | "prologue" => self.unsupported(format!("`{word}` data of functions is")),
            _ => self.fail(format!("`{word}` is not understood here")),
        }
    }

    /// The calling convention, empty for `ccc`.
    pub(super) fn calling_convention(&mut self) -> PResult<String> {
        let Tok::Word(word) = self.lex.tok else { return Ok(String::new()) };
        let known = match word {
            "cc" => {
                self.lex.advance();
                return Ok(format!("cc{}", self.int()?));
            }
            "ccc" => {
                self.lex.advance();
                return Ok(String::new());
            }
            "spir_kernel"
            | "spir_func"
            | "amdgpu_kernel"
            | "amdgpu_vs"
            | "amdgpu_gs"
            | "amdgpu_ps"
            | "amdgpu_cs"
            | "amdgpu_hs"
            | "amdgpu_ls"
            | "amdgpu_es"
            | "amdgpu_cs_chain"
            | "amdgpu_cs_chain_preserve"
            | "amdgpu_gfx"
            | "ptx_kernel"
            | "ptx_device"
            | "aarch64_vector_pcs"
            | "aarch64_sve_vector_pcs" => true,
            _ => match word.strip_prefix("cc") {
                Some(digits) => !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()),
                None => word.ends_with("cc"),
            },
        };
        if !known {
            return Ok(String::new());
        }
        self.lex.advance();
        Ok(word.to_owned())
    }

    /// `define …` or `declare …` up to the body.
    pub(super) fn function_header(&mut self) -> PResult<Function> {
        let declare = self.lex.tok == Tok::Word("declare");
        self.lex.advance();
        // A declaration's attachments stand in front.
        let mut metadata = if declare { self.attachments()? } else { Vec::new() };
        let mut flags = self.symbol_flags();
        let cc = self.calling_convention()?;
        let ret_attrs = self.value_attrs()?;
        let ret = self.ty()?;
        let Tok::Global(name) = self.lex.tok else { return self.expected("a function name") };
        let name = self.name(name)?.into_owned();
        self.lex.advance();
        let mut func = Function::new(&name, ret, &[]);
        (func.cc, func.ret_attrs) = (cc, ret_attrs);
        func.vararg = self.parameters(&mut func)?;
        flags.unnamed_addr = self.unnamed_addr();
        func.flags = flags;
        if self.addr_space()? != 0 {
            return self.unsupported("a function outside address space 0 is");
        }
        let trailer = self.trailer()?;
        (func.attrs, func.clauses, func.personality) = (trailer.attrs, trailer.clauses, trailer.personality);
        metadata.extend(self.attachments()?);
        func.metadata = metadata;
        Ok(func)
    }

    fn trailer(&mut self) -> PResult<Trailer> {
        let mut out = Trailer { attrs: self.fn_attrs()?, ..Trailer::default() };
        while let Tok::Word(word) = self.lex.tok {
            match word {
                "personality" => {
                    self.lex.advance();
                    out.personality = Some(self.typed_constant()?);
                }
                "section" | "partition" | "comdat" | "align" | "gc" | "prefix" | "prologue" => {
                    out.clauses.push(self.clause()?)
                }
                // The next definition, or a mistake that the caller reports.
                _ => break,
            }
        }
        Ok(out)
    }

    /// `(T attrs %x, …)`. Returns whether it ends with `...`.
    fn parameters(&mut self, func: &mut Function) -> PResult<bool> {
        self.punct(b'(')?;
        let mut unnamed = 0;
        while !self.accept(b')') {
            if !func.params.is_empty() {
                self.punct(b',')?;
            }
            if self.lex.tok == Tok::Ellipsis {
                self.lex.advance();
                self.punct(b')')?;
                return Ok(true);
            }
            let ty: TypeId = self.ty()?;
            let attrs = self.value_attrs()?;
            let name = match self.lex.tok {
                Tok::Local(name) => {
                    self.lex.advance();
                    match name.number() {
                        Some(number) if number as usize == unnamed => String::new(),
                        Some(_) => return self.fail("an unnamed parameter without its number"),
                        None => self.name(name)?.into_owned(),
                    }
                }
                _ => String::new(),
            };
            unnamed += usize::from(name.is_empty());
            func.add_param(ty, attrs, &name);
        }
        Ok(false)
    }
}
