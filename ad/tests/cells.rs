//! Where branches tell that two places are not the same, their adjoints are read and written once, seen in the text of
//! the gradient. That the answers are the same is the business of the corpus (`places_that_differ.c`).

use ad::{Activity, Lever, Options, Without};

/// `x[ONE] = x[OTHER]²`, if the condition holds.
const COPY: &str = r#"
define void @f(ptr %x, i64 %i, i64 %j, i32 %a, i32 %b, i1 %flag) {
entry:
  BEFORE
  %cond = CONDITION
  br i1 %cond, label %then, label %else
then:
  br label THEN
else:
  br label ELSE
copy:
  INDICES
  %from = getelementptr inbounds UNIT, ptr %x, i64 OTHER
  %to = getelementptr inbounds UNIT, ptr %x, i64 ONE
  %v = load double, ptr %from, align 8
  %square = fmul double %v, %v
  store double %square, ptr %to, align 8
  br label %end
end:
  ret void
}
"#;

#[derive(Clone, Copy)]
struct Copied {
    before: &'static str,
    condition: &'static str,
    /// Is it executed if the condition does not hold?
    otherwise: bool,
    indices: &'static str,
    places: (&'static str, &'static str),
    unit: &'static str,
}

const PLAIN: Copied = Copied {
    before: "",
    condition: "icmp slt i64 %i, %j",
    otherwise: false,
    indices: "",
    places: ("%i", "%j"),
    unit: "double",
};

/// Is the adjoint of the load's cell added to without regard to that of the store's, which is clear only in the end?
fn once_without(copied: &Copied, without: Without) -> bool {
    let (then, other) = if copied.otherwise { ("%end", "%copy") } else { ("%copy", "%end") };
    let gaps = [
        ("BEFORE", copied.before),
        ("CONDITION", copied.condition),
        ("THEN", then),
        ("ELSE", other),
        ("INDICES", copied.indices),
        ("ONE", copied.places.0),
        ("OTHER", copied.places.1),
        ("UNIT", copied.unit),
    ];
    let text = gaps.iter().fold(COPY.to_owned(), |text, (gap, with)| text.replace(gap, with));
    let mut module = ir::parse(&text, "test").expect("the test's IR parses");
    let root = module.function("f").expect("the function exists");
    let c = Activity::Const;
    let activities = [Activity::Dup, c, c, c, c, c];
    let id = ad::gradient_of(&mut module, root, &activities, &Options { without, ..Options::default() })
        .expect("a gradient");
    let printed = module.to_string();
    let name = format!("@{}(", module.functions[id].name);
    let body =
        printed.lines().skip_while(|l| !(l.starts_with("define") && l.contains(&name))).take_while(|l| *l != "}");
    let lines: Vec<&str> = body.skip_while(|l| *l != "r.copy:").take_while(|l| !l.contains(" br ")).collect();
    let clear = lines.iter().position(|l| l.contains("store double 0.000000e+00")).expect("the store is reversed");
    // In shadow memory, and not in the adjoint of a value.
    let address = |line: &str| line.split("ptr ").nth(1).and_then(|p| p.split(',').next()).map(str::to_owned);
    let is_cell = |line: &&&str| {
        let at = address(line).unwrap_or_default();
        lines.iter().any(|l| l.contains(&format!("{at} = getelementptr")))
    };
    let loads = lines.iter().filter(|l| l.contains("= load double")).filter(is_cell).count();
    assert!(loads >= 2, "{lines:#?}");
    !lines[clear..].iter().filter(|l| l.contains("= load double")).any(|l| is_cell(&l))
}

fn once(copied: &Copied) -> bool {
    once_without(copied, Without::default())
}

