//! What each intrinsic computes, as the body of a function.

use std::collections::BTreeSet;
use std::fmt::Write;

/// The name and types of a declaration.
pub(super) struct Signature<'a> {
    /// With `llvm.x86.`.
    pub(super) name: &'a str,
    ret: &'a str,
    args: Vec<&'a str>,
}

/// The function that takes the place of an intrinsic.
pub(super) struct Definition {
    pub(super) text: String,
    /// Declarations of what it calls.
    pub(super) declarations: BTreeSet<String>,
}

/// A vector type, or a scalar as one lane.
#[derive(Clone, Copy, PartialEq)]
struct Lanes<'a> {
    count: usize,
    lane: &'a str,
}

impl<'a> Lanes<'a> {
    fn parse(ty: &'a str) -> Option<Lanes<'a>> {
        let Some(inner) = ty.strip_prefix('<').and_then(|t| t.strip_suffix('>')) else {
            return Some(Lanes { count: 1, lane: ty });
        };
        let (count, lane) = inner.split_once(" x ")?;
        Some(Lanes { count: count.parse().ok()?, lane })
    }

    fn of(self, lane: &str) -> String {
        match self.count {
            1 => lane.to_owned(),
            count => format!("<{count} x {lane}>"),
        }
    }

    fn bits(self) -> Option<usize> {
        match self.lane {
            "double" => Some(64),
            "float" => Some(32),
            int => int.strip_prefix('i')?.parse().ok(),
        }
    }

    /// The same value in all lanes.
    fn splat(self, value: &str) -> String {
        let one = format!("{} {value}", self.lane);
        match self.count {
            1 => value.to_owned(),
            count => format!("<{}>", vec![one; count].join(", ")),
        }
    }

    /// As intrinsics name it.
    fn suffix(self) -> String {
        let lane = match self.lane {
            "double" => "f64",
            "float" => "f32",
            int => int,
        };
        match self.count {
            1 => lane.to_owned(),
            count => format!("v{count}{lane}"),
        }
    }
}

impl<'a> Signature<'a> {
    pub(super) fn parse(line: &'a str) -> Option<Signature<'a>> {
        let (ret, rest) = line.strip_prefix("declare ")?.split_once(" @")?;
        let (name, rest) = rest.split_once('(')?;
        let args = rest.split_once(')')?.0;
        let type_of = |arg: &'a str| match arg.find('>') {
            Some(end) => &arg[..=end],
            None => arg.split(' ').next().unwrap_or(arg),
        };
        name.starts_with("llvm.x86.").then(|| Signature { name, ret, args: args.split(", ").map(type_of).collect() })
    }

    pub(super) fn own_name(&self) -> String {
        self.name.replacen("llvm.", "__adj_", 1)
    }

    /// The function, if the intrinsic is one of those that are known here.
    pub(super) fn definition(&self) -> Option<Definition> {
        let mut b = Body { text: String::new(), count: 0, declarations: BTreeSet::new() };
        let result = b.result(self)?;
        let params: Vec<String> = self.args.iter().enumerate().map(|(i, ty)| format!("{ty} {}", ARGS[i])).collect();
        let text = format!(
            "define internal {} @{}({}) alwaysinline {{\n{}  ret {}\n}}\n",
            self.ret,
            self.own_name(),
            params.join(", "),
            b.text,
            if self.ret == "void" { "void".to_owned() } else { format!("{} {result}", self.ret) }
        );
        Some(Definition { text, declarations: b.declarations })
    }
}

/// The names of parameters.
const ARGS: [&str; 5] = ["%a", "%b", "%c", "%d", "%e"];

/// The predicates of `cmpsd` by immediate: below 8 those of SSE.
const PREDICATES: [&str; 8] = ["oeq", "olt", "ole", "uno", "une", "uge", "ugt", "ord"];

struct Body {
    text: String,
    count: usize,
    declarations: BTreeSet<String>,
}

impl Body {
    /// An instruction; its result.
    fn value(&mut self, instruction: impl AsRef<str>) -> String {
        self.count += 1;
        let name = format!("%v{}", self.count);
        let _ = writeln!(self.text, "  {name} = {}", instruction.as_ref());
        name
    }

