//! What library functions do with numbers that are no floats: which arguments they write, and whether they keep or give
//! what they were given before.
//!
//! A function that stands in no list is taken to read and write whatever its arguments point to, and to keep and give
//! anything. So a list only sharpens: text that is written to a terminal does not come back, and a clock tells nothing
//! of what was printed.

use crate::program::{externals, futures, mpi, threads};
use ir::exceptions;

/// Arguments through which a function writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outs {
    /// None.
    None,
    /// All pointers.
    All,
    /// Some, by index.
    At(&'static [usize]),
    /// All from one on.
    From(usize),
}

impl Outs {
    /// Is the argument one of them, and nothing but that? Where all may be written, all may be read.
    pub(super) fn only_written(self, index: usize) -> bool {
        match self {
            Outs::None | Outs::All => false,
            Outs::At(list) => list.contains(&index),
            Outs::From(first) => index >= first,
        }
    }

    /// May the function write through the argument?
    pub(super) fn written(self, index: usize) -> bool {
        self == Outs::All || self.only_written(index)
    }
}

/// Functions of libc whose arguments, as far as they are pointers and are read, lead to text that ends with a zero.
const OF_TEXT: &[&str] = &[
    "strlen",
    "strnlen",
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "strcoll",
    "strchr",
    "strrchr",
    "strchrnul",
    "strstr",
    "strpbrk",
    "strspn",
    "strcspn",
    "strdup",
    "strndup",
    "strcpy",
    "strncpy",
    "stpcpy",
    "stpncpy",
    "strcat",
    "strncat",
    "strtod",
    "strtof",
    "strtold",
    "strtol",
    "strtoll",
    "strtoul",
    "strtoull",
    "atof",
    "atoi",
    "atol",
    "atoll",
    "puts",
    "fputs",
    "fopen",
    "remove",
    "getenv",
    "setenv",
];

/// Functions for text that copy what they are given by this argument, whatever its bytes are, up to a zero.
const COPY_TEXT: &[(&str, usize)] = &[
    ("strdup", 0),
    ("strndup", 0),
    ("strcpy", 1),
    ("strncpy", 1),
    ("stpcpy", 1),
    ("stpncpy", 1),
    ("strcat", 1),
    ("strncat", 1),
];

/// How a function reads memory that it is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reads {
    /// All of it, as bytes.
    Bytes,
    /// As text, which it measures, compares, searches or parses.
    Text,
    /// As text, whose bytes it copies.
    Copied,
}

/// How does it read what it is given by this argument?
pub(super) fn reads(name: &str, argument: usize) -> Reads {
    match OF_TEXT.contains(&name) {
        false => Reads::Bytes,
        true if COPY_TEXT.contains(&(name, argument)) => Reads::Copied,
        true => Reads::Text,
    }
}

/// Does it copy text of an argument?
pub(super) fn copies_text(name: &str) -> bool {
    COPY_TEXT.iter().any(|(other, _)| *other == name)
}

/// What a function does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Effect {
    /// Through which arguments it writes.
    pub outs: Outs,
    /// What it writes is text: characters, which nobody reads as floats.
    pub text: bool,
    /// It may give what other functions were given before.
    pub gives: bool,
    /// It keeps what it is given for others: in a file, a stream, the environment.
    pub keeps: bool,
    /// It may also give, later on, what others are given after it: the buffer of a stream.
    pub reloads: bool,
    /// A stream, by index, which makes all that harmless if it is one of the terminal's.
    pub stream: Option<usize>,
}

const PLAIN: Effect =
    Effect { outs: Outs::None, text: false, gives: false, keeps: false, reloads: false, stream: None };
const UNKNOWN: Effect = Effect { outs: Outs::All, gives: true, keeps: true, ..PLAIN };

const fn writes(outs: &'static [usize]) -> Effect {
    Effect { outs: Outs::At(outs), ..PLAIN }
}

const fn prints(outs: &'static [usize]) -> Effect {
    Effect { text: true, ..writes(outs) }
}

const fn gives(outs: &'static [usize]) -> Effect {
    Effect { gives: true, ..writes(outs) }
}

const fn keeps(stream: Option<usize>) -> Effect {
    Effect { keeps: true, stream, ..PLAIN }
}

