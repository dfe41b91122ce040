//! Memory that is moved as bytes: it is zeroed, written member by member, moved from place to place, read member by
//! member, and now and then zeroed and read again.
//!
//! A record of each kind has a size that is a multiple of eight bytes, so that what is behind others is aligned, and
//! the whole is a row of words.

use super::{Ends, bits};
use crate::c::moved::{Cut, How, Member, Moved, Part, Room, Rows, Seen, Words, Zeroed};

/// A structure in structures.
const NESTED: &str = "struct nested { short tag; double u[2]; struct { float w; long j; } deep[2]; };";

/// Copies in functions.
const COPIES: [&str; 2] = [
    "static __attribute__((noinline)) void moved_bytes(char *to, const char *from, long size) { memcpy(to, from, \
     size); }",
    "static __attribute__((noinline)) void moved_each(char *to, const char *from, long size) {
  for (long c = 0; c < size; c++) to[c] = from[c];
}",
];

/// Zeros in functions.
const ZEROS: [&str; 2] = [
    "static __attribute__((noinline)) void wiped_bytes(char *at, long size) { memset(at, 0, size); }",
    "static __attribute__((noinline)) void wiped_each(char *at, long size) {
  for (long c = 0; c < size; c++) at[c] = 0;
}",
];

/// The block of some memory.
pub(super) fn lines(it: &Moved, ends: &Ends, before: &mut Vec<String>) -> Vec<String> {
    if it.parts().any(|part| part.member == Member::Nested) {
        before.push(NESTED.to_owned());
    }
    let mut block = Block { it, n: &ends.n, before, out: Vec::new(), behind: Vec::new() };
    let Ends { a, b, .. } = ends;
    block.say(format!("double u = {a}, v = {b}, cells[3] = {{u, v, 0.5}}, acc = 0;"));
    block.layout();
    block.room(0, it.zeroed == Zeroed::Calloc);
    if !(it.zeroed == Zeroed::Calloc && block.room_of(0) == Room::Heap) {
        block.zero(0, it.zeroed, it.written);
    }
    block.apart(|block| {
        block.pointers(0, it.written);
        block.write();
    });
    for (at, one) in it.moves.iter().enumerate() {
        let partial = matches!(&one.how, How::Words(words) if block.is_partial(words));
        block.room(at + 1, partial);
        if partial && block.room_of(at + 1) != Room::Heap {
            block.zero(at + 1, Zeroed::Memset, Seen::Start);
        }
        block.move_by(at, &one.how);
    }
    let last = it.moves.len();
    block.apart(|block| {
        block.pointers(last, it.read);
        block.read(true);
        if let Some(cleared) = it.cleared {
            block.zero(last, cleared, it.read);
            block.read(false);
        }
    });
    let Block { mut out, behind, .. } = block;
    out.extend(behind);
    out.push(format!("{} = 0.8 * acc;", ends.to));
    out
}

/// The largest number of trips that a number from the run tells.
const RUN: u32 = 4;

struct Block<'a> {
    it: &'a Moved,
    /// The number that the run knows.
    n: &'a str,
    before: &'a mut Vec<String>,
    out: Vec<String>,
    /// What is freed in the end.
    behind: Vec<String>,
}

