//! Numbers under keys of the same order, which are sorted; each number goes back to where it came from.

use super::Ends;
use crate::c::travel::Sort;

/// A key and where it came from, and their order.
const KEYED: &str = "struct keyed { unsigned long key; long from; };
static int by_key(const void *a, const void *b) {
  unsigned long u = ((const struct keyed *)a)->key, v = ((const struct keyed *)b)->key;
  return u < v ? -1 : u > v;
}";

const INTO: &str = "word ^= word >> 63 ? ~0ul : 1ul << 63;";
const OUT_OF: &str = "word ^= word >> 63 ? 1ul << 63 : ~0ul;";

/// The block of a sort.
pub(super) fn lines(it: Sort, ends: &Ends, before: &mut Vec<String>) -> Vec<String> {
    let Ends { to, a, b, n } = ends;
    let mut out = vec![format!("double plain[3] = {{{a}, {b}, 0.25}}, again[3];")];
    let text: &[&str] = match it {
        Sort::Records => {
            before.push(KEYED.to_owned());
            &[
                "struct keyed all[3];",
                "for (int c = 0; c < 3; c++) {",
                "  memcpy(&all[c].key, plain + c, 8);",
                "  unsigned long word = all[c].key;",
                INTO,
                "  all[c].key = word, all[c].from = c;",
                "}",
                "qsort(all, 3, sizeof *all, by_key);",
                "for (int c = 0; c < 3; c++) {",
                "  unsigned long word = all[c].key;",
                OUT_OF,
                "  memcpy(again + all[c].from, &word, 8);",
                "}",
            ]
        }
        Sort::Insertion => &[
            "unsigned long keys[3];",
            "int from[3];",
            "for (int c = 0; c < 3; c++) {",
            "  unsigned long word;",
            "  memcpy(&word, plain + c, 8);",
            INTO,
            "  int k = c;",
            "  for (; k > 0 && keys[k - 1] > word; k--) keys[k] = keys[k - 1], from[k] = from[k - 1];",
            "  keys[k] = word, from[k] = c;",
            "}",
            "for (int c = 0; c < 3; c++) {",
            "  unsigned long word = keys[c];",
            OUT_OF,
            "  memcpy(again + from[c], &word, 8);",
            "}",
        ],
        Sort::Radix => &[
            "unsigned long keys[3], others[3];",
            "int from[3] = {0, 1, 2}, there[3];",
            "memcpy(keys, plain, sizeof keys);",
            "for (int s = 0; s < 64; s += 8) {",
            "  int at = 0;",
            "  for (unsigned long byte = 0; byte < 256 && at < 3; byte++)",
            "    for (int c = 0; c < 3; c++)",
            "      if ((keys[c] >> s & 255) == byte) others[at] = keys[c], there[at++] = from[c];",
            "  memcpy(keys, others, sizeof keys);",
            "  memcpy(from, there, sizeof from);",
            "}",
            "for (int c = 0; c < 3; c++) memcpy(again + from[c], keys + c, 8);",
        ],
    };
    out.extend(
        text.iter().map(|line| if [INTO, OUT_OF].contains(line) { format!("  {line}") } else { (*line).into() }),
    );
    out.push(format!("{to} = 0.1 * again[0] * again[1] + 0.15 * again[{n} & 1];"));
    out
}
