//! Which sums of neighbouring iterations wait for their cell, seen in the text of the gradient. That the answers are
//! the same is the business of the corpus (`neighbours_added_first.c`).

use ad::{Activity, Lever, Options, Without};

/// `y[i] = ` a product of cells of `x`, or what else is there, for `i` in steps.
const STENCIL: &str = r#"
declare double @sin(double)
declare void @other(ptr)
define void @f(ptr %y, ptr %x, i64 %n, i64 %w) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %i.next, %loop ]
  BODY
  %to = getelementptr inbounds UNIT, ptr OUT, i64 %i
  store double %v, ptr %to, align 8
  %i.next = add nuw nsw i64 %i, STEP
  %done = icmp sge i64 %i.next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}
"#;

struct Stencil<'a> {
    /// Bytes from the first cell that an iteration reads.
    cells: &'a [i64],
    unit: &'a str,
    /// The other array has that unit, too.
    both: bool,
    step: &'a str,
    out: &'a str,
    also: &'a str,
}

const PLAIN: Stencil = Stencil { cells: &[-8, 0, 8], unit: "double", both: false, step: "1", out: "%y", also: "" };

/// How the sums of a gradient wait: not at all, or in a loop; and there beside a copy in which they do not.
#[derive(PartialEq, Eq, Debug)]
enum Wait {
    Never,
    Always,
    IfApart,
}
use Wait::{Always, IfApart, Never};

fn wait(stencil: &Stencil, without: Without) -> Wait {
    waits(stencil, without).0
}

/// The same, and the choices of places that depend on how many iterations there have been.
fn waits(stencil: &Stencil, without: Without) -> (Wait, Vec<String>) {
    let mut body = format!("%at = getelementptr inbounds {}, ptr %x, i64 %i\n", stencil.unit);
    let mut product = "1.0".to_owned();
    for (n, cell) in stencil.cells.iter().enumerate() {
        body +=
            &format!("  %p{n} = getelementptr i8, ptr %at, i64 {cell}\n  %x{n} = load double, ptr %p{n}, align 8\n");
        body += &format!("  %m{n} = fmul double {product}, %x{n}\n");
        product = format!("%m{n}");
    }
    body += stencil.also;
    body += &format!("\n  %v = fadd double {product}, 0.0");
    let text = STENCIL.replace("BODY", &body).replace("STEP", stencil.step).replace("OUT", stencil.out);
    let text = text.replace("UNIT", if stencil.both { stencil.unit } else { "double" });
    let mut module = ir::parse(&text, "test").expect("the test's IR parses");
    let root = module.function("f").expect("the function exists");
    let activities = [Activity::Dup, Activity::Dup, Activity::Const, Activity::Const];
    // Each iteration is reversed in the loop's own function.
    let without = without.and(Lever::Maps);
    let id = ad::gradient_of(&mut module, root, &activities, &Options { without, ..Options::default() })
        .expect("it is differentiated");
    let names: Vec<&str> =
        module.functions[id].layout.iter().map(|b| module.functions[id].blocks[*b].name.as_str()).collect();
    let entered = names.iter().any(|name| name.ends_with(".enter"));
    let wait = match names.iter().any(|name| name.ends_with(".met")) {
        true => IfApart,
        false if entered => Always,
        false => Never,
    };
    let printed = module.to_string();
    let name = format!("@{}(", module.functions[id].name);
    let define = |line: &&str| line.starts_with("define") && line.contains(&name);
    let body = printed.lines().skip_while(|l| !define(l)).take_while(|l| *l != "}");
    (wait, body.filter(|l| l.contains("icmp ugt i64")).map(str::to_owned).collect())
}

fn all(stencil: &Stencil) -> Wait {
    wait(stencil, Without::default())
}

#[test]
fn neighbours_wait_if_the_arrays_turn_out_to_be_apart() {
    assert_eq!(all(&PLAIN), IfApart);
    assert_eq!(wait(&PLAIN, Without::default().and(Lever::Alignment)), Never);
    assert_eq!(all(&Stencil { cells: &[0, 8], ..PLAIN }), IfApart);
    assert_eq!(all(&Stencil { cells: &[8, 0, -16, -8], ..PLAIN }), IfApart);
}

#[test]
fn one_cell_of_an_iteration_has_nothing_to_wait_for() {
    assert_eq!(all(&Stencil { cells: &[0], ..PLAIN }), Never);
}

