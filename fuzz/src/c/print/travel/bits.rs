//! A word of bits: made, changed, kept, changed back, taken apart.

use super::Ends;
use crate::c::travel::{Bits, What};
use crate::c::ways::{Kept, Shape, Step};

/// The word.
#[derive(Clone, Copy)]
struct Word {
    /// Its type in C.
    c: &'static str,
    bits: u32,
}

impl Word {
    const LONG: Word = Word { c: "unsigned long", bits: 64 };
    const SHORT: Word = Word { c: "unsigned", bits: 32 };

    /// A constant.
    fn literal(self, value: u64) -> String {
        match self.bits {
            64 => format!("{value:#x}ul"),
            _ => format!("{:#x}u", value as u32),
        }
    }

    fn bytes(self) -> u32 {
        self.bits / 8
    }
}

/// A function's text and its name, which tells its text.
pub(super) fn outlined(head: &str, name: &str, rest: &str) -> (String, String) {
    // FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    let hash = head.bytes().chain(rest.bytes()).fold(0xcbf2_9ce4_8422_2325, step);
    let name = format!("{name}_{:08x}", hash as u32);
    (format!("static __attribute__((noinline)) {head} {name}{rest}"), name)
}

/// The block of a word.
pub(super) fn lines(it: &Bits, ends: &Ends, before: &mut Vec<String>) -> Vec<String> {
    let (word, ty) = match it.what {
        What::Double => (Word::LONG, "double"),
        What::Single => (Word::SHORT, "float"),
        What::Pointer => (Word::LONG, "double *"),
    };
    let n = if it.shape == Shape::Outlined { "n" } else { ends.n.as_str() };
    let (steps, undone): (Vec<String>, Vec<String>) = it.steps.iter().map(|s| step(*s, word, n)).unzip();
    let undone: Vec<String> = undone.into_iter().rev().collect();
    let kept = kept(it.kept, word, &ends.n, before);
    let c = word.c;
    let mut out = start(it, ends);
    match it.shape {
        Shape::Once => {
            out.push(format!("{c} word;"));
            out.push("memcpy(&word, &plain, sizeof word);".to_owned());
            out.extend(steps);
            out.extend(kept);
            out.extend(undone);
            out.push("memcpy(&again, &word, sizeof again);".to_owned());
        }
        Shape::Each => {
            out.push(format!("{c} words[2];"));
            out.push("for (int c = 0; c < 2; c++) {".to_owned());
            out.push(format!("  {c} word;"));
            out.push("  memcpy(&word, plain + c, sizeof word);".to_owned());
            out.extend(indented(&steps));
            out.push("  words[c] = word;".to_owned());
            out.push("}".to_owned());
            out.push("for (int c = 0; c < 2; c++) {".to_owned());
            out.push(format!("  {c} word = words[c];"));
            out.extend(indented(&kept));
            out.extend(indented(&undone));
            out.push("  memcpy(again + c, &word, sizeof word);".to_owned());
            out.push("}".to_owned());
        }
        Shape::Outlined => {
            let of = |first: &str, all: &[String], last: &str| {
                let all: String = all.iter().map(|line| format!("  {line}\n")).collect();
                format!(" {{\n{first}{all}{last}}}")
            };
            let make = of(&format!("  {c} word;\n  memcpy(&word, &plain, sizeof word);\n"), &steps, "  return word;\n");
            let take =
                of(&format!("  {ty} again;\n"), &undone, "  memcpy(&again, &word, sizeof again);\n  return again;\n");
            let (make, hidden) = outlined(c, "hidden", &format!("({ty} plain, int n){make}"));
            let (take, shown) = outlined(ty, "shown", &format!("({c} word, int n){take}"));
            before.extend([make, take]);
            out.push(format!("{c} word = {hidden}(plain, {});", ends.n));
            out.extend(kept);
            out.push(format!("again = {shown}(word, {});", ends.n));
        }
    }
    out.extend(used(it, ends));
    out
}

