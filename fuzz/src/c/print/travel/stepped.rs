//! Integers that a number is rounded to by the adding of a large constant, and integers from many decisions on a
//! number.

use super::Ends;
use super::bits::outlined;
use crate::c::stepped::{Between, Decided, Decision, Made, Rounded, Taken, Used};
use crate::c::ways::Shape;

/// Places that a number is rounded to, at most: beyond them a sum is a sum like any other.
const PLACES: u32 = 8;

/// The block of a rounded number.
pub(super) fn rounded(it: Rounded, ends: &Ends, before: &mut Vec<String>) -> Vec<String> {
    let Ends { to, a, b, n } = ends;
    let (ty, suffix, digits) = if it.single { ("float", "f", 23) } else { ("double", "", 52) };
    let places = if it.plain { 0 } else { it.places.min(PLACES) };
    let (lead, above) = if it.plain { ("0x1", "8.137") } else { ("0x1.8", "0.137") };
    let large = format!("{lead}p{}{suffix}", digits - places);
    let mut out = vec![format!("double u = {a}, v = {b};"), format!("{ty} x = ({ty})(3 * u - v + {above});")];
    let summed = match it.between {
        Between::Nothing if it.taken == Taken::Difference => Vec::new(),
        Between::Nothing | Between::Variable => vec![format!("{ty} sum = x + {large};")],
        Between::Element => vec![
            format!("{ty} sums[4] = {{{large}, {large}, {large}, {large}}};"),
            format!("sums[{n} & 3] = x + {large};"),
            format!("{ty} sum = sums[{n} % 4];"),
        ],
        Between::Field => vec![
            format!("struct {{ long tag; {ty} sum; }} box = {{{n}, x + {large}}}, other;"),
            "other = box;".to_owned(),
            format!("{ty} sum = other.sum;"),
        ],
        Between::Volatile => vec![format!("volatile {ty} slot = x + {large};"), format!("{ty} sum = slot;")],
        Between::Returned => {
            let (text, name) = outlined(ty, "raised", &format!("({ty} x) {{ return x + {large}; }}"));
            before.push(text);
            vec![format!("{ty} sum = {name}(x);")]
        }
        Between::Stored => {
            let (text, name) = outlined("void", "raised", &format!("({ty} *to, {ty} x) {{ *to = x + {large}; }}"));
            before.push(text);
            vec![format!("{ty} sum;"), format!("{name}(&sum, x);")]
        }
        Between::Carried => {
            vec![
                format!("{ty} sum = {large};"),
                format!("for (int c = 0; c < {n}; c++) sum = (x + ({ty})c) + {large};"),
            ]
        }
        Between::Chosen => vec![
            format!("{ty} sum = x + {large};"),
            format!("if ({n} > 2) sum = ({ty})(2 * v - u + {above}) + {large};"),
        ],
        Between::Copied => vec![
            format!("{ty} first = x + {large}, sum;"),
            "unsigned char raw[sizeof sum];".to_owned(),
            "memcpy(raw, &first, sizeof sum);".to_owned(),
            "memcpy(&sum, raw, sizeof sum);".to_owned(),
        ],
    };
    let at_once = summed.is_empty();
    out.extend(summed);
    let index = match it.taken {
        Taken::Difference => {
            let sum = if at_once { format!("(x + {large})") } else { "sum".to_owned() };
            out.push(format!("{ty} whole = {sum} - {large};"));
            "(long)whole"
        }
        Taken::Bits => {
            let (word, integer, mask, half) = match it.single {
                true => ("unsigned", "int", "0x7fffffu", "0x400000"),
                false => ("unsigned long", "long", "0xffffffffffffful", "0x8000000000000"),
            };
            let half = if it.plain { "0" } else { half };
            out.push(format!("{word} bits;"));
            out.push("memcpy(&bits, &sum, sizeof bits);".to_owned());
            out.push(format!("{integer} steps = ({integer})(bits & {mask}) - {half};"));
            out.push(format!("{ty} whole = ({ty})steps * 0x1p-{places}{suffix};"));
            "steps"
        }
    };
    match it.used {
        Used::Factor => out.push(format!("{to} = 0.03 * whole * u + 0.3 * v;")),
        Used::Rest => out.push(format!("{to} = 0.05 * (x - whole) * v + 0.2 * u;")),
        Used::Index => {
            out.push("double table[4] = {u * v, v * v, u * u, u - u * v};".to_owned());
            out.push(format!("{to} = 0.3 * table[{index} & 3];"));
        }
    }
    out
}