#[test]
fn cells_between_may_be_left_out() {
    assert_eq!(all(&Stencil { cells: &[-8, 8], ..PLAIN }), IfApart);
    assert_eq!(all(&Stencil { cells: &[-8, 0, 16], ..PLAIN }), IfApart);
    assert_eq!(all(&Stencil { cells: &[0, 32], ..PLAIN }), Never, "too many");
    assert_eq!(all(&Stencil { cells: &[0, 8, 800], ..PLAIN }), IfApart, "the last one does not wait");
    assert_eq!(all(&Stencil { cells: &[0, 800], ..PLAIN }), Never);
    // The cell between has been added to if there has been more than one iteration.
    let begun = |cells| waits(&Stencil { cells, ..PLAIN }, Without::default()).1;
    let two = begun(&[-8, 8]);
    assert!(two.len() == 1 && two[0].ends_with(", 1"), "{two:?}");
    assert!(begun(&[-8, 0, 8]).is_empty());
}

#[test]
fn cells_are_whole_strides_apart() {
    assert_eq!(all(&Stencil { cells: &[0, 8], step: "2", ..PLAIN }), Never, "they are never the same");
    assert_eq!(all(&Stencil { cells: &[0, 16], step: "2", ..PLAIN }), IfApart);
    assert_eq!(all(&Stencil { cells: &[0, 8, 16], step: "2", ..PLAIN }), IfApart, "two of three");
    assert_eq!(all(&Stencil { cells: &[0, 4], unit: "float", both: true, ..PLAIN }), Never, "they overlap");
    assert_eq!(all(&Stencil { cells: &[0, 24], unit: "[3 x double]", both: true, ..PLAIN }), IfApart);
    assert_eq!(
        all(&Stencil { cells: &[0, 24], unit: "[3 x double]", ..PLAIN }),
        Never,
        "a stride of its own: of the other array it is not known how far it is"
    );
    assert_eq!(all(&Stencil { cells: &[0, 8], step: "%w", ..PLAIN }), Never, "nobody knows");
}

#[test]
fn what_an_iteration_writes_the_next_one_reads() {
    assert_eq!(all(&Stencil { out: "%x", ..PLAIN }), Never);
    assert_eq!(all(&Stencil { cells: &[16, 24], out: "%x", ..PLAIN }), Always, "the next ones do not");
    assert_eq!(all(&Stencil { cells: &[-8, 0], out: "%x", ..PLAIN }), Never);
    assert_eq!(all(&Stencil { cells: &[-16, -8], out: "%x", ..PLAIN }), Always, "those before are complete");
}

#[test]
fn others_touch_the_shadow() {
    let also = "\n  store double 2.0, ptr %y, align 8";
    assert_eq!(all(&Stencil { also, ..PLAIN }), Never, "a cell that does not move");
    let also = "\n  %s = call double @sin(double %x0)\n  %q = getelementptr double, ptr %y, i64 %i\n  \
        store double %s, ptr %q, align 8";
    assert_eq!(all(&Stencil { also, ..PLAIN }), IfApart);
}

#[test]
fn an_iteration_that_is_executed_when_it_is_reversed_is_written_out_if_sums_can_wait() {
    let calls = |offset: i64| {
        let text = format!(
            "declare double @sin(double)\ndefine void @f(ptr noalias %y, ptr noalias %x, i64 %n) {{\nentry:\n  \
             br label %loop\nloop:\n\
             %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]\n  %at = getelementptr inbounds double, ptr %x, i64 %i\n\
             %next = getelementptr inbounds i8, ptr %at, i64 {offset}\n  %a = load double, ptr %at, align 8\n\
             %b = load double, ptr %next, align 8\n  %s = call double @sin(double %a)\n  %v = fmul double %s, %b\n\
             %to = getelementptr inbounds double, ptr %y, i64 %i\n  store double %v, ptr %to, align 8\n\
             %i.next = add nuw nsw i64 %i, 1\n  %done = icmp eq i64 %i.next, %n\n  \
             br i1 %done, label %end, label %loop\n\
             end:\n  ret void\n}}\n"
        );
        let mut module = ir::parse(&text, "test").expect("the test's IR parses");
        let root = module.function("f").expect("the function exists");
        let activities = [Activity::Dup, Activity::Dup, Activity::Const];
        ad::gradient_of(&mut module, root, &activities, &Options::default()).expect("it is differentiated");
        let printed = module.to_string();
        let mut lines = printed.lines().filter(|l| l.contains("@__adj_joint_"));
        (lines.clone().any(|l| l.contains("call ")), lines.any(|l| l.starts_with("define")))
    };
    assert_eq!(calls(8), (false, false), "nor is anything left of it");
    assert_eq!(calls(0), (true, true), "one cell");
}
