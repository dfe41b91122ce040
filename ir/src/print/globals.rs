//! Modules, global variables, attributes and function headers as text.

use super::slots::Slots;
use super::{Writer, escape, name};
use crate::attr::{Attr, AttrValue, Attrs};
use crate::function::{Function, SymbolFlags};
use crate::module::Global;

/// Where attributes stand decides how numbers are written: `alignstack(16)`, in a group `alignstack=16`.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Value,
    Group,
}

impl<'m> Writer<'m> {
    pub(super) fn module(&mut self) {
        let module = self.module;
        self.put(&format!("; ModuleID = '{}'\n", module.id.replace('\n', " ")));
        for (key, text) in [
            ("source_filename", &module.source_filename),
            ("target datalayout", &module.layout.text),
            ("target triple", &module.triple),
        ] {
            if !text.is_empty() {
                self.put(key);
                self.put(" = \"");
                escape(&mut self.out, text.as_bytes());
                self.put("\"\n");
            }
        }
        self.put("\n");
        self.structs();
        for (comdat, kind) in &module.comdats {
            self.put("$");
            name(&mut self.out, comdat);
            self.put(&format!(" = comdat {kind}\n"));
        }
        self.put("\n");
        module.globals.values().filter(|g| g.alias_of.is_none()).for_each(|g| self.global(g));
        module.globals.values().filter(|g| g.alias_of.is_some()).for_each(|g| self.global(g));
        for func in module.functions.values() {
            self.put("\n");
            self.function(func);
        }
        self.put("\n");
        self.attr_groups();
        if self.options.metadata {
            self.put("\n");
            self.all_metadata();
        }
    }

    fn flags(&mut self, flags: &SymbolFlags, linkage: &str) {
        self.word(linkage);
        self.word(&flags.preemption);
        self.word(&flags.visibility);
        self.word(&flags.dll);
    }

    fn global(&mut self, global: &'m Global) {
        self.global_ref(&global.name);
        self.put(" = ");
        let declaration = global.init.is_none() && global.alias_of.is_none();
        let linkage = match (declaration, global.flags.linkage.as_str()) {
            (true, "") => "external",
            (false, "external") => "",
            (_, linkage) => linkage,
        };
        self.flags(&global.flags, linkage);
        self.word(&global.thread_local);
        self.word(&global.flags.unnamed_addr);
        if let Some(target) = global.alias_of {
            self.put("alias ");
            self.ty(global.ty);
            self.put(", ");
            match self.module.constants.get(target).kind {
                crate::constant::ConstKind::Expr(_) => self.constant(target),
                _ => self.typed_constant(target),
            }
        } else {
            if global.addr_space != 0 {
                self.put(&format!("addrspace({}) ", global.addr_space));
            }
            self.word(if global.externally_initialized { "externally_initialized" } else { "" });
            self.word(if global.constant { "constant" } else { "global" });
            self.ty(global.ty);
            if let Some(init) = global.init {
                self.put(" ");
                self.constant(init);
            }
        }
        for clause in &global.clauses {
            self.put(", ");
            self.put(clause);
        }
        if global.align != 0 {
            self.put(&format!(", align {}", global.align));
        }
        self.attachments(", ", &global.metadata);
        self.group(&global.attrs);
        self.put("\n");
    }

    pub(super) fn function(&mut self, func: &'m Function) {
        self.slots = Some(Slots::new(func));
        self.header(func);
        if !func.is_declaration() {
            self.put(" {\n");
            self.body(func);
            self.put("}");
        }
        self.put("\n");
        self.slots = None;
    }

    fn header(&mut self, func: &'m Function) {
        if func.is_declaration() {
            self.put("declare");
            self.attachments(" ", &func.metadata);
            self.put(" ");
        } else {
            self.put("define ");
        }
        self.flags(&func.flags, &func.flags.linkage);
        self.word(&func.cc);
        self.value_attrs(&func.ret_attrs);
        self.ty(func.ret);
        self.put(" ");
        self.global_ref(&func.name);
        self.put("(");
        self.list(&func.params, |w, param| {
            w.ty(param.ty);
            w.put(" ");
            w.value_attrs(&param.attrs);
            if func.is_declaration() {
                w.out.pop();
            } else {
                w.operand(crate::Operand::Local(param.value));
            }
        });
        match (func.vararg, func.params.is_empty()) {
            (true, true) => self.put("..."),
            (true, false) => self.put(", ..."),
            (false, _) => {}
        }
        self.put(")");
        if !func.flags.unnamed_addr.is_empty() {
            self.put(" ");
            self.put(&func.flags.unnamed_addr);
        }
        self.group(&func.attrs);
        for clause in &func.clauses {
            self.put(" ");
            self.put(clause);
        }
        if let Some(personality) = func.personality {
            self.put(" personality ");
            self.typed_constant(personality);
        }
        if !func.is_declaration() {
            self.attachments(" ", &func.metadata);
        }
    }

    fn body(&mut self, func: &'m Function) {
        for (i, &block) in func.layout.iter().enumerate() {
            let named = !func.blocks[block].name.is_empty();
            if i > 0 {
                self.put("\n");
            }
            if i > 0 || named {
                self.block_name(block);
                self.put(":\n");
            }
            for &inst in &func.blocks[block].insts {
                if self.options.metadata {
                    func.insts[inst].debug_records.iter().for_each(|r| self.debug_record(r));
                }
                self.put("  ");
                self.inst(func, inst);
                self.origin(&func.insts[inst]);
                self.put("\n");
            }
        }
    }

    /// Attributes of a parameter, argument or return value, each with a space behind it.
    pub(super) fn value_attrs(&mut self, attrs: &Attrs) {
        for attr in &attrs.0 {
            self.attr(attr, Place::Value);
            self.put(" ");
        }
    }

    /// ` #3`: the group of the attributes of a function or call site.
    pub(super) fn group(&mut self, attrs: &'m Attrs) {
        if !attrs.is_empty() && self.options.attributes {
            let next = self.groups.len();
            let number = *self.groups.entry(attrs).or_insert(next);
            self.put(" #");
            self.number(number);
        }
    }

    fn attr_groups(&mut self) {
        let mut groups: Vec<(&Attrs, usize)> = self.groups.iter().map(|(a, n)| (*a, *n)).collect();
        groups.sort_by_key(|g| g.1);
        for (attrs, number) in groups {
            self.put(&format!("attributes #{number} = {{ "));
            for attr in &attrs.0 {
                self.attr(attr, Place::Group);
                self.put(" ");
            }
            self.put("}\n");
        }
    }

    fn attr(&mut self, attr: &Attr, place: Place) {
        if !matches!(attr.value, AttrValue::Str(_)) {
            self.put(&attr.name);
        }
        match &attr.value {
            AttrValue::Flag => {}
            AttrValue::Int(n) => {
                let (open, close) = match (place, attr.name.as_str()) {
                    (Place::Group, "align" | "alignstack") => ("=", ""),
                    (Place::Value, "align") => (" ", ""),
                    _ => ("(", ")"),
                };
                self.put(&format!("{open}{n}{close}"));
            }
            AttrValue::Type(ty) => {
                self.put("(");
                self.ty(*ty);
                self.put(")");
            }
            AttrValue::Text(text) => self.put(&format!("({text})")),
            AttrValue::Str(value) => {
                for (before, text) in [("\"", Some(&attr.name)), ("=\"", value.as_ref())] {
                    if let Some(text) = text {
                        self.put(before);
                        escape(&mut self.out, text.as_bytes());
                        self.put("\"");
                    }
                }
            }
        }
    }
}