/// The block of an integer from decisions.
pub(super) fn decided(it: Decided, ends: &Ends, before: &mut Vec<String>) -> Vec<String> {
    let Ends { to, a, b, .. } = ends;
    let most = if it.made == Made::Mask { 60 } else { 1000 };
    let count = it.count.clamp(1, most);
    // A search by halving makes one of a power of two.
    let count = if it.made == Made::Search { count.next_power_of_two() } else { count };
    let level = |k: &str| format!("-1.4877 + 3.0 * {k} / {count}");
    let at = if it.made == Made::Search { "(level + step)" } else { "k" };
    let yes = match it.by {
        Decision::Compared | Decision::Branch => format!("u > {}", level(at)),
        Decision::Sign => format!("!__builtin_signbit(u - ({}))", level(at)),
        Decision::SignBit => format!(
            "({{ double rest = u - ({}); unsigned long word; memcpy(&word, &rest, sizeof word); !(word >> 63); }})",
            level(at)
        ),
    };
    let branch = it.by == Decision::Branch;
    let loop_head = format!("for (int k = 0; k < {count}; k++)");
    let made: Vec<String> = match it.made {
        Made::Count if branch => vec!["int level = 0;".into(), format!("{loop_head} if ({yes}) level++;")],
        Made::Count => vec!["int level = 0;".into(), format!("{loop_head} level += {yes};")],
        Made::Mask => vec![
            "unsigned long mask = 0;".into(),
            match branch {
                true => format!("{loop_head} if ({yes}) mask |= 1ul << k;"),
                false => format!("{loop_head} mask |= (unsigned long)({yes}) << k;"),
            },
            "int level = __builtin_popcountl(mask);".into(),
        ],
        Made::Flags => vec![
            format!("unsigned char flags[{count}] = {{0}};"),
            match branch {
                true => format!("{loop_head} if ({yes}) flags[k] = 1;"),
                false => format!("{loop_head} flags[k] = {yes};"),
            },
            "int level = 0;".into(),
            format!("{loop_head} level += flags[k];"),
        ],
        Made::Search => vec![
            "int level = 0;".into(),
            match branch {
                true => format!("for (int step = {count} / 2; step > 0; step /= 2) if ({yes}) level += step;"),
                false => format!("for (int step = {count} / 2; step > 0; step /= 2) level += step * ({yes});"),
            },
        ],
        Made::Number => vec![
            "double level = 0;".into(),
            match branch {
                true => format!("{loop_head} if ({yes}) level += 1;"),
                false => format!("{loop_head} level += {yes} ? 1.0 : 0.0;"),
            },
        ],
    };
    let mut out = vec![format!("double u = {a}, v = {b};")];
    let ty = if it.made == Made::Number { "double" } else { "int" };
    if it.shape == Shape::Outlined {
        let body: String = made.iter().map(|line| format!("  {line}\n")).collect();
        let (text, name) = outlined(ty, "decided", &format!("(double u) {{\n{body}  return level;\n}}"));
        before.push(text);
        out.push(format!("{ty} level = {name}(u);"));
    } else {
        out.extend(made);
    }
    match it.used {
        Used::Factor => out.push(format!("{to} = 0.4 * v * level / {count} + 0.2 * u;")),
        Used::Rest => out.push(format!("{to} = 0.2 * (u - ({})) * v + 0.1 * u;", level("level"))),
        Used::Index => {
            out.push(format!("double table[{}];", count + 1));
            out.push(format!("for (int k = 0; k <= {count}; k++) table[k] = 0.3 * u * v + 0.01 * (k % 7) * u;"));
            out.push(format!("{to} = 0.6 * table[(int)level];"));
        }
    }
    out
}
