//! What external functions mean to differentiation: one table of names.
//!
//! Mathematical functions are not here but in `rules`; what stands in neither list is refused when
//! it would have to carry a derivative.

use crate::program::openmp::{self, Order};
use crate::program::{attributes, device, futures, mpi, threads};
use crate::runtime::broadcast::BROADCAST;
use crate::runtime::refuse::REFUSE;
use crate::runtime::substitute;
use crate::runtime::tape::{TAPE_ALLOC, TAPE_FREE};
use crate::runtime::tape_marks::{TAPE_MARK, TAPE_RELEASE};
use ir::InstKind;
use ir::hash::HashMap;
use ir::{Call, FloatKind, FuncId, Function, Module, Type, TypeId};
use std::cell::RefCell;

/// The part an external function plays.
#[derive(Clone, Copy, Debug)]
pub enum External {
    /// Returns fresh memory.
    Allocate {
        /// Index of the size argument.
        size: usize,
        /// Index of a second argument to multiply it with (`calloc`).
        times: Option<usize>,
        /// Index of an argument that gives the alignment.
        align: Option<usize>,
    },
    /// Gives memory back.
    Free {
        /// Index of the pointer to it.
        block: usize,
    },
    /// `memcpy`, `memmove` (intrinsic or libc): destination, source, length.
    Copy,
    /// `memset`: destination, byte, length.
    Set,
    /// A row of the rule table.
    Rule(&'static rules::Row),
    /// The program gives its gradient ([`crate::program::custom_rule`]).
    Custom,
    /// A reduction of a vector to one float.
    Reduction(&'static rules::Reduction),
    /// A number that is held in the place of another one ([`crate::runtime::substitute`]): the bits of the first
    /// operand, the derivative of the second.
    Held,
    /// Puts threads in an order.
    Order(Order),
    /// Joins the nodes of a container: sets links at these offsets of the nodes it reaches, and nothing else.
    Links(&'static [u64]),
    /// Sends or receives messages.
    Message(&'static mpi::Row),
    /// Carries no derivative, and stores none of its pointer arguments' active contents.
    Inactive,
    /// Nothing is known about it.
    Unknown,
}

/// Allocators: name, index of the size argument, of a factor, of an alignment.
const ALLOCATORS: &[(&str, usize, Option<usize>, Option<usize>)] = &[
    ("malloc", 0, None, None),
    ("calloc", 0, Some(1), None),
    ("aligned_alloc", 1, None, Some(0)),
    ("_Znwm", 0, None, None),
    ("_Znam", 0, None, None),
    ("_ZnwmRKSt9nothrow_t", 0, None, None),
    ("_ZnamRKSt9nothrow_t", 0, None, None),
    ("_ZnwmSt11align_val_t", 0, None, Some(1)),
    ("_ZnamSt11align_val_t", 0, None, Some(1)),
    ("_ZnwmSt11align_val_tRKSt9nothrow_t", 0, None, Some(1)),
    ("_ZnamSt11align_val_tRKSt9nothrow_t", 0, None, Some(1)),
    (TAPE_ALLOC, 1, None, None),
];

const DEALLOCATORS: &[&str] = &[
    "free",
    "_ZdlPv",
    "_ZdaPv",
    "_ZdlPvm",
    "_ZdaPvm",
    "_ZdlPvSt11align_val_t",
    "_ZdaPvSt11align_val_t",
    "_ZdlPvmSt11align_val_t",
    "_ZdaPvmSt11align_val_t",
    "_ZdlPvRKSt9nothrow_t",
    "_ZdaPvRKSt9nothrow_t",
    TAPE_FREE,
    TAPE_RELEASE,
];

/// Is it an allocator of the C or C++ library, whose blocks nothing frees but its deallocators?
pub fn allocates_blocks(name: &str) -> bool {
    name != TAPE_ALLOC && ALLOCATORS.iter().any(|(n, ..)| *n == name)
}

/// Are the blocks that it allocates clear?
pub fn clears_blocks(name: &str) -> bool {
    ALLOCATORS.iter().any(|(n, _, times, _)| *n == name && times.is_some())
}

/// Does it give back a tape, or a part of one?
pub fn frees_tape(name: &str) -> bool {
    [TAPE_FREE, TAPE_RELEASE].contains(&name)
}

/// Does this deallocator of the C or C++ library do nothing with a null pointer? (C17 §7.22.3.3; C++20
/// [new.delete.single], [new.delete.array].)
pub fn frees_null(name: &str) -> bool {
    !frees_tape(name) && DEALLOCATORS.contains(&name)
}

/// Does the instruction mark the end of an object's life?
pub fn ends_life(m: &Module, inst: &ir::Inst) -> bool {
    let callee = inst.kind.as_call().and_then(|call| m.as_function(call.callee));
    callee.is_some_and(|f| m.functions[f].name.starts_with("llvm.lifetime.end"))
}

/// Does it mark the beginning or the end of an object's life?
pub fn marks_life(m: &Module, inst: &ir::Inst) -> bool {
    let callee = inst.kind.as_call().and_then(|call| m.as_function(call.callee));
    callee.is_some_and(|f| m.functions[f].name.starts_with("llvm.lifetime."))
}

/// Does the call put threads in an order, so that behind it there may be what any of them has written?
pub fn orders_threads(m: &Module, inst: &ir::Inst) -> bool {
    let callee = inst.kind.as_call().and_then(|call| m.as_function(call.callee));
    callee.is_some_and(|f| matches!(classify(m, &m.functions[f]), External::Order(_)))
}

/// Links of `std::_Rb_tree_node_base`: `{ colour, parent, left, right }`.
const TREE: &[u64] = &[8, 16, 24];
/// Links of `std::__detail::_List_node_base`: `{ next, prev }`.
const LIST: &[u64] = &[0, 8];

/// Functions of libstdc++ that join nodes (`stl_tree.h`, `stl_list.h`).
const LINKS: &[(&str, &[u64])] = &[
    ("_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base", TREE),
    ("_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base", TREE),
    ("_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base", TREE),
    ("_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base", TREE),
    (TREE_INSERT, TREE),
    (TREE_ERASE, TREE),
    ("_ZNSt8__detail15_List_node_base7_M_hookEPS0_", LIST),
    ("_ZNSt8__detail15_List_node_base9_M_unhookEv", LIST),
    ("_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_", LIST),
    ("_ZNSt8__detail15_List_node_base10_M_reverseEv", LIST),
    ("_ZNSt8__detail15_List_node_base4swapERS0_S1_", LIST),
    // What it gives is of the kind of what was there.
    (BROADCAST, &[]),
];

const TREE_INSERT: &str = "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_";
const TREE_ERASE: &str = "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_";

/// Does the function read the colours of a tree's nodes?
pub fn rebalances(name: &str) -> bool {
    name == TREE_INSERT || name == TREE_ERASE
}

/// `void *__dynamic_cast(const void *, const type_info *from, const type_info *to, ptrdiff_t hint)` (Itanium C++ ABI,
/// 2.9.7): what it finds is made of its operand before anybody looks at it ([`crate::normalise::dynamic_cast`]).
pub const DYNAMIC_CAST: &str = "__dynamic_cast";

/// Functions of libc that carry no derivative.
const INACTIVE: &[&str] = &[
    "malloc_usable_size",
    "printf",
    "fprintf",
    "sprintf",
    "snprintf",
    "vprintf",
    "vfprintf",
    "vsnprintf",
    "puts",
    "putchar",
    "putc",
    "fputc",
    "fputs",
    "fwrite",
    "fflush",
    "perror",
    "exit",
    "_exit",
    "abort",
    REFUSE,
    "__assert_fail",
    "strlen",
    "strcpy",
    "strncpy",
    "strcat",
    "strncat",
    "stpcpy",
    "strrchr",
    "strstr",
    "strcasecmp",
    "strncasecmp",
    "strcspn",
    "strspn",
    "strnlen",
    "toupper",
    "tolower",
    "strcmp",
    "strncmp",
    "memcmp",
    "bcmp",
    "strchr",
    "strchrnul",
    "strpbrk",
    "memchr",
    "memrchr",
    "atoi",
    "rand",
    "srand",
    "random",
    "srandom",
    "time",
    "clock",
    "getenv",
    "__errno_location",
    "__cxa_pure_virtual",
    "_ZSt9terminatev",
    DYNAMIC_CAST,
    threads::END_OF_STATE,
    "__cxa_guard_acquire",
    "__cxa_guard_release",
    "_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm",
    "_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm",
    "_ZSt11_Hash_bytesPKvmm",
    "_ZSt15_Fnv_hash_bytesPKvmm",
    "abs",
    "labs",
    "llabs",
];

/// How the names of libstdc++'s functions start that print: `std::ostream::…`, `std::operator<<`, `std::endl`,
/// `std::flush`.
const PRINTING: &[&str] = &["_ZNSo", "_ZStls", "_ZSt16__ostream_insert", "_ZSt4endl", "_ZSt5flush"];

/// Intrinsics without derivative although a pointer or a float is among their operands.
const INACTIVE_INTRINSICS: &[&str] = &[
    "llvm.dbg.",
    "llvm.lifetime.",
    "llvm.invariant.",
    "llvm.assume",
    "llvm.expect",
    "llvm.stacksave",
    "llvm.stackrestore",
    "llvm.experimental.noalias.scope.decl",
    "llvm.prefetch",
    "llvm.objectsize",
    "llvm.is.constant",
    "llvm.is.fpclass",
    "llvm.trap",
    "llvm.ubsantrap",
    "llvm.debugtrap",
    "llvm.sideeffect",
    "llvm.donothing",
    "llvm.fptosi.sat",
    "llvm.fptoui.sat",
    "llvm.lround",
    "llvm.llround",
    "llvm.lrint",
    "llvm.llrint",
];

/// Does this function of the C++ run-time library begin or continue an exception? (`std::__throw_length_error` and its
/// like too.)
pub fn throws(name: &str) -> bool {
    let library = || {
        let rest = name.strip_prefix("_ZSt")?;
        Some(rest.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with("__throw_"))
    };
    matches!(
        name,
        "__cxa_allocate_exception"
            | "__cxa_throw"
            | "__cxa_rethrow"
            | "_Unwind_Resume"
            | "__cxa_throw_bad_array_new_length"
            | futures::CATEGORY
            | futures::RETHROW
    ) || library().unwrap_or(false)
}

/// Does the front end's sanitizer report what it finds by this function (clang, "Undefined Behavior Sanitizer")?
pub(crate) fn reports(name: &str) -> bool {
    name.starts_with("__ubsan_handle_")
}

/// Is a function of the table called that does nothing but compute?
pub fn only_computes(m: &Module, call: &Call) -> bool {
    let of_table = |f: FuncId| matches!(classify(m, &m.functions[f]), External::Rule(_));
    let Type::Func { params, .. } = m.types.get(call.fn_ty) else { return false };
    !params.iter().any(|ty| m.types.is_ptr(*ty)) && m.as_function(call.callee).is_some_and(of_table)
}

/// Classifies a function by what the program tells of it ([`crate::program::attributes`]) or else by its name.
pub fn classify(module: &Module, func: &Function) -> External {
    if attributes::gradient(module, func).is_some() {
        return External::Custom;
    }
    if func.attrs.has(attributes::INACTIVE) {
        return External::Inactive;
    }
    if let Some(size) = attributes::allocates(func) {
        return External::Allocate { size, times: None, align: None };
    }
    if let Some(block) = attributes::frees(func) {
        return External::Free { block };
    }
    let name = attributes::like(func).unwrap_or(&func.name);
    if is_own(func) {
        return External::Unknown;
    }
    if let Some(row) = mpi::lookup(func) {
        return External::Message(row);
    }
    match by_name(name, func.is_declaration()) {
        Named::Is(external) => external,
        Named::Symbol(row) if has_signature(module, func, row) => External::Rule(row),
        Named::Symbol(_) | Named::Nothing => External::Unknown,
        Named::Intrinsic => {
            if touches_data(module, func) {
                External::Unknown
            } else {
                External::Inactive
            }
        }
    }
}

/// What the name alone tells of a function.
#[derive(Clone, Copy)]
enum Named {
    /// All.
    Is(External),
    /// A mathematical function, if it has the parameters of one.
    Symbol(&'static rules::Row),
    /// An intrinsic that is in no list.
    Intrinsic,
    Nothing,
}

/// The same as [`look_up`]; most functions are asked for again and again.
fn by_name(name: &str, is_declaration: bool) -> Named {
    const NAMES: usize = 1 << 14;
    thread_local! {
        static KNOWN: RefCell<[HashMap<String, Named>; 2]> = RefCell::default();
    }
    KNOWN.with_borrow_mut(|known| {
        let known = &mut known[usize::from(is_declaration)];
        if let Some(found) = known.get(name) {
            return *found;
        }
        if known.len() >= NAMES {
            known.clear();
        }
        *known.entry(name.to_owned()).or_insert_with(|| look_up(name, is_declaration))
    })
}

/// Looks a name up in the tables.
fn look_up(name: &str, is_declaration: bool) -> Named {
    if let Some((_, size, times, align)) = ALLOCATORS.iter().find(|(n, ..)| *n == name) {
        return Named::Is(External::Allocate { size: *size, times: *times, align: *align });
    }
    if let Some((_, offsets)) = LINKS.iter().find(|(n, _)| *n == name) {
        return Named::Is(External::Links(offsets));
    }
    if DEALLOCATORS.contains(&name) {
        return Named::Is(External::Free { block: 0 });
    }
    match name {
        _ if substitute::is(name) => return Named::Is(External::Held),
        "memcpy" | "memmove" => return Named::Is(External::Copy),
        "memset" => return Named::Is(External::Set),
        _ if name.starts_with("llvm.memcpy.") || name.starts_with("llvm.memmove.") => {
            return Named::Is(External::Copy);
        }
        _ if name.starts_with("llvm.memset.") => return Named::Is(External::Set),
        _ => {}
    }
    if let Some(order) = openmp::order(name).or_else(|| device::order(name)) {
        return Named::Is(External::Order(order));
    }
    let without_derivative = INACTIVE.contains(&name)
        || name == TAPE_MARK
        || openmp::is_without_derivative(name)
        || threads::is_without_derivative(name)
        || is_declaration && (futures::is_without_derivative(name) || ir::exceptions::is_member_of_standard(name))
        || mpi::is_inactive(name)
        || PRINTING.iter().any(|p| name.starts_with(p))
        || reports(name)
        || is_life_of_allocator(name)
        || INACTIVE_INTRINSICS.iter().any(|p| name.starts_with(p));
    if without_derivative {
        return Named::Is(External::Inactive);
    }
    if let Some(intrinsic) = rules::lookup_intrinsic(name) {
        return Named::Is(External::Rule(intrinsic.row));
    }
    if let Some(symbol) = rules::lookup_symbol(name) {
        return Named::Symbol(symbol.row);
    }
    if let Some(found) = rules::lookup_reduction(name) {
        return Named::Is(External::Reduction(found.reduction));
    }
    if name.starts_with("llvm.") { Named::Intrinsic } else { Named::Nothing }
}

/// Is it the program's own function, whatever its name? So is one with a body, such as `static double y1(double)`.
/// Names that are reserved for the implementation (C17 7.1.3: with two underscores, or one and a capital letter) are
/// those of libraries whose bodies are in the module, too; a body that is only available for inlining is a copy of the
/// library's (LangRef, "available_externally"); and who replaces `malloc` for the whole program allocates memory.
fn is_own(func: &Function) -> bool {
    let mut start = func.name.bytes();
    let reserved = start.next() == Some(b'_') && start.next().is_some_and(|c| c == b'_' || c.is_ascii_uppercase());
    let body = !func.is_declaration() && func.flags.linkage != "available_externally";
    let local = ["internal", "private"].contains(&func.flags.linkage.as_str());
    let replaces = || ALLOCATORS.iter().any(|(name, ..)| *name == func.name) || DEALLOCATORS.contains(&&*func.name);
    body && !reserved && attributes::like(func).is_none() && (local || !replaces())
}

/// Are the parameters and the result those of the function that the row is about? A function of the same name with
/// others is another one.
fn has_signature(m: &Module, func: &Function, row: &rules::Row) -> bool {
    let is_float = |ty| m.types.float_kind(m.types.scalar(ty)).is_some();
    let fits = |(param, operand): (&ir::Param, &rules::Operand)| match operand {
        rules::Operand::Integer => matches!(m.types.get(param.ty), Type::Int(_)),
        rules::Operand::FloatOut | rules::Operand::IntOut | rules::Operand::Text => m.types.is_ptr(param.ty),
        _ => is_float(param.ty),
    };
    let returns = |output: &rules::Output| match (&output.place, &output.value) {
        (rules::Place::Return, rules::Value::Float { .. }) => is_float(func.ret),
        (rules::Place::Return, rules::Value::Integer) => matches!(m.types.get(func.ret), Type::Int(_)),
        _ => true,
    };
    func.params.len() == row.operands.len()
        && func.params.iter().zip(&row.operands).all(fits)
        && row.outputs.iter().all(returns)
}

/// Is it a constructor or destructor of `std::allocator` (`_ZNSaI…`), which has no state (C++17, [default.allocator])?
/// Its other members take and give back memory by functions that have a meaning of their own.
fn is_life_of_allocator(name: &str) -> bool {
    name.starts_with("_ZNSaI") && !name.contains("allocateE")
}

/// Does a call of a function of which nothing more is known write at most where its arguments point? So do functions of
/// libraries that are known by name, and those that are declared to (LangRef, "memory(...)").
pub fn keeps_to_arguments(module: &Module, call: &Call) -> bool {
    const LIBRARIES: [&str; 4] = ["llvm.", "omp_", "__kmpc_", "MPI_"];
    let Some(func) = module.as_function(call.callee).map(|f| &module.functions[f]) else { return false };
    let declared = [&call.fn_attrs, &func.attrs].into_iter().any(|attrs| match attrs.get("memory") {
        Some(ir::AttrValue::Text(text)) => {
            let text = text.replace("argmem: readwrite", "").replace("argmem: write", "");
            let text = text.replace("inaccessiblemem: readwrite", "").replace("inaccessiblemem: write", "");
            !text.contains("write")
        }
        _ => attrs.has("readonly") || attrs.has("readnone"),
    });
    let name = func.name.as_str();
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    declared
        || func.is_declaration()
            && (INACTIVE.contains(&name)
                || threads::is_without_derivative(name)
                || futures::is_without_derivative(name)
                || starts(PRINTING)
                || is_life_of_allocator(name)
                || starts(&LIBRARIES))
}

/// Has it a float or a pointer among its parameters or in its result?
fn touches_data(module: &Module, func: &Function) -> bool {
    func.params.iter().map(|p| p.ty).chain([func.ret]).any(|ty| holds_float(module, ty) || holds_pointer(module, ty))
}

/// The float leaves of a type exist.
pub fn holds_float(module: &Module, ty: TypeId) -> bool {
    first_float(module, ty).is_some()
}

/// The first float leaf of a type.
pub fn first_float(module: &Module, ty: TypeId) -> Option<FloatKind> {
    match module.types.get(ty) {
        Type::Float(kind) => Some(*kind),
        Type::Vector { elem, .. } | Type::Array { elem, .. } => first_float(module, *elem),
        _ => module.types.fields(ty)?.0.iter().find_map(|f| first_float(module, *f)),
    }
}

/// The pointer leaves of a type exist.
pub fn holds_pointer(module: &Module, ty: TypeId) -> bool {
    match module.types.get(ty) {
        Type::Ptr(_) => true,
        Type::Vector { elem, .. } | Type::Array { elem, .. } => holds_pointer(module, *elem),
        _ => module.types.fields(ty).is_some_and(|(f, _)| f.iter().any(|t| holds_pointer(module, *t))),
    }
}

/// The table's width of a float kind.
pub(crate) fn width(kind: FloatKind) -> rules::Width {
    match kind {
        FloatKind::Half => rules::Width::F16,
        FloatKind::BFloat => rules::Width::BF16,
        FloatKind::Float => rules::Width::F32,
        FloatKind::Double => rules::Width::F64,
        FloatKind::X86Fp80 => rules::Width::F80,
        FloatKind::Fp128 => rules::Width::F128,
    }
}

/// Has the function values of floating-point type, or calls of functions that may have?
pub fn computes(m: &Module, func: &Function) -> bool {
    func.inst_order().any(|(_, inst)| match &func.insts[inst].kind {
        InstKind::Call(call) => {
            let known = m.as_function(call.callee).map(|f| (classify(m, &m.functions[f]), &m.functions[f].name));
            !known.is_some_and(|(kind, name)| matches!(kind, External::Inactive) || name.starts_with("llvm.va_"))
        }
        _ => holds_float(m, func.insts[inst].ty),
    })
}