fn indented(lines: &[String]) -> impl Iterator<Item = String> {
    lines.iter().map(|line| format!("  {line}"))
}

/// Declares what travels (`plain`) and what comes back (`again`).
fn start(it: &Bits, ends: &Ends) -> Vec<String> {
    let Ends { a, b, n, .. } = ends;
    let each = it.shape == Shape::Each;
    vec![match it.what {
        What::Double if each => format!("double plain[2] = {{{a}, {b}}}, again[2], acc = 0;"),
        What::Double => format!("double plain = {a}, again;"),
        What::Single if each => format!("float plain[2] = {{(float)({a}), (float)({b})}}, again[2], acc = 0;"),
        What::Single => format!("float plain = (float)({a}), again;"),
        What::Pointer if each => {
            format!("double cells[3] = {{{a}, {b}, 0.5}}, *plain[2] = {{cells, cells + 1}}, *again[2];")
        }
        What::Pointer => format!("double cells[3] = {{{a}, {b}, 0.5}}, *plain = cells + ({n} > 2), *again;"),
    }]
}

/// Uses what came back.
fn used(it: &Bits, ends: &Ends) -> Vec<String> {
    let Ends { to, b, n, .. } = ends;
    match (it.what, it.shape) {
        (What::Pointer, Shape::Each) => vec![
            format!("for (int c = 0; c < {n}; c++) *again[c & 1] = 0.3 * *again[c & 1] * cells[2] + 0.2 * *plain[0];"),
            format!("{to} = 0.3 * (cells[0] - 0.4 * cells[1]);"),
        ],
        (What::Pointer, _) => vec![
            "*again = 0.3 * *again * cells[2] + 0.2 * *plain;".to_owned(),
            format!("{to} = 0.3 * (cells[0] - 0.4 * cells[1]);"),
        ],
        (_, Shape::Each) => vec![
            format!("for (int c = 0; c < {n}; c++) acc += 0.1 * again[c & 1] * again[0];"),
            format!("{to} = 0.3 * acc;"),
        ],
        _ => vec![format!("{to} = 0.1 * again * {b} + 0.15 * again;")],
    }
}

/// The inverse of an odd number modulo a power of two (Newton's iteration doubles its right bits).
fn inverse(odd: u64) -> u64 {
    (0..6).fold(odd, |x, _| x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x))))
}

/// A step and its inverse.
fn step(step: Step, word: Word, n: &str) -> (String, String) {
    let Word { bits, .. } = word;
    let both = |text: String| (text.clone(), text);
    match step {
        Step::Swap(false) => both(format!("word = __builtin_bswap{bits}(word);")),
        Step::Swap(true) => {
            let half = |mask: u64, by: u32| {
                let mask = word.literal(mask);
                format!("word = (word & {mask}) << {by} | (word >> {by} & {mask});")
            };
            let bytes = half(0x00ff_00ff_00ff_00ff, 8);
            match bits {
                64 => both(format!("{bytes} {} word = word << 32 | word >> 32;", half(0xffff_0000_ffff, 16))),
                _ => both(format!("{bytes} word = word << 16 | word >> 16;")),
            }
        }
        Step::Rotate(by, by_hand) => {
            let by = by % (bits - 1) + 1;
            let back = bits - by;
            match by_hand {
                true => {
                    (format!("word = word << {by} | word >> {back};"), format!("word = word >> {by} | word << {back};"))
                }
                false => (
                    format!("word = __builtin_rotateleft{bits}(word, {by});"),
                    format!("word = __builtin_rotateright{bits}(word, {by});"),
                ),
            }
        }
        Step::Reverse => both(format!("word = __builtin_bitreverse{bits}(word);")),
        Step::Key(key) => {
            let key = word.literal(u64::from(key) << 32 | u64::from(key));
            both(format!("word ^= {key} * {n};"))
        }
        Step::Complement => both("word = ~word;".to_owned()),
        Step::Add(term) => {
            let term = word.literal(u64::from(term) << 32 | u64::from(term));
            (format!("word += {term};"), format!("word -= {term};"))
        }
        Step::Multiply => {
            const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
            (format!("word *= {};", word.literal(ODD)), format!("word *= {};", word.literal(inverse(ODD))))
        }
        Step::Order => {
            let (top, all) = (word.literal(1 << (bits - 1)), word.literal(u64::MAX));
            let last = bits - 1;
            (format!("word ^= word >> {last} ? {all} : {top};"), format!("word ^= word >> {last} ? {top} : {all};"))
        }
        Step::Gray => {
            ("word ^= word >> 1;".to_owned(), format!("for (int s = 1; s < {bits}; s *= 2) word ^= word >> s;"))
        }
    }
}

