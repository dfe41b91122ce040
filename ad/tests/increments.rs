//! How threads add to the adjoints of what they load: which increments belong to one thread, which are summed up in
//! each thread first, and which have to be made in one piece. That the answers are right, and free of races, is the
//! business of the corpus (`corpus/parallel/openmp`).

use ad::{Activity, Lever, Mode, Options, Style, Without};

/// May `x` be what `z` is?
#[derive(Clone, Copy, PartialEq)]
enum Names {
    Apart,
    Any,
}

/// The same where all arrays are apart.
fn additions(body: &str) -> Vec<&'static str> {
    additions_to(Names::Apart, body)
}

/// A function with such a region. A thread has an index `%i` of its own.
fn region(names: Names, body: &str) -> ir::Module {
    let text = format!(
        "@place = global i32 0\n@number = global double 0.0\ndeclare void @__kmpc_fork_call(ptr, i32, ptr, ...)\n\
         declare void @__kmpc_barrier(ptr, i32)\ndeclare void @other(i64)\n\
         declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n\
         define internal void @body(ptr %gtid, ptr %btid, ptr noalias %x, ptr noalias %y, ptr noalias %p, ptr %z) {{\n\
         entry:\n  %g = load i32, ptr %gtid\n  %i = sext i32 %g to i64\n  %c = icmp sgt i32 %g, 3\n\
         {body}  ret void\n}}\n\
         define double @f(ptr noalias %x, ptr noalias %y, ptr noalias %p, ptr %z) {{\n  \
         call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr @place, i32 4, ptr @body, ptr %x, ptr %y, ptr %p, ptr %z)\
         \n  %r = load double, ptr %y\n  ret double %r\n}}\n"
    );
    let text = if names == Names::Any { text.replace("ptr noalias %x", "ptr %x") } else { text };
    ir::parse(&text, "test").expect("the test's IR parses")
}

/// How the adjoint of each load `%v…` of a region is added to, in the order of the loads.
fn additions_to(names: Names, body: &str) -> Vec<&'static str> {
    let m = region(names, body);
    let f = m.function("f").expect("f is there");
    let explained = ad::explain::explain(&m, f, &[Activity::Dup; 4], (Mode::Reverse, Style::default()));
    let explained = explained.expect("it has a gradient");
    let decisions = explained.iter().filter(|function| function.name == "body").flat_map(|f| &f.decisions);
    let loads = decisions.filter(|decision| decision.text.trim_start().starts_with("%v"));
    let how = |fate: &[String]| {
        let told = fate.iter().find(|text| text.starts_with("its adjoint"));
        match told.map(String::as_str).unwrap_or_default() {
            text if text.contains("only one") => "owned",
            text if text.contains("no other thread finds") => "private",
            text if text.contains("summed up") => "summed",
            text if text.contains("each thread gathers it") => "gathered",
            text if text.contains("in one piece: other") => "atomic",
            _ => "none",
        }
    };
    loads.map(|decision| how(&decision.fate)).collect()
}

/// The address of `array[scale * i + at]`.
fn at(name: &str, array: &str, scale: i64, at: i64) -> String {
    format!(
        "  {name}.s = mul nsw i64 %i, {scale}\n  {name}.i = add nsw i64 {name}.s, {at}\n  \
         {name} = getelementptr inbounds double, ptr {array}, i64 {name}.i\n"
    )
}

/// A load `%v{n}` of that, and its square `%w{n}`.
fn load(n: usize, array: &str, scale: i64, offset: i64) -> String {
    format!(
        "{}  %v{n} = load double, ptr %a{n}\n  %w{n} = fmul double %v{n}, %v{n}\n",
        at(&format!("%a{n}"), array, scale, offset)
    )
}

/// A store of the square of load `n`.
fn store(n: usize, array: &str, scale: i64, offset: i64) -> String {
    format!("{}  store double %w{n}, ptr %s{n}\n", at(&format!("%s{n}"), array, scale, offset))
}

#[test]
fn who_writes_an_element_is_the_only_one_that_reads_its_neighbour() {
    // y[i] = x[i]², at whatever distance.
    assert_eq!(additions(&(load(1, "%x", 1, 0) + &store(1, "%y", 1, 0))), ["owned"]);
    assert_eq!(additions(&(load(1, "%x", 1, 5) + &store(1, "%y", 1, -2))), ["owned"]);
    // The store may come first.
    let first = "  store double 1.0, ptr %s0\n";
    let before = at("%s0", "%y", 1, 0) + first + &load(1, "%x", 1, 0) + "  store volatile double %w1, ptr %p\n";
    assert_eq!(additions(&before), ["owned"]);
    // Elements that two threads read: one as its own, and one as its neighbour's.
    let stencil = load(1, "%x", 1, 0) + &load(2, "%x", 1, 1) + &store(1, "%y", 1, 0) + &store(2, "%y", 1, 100);
    assert_eq!(additions(&stencil), ["gathered", "gathered"]);
    // Members of records are different bytes.
    let members = load(1, "%x", 2, 0) + &load(2, "%x", 2, 1) + &store(1, "%y", 2, 0) + &store(2, "%y", 2, 1);
    assert_eq!(additions(&members), ["owned", "owned"]);
}

