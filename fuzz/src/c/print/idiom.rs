//! Shapes that users write, each a block of its own around two numbers and a count.
//!
//! Both numbers are at most [`BOUND`] in size and the count lies between 1 and 4. With them each shape keeps its own
//! numbers below the bound, and stores at most half of it, as every store does. Names within are words, which no
//! variable is.

use super::Printer;
use crate::c::ast::idiom::Idiom;
use crate::c::ast::{BOUND, Float, Int, Place, Width};

/// The structure of mixed fields.
const MIX: &str = "struct mix { int tag; double v; float w; };";

impl Printer<'_> {
    pub(super) fn idiom(&mut self, idiom: Idiom, to: &Place, args: &[Float], count: &Int) {
        let half = Float::Const(0.5);
        let [a, b] = [0, 1].map(|i| self.bounded(args.get(i).unwrap_or(&half), Width::F64, BOUND / 2.0));
        let n = self.within(count, 1, 4);
        let n = if n.contains(' ') { format!("({n})") } else { n };
        let to = self.place(to);
        let label = self.labels;
        self.labels += 1;
        self.helpers(idiom);
        let text: Vec<String> = match idiom {
            Idiom::List => vec![
                "struct node { double v; struct node *next; int tag; } *head = 0;".into(),
                format!("for (int c = 0; c < {n}; c++) {{"),
                "  struct node *one = malloc(sizeof *one);".into(),
                format!("  one->v = {a} + 0.25 * c;"),
                "  one->tag = c, one->next = head, head = one;".into(),
                "}".into(),
                format!("double acc = {b};"),
                "while (head) {".into(),
                "  struct node *one = head;".into(),
                "  acc = one->tag & 1 ? 0.5 * acc + 0.1 * one->v * one->v : acc - 0.1 * one->v;".into(),
                "  head = one->next;".into(),
                "  free(one);".into(),
                "}".into(),
                format!("{to} = 0.2 * acc;"),
            ],
            Idiom::Pointers => vec![
                format!("double cells[3] = {{{a}, {b}, 0.5}}, *row[2] = {{&cells[0], &cells[1]}}, **at = row;"),
                format!("for (int c = 0; c < {n}; c++) {{"),
                "  **at = 0.3 * **at * row[1][0] + 0.1 * cells[2];".into(),
                "  double *kept = row[0];".into(),
                "  row[0] = row[1], row[1] = kept;".into(),
                "  at = row + (c & 1);".into(),
                "}".into(),
                format!("{to} = 0.4 * (cells[0] - 0.2 * **at);"),
            ],
            Idiom::Growth => vec![
                "double *grown = 0, acc = 0;".into(),
                "int size = 0, room = 0;".into(),
                format!("for (int c = 0; c < {n}; c++) {{"),
                "  if (size == room) {".into(),
                "    room = room ? 2 * room : 1;".into(),
                "    grown = realloc(grown, room * sizeof *grown);".into(),
                "  }".into(),
                format!("  grown[size++] = 0.2 * ({a} * (c + 1) - {b});"),
                "}".into(),
                "for (int c = 0; c < size; c++) acc += grown[c] * grown[size - 1 - c];".into(),
                "free(grown);".into(),
                format!("{to} = 0.04 * acc;"),
            ],
            Idiom::Irreducible => vec![
                format!("double acc = {a};"),
                "int c = 0;".into(),
                format!("if ({n} > 2) goto middle{label};"),
                format!("top{label}:"),
                format!("acc = 0.5 * acc + 0.4 * {b};"),
                format!("middle{label}:"),
                "acc = 0.9 * acc - 0.03 * acc * acc;".into(),
                format!("if (++c < {n}) goto top{label};"),
                format!("{to} = 0.5 * acc;"),
            ],
            Idiom::Cleanup => vec![
                "double acc = 0, *buffer = malloc(4 * sizeof *buffer);".into(),
                format!("for (int c = 0; c < {n}; c++) {{"),
                format!("  buffer[c] = {a} - 0.3 * c;"),
                format!("  if (buffer[c] * {b} > 1.3) goto out{label};"),
                "  acc += 0.1 * buffer[c] * buffer[c / 2];".into(),
                "}".into(),
                "acc *= 0.5;".into(),
                format!("out{label}:"),
                "free(buffer);".into(),
                format!("{to} = 0.2 * acc;"),
            ],
            Idiom::Table => vec![
                "double (*table[2])(double) = {halved, cubed};".into(),
                format!("double acc = {a};"),
                format!("for (int c = 0; c < {n}; c++) acc = table[(c + {n}) & 1](acc) + 0.1 * {b};"),
                format!("{to} = 0.4 * acc;"),
            ],
            Idiom::Mixed => vec![
                format!("struct mix one = {{{n}, {a}, (float){b}}}, two;"),
                "unsigned char raw[sizeof one];".into(),
                "memcpy(raw, &one, sizeof one);".into(),
                "memcpy(&two, raw, sizeof two);".into(),
                "two.v *= 0.5 * two.w;".into(),
                "memcpy(&one, &two, sizeof one);".into(),
                format!("{to} = 0.3 * (one.tag > 2 ? one.v : one.w + 0.1 * one.v);"),
            ],
            Idiom::Records => vec![
                "struct mix all[5] = {{0}};".into(),
                format!("for (int c = 0; c < {n}; c++) {{"),
                format!("  all[0].tag = c, all[0].v = {a} - 0.2 * c, all[0].w = 0.5f * (float){b};"),
                "  memmove(all + 1, all, 4 * sizeof *all);".into(),
                "}".into(),
                "double acc = 0;".into(),
                "for (int c = 1; c < 5; c++) acc += all[c].tag > 1 ? all[c].v * all[c].w : all[c].v;".into(),
                format!("{to} = 0.06 * acc;"),
            ],
            Idiom::Variant => vec![
                "struct { int tag; union { double v[2]; float w[2]; long whole; } u; } it;".into(),
                format!("it.tag = {n} > 2;"),
                "if (it.tag)".into(),
                format!("  it.u.v[0] = {a}, it.u.v[1] = {b};"),
                "else".into(),
                format!("  it.u.w[0] = (float){b}, it.u.w[1] = (float){a};"),
                format!("{to} = it.tag ? 0.15 * it.u.v[0] * it.u.v[1] : 0.4 * it.u.w[1];"),
            ],
            Idiom::Grid => vec![
                "double grid[3][3];".into(),
                "for (int r = 0; r < 3; r++)".into(),
                format!("  for (int c = 0; c < 3; c++) grid[r][c] = 0.2 * ({a} * r - {b} * c);"),
                format!("for (int t = 0; t < {n}; t++)"),
                "  for (int r = 1; r < 3; r++)".into(),
                "    for (int c = 0; c < 3; c++) grid[r][c] = 0.15 * grid[r - 1][c] * grid[r][2 - c] + 0.3 * \
                 grid[r][c];"
                    .into(),
                format!("{to} = 0.5 * grid[2][0];"),
            ],
            Idiom::Length => vec![
                format!("int many = {n};"),
                "double work[many];".into(),
                format!("for (int c = 0; c < many; c++) work[c] = 0.5 * {a} + 0.1 * c * {b};"),
                "for (int c = 1; c < many; c++) work[c] = 0.3 * work[c] * work[c - 1] + 0.1;".into(),
                format!("{to} = 0.5 * work[many - 1];"),
            ],
            Idiom::Rows => vec![
                "double **rows = malloc(2 * sizeof *rows), acc = 0;".into(),
                "for (int r = 0; r < 2; r++) {".into(),
                format!("  rows[r] = malloc({n} * sizeof **rows);"),
                format!("  for (int c = 0; c < {n}; c++) rows[r][c] = r ? {a} - 0.1 * c : {b} + 0.1 * c;"),
                "}".into(),
                format!("for (int c = 0; c < {n}; c++) acc += rows[0][c] * rows[1][{n} - 1 - c];"),
                "for (int r = 0; r < 2; r++) free(rows[r]);".into(),
                "free(rows);".into(),
                format!("{to} = 0.03 * acc;"),
            ],
            Idiom::Buffers => vec![
                format!("double left[3] = {{{a}, {b}, 0.3}}, right[3] = {{0}}, *now = left, *next = right;"),
                format!("for (int t = 0; t < {n}; t++) {{"),
                "  for (int c = 0; c < 3; c++) next[c] = 0.5 * now[c] - 0.15 * now[(c + 1) % 3] * now[c];".into(),
                "  double *kept = now;".into(),
                "  now = next, next = kept;".into(),
                "}".into(),
                format!("{to} = 0.4 * (now[0] - 0.2 * now[2]);"),
            ],
            Idiom::ByValue => vec![
                format!("struct pair one = {{{a}, (float){b}}};"),
                format!("for (int c = 0; c < {n}; c++) one = turned(one, 0.1 * c);"),
                format!("{to} = 0.4 * one.first;"),
            ],
            Idiom::Vector => vec![
                format!("four x = {{{a}, {b}, 0.5, -0.25}}, y = x;"),
                format!("for (int c = 0; c < {n}; c++) y = 0.15 * x * y + 0.3 * y;"),
                format!("{to} = 0.15 * (y[0] + y[1] - y[3]);"),
            ],
            Idiom::Neighbours => vec![
                format!("int many = 8 + {n};"),
                "double field[many + 4], smooth[many + 4];".into(),
                format!("for (int c = 0; c < many + 4; c++) field[c] = 0.5 * {a} + 0.03 * c * {b}, smooth[c] = 0.1;"),
                "for (int c = 1; c < many; c++)".into(),
                "  smooth[c] = 0.3 * field[c - 1] + 0.1 * field[c] * field[c + 1] + 0.1 * field[c];".into(),
                "for (int c = 1; c < many; c++)".into(),
                format!("  smooth[c + {n} - 1] = 0.3 * smooth[c - 1] + 0.1 * smooth[c] * smooth[c + 1];"),
                format!("{to} = 0.4 * (smooth[many / 2] - 0.2 * smooth[many - 1]);"),
            ],
            Idiom::Recursive => vec![format!("{to} = 0.3 * folded({n}, {a}, {b});")],
            Idiom::Workspace => vec![
                "static double *room;".into(),
                "if (!room) room = malloc(4 * sizeof *room);".into(),
                format!("for (int c = 0; c < {n}; c++) room[c] = 0.25 * (c + 1) * {a} - 0.2 * {b};"),
                "double acc = 0;".into(),
                format!("for (int c = 0; c < {n}; c++) acc += room[c] * room[{n} - 1 - c];"),
                format!("{to} = 0.1 * acc;"),
            ],
            Idiom::Given => vec![
                format!("double *given = made({n}, {a}, {b});"),
                format!("given[0] = 0.3 * given[0] * given[{n} - 1] + 0.1 * given[{n} / 2];"),
                format!("{to} = 0.5 * given[0];"),
                "free(given);".into(),
            ],
            Idiom::Unchosen => vec![
                format!("double chosen = {n} & 1 ? {a} : 0;"),
                format!(
                    "double quotient = {b} / chosen, root = sqrt(chosen), kept[2] = {{{a} * quotient, root * {b}}};"
                ),
                format!("if (chosen > 0.1) {to} = 0.05 * quotient + 0.03 * kept[0] + 0.1 * kept[{n} & 1];"),
                format!("double far = {b} / ({n} & 1 ? 0.5 : 1e-310), squared = {a} * far * {a} * far;"),
                // No number where a zero meets an overflow.
                "double finite = __builtin_isnan(squared) ? 0 : squared;".into(),
                format!("if (chosen <= 0.1) {to} = 0.3 * {b} * fmin(squared, 0.4) + 0.2 * {a} / (1 + finite);"),
                "double ratios[2];".into(),
                format!("for (int c = 0; c < 2; c++) ratios[c] = {b} / ((c ^ {n}) & 1 ? 0.5 + {a} * {a} : 0) * {b};"),
                format!("for (int c = 0; c < 2; c++) if (!((c ^ {n}) & 1)) ratios[c] = 0.3 * {a};"),
                format!("{to} += 0.1 * ratios[0] * ratios[1];"),
            ],
            Idiom::Weak => vec![format!("{to} = weakly({a}, {b}) + 0.1 * weakly({b}, 0.5);")],
            Idiom::PointerInBytes => vec![
                format!("double cells[3] = {{{a}, {b}, 0.5}}, *at = cells, acc = 0;"),
                "char kept[2 * sizeof at];".into(),
                "memcpy(kept, &at, sizeof at);".into(),
                format!("for (int c = 0; c < {n}; c++) {{"),
                "  memcpy(&at, kept, sizeof at);".into(),
                "  acc += 0.2 * *at * cells[2];".into(),
                "  *at = 0.5 * *at;".into(),
                "  at = cells + (c + 1) % 3;".into(),
                "  memcpy(kept + sizeof at, &at, sizeof at);".into(),
                "  memcpy(kept, kept + sizeof at, sizeof at);".into(),
                "}".into(),
                format!("{to} = 0.3 * (acc + 0.2 * cells[0]);"),
            ],
            Idiom::PointerByByte => vec![
                format!("double cells[2] = {{{a}, {b}}}, *from = cells + ({n} > 2), *at;"),
                "for (unsigned c = 0; c < sizeof at; c++) ((unsigned char *)&at)[c] = ((unsigned char *)&from)[c];"
                    .into(),
                "*at = 0.3 * *at * cells[1];".into(),
                format!("{to} = 0.3 * (cells[0] - 0.5 * cells[1]);"),
            ],
            Idiom::PointerAsInteger => vec![
                format!("double cells[4] = {{{a}, {b}, 0.5, 0.25}};"),
                format!("unsigned long word = (unsigned long)cells + ({n} - 1) * sizeof *cells;"),
                "*(double *)word = 0.2 * cells[0] * cells[1] + 0.3 * *(double *)word;".into(),
                format!("{to} = 0.3 * (cells[0] - 0.2 * cells[1] + 0.1 * *(double *)word);"),
            ],
            Idiom::PointerInUnion => vec![
                format!("double cells[3] = {{{a}, {b}, 0.5}};"),
                "union { double *at; unsigned long word; unsigned char raw[sizeof(double *)]; } it, other;".into(),
                "it.at = cells;".into(),
                format!("if ({n} > 2) it.word += sizeof *cells;"),
                "memcpy(other.raw, it.raw, sizeof it.raw);".into(),
                "*other.at = 0.3 * *other.at * cells[2] + 0.1 * *it.at;".into(),
                format!("{to} = 0.3 * (cells[0] + 0.4 * cells[1]);"),
            ],
            Idiom::Slots => vec![
                format!("double cells[4] = {{{a}, {b}, 0.5, 0.25}}, acc = 0;"),
                "struct slot { int refers; union { double value, *cell; } u; } ring[4], one;".into(),
                "for (int c = 0; c < 4; c++) {".into(),
                format!("  one.refers = (c + {n}) & 1;"),
                "  if (one.refers) one.u.cell = cells + c; else one.u.value = 0.5 * cells[c];".into(),
                "  ring[c] = one;".into(),
                "}".into(),
                format!("for (int c = 0; c < {n} + 3; c++) {{"),
                "  one = ring[c & 3];".into(),
                "  double v = one.refers ? *one.u.cell : one.u.value;".into(),
                "  acc = 0.5 * acc + 0.1 * v * cells[1];".into(),
                "  one.refers = !one.refers;".into(),
                "  if (one.refers) one.u.cell = cells + (c & 1); else one.u.value = 0.4 * v + 0.1 * acc;".into(),
                "  ring[c & 3] = one;".into(),
                "  struct slot *other = ring + ((c + 2) & 3);".into(),
                "  double held = ring[c & 3].u.value;".into(),
                "  ring[c & 3].u.value = other->u.value, other->u.value = held;".into(),
                "  ring[c & 3].refers = other->refers, other->refers = one.refers;".into(),
                "}".into(),
                format!("{to} = 0.3 * acc;"),
            ],
            Idiom::NarrowSlots => vec![
                format!("double cells[4] = {{{a}, {b}, 0.5, 0.25}}, acc = 0;"),
                "struct narrow { int refers; union { float value; double *cell; } u; } ring[4];".into(),
                "for (int c = 0; c < 4; c++) {".into(),
                format!("  ring[c].refers = (c + {n}) & 1;"),
                "  if (ring[c].refers) ring[c].u.cell = cells + c; else ring[c].u.value = (float)cells[c];".into(),
                "}".into(),
                format!("for (int c = 0; c < 2 * {n} + 3; c++) {{"),
                "  struct narrow *one = ring + (c & 3);".into(),
                "  double v = one->refers ? *one->u.cell : one->u.value;".into(),
                "  acc = 0.5 * acc + 0.1 * v * cells[1];".into(),
                "  one->refers = !one->refers;".into(),
                "  if (one->refers) one->u.cell = cells + (c & 1); else one->u.value = (float)(0.4 * v);".into(),
                "}".into(),
                format!("{to} = 0.3 * acc;"),
            ],
            Idiom::Scratch => vec![
                format!("double cells[4] = {{{a}, {b}, 0.5, 0.25}}, acc = 0;"),
                "union { double *cell[4]; float number[8]; } it;".into(),
                format!("for (int c = 0; c < {n}; c++) it.cell[c] = cells + (3 * c & 3);"),
                format!("for (int c = 0; c < {n}; c++) acc = 0.5 * acc + 0.3 * *it.cell[c];"),
                format!("for (int c = 0; c < 2 * {n}; c++) it.number[c] = (float)(0.2 * acc * cells[c & 3]);"),
                format!("for (int c = 1; c < 2 * {n}; c++) it.number[c] += 0.5f * it.number[c - 1];"),
                format!("acc = it.number[2 * {n} - 1];"),
                "it.cell[0] = cells + 1;".into(),
                format!("{to} = 0.3 * (acc + 0.2 * *it.cell[0]);"),
            ],
            Idiom::SwappedBytes => vec![
                format!("double read[2] = {{{a}, {b}}}, acc = 0;"),
                "unsigned long words[2];".into(),
                "for (int c = 0; c < 2; c++) memcpy(words + c, read + c, 8), words[c] = __builtin_bswap64(words[c]);"
                    .into(),
                format!("for (int c = 0; c < {n}; c++) {{"),
                "  unsigned long word = __builtin_bswap64(words[c & 1]);".into(),
                "  memcpy(read, &word, 8);".into(),
                "  acc += 0.1 * read[0] * read[1];".into(),
                "}".into(),
                format!("{to} = 0.3 * acc;"),
            ],
            Idiom::Keys => vec![
                format!("double plain = {a}, seen;"),
                format!("unsigned long key = 0x5bd1e9955bd1e995ul * {n}, word;"),
                "memcpy(&word, &plain, 8);".into(),
                "word ^= key;".into(),
                "word ^= key;".into(),
                "memcpy(&seen, &word, 8);".into(),
                format!("{to} = 0.2 * seen * {b} + 0.1 * seen;"),
            ],
            Idiom::Halves => vec![
                format!("double whole = {a}, again;"),
                "unsigned long word;".into(),
                "unsigned half[2];".into(),
                "memcpy(&word, &whole, 8);".into(),
                "half[0] = (unsigned)word, half[1] = (unsigned)(word >> 32);".into(),
                "word = (unsigned long)half[1] << 32 | half[0];".into(),
                "memcpy(&again, &word, 8);".into(),
                format!("{to} = 0.2 * again * {b} + 0.1 * again;"),
            ],
        };
        self.set_apart(&text);
    }

    /// Lines as a block of their own.
    pub(super) fn set_apart(&mut self, text: &[String]) {
        self.line("{");
        self.depth += 1;
        joined(text).iter().for_each(|line| self.line(line));
        self.depth -= 1;
        self.line("}");
    }

    /// What an idiom needs before all functions.
    fn helpers(&mut self, idiom: Idiom) {
        let needed: &[&str] = match idiom {
            Idiom::Table => &[
                "static double halved(double v) { return 0.5 * v; }",
                "static double cubed(double v) { return 0.08 * v * v * v; }",
            ],
            Idiom::Mixed | Idiom::Records => &[MIX],
            Idiom::ByValue => &["struct pair { double first; float second; };
static struct pair turned(struct pair p, double by) {
  struct pair q = {0.5 * p.first - 0.3 * p.second, (float)(0.4 * p.second + 0.1 * p.first * p.second - by)};
  return q;
}"],
            Idiom::Vector => &["typedef double four __attribute__((vector_size(32)));"],
            Idiom::Recursive => &["static double folded(int depth, double v, double w) {
  double kept[2] = {v, 0.2 * v * w};
  if (depth > 0) kept[depth & 1] = 0.4 * folded(depth - 1, kept[1] + 0.3, 0.5 * kept[0]);
  return 0.5 * kept[0] + 0.5 * kept[1];
}"],
            Idiom::Given => &["static double *made(int size, double v, double w) {
  double *all = malloc(size * sizeof *all);
  for (int c = 0; c < size; c++) all[c] = 0.25 * (c + 1) * v - 0.3 * v * w;
  return all;
}"],
            Idiom::Unchosen => &["double sqrt(double);", "double fmin(double, double);"],
            Idiom::Weak => {
                &["__attribute__((weak)) double weakly(double v, double w) { return 0.3 * v * w + 0.2 * v; }"]
            }
            _ => &[],
        };
        self.prototypes.extend(needed.iter().map(|text| (*text).to_owned()));
    }
}

/// Loops and branches that fit on one line are written there.
fn joined(text: &[String]) -> Vec<String> {
    const WIDTH: usize = 110;
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut out = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let own = indent(&text[at]);
        let inside = text[at + 1..].iter().take_while(|line| indent(line) > own).count();
        let closes = text.get(at + 1 + inside).is_some_and(|line| line.trim() == "}");
        let last = if text[at].ends_with('{') && closes { at + 1 + inside } else { at };
        let line: Vec<&str> = text[at..=last].iter().map(|line| line.trim()).collect();
        let line = format!("{}{}", " ".repeat(own), line.join(" "));
        if line.len() <= WIDTH {
            out.push(line);
            at = last + 1;
        } else {
            out.push(text[at].clone());
            at += 1;
        }
    }
    out
}