/// Steps of a word of 64 bits, and what undoes them, in order.
pub(super) fn steps_of_a_long(steps: &[Step], n: &str) -> (Vec<String>, Vec<String>) {
    let (done, mut undone): (Vec<String>, Vec<String>) = steps.iter().map(|it| step(*it, Word::LONG, n)).unzip();
    undone.reverse();
    (done, undone)
}

/// Puts a word of 64 bits somewhere and takes it from there.
pub(super) fn kept_long(it: Kept, n: &str, before: &mut Vec<String>) -> Vec<String> {
    kept(it, Word::LONG, n, before)
}

/// Puts the word somewhere and takes it from there.
fn kept(kept: Kept, word: Word, n: &str, before: &mut Vec<String>) -> Vec<String> {
    let (c, size) = (word.c, word.bytes());
    let text = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<String>>();
    match kept {
        Kept::Register => Vec::new(),
        Kept::Field => vec![
            format!("struct {{ long tag; {c} kept; }} box = {{{n}, word}}, other;"),
            "memcpy(&other.kept, &box.kept, sizeof box.kept);".to_owned(),
            "other.tag = box.tag, box = other;".to_owned(),
            "word = box.tag > 0 ? box.kept : 0;".to_owned(),
        ],
        Kept::Union => vec![
            format!("union {{ {c} all; unsigned char raw[{size}]; }} box, other;"),
            "box.all = word;".to_owned(),
            format!("memcpy(other.raw, box.raw, {size});"),
            "word = other.all;".to_owned(),
        ],
        Kept::Volatile => vec![format!("volatile {c} slot = word;"), "word = slot;".to_owned()],
        Kept::Heap => vec![
            format!("{c} *slot = malloc(2 * sizeof *slot);"),
            format!("slot[{n} & 1] = word, word = slot[{n} & 1];"),
            "free(slot);".to_owned(),
        ],
        // No address shows in memory that outlives the call.
        Kept::Static => vec![format!("static {c} slot;"), "slot = word, word = slot, slot = 0;".to_owned()],
        Kept::Table => {
            vec![format!("{c} slots[4] = {{1, 2, 3, 4}};"), format!("slots[{n} & 3] = word, word = slots[{n} % 4];")]
        }
        Kept::Ring => vec![
            format!("{c} ring[4] = {{word}};"),
            "memmove(ring + 1, ring, 3 * sizeof *ring);".to_owned(),
            format!("memmove(ring + {n} - 1, ring, (5 - {n}) * sizeof *ring);"),
            format!("word = ring[{n} - 1];"),
        ],
        Kept::Halves => {
            let (half, by) = if word.bits == 64 { ("unsigned", 32) } else { ("unsigned short", 16) };
            vec![
                format!("{half} low = ({half})word, high = ({half})(word >> {by});"),
                format!("word = ({c})high << {by} | low;"),
            ]
        }
        Kept::Bytes => vec![
            format!("unsigned char raw[{size}];"),
            format!("for (int k = 0; k < {size}; k++) raw[k] = (unsigned char)(word >> 8 * k);"),
            "word = 0;".to_owned(),
            format!("for (int k = {size}; k-- > 0;) word = word << 8 | raw[k];"),
        ],
        Kept::Backwards => vec![
            format!("unsigned char raw[{size}];"),
            format!("for (int k = 0; k < {size}; k++) raw[{size} - 1 - k] = ((unsigned char *)&word)[k];"),
            "word = 0;".to_owned(),
            format!("for (int k = 0; k < {size}; k++) ((unsigned char *)&word)[k] = raw[{size} - 1 - k];"),
        ],
        Kept::Substituted => substituted(word),
        Kept::Wide if word.bits == 64 => vec![
            format!("unsigned __int128 wide = (unsigned __int128)word << 64 | {n};"),
            "wide = wide >> 64 | wide << 64;".to_owned(),
            "word = (unsigned long)wide;".to_owned(),
        ],
        Kept::Wide => vec![
            format!("unsigned long wide = (unsigned long)word << 32 | {n};"),
            "wide = wide >> 32 | wide << 32;".to_owned(),
            "word = (unsigned)wide;".to_owned(),
        ],
        Kept::Vector => vec![
            format!("typedef {c} two __attribute__((vector_size({})));", 2 * size),
            format!("two box = {{word, {n}}};"),
            "box = __builtin_shufflevector(box, box, 1, 0);".to_owned(),
            "word = box[1];".to_owned(),
        ],
        Kept::ByteVector => {
            let places =
                |at: &dyn Fn(u32) -> u32| (0..size).map(|k| at(k).to_string()).collect::<Vec<String>>().join(", ");
            // Even places first, then odd ones; and back.
            let there = places(&|k| if k < size / 2 { 2 * k } else { 2 * k - size + 1 });
            let back = places(&|k| if k % 2 == 0 { k / 2 } else { size / 2 + k / 2 });
            vec![
                format!("typedef unsigned char few __attribute__((vector_size({size})));"),
                "few box;".to_owned(),
                format!("memcpy(&box, &word, {size});"),
                format!("box = __builtin_shufflevector(box, box, {there});"),
                format!("box = __builtin_shufflevector(box, box, {back});"),
                format!("memcpy(&word, &box, {size});"),
            ]
        }
        Kept::Address => {
            vec![format!("char *slot = (char *)(unsigned long)word;"), format!("word = ({c})(unsigned long)slot;")]
        }
        Kept::Atomic => vec![
            format!("{c} slot = 0;"),
            "__atomic_store_n(&slot, word, __ATOMIC_SEQ_CST);".to_owned(),
            "word = __atomic_load_n(&slot, __ATOMIC_SEQ_CST);".to_owned(),
        ],
        Kept::Argument => {
            let rest = format!(
                "(int count, ...) {{\n  va_list list;\n  va_start(list, count);\n  {c} word = va_arg(list, {c});\n  \
                 va_end(list);\n  return word;\n}}"
            );
            let (text, name) = outlined(c, "passed", &rest);
            before.push(text);
            vec![format!("word = {name}({n}, word);")]
        }
        Kept::RawArgument => {
            before.push(format!(
                "struct raw{size} {{ unsigned char b[{size}]; }};\n\
                 static __attribute__((noinline)) struct raw{size} raw_passed{size}(int count, ...) {{\n  \
                 va_list list;\n  va_start(list, count);\n  struct raw{size} raw = va_arg(list, struct raw{size});\n  \
                 va_end(list);\n  return raw;\n}}"
            ));
            vec![
                format!("struct raw{size} raw;"),
                format!("memcpy(raw.b, &word, {size});"),
                format!("raw = raw_passed{size}({n}, raw);"),
                format!("memcpy(&word, raw.b, {size});"),
            ]
        }
        Kept::Digits => vec![
            format!("char text[{}];", 2 * size),
            format!("for (int k = {}; k-- > 0; word >>= 4) text[k] = \"0123456789abcdef\"[word & 15];", 2 * size),
            "word = 0;".to_owned(),
            format!("for (int k = 0; k < {}; k++)", 2 * size),
            format!("  word = word << 4 | ({c})(text[k] >= 'a' ? text[k] - 'a' + 10 : text[k] - '0');"),
        ],
        Kept::File => text(&[
            "FILE *file = tmpfile();",
            "if (!file) abort();",
            "fwrite(&word, sizeof word, 1, file);",
            "rewind(file);",
            "if (fread(&word, sizeof word, 1, file) != 1) abort();",
            "fclose(file);",
        ]),
        Kept::Characters => vec![
            "FILE *file = tmpfile();".to_owned(),
            "if (!file) abort();".to_owned(),
            format!("for (int k = 0; k < {size}; k++) fputc((int)(word >> 8 * k & 255), file);"),
            "rewind(file);".to_owned(),
            "word = 0;".to_owned(),
            format!("for (int k = 0; k < {size}; k++) word |= ({c})(fgetc(file) & 255) << 8 * k;"),
            "fclose(file);".to_owned(),
        ],
        Kept::Printed => {
            let long = if word.bits == 64 { "l" } else { "" };
            vec![
                "char text[24];".to_owned(),
                format!("snprintf(text, sizeof text, \"%{long}x\", word);"),
                format!("if (sscanf(text, \"%{long}x\", &word) != 1) abort();"),
            ]
        }
        Kept::Stream => vec![
            "char *text = 0;".to_owned(),
            "size_t length = 0;".to_owned(),
            "FILE *stream = open_memstream(&text, &length);".to_owned(),
            "if (!stream) abort();".to_owned(),
            "fprintf(stream, \"%lu\", (unsigned long)word);".to_owned(),
            "fclose(stream);".to_owned(),
            format!("word = ({c})strtoul(text, 0, 10);"),
            "free(text);".to_owned(),
        ],
        Kept::Environment => vec![
            "char text[24];".to_owned(),
            "snprintf(text, sizeof text, \"%lu\", (unsigned long)word);".to_owned(),
            "setenv(\"ADJ_WORD\", text, 1);".to_owned(),
            "char *found = getenv(\"ADJ_WORD\");".to_owned(),
            format!("word = ({c})strtoul(found ? found : \"0\", 0, 10);"),
        ],
        Kept::Pipe => text(&[
            "int pair[2];",
            "if (pipe(pair)) abort();",
            "if (write(pair[1], &word, sizeof word) < 0 || read(pair[0], &word, sizeof word) < 0) abort();",
            "close(pair[0]);",
            "close(pair[1]);",
        ]),
    }
}