#[test]
fn what_a_condition_compares_are_two_places() {
    assert!(once(&PLAIN));
    assert!(!once_without(&PLAIN, Without::default().and(Lever::Cells)));
    let strict = ["icmp sgt i64 %i, %j", "icmp ult i64 %i, %j", "icmp ugt i64 %j, %i", "icmp ne i64 %i, %j"];
    let loose = ["icmp sle i64 %i, %j", "icmp uge i64 %i, %j", "icmp eq i64 %i, %j"];
    for (condition, tells) in strict.map(|c| (c, true)).into_iter().chain(loose.map(|c| (c, false))) {
        assert_eq!(once(&Copied { condition, ..PLAIN }), tells, "{condition}");
        assert_eq!(once(&Copied { condition, otherwise: true, ..PLAIN }), !tells, "not {condition}");
    }
    assert!(!once(&Copied { condition: "icmp slt i64 %i, 7", ..PLAIN }), "something else is compared");
}

#[test]
fn several_conditions_tell_more_if_all_hold() {
    let before = "%lt = icmp slt i64 %i, %j";
    let both = |condition| Copied { before, condition, ..PLAIN };
    assert!(once(&both("and i1 %flag, %lt")) && once(&both("select i1 %lt, i1 %flag, i1 false")));
    assert!(!once(&both("or i1 %flag, %lt")) && !once(&both("select i1 %lt, i1 true, i1 %flag")));
    assert!(!once(&Copied { otherwise: true, ..both("and i1 %flag, %lt") }));
}

#[test]
fn a_distance_is_told_by_what_is_not_zero() {
    let at = |condition, indices| Copied { condition, indices, places: ("%i", "%k"), ..PLAIN };
    let further = "%k = add nsw i64 %i, %j";
    for condition in
        ["icmp sgt i64 %j, 0", "icmp ne i64 %j, 0", "icmp sgt i64 %j, 5", "icmp slt i64 %j, -1", "icmp sge i64 %j, 1"]
    {
        assert!(once(&at(condition, further)), "{condition}");
    }
    for condition in ["icmp sge i64 %j, 0", "icmp sgt i64 %j, -1", "icmp slt i64 %j, 3", "icmp sgt i64 %i, 0"] {
        assert!(!once(&at(condition, further)), "{condition}");
    }
    assert!(!once(&at("icmp sgt i64 %j, 0", "%k = add i64 %i, %j")), "the sum may go round");
    // As much as one further, or less.
    assert!(!once(&at("icmp ne i64 %i, %j", "%k = add nsw i64 %j, 1")));
    assert!(once(&at(
        "icmp ne i64 %i, %j",
        "%t = mul nsw i64 %j, 2\n  %s = mul nsw i64 %i, -1\n  %k = add nsw i64 %t, %s"
    )));
    let half = Copied { unit: "float", ..PLAIN };
    assert!(!once(&half), "the places overlap");
    let pairs = "%p = shl nsw i64 %i, 1\n  %q = shl nsw i64 %j, 1\n  %k = or disjoint i64 %q, 1";
    assert!(!once(&Copied { indices: pairs, places: ("%p", "%k"), unit: "float", ..PLAIN }), "four bytes of eight");
    assert!(once(&Copied { indices: pairs, places: ("%p", "%k"), ..PLAIN }));
}

#[test]
fn a_narrow_number_is_another_one_when_it_is_widened() {
    let at = |widened: &'static str| Copied {
        condition: "icmp ne i32 %a, %b",
        indices: widened,
        places: ("%k", "%l"),
        ..PLAIN
    };
    assert!(once(&at("%k = sext i32 %a to i64\n  %l = sext i32 %b to i64")));
    assert!(once(&at("%k = zext nneg i32 %a to i64\n  %l = zext nneg i32 %b to i64")));
    assert!(!once(&at("%k = sext i32 %a to i64\n  %l = zext i32 %b to i64")));
    assert!(!once(&at("%m = trunc i32 %a to i8\n  %o = trunc i32 %b to i8\n  %k = zext nneg i8 %m to i64\n  \
         %l = zext nneg i8 %o to i64")));
}