    /// A function of LLVM's that takes and gives vectors of one type.
    fn call(&mut self, function: &str, of: Lanes<'_>, args: &[&str]) -> String {
        let ty = of.of(of.lane);
        let name = format!("@{function}.{}", of.suffix());
        let types = vec![ty.as_str(); args.len()].join(", ");
        self.declarations.insert(format!("declare {ty} {name}({types})"));
        let args: Vec<String> = args.iter().map(|a| format!("{ty} {a}")).collect();
        self.value(format!("call {ty} {name}({})", args.join(", ")))
    }

    fn shuffle(&mut self, ty: &str, a: &str, b: &str, mask: impl IntoIterator<Item = usize>) -> String {
        let mask: Vec<String> = mask.into_iter().map(|i| format!("i32 {i}")).collect();
        self.value(format!("shufflevector {ty} {a}, {ty} {b}, <{} x i32> <{}>", mask.len(), mask.join(", ")))
    }

    fn extract(&mut self, ty: &str, vector: &str, lane: usize) -> String {
        self.value(format!("extractelement {ty} {vector}, i64 {lane}"))
    }

    fn insert(&mut self, ty: &str, vector: &str, (lane_ty, value): (&str, &str), lane: usize) -> String {
        self.value(format!("insertelement {ty} {vector}, {lane_ty} {value}, i64 {lane}"))
    }

    /// Lane by lane: the sign bit.
    fn negative(&mut self, of: Lanes<'_>, value: &str) -> Option<String> {
        let (ty, ints) = (of.of(of.lane), of.of(&format!("i{}", of.bits()?)));
        let bits = match of.lane.starts_with('i') {
            true => value.to_owned(),
            false => self.value(format!("bitcast {ty} {value} to {ints}")),
        };
        Some(self.value(format!("icmp slt {ints} {bits}, zeroinitializer")))
    }

    /// The integers nearest to floats, or those towards zero; what does not fit gives the least of all ("integer
    /// indefinite").
    fn integer(&mut self, of: Lanes<'_>, value: &str, (bits, truncated): (usize, bool)) -> String {
        let (ty, ints, truth) = (of.of(of.lane), of.of(&format!("i{bits}")), of.of("i1"));
        let whole = self.call(if truncated { "llvm.trunc" } else { "llvm.nearbyint" }, of, &[value]);
        let [least, beyond] = [-(2f64.powi(bits as i32 - 1)), 2f64.powi(bits as i32 - 1)]
            .map(|bound| of.splat(&format!("{:#018X}", bound.to_bits()).replace("0X", "0x")));
        let above = self.value(format!("fcmp oge {ty} {whole}, {least}"));
        let below = self.value(format!("fcmp olt {ty} {whole}, {beyond}"));
        let fits = self.value(format!("and {truth} {above}, {below}"));
        let chosen = self.value(format!("select {truth} {fits}, {ty} {whole}, {ty} {least}"));
        self.value(format!("fptosi {ty} {chosen} to {ints}"))
    }

    /// Rounded as an immediate says.
    fn rounded(&mut self, of: Lanes<'_>, value: &str, how: &str) -> String {
        let ty = of.of(of.lane);
        let mut result = self.call("llvm.nearbyint", of, &[value]);
        for (mode, function) in [(0, "llvm.roundeven"), (1, "llvm.floor"), (2, "llvm.ceil"), (3, "llvm.trunc")] {
            let other = self.call(function, of, &[value]);
            // Bit 3 only silences an exception.
            let masked = self.value(format!("and i32 {how}, 7"));
            let chosen = self.value(format!("icmp eq i32 {masked}, {mode}"));
            result = self.value(format!("select i1 {chosen}, {ty} {other}, {ty} {result}"));
        }
        result
    }

