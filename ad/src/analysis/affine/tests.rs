//! Addresses in a nest of two loops: `i` from 0 to `n`, and in it `j` from 0 to `m`.

use crate::analysis::affine::{Address, Addresses, End};
use crate::analysis::loops::induction;
use crate::analysis::testing::{Small, named, value};
use crate::base::regions::Shape;
use crate::mode::Activity;
use ir::Operand;

/// Asks about addresses that the body of the inner loop computes; `to` ends the inner loop.
fn ask<T>(body: &str, to: &str, question: impl FnOnce(&Addresses, &dyn Fn(&str) -> Option<Address>) -> T) -> T {
    let text = format!(
        "define void @f(ptr %x, ptr %y, i64 %n, i64 %m, i32 %k) {{\nentry:\n  br label %outer\nouter:\n  \
         %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]\n  br label %inner\ninner:\n  \
         %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]\n  %j32 = phi i32 [ 0, %outer ], [ %j32.next, %inner ]\n\
         {body}  %j.next = add nuw nsw i64 %j, 1\n  %j32.next = add nsw i32 %j32, 1\n  \
         %more = icmp ne i64 %j.next, {to}\n  br i1 %more, label %inner, label %latch\nlatch:\n  \
         %i.next = add nuw nsw i64 %i, 1\n  %again = icmp ne i64 %i.next, %n\n  \
         br i1 %again, label %outer, label %end\nend:\n  ret void\n}}\n"
    );
    let activities = [Activity::Dup, Activity::Dup, Activity::Const, Activity::Const, Activity::Const];
    let small = Small::new(&text, &activities);
    let cx = small.cx();
    let shape = Shape::new(cx.m, cx.func).expect("it is reducible");
    let counters = induction::all(&cx, &shape);
    let addresses = Addresses { cx: &cx, shape: &shape, counters: &counters, of: None };
    question(&addresses, &|name| addresses.address(value(cx.func, name)))
}

/// The element `%name` of an array of doubles, of an index that the lines before compute.
fn element(name: &str, array: &str, lines: &str, index: &str) -> String {
    format!("{lines}  %{name} = getelementptr inbounds double, ptr {array}, i64 {index}\n")
}

/// `x[a·i + b·j + c]`
fn linear(name: &str, [a, b, c]: [i64; 3]) -> String {
    let lines = format!(
        "  %{name}.a = mul nsw i64 %i, {a}\n  %{name}.b = mul nsw i64 %j, {b}\n  \
         %{name}.s = add nsw i64 %{name}.a, %{name}.b\n  %{name}.t = add nsw i64 %{name}.s, {c}\n"
    );
    element(name, "%x", &lines, &format!("%{name}.t"))
}

/// Bytes behind the base, strides in order, and factors of products.
fn form(of: &Address) -> (i64, Vec<i64>, Vec<(i64, usize)>) {
    let mut strides: Vec<i64> = of.counters.iter().map(|(stride, _)| *stride).collect();
    strides.sort_unstable();
    (of.at, strides, of.products.iter().map(|(stride, _)| (stride.bytes, stride.times.len())).collect())
}

#[test]
fn sums_of_counters_are_taken_apart() {
    let plain = linear("p", [6, -2, 5]);
    assert_eq!(ask(&plain, "%m", |_, at| form(&at("p").unwrap())), (40, vec![-16, 48], vec![]));
    // A number that no loop changes is a factor.
    let rows = element("p", "%x", "  %r = mul nsw i64 %i, %m\n  %s = add nsw i64 %r, %j\n", "%s");
    assert_eq!(ask(&rows, "%m", |_, at| form(&at("p").unwrap())), (0, vec![8], vec![(8, 1)]));
    // Added, it moves all.
    let moved = element("p", "%x", "  %s = add nsw i64 %j, %m\n", "%s");
    assert!(ask(&moved, "%m", |_, at| at("p").unwrap().shifted));
    // Of a product of counters nothing is known.
    let product = element("p", "%x", "  %s = mul nsw i64 %i, %j\n", "%s");
    assert!(ask(&product, "%m", |_, at| at("p").is_none()));
}