const fn reloads(outs: &'static [usize]) -> Effect {
    Effect { keeps: true, gives: true, reloads: true, ..writes(outs) }
}

/// Functions of libc, by the names that compilers call them by.
const FUNCTIONS: &[(&[&str], Effect)] = &[
    // To the terminal; from there nothing comes that the program wrote.
    (
        &["printf", "vprintf", "puts", "putchar", "putchar_unlocked", "perror", "getchar", "exit", "_exit", "abort"],
        PLAIN,
    ),
    (&["scanf", "vscanf"], Effect { outs: Outs::From(1), ..PLAIN }),
    (&["srand", "srandom", "srand48"], PLAIN),
    (&["__errno_location", "__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc", "__assert_fail"], PLAIN),
    (&["__cxa_guard_acquire", "__cxa_guard_release", "__cxa_pure_virtual", "usleep", "sleep"], PLAIN),
    (&[externals::DYNAMIC_CAST], PLAIN),
    (&["fopen", "fopen64", "tmpfile", "tmpfile64", "fclose", "fflush", "fileno", "close", "remove", "unlink"], PLAIN),
    (&["rewind", "feof", "ferror", "clearerr", "__cxa_atexit", "atexit", "MPI_Init", "MPI_Finalize"], PLAIN),
    // Text in memory.
    (&["sprintf", "vsprintf", "snprintf", "vsnprintf", "swprintf", "vswprintf", "strfromd", "strfromf"], prints(&[0])),
    (&["strcpy", "strncpy", "strcat", "strncat", "stpcpy", "stpncpy", "strxfrm"], prints(&[0])),
    (&["gcvt"], prints(&[2])),
    (&["asprintf", "vasprintf"], writes(&[0])),
    (&["sscanf", "vsscanf", "swscanf"], Effect { outs: Outs::From(2), ..PLAIN }),
    (
        &["strtod", "strtof", "strtold", "strtol", "strtoll", "strtoul", "strtoull", "strtoimax", "strtoumax"],
        writes(&[1]),
    ),
    (&["wcstod", "wcstof", "wcstold", "wcstol"], writes(&[1])),
    (
        &["atof", "atoi", "atol", "atoll", "strlen", "strnlen", "strcmp", "strncmp", "strcasecmp", "memcmp", "bcmp"],
        PLAIN,
    ),
    (&["strncasecmp", "strchr", "strrchr", "strchrnul", "memchr", "memrchr", "strstr", "strpbrk", "strspn"], PLAIN),
    (&["strcspn", "strdup", "strndup", "toupper", "tolower", "isalpha", "isdigit", "isspace", "isalnum"], PLAIN),
    (&["isupper", "islower", "ispunct", "isxdigit", "isprint", "abs", "labs", "llabs", "div", "ldiv", "lldiv"], PLAIN),
    (&["_ZSt11_Hash_bytesPKvmm", "_ZSt15_Fnv_hash_bytesPKvmm"], PLAIN),
    // Files and streams.
    (&["fprintf", "vfprintf", "dprintf", "fwprintf"], keeps(Some(0))),
    (
        &["fputs", "fputc", "putc", "ungetc", "fputc_unlocked", "putc_unlocked", "fputs_unlocked", "fputwc"],
        keeps(Some(1)),
    ),
    (&["fwrite", "fwrite_unlocked"], keeps(Some(3))),
    (&["write", "pwrite", "send", "fseek", "fseeko", "lseek", "fsetpos", "setenv", "putenv"], keeps(None)),
    (&["fscanf", "vfscanf"], Effect { outs: Outs::From(2), gives: true, ..PLAIN }),
    (&["fread", "fread_unlocked", "fgets", "fgets_unlocked"], gives(&[0])),
    (&["getline", "getdelim", "__getdelim"], gives(&[0, 1])),
    (&["fgetc", "getc", "fgetc_unlocked", "getc_unlocked", "ftell", "ftello", "getenv", "secure_getenv"], gives(&[])),
    (&["read", "pread", "recv", "fgetpos"], gives(&[1])),
    (&["setvbuf", "setbuf"], reloads(&[1])),
    (&["open_memstream", "open_wmemstream"], reloads(&[0, 1])),
    (&["fmemopen"], reloads(&[0])),
];