    /// What the function returns.
    fn result(&mut self, s: &Signature) -> Option<String> {
        let (_, op) = s.name.strip_prefix("llvm.x86.")?.split_once('.')?;
        let (op, wide) = match op.strip_suffix(".256").or(op.strip_suffix(".128")) {
            Some(op) => (op, true),
            None => (op, false),
        };
        let first = Lanes::parse(s.args.first()?)?;
        let ty = s.args[0];
        let (stem, format) = op.rsplit_once('.').unwrap_or((op, ""));
        let scalar = matches!(format, "sd" | "ss") && !wide;
        let one = Lanes { count: 1, ..first };
        let group = 128 / first.bits().unwrap_or(128);
        Some(match (stem, format) {
            ("max" | "min", _) => {
                let pred = if stem == "max" { "ogt" } else { "olt" };
                let of = if scalar { one } else { first };
                let (of_ty, truth) = (of.of(of.lane), of.of("i1"));
                let [a, b] =
                    if scalar { ["%a", "%b"].map(|v| self.extract(ty, v, 0)) } else { ["%a", "%b"].map(str::to_owned) };
                let cond = self.value(format!("fcmp {pred} {of_ty} {a}, {b}"));
                let chosen = self.value(format!("select {truth} {cond}, {of_ty} {a}, {of_ty} {b}"));
                if scalar { self.insert(ty, "%a", (first.lane, &chosen), 0) } else { chosen }
            }
            ("hadd" | "hsub", "pd" | "ps") => {
                let n = first.count;
                // Within each 128 bits first pairs of the one, then pairs of the other.
                let pairs = |at: usize| {
                    let half = group / 2;
                    (0..n).map(move |i| {
                        let (lane, k) = (i / group * group, i % group);
                        if k < half { lane + 2 * k + at } else { n + lane + 2 * (k - half) + at }
                    })
                };
                let even = self.shuffle(ty, "%a", "%b", pairs(0));
                let odd = self.shuffle(ty, "%a", "%b", pairs(1));
                let operation = if stem == "hadd" { "fadd" } else { "fsub" };
                self.value(format!("{operation} {ty} {even}, {odd}"))
            }
            ("addsub", _) => {
                let less = self.value(format!("fsub {ty} %a, %b"));
                let more = self.value(format!("fadd {ty} %a, %b"));
                let n = first.count;
                self.shuffle(ty, &less, &more, (0..n).map(|i| if i % 2 == 0 { i } else { n + i }))
            }
            ("vfmaddsub" | "vfmsubadd", _) => {
                let negated = self.value(format!("fneg {ty} %c"));
                let (n, odd) = (first.count, usize::from(stem == "vfmsubadd"));
                let c = self.shuffle(ty, &negated, "%c", (0..n).map(|i| if i % 2 == odd { i } else { n + i }));
                self.call("llvm.fma", first, &["%a", "%b", &c])
            }
            ("cmp", "sd" | "ss") => {
                let [a, b] = ["%a", "%b"].map(|v| self.extract(ty, v, 0));
                let mut found = "false".to_owned();
                for (at, pred) in PREDICATES.iter().enumerate() {
                    let this = self.value(format!("fcmp {pred} {} {a}, {b}", first.lane));
                    let chosen = self.value(format!("icmp eq i8 %c, {at}"));
                    found = self.value(format!("select i1 {chosen}, i1 {this}, i1 {found}"));
                }
                let int = format!("i{}", first.bits()?);
                let mask = self.value(format!("sext i1 {found} to {int}"));
                let lane = self.value(format!("bitcast {int} {mask} to {}", first.lane));
                self.insert(ty, "%a", (first.lane, &lane), 0)
            }
            (_, "sd" | "ss") if stem.starts_with("comi") || stem.starts_with("ucomi") => {
                let pred = match stem.trim_start_matches('u').strip_prefix("comi")? {
                    "eq" => "oeq",
                    "lt" => "olt",
                    "le" => "ole",
                    "gt" => "ogt",
                    "ge" => "oge",
                    "neq" => "une",
                    _ => return None,
                };
                let [a, b] = ["%a", "%b"].map(|v| self.extract(ty, v, 0));
                let found = self.value(format!("fcmp {pred} {} {a}, {b}", first.lane));
                self.value(format!("zext i1 {found} to {}", s.ret))
            }
            ("cvtsd2si" | "cvtsd2si64" | "cvtss2si" | "cvtss2si64", "")
            | ("cvttsd2si" | "cvttsd2si64" | "cvttss2si" | "cvttss2si64", "") => {
                let value = self.extract(ty, "%a", 0);
                let bits = Lanes::parse(s.ret)?.bits()?;
                self.integer(one, &value, (bits, op.starts_with("cvtt")))
            }
            ("cvtpd2dq" | "cvttpd2dq" | "cvtps2dq" | "cvttps2dq", "") | ("cvt" | "cvtt", "pd2dq" | "ps2dq") => {
                let ints = self.integer(first, "%a", (32, op.starts_with("cvtt")));
                self.widened(first.of("i32").as_str(), &ints, (first.count, Lanes::parse(s.ret)?.count))
            }
            ("cvtpd2ps", "") | ("cvt.pd2", "ps") => {
                let floats = first.of("float");
                let narrow = self.value(format!("fptrunc {ty} %a to {floats}"));
                self.widened(&floats, &narrow, (first.count, Lanes::parse(s.ret)?.count))
            }
            ("cvtsd2ss", "") => {
                let value = self.extract(s.args[1], "%b", 0);
                let narrow = self.value(format!("fptrunc double {value} to float"));
                self.insert(ty, "%a", ("float", &narrow), 0)
            }
            ("movmsk", "pd" | "ps") | ("pmovmskb" | "avx2.pmovmskb", "") => {
                let signs = self.negative(first, "%a")?;
                let bits = format!("i{}", first.count);
                let packed = self.value(format!("bitcast {} {signs} to {bits}", first.of("i1")));
                if bits == s.ret { packed } else { self.value(format!("zext {bits} {packed} to {}", s.ret)) }
            }
            ("blendvpd" | "blendvps" | "pblendvb", "") | ("blendv", _) => {
                let signs = self.negative(first, "%c")?;
                self.value(format!("select {} {signs}, {ty} %b, {ty} %a", first.of("i1")))
            }
            ("round", "pd" | "ps") => self.rounded(first, "%a", "%b"),
            ("round", "sd" | "ss") => {
                let value = self.extract(ty, "%b", 0);
                let whole = self.rounded(one, &value, "%c");
                self.insert(ty, "%a", (first.lane, &whole), 0)
            }
            ("dppd" | "dpps", "") => self.dot(first, ty),
            ("pslli" | "psrli" | "psrai" | "psll" | "psrl" | "psra", "w" | "d" | "q") => {
                self.shifted(first, stem, s.args[1])?
            }
            ("maskload", _) => {
                let of = Lanes::parse(s.ret)?;
                let mask = self.negative(Lanes::parse(s.args[1])?, "%b")?;
                let (truth, name) = (of.of("i1"), format!("@llvm.masked.load.{}.p0", of.suffix()));
                self.declarations.insert(format!("declare {} {name}(ptr, i32 immarg, {truth}, {})", s.ret, s.ret));
                self.value(format!("call {} {name}(ptr %a, i32 1, {truth} {mask}, {} zeroinitializer)", s.ret, s.ret))
            }
            ("maskstore", _) => {
                let (of, stored) = (Lanes::parse(s.args[2])?, s.args[2]);
                let mask = self.negative(Lanes::parse(s.args[1])?, "%b")?;
                let (truth, name) = (of.of("i1"), format!("@llvm.masked.store.{}.p0", of.suffix()));
                self.declarations.insert(format!("declare void {name}({stored}, ptr, i32 immarg, {truth})"));
                let _ = writeln!(self.text, "  call void {name}({stored} %c, ptr %a, i32 1, {truth} {mask})");
                String::new()
            }
            ("vpermilvar", "pd" | "ps") => self.permuted(first, ty, group)?,
            _ => return None,
        })
    }