#[test]
fn where_nothing_is_written_nobody_owns_what_is_read() {
    let volatile = "  store volatile double %w1, ptr %p\n";
    assert_eq!(additions(&(load(1, "%x", 1, 0) + volatile)), ["gathered"]);
    // By another index.
    let other = "  %j = mul nsw i64 %i, %i\n  %q = getelementptr inbounds double, ptr %y, i64 %j\n  \
                 store double %w1, ptr %q\n";
    assert_eq!(additions(&(load(1, "%x", 1, 0) + other)), ["gathered"]);
    // In another phase, or on some of the ways only.
    let barrier = "  call void @__kmpc_barrier(ptr @place, i32 %g)\n";
    assert_eq!(additions(&(load(1, "%x", 1, 0) + barrier + &store(1, "%y", 1, 0))), ["gathered"]);
    let branch = load(1, "%x", 1, 0)
        + "  br i1 %c, label %then, label %end\nthen:\n"
        + &store(1, "%y", 1, 0)
        + "  br label %end\nend:\n";
    assert_eq!(additions(&branch), ["gathered"]);
    // In both arms it is on all ways.
    let arms = load(1, "%x", 1, 0)
        + "  br i1 %c, label %then, label %else\nthen:\n"
        + &store(1, "%y", 1, 0)
        + "  br label %end\nelse:\n"
        + &store(1, "%y", 1, 0).replace("%s1", "%e1")
        + "  br label %end\nend:\n";
    assert_eq!(additions(&arms), ["owned"]);
}

#[test]
fn one_array_under_two_names() {
    let unused = |n: usize| format!("  store volatile double %w{n}, ptr %p\n");
    // What a thread overwrites, nobody else reads in that phase, by whatever name.
    let own = load(1, "%x", 1, 0) + &store(1, "%x", 1, 0) + &load(2, "%z", 1, 3) + &unused(2);
    assert_eq!(additions_to(Names::Any, &own), ["owned", "owned"]);
    // What is owned by an element of another array is another thread's by the other name, if it is the same.
    let two = load(1, "%z", 1, 0) + &load(2, "%x", 1, 3) + &store(1, "%y", 1, 0) + &unused(2);
    assert_eq!(additions_to(Names::Any, &two), ["gathered", "gathered"]);
    assert_eq!(additions_to(Names::Apart, &two), ["owned", "owned"]);
}

#[test]
fn what_all_read_is_summed_in_each_thread() {
    let read = "  %v1 = load double, ptr %p\n  %w1 = fmul double %v1, %v1\n";
    let used = read.to_owned() + &store(1, "%y", 1, 0);
    assert_eq!(additions(&used), ["summed"]);
    let variable = used.replace("ptr %p", "ptr @number");
    assert_eq!(additions(&variable), ["none"], "a variable without a shadow is constant");
    // Where a thread writes, none may wait.
    let written =
        used + "  br i1 %c, label %then, label %end\nthen:\n  store double 2.0, ptr %p\n  br label %end\nend:\n";
    assert_eq!(additions(&written), ["gathered"]);
}

#[test]
fn what_only_one_thread_finds_is_private() {
    let own =
        "  %m = alloca [2 x double]\n  %mi = and i64 %i, 1\n  %o = getelementptr inbounds double, ptr %m, i64 %mi\n";
    let through = load(1, "%x", 1, 0)
        + own
        + "  store double %w1, ptr %o\n  %v2 = load double, ptr %m\n  %w2 = fmul double %v2, %v2\n"
        + &store(2, "%y", 1, 0);
    assert_eq!(additions(&through), ["owned", "private"]);
}

/// A loop around such an addition is no faster than its loads from the tape, if LLVM has to take them for changed.
#[test]
fn additions_in_one_piece_are_said_to_reach_no_record() {
    let said = |name: &str, without: Without| {
        let mut m = region(Names::Apart, &(load(1, "%x", 1, 0) + "  store volatile double %w1, ptr %p\n"));
        let f = m.function("f").expect("f is there");
        let options = Options { without, ..Options::default() };
        ad::gradient_of(&mut m, f, &[Activity::Dup; 4], &options).expect("it has a gradient");
        let text = m.to_string();
        let calls: Vec<&str> = text.lines().filter(|line| line.contains(&format!("call void @{name}("))).collect();
        assert!(!calls.is_empty(), "{text}");
        calls.iter().filter(|call| call.contains("!alias.scope") && call.contains("!noalias")).count() == calls.len()
    };
    let all = Without::default();
    let in_one_piece = all.and(Lever::Gathering);
    for (name, without) in [("__adj_gather_double", all), ("__adj_add_double", in_one_piece)] {
        assert!(said(name, without), "{name}");
        assert!(!said(name, without.and(Lever::AliasScopes)), "{name}");
    }
}

/// A thread may keep what it adds as long as nobody looks, and it has to know who might.
#[test]
fn what_is_written_by_more_than_plain_stores_is_not_gathered() {
    let read = load(1, "%x", 1, 0) + "  store volatile double %w1, ptr %p\n";
    assert_eq!(additions(&read), ["gathered"]);
    let also = |written: &str| additions(&(read.clone() + written));
    assert_eq!(also("  store double 2.0, ptr %x\n"), ["gathered"], "the store settles");
    assert_eq!(also("  store volatile double 2.0, ptr %x\n"), ["atomic"]);
    assert_eq!(also("  call void @llvm.memset.p0.i64(ptr %x, i8 0, i64 16, i1 false)\n"), ["atomic"]);
    assert_eq!(also("  call void @llvm.memset.p0.i64(ptr %y, i8 0, i64 16, i1 false)\n"), ["gathered"]);
    // What orders threads in a way that is not reversed.
    assert_eq!(also("  fence seq_cst\n"), ["atomic"]);
    // Only where it is aligned is it found among a thread's sums.
    assert_eq!(additions(&read.replace("double, ptr %a1", "double, ptr %a1, align 4")), ["atomic"]);
}