#[test]
fn a_narrow_sum_is_one_only_where_it_is_promised_not_to_go_round() {
    let narrow = |add: &str, widen: &str| {
        element("p", "%x", &format!("  %s = {add} i32 %j32, 7\n  %w = {widen} i32 %s to i64\n"), "%w")
    };
    let is_known = |body: &str| ask(body, "%m", |_, at| at("p").map(|a| form(&a)));
    let sum = Some((56, vec![8], vec![]));
    assert_eq!(is_known(&narrow("add nsw", "sext")), sum);
    assert_eq!(is_known(&narrow("add nuw", "zext")), sum);
    assert_eq!(is_known(&narrow("add", "sext")), None);
    // Promised for the other reading.
    assert_eq!(is_known(&narrow("add nuw", "sext")), None);
    assert_eq!(is_known(&narrow("add nsw", "zext")), None);
}

#[test]
fn accesses_whose_distance_no_counter_makes_good_never_meet() {
    let meet = |one: [i64; 3], other: [i64; 3], size: u64| {
        let body = linear("p", one) + &linear("q", other);
        ask(&body, "%m", |addresses, at| !addresses.never_meet((&at("p").unwrap(), size), (&at("q").unwrap(), size)))
    };
    // Even and odd elements, also in two executions of the loops.
    assert!(!meet([2, 4, 0], [2, 4, 1], 8));
    assert!(!meet([2, 0, 0], [0, 4, 1], 8));
    assert!(meet([2, 4, 0], [2, 4, 2], 8));
    assert!(meet([2, 0, 0], [0, 3, 1], 8));
    // Two neighbours at once.
    assert!(meet([2, 4, 0], [2, 4, 1], 16));
    assert!(!meet([4, 4, 0], [4, 4, 2], 16));
    // Without counters.
    assert!(!meet([0, 0, 0], [0, 0, 1], 8));
    assert!(meet([0, 0, 1], [0, 0, 1], 8));
    // Of another array it is not told here.
    let arrays = linear("p", [2, 0, 0]) + &linear("q", [2, 0, 1]).replace("%x", "%y");
    assert!(ask(&arrays, "%m", |a, at| !a.never_meet((&at("p").unwrap(), 8), (&at("q").unwrap(), 8))));
    // Nor where something is added that is not known.
    let shifted = linear("p", [2, 0, 0]) + &linear("q", [2, 0, 1]).replace("i64 %q.s, 1", "i64 %q.s, %m");
    assert!(ask(&shifted, "%m", |a, at| !a.never_meet((&at("p").unwrap(), 8), (&at("q").unwrap(), 8))));
}

#[test]
fn counters_run_over_intervals() {
    let interval = |to: &str| {
        ask(&linear("p", [1, 1, 0]), to, |addresses, _| {
            let Operand::Local(j) = value(addresses.cx.func, "j") else { unreachable!("it is no constant") };
            let block = addresses.shape.block(named(addresses.cx.func, "p")).expect("it is in a block");
            let found = addresses.interval(j, false, block).expect("it is counted");
            (found.from, found.nonempty, found.to)
        })
    };
    // The loop is entered before its counter is compared.
    assert!(matches!(interval("12"), (0, true, End::Number(12))));
    assert!(matches!(interval("%m"), (0, true, End::Value(bound, 0)) if bound.reading.is_none()));
}

#[test]
fn addresses_of_mixed_radix_are_spread() {
    let spread = |body: &str, to: &str, size: u64| {
        ask(body, to, |addresses, at| {
            let block = addresses.shape.block(named(addresses.cx.func, "p")).expect("it is in a block");
            addresses.spreads(&at("p").unwrap(), (size, block), None).is_some()
        })
    };
    let rows = element("p", "%x", "  %r = mul nsw i64 %i, %m\n  %s = add nsw i64 %r, %j\n", "%s");
    // A row has `m` elements, or eight.
    assert!(spread(&linear("p", [8, 1, 0]), "8", 8));
    assert!(spread(&linear("p", [8, 1, 0]), "5", 8));
    assert!(!spread(&linear("p", [8, 1, 0]), "9", 8), "the ninth element is the next row's first");
    assert!(!spread(&linear("p", [8, 1, 0]), "%m", 8));
    assert!(!spread(&linear("p", [8, 1, 0]), "8", 16), "elements overlap");
    assert!(spread(&rows, "%m", 8));
    assert!(!spread(&rows, "%n", 8), "a row is longer than its stride, if n is more than m");
    // Only one counter moves.
    assert!(!spread(&linear("p", [0, 1, 0]), "8", 8));
}