    /// A vector with zeros behind it.
    fn widened(&mut self, ty: &str, value: &str, (from, to): (usize, usize)) -> String {
        match to > from {
            true => self.shuffle(ty, value, "zeroinitializer", (0..to).map(|i| i.min(from))),
            false => value.to_owned(),
        }
    }

    /// `dppd`, `dpps`: products chosen by the high bits of the immediate, summed in pairs, to the lanes of its low
    /// bits.
    fn dot(&mut self, of: Lanes<'_>, ty: &str) -> String {
        let products = self.value(format!("fmul {ty} %a, %b"));
        let zero = if of.lane == "double" { "double 0.0" } else { "float 0.0" };
        let bit = |b: &mut Body, at: usize| {
            let masked = b.value(format!("and i8 %c, {}", (1u8 << at) as i8));
            b.value(format!("icmp ne i8 {masked}, 0"))
        };
        let mut terms = Vec::new();
        for lane in 0..of.count {
            let (chosen, product) = (bit(self, 4 + lane), self.extract(ty, &products, lane));
            terms.push(self.value(format!("select i1 {chosen}, {} {product}, {zero}", of.lane)));
        }
        while terms.len() > 1 {
            terms =
                terms.chunks(2).map(|pair| self.value(format!("fadd {} {}, {}", of.lane, pair[0], pair[1]))).collect();
        }
        let mut out = "zeroinitializer".to_owned();
        for lane in 0..of.count {
            let chosen = bit(self, lane);
            let value = self.value(format!("select i1 {chosen}, {} {}, {zero}", of.lane, terms[0]));
            out = self.insert(ty, &out, (of.lane, &value), lane);
        }
        out
    }

