//! The printer: `.ll` text that LLVM 19 reads back as the same module.
//!
//! The forms are those of LLVM's own printer, so that reports look familiar and texts compare. Unnamed
//! parameters, blocks and results are numbered in LLVM's order; a name that occurs twice in a function gets a
//! suffix, as LLVM would give it. Attributes of functions and call sites are gathered into groups, metadata
//! nodes are numbered by their place in the arena.

mod calls;
mod constants;
mod globals;
mod insts;
mod metadata;
mod slots;
mod types;

use crate::attr::Attrs;
use crate::function::{BlockId, Function, InstId};
use crate::inst::Operand;
use crate::metadata::MdOperand;
use crate::module::Module;
use slots::Slots;
use std::collections::HashMap;

pub use types::type_text;

/// What to print beside the instructions themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PrintOptions {
    /// Metadata attached to instructions and functions, and debug records.
    pub metadata: bool,
    /// Attributes of functions and call sites.
    pub attributes: bool,
    /// Behind each instruction of a gradient, a comment that names the primal instruction it stands for.
    pub origins: bool,
}

impl PrintOptions {
    /// All that the module holds, and no comment.
    pub const FULL: PrintOptions = PrintOptions { metadata: true, attributes: true, origins: false };
    /// Only what a reader of a report wants to see.
    pub const BRIEF: PrintOptions = PrintOptions { metadata: false, attributes: false, origins: false };
}

impl std::fmt::Display for Module {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&print_module(self))
    }
}

/// The text of a module.
pub fn print_module(module: &Module) -> String {
    print_module_with(module, PrintOptions::FULL)
}

/// The text of a module. Without metadata or attributes it is still a module that LLVM reads.
pub fn print_module_with(module: &Module, options: PrintOptions) -> String {
    let mut writer = Writer::new(module, options);
    writer.module();
    writer.out
}

/// The text of a function without attributes and metadata.
pub fn print_function(module: &Module, func: &Function) -> String {
    print_function_with(module, func, PrintOptions::BRIEF)
}

/// The text of a function; attribute groups and metadata appear by number.
pub fn print_function_with(module: &Module, func: &Function, options: PrintOptions) -> String {
    let mut writer = Writer::new(module, options);
    writer.function(func);
    writer.out
}

/// One instruction as text, without attributes and metadata, on one line.
pub fn print_inst(module: &Module, func: &Function, inst: InstId) -> String {
    FunctionPrinter::new(module, func).inst(inst)
}

/// A metadata operand as text.
pub fn print_md_operand(module: &Module, operand: &MdOperand) -> String {
    let mut writer = Writer::new(module, PrintOptions::BRIEF);
    writer.md_operand(operand);
    writer.out
}

/// A constant as text, without its type.
pub fn print_constant(module: &Module, id: crate::ConstId) -> String {
    let mut writer = Writer::new(module, PrintOptions::BRIEF);
    writer.constant(id);
    writer.out
}

/// Prints parts of one function, whose names are worked out once.
pub struct FunctionPrinter<'m> {
    writer: std::cell::RefCell<Writer<'m>>,
    func: &'m Function,
}

impl<'m> FunctionPrinter<'m> {
    /// For `func` of `module`.
    pub fn new(module: &'m Module, func: &'m Function) -> FunctionPrinter<'m> {
        let mut writer = Writer::new(module, PrintOptions::BRIEF);
        writer.slots = Some(Slots::new(func));
        FunctionPrinter { writer: writer.into(), func }
    }

    /// One instruction, on one line.
    pub fn inst(&self, inst: InstId) -> String {
        let text = self.take(|w| w.inst(self.func, inst));
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// An operand with its type, `i32 %x`.
    pub fn operand(&self, operand: Operand) -> String {
        self.take(|w| w.typed_operand(self.func, operand))
    }

    /// A block as its label is written in a reference, `%loop`.
    pub fn block(&self, block: BlockId) -> String {
        self.take(|w| w.block_ref(block))
    }

    fn take(&self, print: impl FnOnce(&mut Writer<'m>)) -> String {
        let mut writer = self.writer.borrow_mut();
        print(&mut writer);
        std::mem::take(&mut writer.out)
    }
}

/// Text under construction.
struct Writer<'m> {
    module: &'m Module,
    options: PrintOptions,
    out: String,
    /// Numbers of the attribute groups met so far, which are printed at the end.
    groups: HashMap<&'m Attrs, usize>,
    /// Names within the function being printed.
    slots: Option<Slots>,
}

impl<'m> Writer<'m> {
    fn new(module: &'m Module, options: PrintOptions) -> Writer<'m> {
        Writer { module, options, out: String::new(), groups: HashMap::new(), slots: None }
    }

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Prints `text` and a space, unless it is empty.
    fn word(&mut self, text: &str) {
        if !text.is_empty() {
            self.out.push_str(text);
            self.out.push(' ');
        }
    }

    fn number(&mut self, n: impl std::fmt::Display) {
        use std::fmt::Write;
        // Writing to a string cannot fail.
        let _ = write!(self.out, "{n}");
    }

    /// Calls `print` on each item, with commas between.
    fn list<T>(&mut self, items: impl IntoIterator<Item = T>, mut print: impl FnMut(&mut Self, T)) {
        for (i, item) in items.into_iter().enumerate() {
            if i > 0 {
                self.put(", ");
            }
            print(self, item);
        }
    }
}

/// Appends `text` with everything escaped that may not stand in a quoted string.
fn escape(out: &mut String, text: &[u8]) {
    for &b in text {
        match b {
            b'\\' => out.push_str("\\\\"),
            b' '..=b'~' if b != b'"' => out.push(char::from(b)),
            _ => {
                const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
                out.push('\\');
                out.push(char::from(DIGITS[usize::from(b >> 4)]));
                out.push(char::from(DIGITS[usize::from(b & 15)]));
            }
        }
    }
}

/// Appends a name behind its sigil, in quotes where it needs them.
fn name(out: &mut String, name: &str) {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'$' | b'.' | b'_');
    if name.bytes().all(plain) && !name.as_bytes().first().is_none_or(u8::is_ascii_digit) {
        out.push_str(name);
    } else {
        out.push('"');
        escape(out, name.as_bytes());
        out.push('"');
    }
}

/// Appends a name of module level: one of digits alone is the number of an unnamed entity.
fn global_name(out: &mut String, text: &str) {
    if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) { out.push_str(text) } else { name(out, text) }
}
