//! Which loops over the caller's arrays are executed when they are reversed, seen in the text of the gradient. That the
//! answers are the same, with arrays that overlap or not, is the business of the corpus (`maps_of_arrays.c`).

use ad::{Activity, Lever, Options, Without};

/// `out[STORE] = sin(in[LOAD])²` for `i` from 0 to `n`; `BEHIND` is what comes after.
const MAP: &str = r#"
declare double @sin(double)
define void @f(ptr OUT %out, ptr IN %in, ptr %index, i64 %n, i64 %k) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %enter, label %end
enter:
  br label %loop
loop:
  %i = phi i64 [ 0, %enter ], [ %i.next, %loop ]
  %from = getelementptr inbounds double, ptr %in, i64 LOAD
  %x = load double, ptr %from, align 8
  %y = call double @sin(double %x)
  %square = fmul double %y, %y
  %to = getelementptr inbounds double, ptr %out, i64 STORE
  store double %square, ptr %to, align 8
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %left, label %loop
left:
  BEHIND
  br label %end
end:
  ret void
}
"#;

#[derive(Clone, Copy)]
struct Map {
    out: &'static str,
    input: &'static str,
    load: &'static str,
    store: &'static str,
    behind: &'static str,
    /// What is computed before the address of the load.
    before: &'static str,
}

const PLAIN: Map = Map { out: "", input: "", load: "%i", store: "%i", behind: "", before: "" };

/// How the iterations of a loop are reversed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum How {
    /// The loop runs forwards, and is reversed later.
    Later,
    /// An iteration is executed and reversed at once.
    AtOnce,
    /// One or the other, as is found where the loop is entered.
    AsFound,
}

fn how(map: &Map, without: Without) -> How {
    let gaps = [
        ("ptr OUT", if map.out.is_empty() { "ptr" } else { "ptr noalias" }),
        ("ptr IN", if map.input.is_empty() { "ptr" } else { "ptr noalias" }),
        ("  %from", &format!("  {}\n  %from", map.before)),
        ("LOAD", map.load),
        ("STORE", map.store),
        ("BEHIND", map.behind),
    ];
    let text = gaps.iter().fold(MAP.to_owned(), |text, (gap, with)| text.replace(gap, with));
    let mut module = ir::parse(&text, "test").expect("the test's IR parses");
    let root = module.function("f").expect("the function exists");
    let activities = [Activity::Dup, Activity::Dup, Activity::Const, Activity::Const, Activity::Const];
    let options = Options { without, ..Options::default() };
    let id = ad::gradient_of(&mut module, root, &activities, &options).expect("it is differentiated");
    let printed = module.to_string();
    let name = format!("@{}(", module.functions[id].name);
    let define = |line: &&str| line.starts_with("define") && line.contains(&name);
    let body: Vec<&str> = printed.lines().skip_while(|l| !define(l)).take_while(|l| *l != "}").collect();
    // In which pass is it executed? Blocks of the forward pass begin with `f.`, those of the reverse with `r.`, where
    // it may be a call.
    let (mut label, mut forwards, mut at_once) = ("", false, false);
    for line in &body {
        if let Some((name, _)) = line.split_once(':').filter(|_| !line.starts_with(' ')) {
            label = name;
        }
        let executed = line.contains("call") && line.contains("@sin(");
        forwards |= executed && label.starts_with("f.");
        at_once |= executed && label.starts_with("r.") || line.contains("call") && line.contains("@__adj_joint_");
    }
    match (forwards, at_once) {
        (true, false) => How::Later,
        (false, true) => How::AtOnce,
        (true, true) => How::AsFound,
        (false, false) => panic!("{printed}"),
    }
}

#[test]
fn arrays_may_overlap_unless_the_program_tells() {
    let all = Without::default();
    assert_eq!(how(&PLAIN, all), How::AsFound);
    assert_eq!(how(&Map { out: "noalias", ..PLAIN }, all), How::AtOnce);
    assert_eq!(how(&PLAIN, all.and(Lever::Maps)), How::Later);
}

#[test]
fn an_iteration_may_write_what_another_one_writes() {
    let apart = Map { out: "noalias", ..PLAIN };
    assert_eq!(how(&Map { store: "0", ..apart }, Without::default()), How::Later, "always the same cell");
    assert_eq!(how(&Map { store: "%k", ..apart }, Without::default()), How::Later, "always the same cell");
    // Bytes of two iterations' cells overlap.
    let half = "%half = lshr i64 %i, 1";
    assert_eq!(how(&Map { store: "%half", before: half, ..apart }, Without::default()), How::Later);
    // A stride that is known at run time may be zero.
    let scaled = "%scaled = mul nsw i64 %i, %k";
    assert_eq!(how(&Map { store: "%scaled", before: scaled, ..apart }, Without::default()), How::AsFound);
}

#[test]
fn an_iteration_may_read_what_another_one_writes() {
    let same = |load| Map { out: "noalias", load, before: "%next = add nsw i64 %i, 1", ..PLAIN };
    assert_eq!(how(&same("%i"), Without::default()), How::AtOnce);
    // The address is not told by the counter.
    let gather = "%p = getelementptr inbounds i64, ptr %index, i64 %i\n  %at = load i64, ptr %p, align 8";
    assert_eq!(how(&Map { load: "%at", before: gather, ..PLAIN }, Without::default()), How::Later);
    assert_eq!(how(&Map { load: "%at", before: gather, out: "noalias", ..PLAIN }, Without::default()), How::AtOnce);
}

#[test]
fn nothing_behind_the_loop_may_see_that_it_has_not_run() {
    let behind = |behind| how(&Map { out: "noalias", behind, ..PLAIN }, Without::default());
    assert_eq!(behind("%o = load double, ptr %out, align 8\n  store double %o, ptr %in, align 8"), How::Later);
    assert_eq!(behind("store double 0.0, ptr %out, align 8"), How::Later);
    assert_eq!(behind("store double 0.0, ptr %in, align 8"), How::Later);
    assert_eq!(behind("%o = load i64, ptr %index, align 8\n  store i64 %o, ptr %index, align 8"), How::Later);
    assert_eq!(behind("%o = load double, ptr %in, align 8\n  %p = fmul double %o, 2.0"), How::AtOnce);
}