    /// Shifts by a number, or by the low 64 bits of a vector: too many places leave nothing, or the sign.
    fn shifted(&mut self, of: Lanes<'_>, stem: &str, by: &str) -> Option<String> {
        let (ty, width) = (of.of(of.lane), of.bits()?);
        let count = match by {
            "i32" => self.value("zext i32 %b to i64"),
            vector => {
                let words = self.value(format!("bitcast {vector} %b to <2 x i64>"));
                self.extract("<2 x i64>", &words, 0)
            }
        };
        let fits = self.value(format!("icmp ult i64 {count}, {width}"));
        let arithmetic = stem.starts_with("psra");
        let most = if arithmetic { width - 1 } else { 0 };
        let safe = self.value(format!("select i1 {fits}, i64 {count}, i64 {most}"));
        let narrow = if width == 64 { safe } else { self.value(format!("trunc i64 {safe} to {}", of.lane)) };
        let one = self.insert(&ty, "poison", (of.lane, &narrow), 0);
        let all = self.shuffle(&ty, &one, "poison", vec![0; of.count]);
        let operation = match (arithmetic, stem.starts_with("psrl")) {
            (true, _) => "ashr",
            (_, true) => "lshr",
            _ => "shl",
        };
        let moved = self.value(format!("{operation} {ty} %a, {all}"));
        Some(match arithmetic {
            true => moved,
            false => self.value(format!("select i1 {fits}, {ty} {moved}, {ty} zeroinitializer")),
        })
    }

    /// `vpermilpd`, `vpermilps`: lanes of the same 128 bits, by bit 1 or by bits 0 and 1 of each control.
    fn permuted(&mut self, of: Lanes<'_>, ty: &str, group: usize) -> Option<String> {
        let int = format!("i{}", of.bits()?);
        let (ints, bits) = (of.of(&int), if group == 2 { 2 } else { 3 });
        let mut out = "zeroinitializer".to_owned();
        for lane in 0..of.count {
            let control = self.extract(&ints, "%b", lane);
            let control = self.value(format!("and {int} {control}, {bits}"));
            let base = lane / group * group;
            let mut chosen = self.extract(ty, "%a", base);
            for k in 1..group {
                let other = self.extract(ty, "%a", base + k);
                let here = self.value(format!("icmp eq {int} {control}, {}", if group == 2 { 2 * k } else { k }));
                chosen = self.value(format!("select i1 {here}, {} {other}, {} {chosen}", of.lane, of.lane));
            }
            out = self.insert(ty, &out, (of.lane, &chosen), lane);
        }
        Some(out)
    }
}
