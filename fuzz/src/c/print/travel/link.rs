//! Pointers that are made of the bits of others.

use super::Ends;
use crate::c::travel::Link;

/// The block of some pointers.
pub(super) fn lines(it: Link, ends: &Ends) -> Vec<String> {
    let Ends { to, a, b, n } = ends;
    let cells = format!("double cells[3] = {{{a}, {b}, 0.5}}, acc = 0;");
    let at = format!("double cells[3] = {{{a}, {b}, 0.5}}, *at = cells + ({n} > 2);");
    let changed = "*at = 0.3 * *at * cells[2] + 0.2 * cells[1];".to_owned();
    let both = format!("{to} = 0.3 * (cells[0] - 0.4 * cells[1]);");
    match it {
        Link::Xor => vec![
            format!("struct link {{ double v; unsigned long both; }} all[3] = {{{{{a}, 0}}, {{{b}, 0}}, {{0.5, 0}}}};"),
            "for (int c = 0; c < 3; c++) {".into(),
            "  unsigned long left = c ? (unsigned long)(all + c - 1) : 0;".into(),
            "  all[c].both = left ^ (c < 2 ? (unsigned long)(all + c + 1) : 0);".into(),
            "}".into(),
            "unsigned long before = 0;".into(),
            "double acc = 0;".into(),
            "for (struct link *at = all; at;) {".into(),
            format!("  acc = 0.5 * acc + 0.1 * at->v * all[{n} & 1].v;"),
            "  unsigned long here = (unsigned long)at;".into(),
            "  at = (struct link *)(at->both ^ before);".into(),
            "  before = here;".into(),
            "}".into(),
            format!("{to} = 0.6 * acc;"),
        ],
        Link::Tag => vec![
            cells,
            "unsigned long words[2];".into(),
            format!("for (int c = 0; c < 2; c++) words[c] = (unsigned long)(cells + c) | (c + {n}) % 8;"),
            "for (int c = 0; c < 2; c++) {".into(),
            "  double *at = (double *)(words[c] & ~7ul);".into(),
            "  acc += 0.04 * (double)(words[c] & 7) * *at;".into(),
            "  *at = 0.3 * *at * cells[2];".into(),
            "}".into(),
            format!("{to} = 0.4 * (acc + 0.3 * cells[0]);"),
        ],
        Link::TagByte => vec![
            at,
            "unsigned char low;".into(),
            "memcpy(&low, &at, 1);".into(),
            format!("low |= {n};"),
            "memcpy(&at, &low, 1);".into(),
            "int tag = (int)((unsigned long)at & 7);".into(),
            "*(unsigned char *)&at &= 0xf8;".into(),
            "*at = 0.1 * tag * *at * cells[2] + 0.2 * cells[1];".into(),
            both,
        ],
        Link::Distance => vec![
            format!("double left[2] = {{{a}, 0.5}}, *right = malloc(2 * sizeof *right);"),
            format!("right[0] = 0.5 * {b}, right[1] = 0.25;"),
            "unsigned long apart = (unsigned long)right - (unsigned long)left;".into(),
            format!("double *at = {n} > 2 ? left : (double *)((unsigned long)left + apart);"),
            "at[0] = 0.3 * at[0] * left[1] + 0.2 * at[1];".into(),
            format!("{to} = 0.3 * (left[0] - 0.5 * right[0]);"),
            "free(right);".into(),
        ],
        Link::Vector => vec![
            cells,
            "typedef unsigned long two __attribute__((vector_size(16)));".into(),
            "two pair = {(unsigned long)cells, (unsigned long)(cells + 1)};".into(),
            "pair = __builtin_shufflevector(pair, pair, 1, 0);".into(),
            format!("double *at = (double *)pair[{n} & 1];"),
            "acc = 0.1 * *at * cells[0];".into(),
            "*at = 0.3 * *at * cells[2];".into(),
            format!("{to} = 0.5 * acc + 0.2 * (cells[0] - 0.4 * cells[1]);"),
        ],
        Link::Words => vec![
            cells,
            format!("struct range {{ double *from, *to; long tag; }} whole = {{cells, cells + 2, {n}}}, other;"),
            "unsigned long words[3];".into(),
            "memcpy(words, &whole, sizeof whole);".into(),
            "for (int c = 0; c < 3; c++) memcpy((char *)&other + 8 * c, words + c, 8);".into(),
            "for (double *at = other.from; at != other.to; at++) acc += 0.05 * (double)other.tag * *at, *at *= 0.5;"
                .into(),
            format!("{to} = 0.3 * (acc + 0.3 * cells[0]);"),
        ],
        Link::Exchange => vec![
            at,
            "double *other = cells + 2;".into(),
            "unsigned long u, v;".into(),
            "memcpy(&u, &at, 8), memcpy(&v, &other, 8);".into(),
            "u ^= v, v ^= u, u ^= v;".into(),
            "memcpy(&at, &u, 8), memcpy(&other, &v, 8);".into(),
            "*other = 0.3 * *other * *at + 0.2 * cells[1];".into(),
            "*at = 0.5 * *at;".into(),
            both,
        ],
        Link::Printed => vec![
            at,
            "char text[32];".into(),
            "snprintf(text, sizeof text, \"%p\", (void *)at);".into(),
            "void *found;".into(),
            "if (sscanf(text, \"%p\", &found) != 1) abort();".into(),
            "at = found;".into(),
            changed,
            both,
        ],
        Link::File => vec![
            at,
            "FILE *file = tmpfile();".into(),
            "if (!file) abort();".into(),
            "fwrite(&at, sizeof at, 1, file);".into(),
            "rewind(file);".into(),
            "if (fread(&at, sizeof at, 1, file) != 1) abort();".into(),
            "fclose(file);".into(),
            changed,
            both,
        ],
    }
}