impl Block<'_> {
    fn say(&mut self, line: impl Into<String>) {
        self.out.push(line.into());
    }

    /// A block of its own.
    fn apart(&mut self, inner: impl FnOnce(&mut Self)) {
        let before = std::mem::take(&mut self.out);
        inner(self);
        let inside = std::mem::replace(&mut self.out, before);
        self.say("{");
        self.out.extend(inside.into_iter().map(|line| format!("  {line}")));
        self.say("}");
    }

    /// The kinds of records that there are, with their parts.
    fn kinds(&self) -> Vec<(&'static str, &[Part])> {
        let all = [("head", &self.it.head), ("body", &self.it.body), ("tail", &self.it.tail)];
        all.into_iter().filter(|(_, parts)| !parts.is_empty()).map(|(kind, parts)| (kind, parts.as_slice())).collect()
    }

    /// How many records there are at most.
    fn most(&self) -> u32 {
        match self.it.rows {
            Rows::Fixed(rows) => rows.max(1),
            Rows::Run(times) => RUN * times.max(1),
        }
    }

    /// The size of a record in C.
    fn size_of(&self, kind: &str) -> Option<String> {
        self.kinds().iter().any(|(known, _)| *known == kind).then(|| format!("(long)sizeof(struct {kind})"))
    }

    /// The bytes before the records of a kind.
    fn offset(&self, kind: &str) -> String {
        let head = self.size_of("head");
        let body = self.size_of("body").map(|size| format!("rows * {size}"));
        let before = match kind {
            "head" => vec![],
            "body" => vec![head],
            _ => vec![head, body],
        };
        let before: Vec<String> = before.into_iter().flatten().collect();
        if before.is_empty() { "0".to_owned() } else { before.join(" + ") }
    }

    /// Declares the types, how many records there are, and the size of all.
    fn layout(&mut self) {
        let declared = |(kind, parts): &(&str, &[Part])| {
            let members: Vec<String> = parts.iter().enumerate().map(|(i, part)| member(i, *part)).collect();
            format!("struct __attribute__((aligned(8))) {kind} {{ {} }};", members.join(" "))
        };
        let declared: Vec<String> = self.kinds().iter().map(declared).collect();
        self.out.extend(declared);
        let most = self.most();
        let whole: Vec<String> = self
            .kinds()
            .iter()
            .map(|(kind, _)| match *kind {
                "head" => "struct head head;".to_owned(),
                kind => format!("struct {kind} {kind}[{most}];"),
            })
            .collect();
        self.say(format!("struct whole {{ {} }};", whole.join(" ")));
        self.say("enum { MOST = sizeof(struct whole) };");
        match self.it.rows {
            Rows::Fixed(rows) => self.say(format!("const int rows = {};", rows.max(1))),
            Rows::Run(1) => self.say(format!("const int rows = {};", self.n)),
            Rows::Run(times) => self.say(format!("const int rows = {times} * {};", self.n)),
        }
        let size = match self.it.rows {
            Rows::Fixed(_) => "sizeof(struct whole)".to_owned(),
            Rows::Run(_) if self.it.tail.is_empty() => {
                format!("{} + rows * (long)sizeof(struct body)", self.offset("body"))
            }
            Rows::Run(_) => format!("{} + rows * (long)sizeof(struct tail)", self.offset("tail")),
        };
        self.say(format!("const long size = {size};"));
    }

    /// Where a place really is: what has its type has all its records at fixed places.
    fn room_of(&self, at: usize) -> Room {
        let room = if at == 0 { self.it.room } else { self.it.moves[at - 1].to };
        let moves_on = matches!(self.it.rows, Rows::Run(_)) && !self.it.tail.is_empty();
        if room == Room::Declared && moves_on { Room::Heap } else { room }
    }

    /// Declares a place.
    fn room(&mut self, at: usize, zero: bool) {
        let n = self.n;
        match self.room_of(at) {
            Room::Declared => {
                self.say(format!("struct whole whole{at};"));
                self.say(format!("char *here{at} = (char *)&whole{at};"));
            }
            Room::Bytes => self.say(format!("_Alignas(16) char here{at}[MOST];")),
            Room::Heap => {
                let alloc = if zero { "calloc(1, size)" } else { "malloc(size)" };
                self.say(format!("char *here{at} = {alloc};"));
                self.behind.push(format!("free(here{at});"));
            }
            Room::Slots => {
                self.say(format!("_Alignas(16) char slots{at}[3][MOST], *here{at} = slots{at}[{n} % 3];"));
            }
            Room::Table => {
                self.say(format!(
                    "char *table{at}[2] = {{malloc(size), malloc(size)}}, *here{at} = table{at}[{n} & 1];"
                ));
                self.behind.push(format!("free(table{at}[0]), free(table{at}[1]);"));
            }
        }
    }

    /// Zeros all bytes of a place.
    fn zero(&mut self, at: usize, how: Zeroed, seen: Seen) {
        let here = format!("here{at}");
        let size_of_head = self.size_of("head");
        match how {
            Zeroed::Memset | Zeroed::Calloc => self.say(format!("memset({here}, 0, size);")),
            Zeroed::Bytes => self.say(format!("for (long c = 0; c < size; c++) ((unsigned char *){here})[c] = 0;")),
            Zeroed::Downwards => self.say(format!(
                "for (unsigned char *c = (unsigned char *){here} + size; c != (unsigned char *){here};) *--c = 0;"
            )),
            Zeroed::Words => self.say(format!("for (long w = 0; w < size / 8; w++) memset({here} + 8 * w, 0, 8);")),
            Zeroed::Copied => {
                self.say("{");
                self.say("  char *zeros = calloc(1, size);");
                self.say(format!("  memcpy({here}, zeros, size);"));
                self.say("  free(zeros);");
                self.say("}");
            }
            Zeroed::Records => {
                let all: Vec<(&str, String)> =
                    self.kinds().iter().map(|(kind, _)| (*kind, self.offset(kind))).collect();
                for (kind, offset) in all {
                    let back = if kind == "head" { "1" } else { back(seen) };
                    let record = format!("((struct {kind} *)({here} + {offset}) + {back})[r - {back}]");
                    let rows = if kind == "head" { "1" } else { "rows" };
                    self.say(format!("for (int r = 0; r < {rows}; r++) {record} = (struct {kind}){{0}};"));
                }
            }
            Zeroed::Behind => match size_of_head {
                Some(head) => {
                    self.say(format!("memset({here} + {head}, 0, size - {head});"));
                    self.say(format!("for (long c = 0; c < {head}; c++) {here}[c] = 0;"));
                }
                None => self.say(format!("memset({here}, 0, size);")),
            },
            Zeroed::Outlined => self.zero_by(0, &here),
            Zeroed::OutlinedBytes => self.zero_by(1, &here),
        }
    }

    fn zero_by(&mut self, which: usize, here: &str) {
        self.before.push(ZEROS[which].to_owned());
        self.say(format!("{}({here}, size);", ["wiped_bytes", "wiped_each"][which]));
    }

    /// Declares pointers to the records of a place.
    fn pointers(&mut self, at: usize, seen: Seen) {
        let all: Vec<(&str, String)> = self.kinds().iter().map(|(kind, _)| (*kind, self.offset(kind))).collect();
        for (kind, offset) in all {
            let ahead = match (kind, seen) {
                (_, Seen::Start) | ("head", Seen::Middle) => String::new(),
                ("head", Seen::End) => " + 1".to_owned(),
                (_, seen) => format!(" + {}", back(seen)),
            };
            let from = if offset == "0" { format!("here{at}") } else { format!("(here{at} + {offset})") };
            self.say(format!("struct {kind} *{kind} = (struct {kind} *){from}{ahead};"));
        }
    }

    /// A loop over all members; `inner` writes the statements for one member, given the part and the member's text.
    fn each(&mut self, seen: Seen, mut inner: impl FnMut(&mut Self, &str, Part, &str)) {
        let kinds: Vec<(&str, Vec<Part>)> =
            self.kinds().into_iter().map(|(kind, parts)| (kind, parts.to_vec())).collect();
        for (kind, parts) in kinds {
            let record = match (kind, seen) {
                ("head", Seen::End) => "head[-1]".to_owned(),
                ("head", _) => "head[0]".to_owned(),
                (_, Seen::Start) => format!("{kind}[r]"),
                (_, seen) => format!("{kind}[r - {}]", back(seen)),
            };
            let rows = if kind == "head" { "1" } else { "rows" };
            self.say(format!("for (int r = 0; r < {rows}; r++) {{"));
            for (i, part) in parts.into_iter().enumerate() {
                let member = format!("{record}.m{i}");
                let ahead = match seen {
                    Seen::Start => 0,
                    Seen::Middle => part.count / 2,
                    Seen::End => part.count,
                };
                match (part.count, ahead) {
                    (1, _) => inner(self, kind, part, &member),
                    (_, 0) => inner(self, kind, part, &format!("{member}[k]")),
                    _ => {
                        let star = if part.member == Member::Pointer { "*" } else { "" };
                        let (ty, name) = (type_of(part.member).trim_end_matches(" *"), format!("{kind}{i}"));
                        self.say(format!("  {ty} {star}*{name} = {member} + {ahead};"));
                        inner(self, kind, part, &format!("{name}[k - {ahead}]"));
                    }
                }
            }
            self.say("}");
        }
    }

    /// Writes all members.
    fn write(&mut self) {
        let n = self.n.to_owned();
        self.each(self.it.written, |this, _, part, member| {
            let stores = match part.member {
                Member::Number => format!("{member} = 0.3 * u + 0.02 * ((k + r) % 5) * v;"),
                Member::Single => format!("{member} = (float)(0.2 * v - 0.03 * ((k + r) % 4) * u);"),
                Member::Long => format!("{member} = k + r + {n};"),
                Member::Int => format!("{member} = k - r;"),
                Member::Byte => format!("{member} = (unsigned char)(k + r);"),
                Member::Pointer => format!("{member} = cells + (k + r) % 3;"),
                Member::Nested => format!(
                    "{member}.tag = (short)k, {member}.u[k & 1] = 0.2 * u + 0.1 * v, {member}.deep[r & 1].w = \
                     (float)(0.3 * v), {member}.deep[1].j = r;"
                ),
            };
            let stride = if part.member == Member::Pointer { 1 } else { part.written.max(1) };
            this.say(format!("  for (int k = 0; k < {}; k += {stride}) {stores}", part.count));
        });
    }

    /// Reads all members; `pointers` lead somewhere.
    fn read(&mut self, pointers: bool) {
        let most = self.most();
        self.each(self.it.read, |this, kind, part, member| {
            // Integers are mostly looked at only: beside numbers it is often refused that they become some.
            let term = match part.member {
                Member::Number | Member::Single => format!("{member} - 0.3 * {member} * {member}"),
                Member::Long | Member::Int | Member::Byte if this.it.counted => format!("0.01 * (double){member} * u"),
                Member::Long | Member::Int | Member::Byte => format!("({member} & 2 ? 0.7 : 0.2)"),
                Member::Pointer => format!("*{member}"),
                Member::Nested => format!(
                    "{member}.u[0] - 0.5 * {member}.u[1] * {member}.deep[0].w + ({member}.deep[1].j & 1 ? 0.2 : 0.1) * \
                     {member}.deep[1].w + ({member}.tag & 2 ? 0.1 : 0.2)"
                ),
            };
            if part.member == Member::Pointer && !pointers {
                return;
            }
            let stride = part.read.max(1);
            let trips = part.count.div_ceil(stride) * if kind == "head" { 1 } else { most };
            let share = 0.15 / f64::from(trips);
            this.say(format!("  for (int k = 0; k < {}; k += {stride}) acc += {share:.1e} * ({term});", part.count));
        });
        self.say("acc *= 0.7;");
    }

    /// Are some words left out?
    fn is_partial(&self, words: &Words) -> bool {
        words.some && words.stride > 1 && self.it.parts().all(|part| part.member != Member::Pointer)
    }

    /// Moves all bytes from a place to the next one.
    fn move_by(&mut self, at: usize, how: &How) {
        let (x, y) = (format!("here{at}"), format!("here{}", at + 1));
        match how {
            How::Memcpy => self.say(format!("memcpy({y}, {x}, size);")),
            How::Memmove => self.say(format!("memmove({y}, {x}, size);")),
            How::Assigned => match (self.room_of(at), self.room_of(at + 1)) {
                (Room::Declared, Room::Declared) => self.say(format!("whole{} = whole{at};", at + 1)),
                _ => self.say(format!("memcpy({y}, {x}, size);")),
            },
            How::Bytes => {
                self.say(format!(
                    "for (long c = 0; c < size; c++) ((unsigned char *){y})[c] = ((unsigned char *){x})[c];"
                ));
            }
            How::Downwards => self.say(format!("for (long c = size; c-- > 0;) {y}[c] = {x}[c];")),
            How::Outlined | How::OutlinedBytes => {
                let which = usize::from(*how == How::OutlinedBytes);
                self.before.push(COPIES[which].to_owned());
                self.say(format!("{}({y}, {x}, size);", ["moved_bytes", "moved_each"][which]));
            }
            How::Pieces(cut) => {
                let cut = self.cut(*cut);
                self.say(format!("memcpy({y} + ({cut}), {x} + ({cut}), size - ({cut}));"));
                self.say(format!("memcpy({y}, {x}, {cut});"));
            }
            How::Turned(cut) => {
                let cut = self.cut(*cut);
                self.say("{");
                self.say(format!("  const long cut = {cut};"));
                self.say("  char turned[MOST];");
                self.say(format!("  memcpy(turned, {x} + cut, size - cut), memcpy(turned + (size - cut), {x}, cut);"));
                self.say(format!("  memcpy({y} + cut, turned, size - cut), memcpy({y}, turned + (size - cut), cut);"));
                self.say("}");
            }
            How::Shifted => {
                self.say("{");
                self.say("  char *shifted = malloc(size + 24);");
                self.say(format!("  memcpy(shifted, {x}, size), memmove(shifted + 24, shifted, size);"));
                self.say(format!("  memcpy({y}, shifted + 24, size);"));
                self.say("  free(shifted);");
                self.say("}");
            }
            How::Records => {
                let all: Vec<(&str, String)> =
                    self.kinds().iter().map(|(kind, _)| (*kind, self.offset(kind))).collect();
                for (kind, offset) in all {
                    let rows = if kind == "head" { "1" } else { "rows" };
                    let at = format!("{offset} + r * (long)sizeof(struct {kind})");
                    let copy = format!("memcpy({y} + ({at}), {x} + ({at}), sizeof(struct {kind}))");
                    self.say(format!("for (int r = 0; r < {rows}; r++) {copy};"));
                }
            }
            How::Passed | How::Listed => self.by_value(*how == How::Listed, &x, &y),
            How::Words(words) => self.words(words, &x, &y),
        }
    }

    /// Moves each record through a function that gets and returns it, alone or as one of its variable arguments.
    fn by_value(&mut self, listed: bool, x: &str, y: &str) {
        let all: Vec<(&str, String, String)> = self
            .kinds()
            .iter()
            .map(|(kind, parts)| {
                let members: Vec<String> = parts.iter().enumerate().map(|(i, part)| member(i, *part)).collect();
                (*kind, self.offset(kind), members.join(" "))
            })
            .collect();
        for (kind, offset, members) in all {
            // Records of the same members are one type, whichever block of memory they are in. It is declared behind
            // `struct nested`, in the order of the alphabet.
            let id = members.bytes().fold(0x811c_9dc5u32, |hash, c| (hash ^ u32::from(c)).wrapping_mul(0x0100_0193));
            let name = format!("{}_{id:08x}", if listed { "various" } else { "passed" });
            let ty = format!("struct {name}");
            let (parameters, body, arguments) = match listed {
                false => (format!("{ty} record"), String::new(), "record".to_owned()),
                true => (
                    "int last, ...".to_owned(),
                    format!(
                        "
  {ty} record = {{0}};
  va_list list;
  va_start(list, last);
  for (int i = 0; i <= last; i++) record = va_arg(list, {ty});
  va_end(list);
 "
                    ),
                    format!("1, ({ty}){{0}}, record"),
                ),
            };
            self.before.push(format!(
                "struct {name} {{ {members} }} __attribute__((aligned(8)));
static __attribute__((noinline)) {ty} {name}({parameters}) {{{body} return record; }}"
            ));
            let rows = if kind == "head" { "1" } else { "rows" };
            let at = format!("{offset} + r * (long)sizeof(struct {kind})");
            self.say(format!("for (int r = 0; r < {rows}; r++) {{"));
            self.say(format!("  {ty} record;"));
            self.say(format!("  memcpy(&record, {x} + ({at}), sizeof record);"));
            self.say(format!("  record = {name}({arguments});"));
            self.say(format!("  memcpy({y} + ({at}), &record, sizeof record);"));
            self.say("}");
        }
    }

    /// The bytes before a cut.
    fn cut(&self, at: Cut) -> String {
        match at {
            Cut::Head => self.size_of("head").unwrap_or_else(|| "0".to_owned()),
            Cut::Record => format!("{} + rows / 2 * (long)sizeof(struct body)", self.offset("body")),
            Cut::Word => "size / 24 * 8".to_owned(),
        }
    }

    fn words(&mut self, it: &Words, x: &str, y: &str) {
        let stride = it.stride.max(1);
        let (steps, undone) = bits::steps_of_a_long(&it.steps, self.n);
        let kept = bits::kept_long(it.kept, self.n, self.before);
        let first = if self.is_partial(it) { "1" } else { "0" };
        let last = if self.is_partial(it) { 2 } else { stride };
        let to = if it.reversed { "size - 8 - 8 * w" } else { "8 * w" };
        self.say(format!("for (long o = {first}; o < {last}; o++) {{"));
        self.say(format!("  for (long w = o; w < size / 8; w += {stride}) {{"));
        self.say("    unsigned long word;".to_owned());
        self.say(format!("    memcpy(&word, {x} + 8 * w, sizeof word);"));
        for line in steps.iter().chain(&kept).chain(&undone) {
            self.say(format!("    {line}"));
        }
        self.say(format!("    memcpy({y} + ({to}), &word, sizeof word);"));
        self.say("  }");
        self.say("}");
        if it.reversed {
            self.say("for (long w = 0; w < size / 16; w++) {");
            self.say("  unsigned long word, other;");
            self.say(format!("  memcpy(&word, {y} + 8 * w, 8), memcpy(&other, {y} + (size - 8 - 8 * w), 8);"));
            self.say(format!("  memcpy({y} + 8 * w, &other, 8), memcpy({y} + (size - 8 - 8 * w), &word, 8);"));
            self.say("}");
        }
    }
}

/// By how many records a pointer is ahead.
fn back(seen: Seen) -> &'static str {
    match seen {
        Seen::Start => "0",
        Seen::Middle => "1",
        Seen::End => "rows",
    }
}

fn type_of(it: Member) -> &'static str {
    match it {
        Member::Number => "double",
        Member::Single => "float",
        Member::Long => "long",
        Member::Int => "int",
        Member::Byte => "unsigned char",
        Member::Pointer => "double *",
        Member::Nested => "struct nested",
    }
}

/// The declaration of a part.
fn member(index: usize, part: Part) -> String {
    let ty = type_of(part.member);
    let space = if ty.ends_with('*') { "" } else { " " };
    match part.count {
        1 => format!("{ty}{space}m{index};"),
        count => format!("{ty}{space}m{index}[{count}];"),
    }
}