/// Each half of a byte is replaced by that of a table, kept, and replaced by that of the inverse table.
fn substituted(word: Word) -> Vec<String> {
    let table: Vec<u32> = (0..16).map(|k| (7 * k + 5) % 16).collect();
    let inverse = (0..16).map(|k| table.iter().position(|t| *t == k).unwrap_or(0));
    let list = |all: &mut dyn Iterator<Item = String>| all.collect::<Vec<String>>().join(", ");
    let (there, back) = (list(&mut table.iter().map(u32::to_string)), list(&mut inverse.map(|k| k.to_string())));
    let (c, count) = (word.c, word.bits / 4);
    vec![
        format!("static const unsigned char there[16] = {{{there}}}, back[16] = {{{back}}};"),
        format!("unsigned char code[{count}];"),
        format!("for (int k = 0; k < {count}; k++) code[k] = there[word >> 4 * k & 15];"),
        "word = 0;".to_owned(),
        format!("for (int k = {count}; k-- > 0;) word = word << 4 | ({c})back[code[k]];"),
    ]
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_product_with_the_inverse_is_one() {
        for odd in [1, 3, 0x9e37_79b9_7f4a_7c15, u64::MAX] {
            assert_eq!(odd.wrapping_mul(super::inverse(odd)), 1);
        }
    }
}