/// Libraries that hold none of our numbers between calls, by how their names start.
const STATELESS: &[&str] = &["omp_", "__kmpc_", "_ZNSt6thread6_State", "_ZNSaI", "_ZNSt6chrono", "_ZSt18_Rb_tree"];

/// Functions whose results are counts, sizes and times of their own: no number of the program comes back by them,
/// whatever lies behind their arguments. The policy of a hash table reads counts and its load factor.
const INERT: &[&str] = &[
    "_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm",
    "_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm",
    "malloc_usable_size",
    "time",
    "clock",
    "clock_gettime",
    "gettimeofday",
    "rand",
    "random",
    "drand48",
];

/// Output streams of C++: they keep what they are given, unless they lead to the terminal.
const STREAMS: &[&str] = &["_ZNSo", "_ZStls", "_ZSt16__ostream_insert", "_ZSt4endl", "_ZSt5flush"];

/// What the function of that name does.
pub(super) fn effect(name: &str) -> Effect {
    let name = plain_name(name);
    if name.starts_with("llvm.") {
        return PLAIN;
    }
    if let Some((_, effect)) = FUNCTIONS.iter().find(|(names, _)| names.contains(&name)) {
        return *effect;
    }
    let stateless = STATELESS.iter().any(|p| name.starts_with(p))
        || threads::is_without_derivative(name)
        || futures::is_without_derivative(name);
    if stateless || externals::throws(name) || externals::reports(name) {
        return PLAIN;
    }
    if exceptions::is_member_of_standard(name) {
        // What takes an argument, a constructor or an assignment, keeps its text, which comes back by `what`.
        return if name.ends_with('v') { PLAIN } else { Effect { keeps: true, ..writes(&[0]) } };
    }
    if STREAMS.iter().any(|p| name.starts_with(p)) {
        return Effect { outs: Outs::At(&[0]), keeps: true, stream: Some(0), ..PLAIN };
    }
    UNKNOWN
}

/// Does no number of the program come back by the function?
pub(super) fn is_inert(name: &str) -> bool {
    INERT.contains(&plain_name(name))
        || mpi::is_inactive(name)
        || threads::is_without_derivative(name)
        || futures::is_without_derivative(name)
        || externals::reports(name)
}

/// Functions that take memory as bytes, whatever lies there, by the index of its address.
const BYTES: &[(&[&str], usize)] =
    &[(&["fwrite", "fwrite_unlocked"], 0), (&["write", "pwrite", "send"], 1), (&["_ZNSo5writeEPKcl"], 1)];

/// The argument that leads to memory which the function takes as bytes.
pub(super) fn takes_bytes(name: &str) -> Option<usize> {
    let name = plain_name(name);
    BYTES.iter().find(|(names, _)| names.contains(&name)).map(|(_, index)| *index)
}

/// Does the function write numbers and addresses as text, by a format?
pub(super) fn prints_by_format(name: &str) -> bool {
    let name = plain_name(name);
    name.ends_with("printf") && !name.starts_with('v')
}

/// What nobody knows about.
pub(super) fn unknown() -> Effect {
    UNKNOWN
}

/// Does the function print what a list of variable arguments holds?
pub(super) fn takes_list(name: &str) -> bool {
    let name = plain_name(name);
    name.starts_with('v') && (name.ends_with("printf") || name.ends_with("scanf"))
}

/// The name that the standard gives the function: without the marks of a dialect (`__isoc99_sscanf`, `__snprintf_chk`).
fn plain_name(name: &str) -> &str {
    let inner = ["__isoc99_", "__isoc23_"].iter().find_map(|p| name.strip_prefix(p)).unwrap_or(name);
    // A checked function has more arguments before the format; those that it writes come first all the same.
    match inner.strip_prefix("__").and_then(|n| n.strip_suffix("_chk")) {
        Some(checked) => checked,
        None => inner,
    }
}

/// A stream of the terminal, by the name of its variable.
pub(super) fn is_terminal(variable: &str) -> bool {
    ["stdout", "stderr", "stdin", "_ZSt4cout", "_ZSt4cerr", "_ZSt4clog"].contains(&variable)
}
