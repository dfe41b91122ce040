//! The faults, each with a program in which it matters.

use crate::{Fault, Row, X, Z};
use adjudicate::judge::planted::Sums;
use interp::Forgets;

const fn lanes(what: Forgets, body: &'static str) -> Row {
    Row { fault: Fault::Lanes(what), body, around: "", right: 2.0 * X + 1.0, gap: [2.0 * X, 2.0 * Z] }
}

const fn taint(what: Forgets, body: &'static str) -> Row {
    Row { fault: Fault::Taint(what), ..lanes(what, body) }
}

const SAME: &str = "  %y = fmul double %x, 1.0";
/// Two combinations with a key, in between whatever takes `%k` to `%l`.
macro_rules! keyed {
    ($between:literal) => {
        concat!(
            "  %i = bitcast double %x to i64\n  %k = xor i64 %i, 1311768467463790320\n",
            $between,
            "\n  %o = xor i64 %l, 1311768467463790320\n  %y = bitcast i64 %o to double"
        )
    };
}
/// Through text.
const TEXT: &str = "  %text = alloca [64 x i8], align 1
  %n = call i32 (ptr, i64, ptr, ...) @snprintf(ptr %text, i64 64, ptr @format, double %x)
  %y = call double @strtod(ptr %text, ptr null)";
/// Memory of the function's own that somebody else has seen.
macro_rules! own {
    ($body:literal) => {
        concat!("  %m = alloca double, align 8\n  call void @seen(ptr %m)\n", $body)
    };
}
/// Two numbers of single precision.
macro_rules! single {
    ($body:literal) => {
        concat!(
            "  %h = fptrunc double %x to float\n  %m = alloca [2 x float], align 8\n  call void @seen(ptr %m)\n",
            $body,
            "\n  %y = fpext float %g to double"
        )
    };
}

/// Faults of the lanes.
pub fn of_lanes() -> Vec<Row> {
    use Forgets::*;
    const NOTHING: [f64; 2] = [0.0, 0.0];
    let stale = |row: Row| Row { right: 2.0 * X, gap: [2.0 * X + 1.0, 2.0 * Z], ..row };
    vec![
        Row { gap: NOTHING, ..lanes(Load, SAME) },
        lanes(IntegerLoad, "  %i = load i64, ptr %p, align 8\n  %y = bitcast i64 %i to double"),
        lanes(Bitcast, "  %i = bitcast double %x to i64\n  %y = bitcast i64 %i to double"),
        lanes(
            Parts,
            single!(
                "  store float %h, ptr %m, align 8\n  %m1 = getelementptr float, ptr %m, i64 1
  store float 1.0, ptr %m1, align 4\n  %w = load i64, ptr %m, align 8\n  %i = trunc i64 %w to i32
  %g = bitcast i32 %i to float"
            ),
        ),
        lanes(
            StoredParts,
            single!(
                "  %i = bitcast float %h to i32\n  %w = zext i32 %i to i64\n  %v = shl i64 %w, 32
  store i64 %v, ptr %m, align 8\n  %m1 = getelementptr float, ptr %m, i64 1\n  %g = load float, ptr %m1, align 4"
            ),
        ),
        lanes(
            Halves,
            single!(
                "  %i = bitcast float %h to i32\n  %w = zext i32 %i to i64\n  %v = shl i64 %w, 32
  %u = lshr i64 %v, 32\n  %t = trunc i64 %u to i32\n  %g = bitcast i32 %t to float"
            ),
        ),
        lanes(
            VectorCast,
            single!(
                "  %w = insertelement <2 x float> <float 0.0, float 1.0>, float %h, i64 0
  %v = bitcast <2 x float> %w to i64\n  %t = trunc i64 %v to i32\n  %g = bitcast i32 %t to float"
            ),
        ),
        lanes(Store, own!("  store double %x, ptr %m, align 8\n  %y = load double, ptr %m, align 8")),
        stale(lanes(
            StaleStore,
            own!(
                "  store double %x, ptr %m, align 8\n  store double 0.5, ptr %m, align 8\n  \
                 %y = load double, ptr %m, align 8"
            ),
        )),
        lanes(
            Copy,
            own!(
                "  call void @llvm.memcpy.p0.p0.i64(ptr %m, ptr %p, i64 8, i1 false)\n  \
                 %y = load double, ptr %m, align 8"
            ),
        ),
        stale(lanes(
            StaleCopy,
            own!(
                "  store double %x, ptr %m, align 8\n  call void @llvm.memcpy.p0.p0.i64(ptr %m, ptr @half, i64 8, i1 \
                 false)
  %y = load double, ptr %m, align 8"
            ),
        )),
        stale(lanes(
            StaleFill,
            own!(
                "  store double %x, ptr %m, align 8\n  call void @llvm.memset.p0.i64(ptr %m, i8 0, i64 8, i1 false)
  %y = load double, ptr %m, align 8"
            ),
        )),
        lanes(
            Realloc,
            "  %m = call ptr @malloc(i64 8)\n  store double %x, ptr %m, align 8\n  %n = call ptr @realloc(ptr %m, i64 \
             64)
  %y = load double, ptr %n, align 8\n  call void @free(ptr %n)",
        ),
        lanes(LibraryCopy, own!("  %c = call ptr @memcpy(ptr %m, ptr %p, i64 8)\n  %y = load double, ptr %m, align 8")),
        Row {
            around: "define i32 @order(ptr %a, ptr %b) {\n  %u = load double, ptr %a\n  %v = load double, ptr %b
  %c = fcmp ogt double %u, %v\n  %r = zext i1 %c to i32\n  ret i32 %r\n}\n",
            ..lanes(
                Sort,
                "  %m = alloca [2 x double], align 8\n  %m1 = getelementptr double, ptr %m, i64 1
  store double 2.0, ptr %m, align 8\n  store double %x, ptr %m1, align 8
  call void @qsort(ptr %m, i64 2, i64 8, ptr @order)\n  %y = load double, ptr %m, align 8",
            )
        },
        Row {
            around: "define double @g(ptr byval(double) align 8 %v) {\n  %r = load double, ptr %v, align 8\n  \
                ret double %r\n}\n",
            ..lanes(ByValue, "  %y = call double @g(ptr byval(double) align 8 %p)")
        },
        lanes(Select, "  %y = select i1 %none, double 0.0, double %x"),
        lanes(
            Phi,
            "  br i1 %none, label %else, label %join\nelse:\n  br label %join\njoin:
  %y = phi double [ %x, %start ], [ 0.0, %else ]",
        ),
        lanes(Freeze, "  %y = freeze double %x"),
        lanes(
            Extract,
            "  %i = zext i1 %none to i64\n  %w = insertelement <2 x double> zeroinitializer, double %x, i64 0
  %y = extractelement <2 x double> %w, i64 %i",
        ),
        lanes(
            Insert,
            "  %i = zext i1 %none to i64\n  %w = insertelement <2 x double> zeroinitializer, double %x, i64 %i
  %y = extractelement <2 x double> %w, i64 0",
        ),
        lanes(
            Members,
            "  %w = insertvalue { double, double } undef, double %x, 0\n  %y = extractvalue { double, double } %w, 0",
        ),
        lanes(Convert, "  %h = fptrunc double %x to float\n  %y = fpext float %h to double"),
        Row {
            around: "define double @g(double %v) {\n  ret double %v\n}\n",
            ..lanes(Argument, "  %y = call double @g(double %x)")
        },
        Row {
            around: "define double @g(ptr %v) {\n  %r = load double, ptr %v, align 8\n  ret double %r\n}\n",
            ..lanes(Return, "  %y = call double @g(ptr %p)")
        },
        Row {
            around: "define double @g(i32 %n, ...) \
                {\n  %l = alloca [24 x i8], align 16\n  call void @llvm.va_start.p0(ptr %l)
  %v = va_arg ptr %l, double\n  call void @llvm.va_end.p0(ptr %l)\n  ret double %v\n}\n",
            ..lanes(Variadic, "  %y = call double (i32, ...) @g(i32 1, double %x)")
        },
        lanes(
            AtomicLoad,
            own!("  store double %x, ptr %m, align 8\n  %y = load atomic double, ptr %m seq_cst, align 8"),
        ),
        lanes(
            AtomicStore,
            own!("  store atomic double %x, ptr %m seq_cst, align 8\n  %y = load double, ptr %m, align 8"),
        ),
        lanes(
            Exchange,
            own!(
                "  store double 0.0, ptr %m, align 8\n  %c = atomicrmw xchg ptr %m, double %x seq_cst, align 8
  %y = load double, ptr %m, align 8"
            ),
        ),
        lanes(
            CompareExchange,
            own!(
                "  store i64 0, ptr %m, align 8\n  %i = bitcast double %x to i64
  %c = cmpxchg ptr %m, i64 0, i64 %i seq_cst seq_cst, align 8\n  %y = load double, ptr %m, align 8"
            ),
        ),
        lanes(
            AtomicSum,
            own!(
                "  store double %x, ptr %m, align 8\n  %c = atomicrmw fadd ptr %m, double 1.0 seq_cst, align 8
  %y = load double, ptr %m, align 8"
            ),
        ),
        lanes(
            Masked,
            "  %w = call <2 x double> @llvm.masked.load.v2f64.p0(ptr %p, i32 8, <2 x i1> <i1 true, i1 true>, <2 x \
             double> zeroinitializer)
  %y = extractelement <2 x double> %w, i64 0",
        ),
        lanes(
            Constrained,
            "  %y = call double @llvm.experimental.constrained.fadd.f64(double %x, double 1.0, metadata \
             !\"round.tonearest\", metadata !\"fpexcept.strict\")",
        ),
        Row { gap: NOTHING, ..lanes(Sum, "  %y = fadd double %x, 1.0") },
        Row { right: 2.0 * X, gap: [X, Z], ..lanes(Factor, "  %y = fadd double 0.0, 1.0") },
        Row { right: 2.0 * X - 1.0 / (X * X), ..lanes(Divisor, "  %y = fdiv double 1.0, %x") },
        Row { right: 2.0 * X - 3.0, ..lanes(Negation, "  %n = fneg double %x\n  %y = fmul double 3.0, %n") },
        lanes(Fused, "  %y = call double @llvm.fma.f64(double 2.0, double 3.0, double %x)"),
        lanes(Function, "  %e = fsub double %x, 0.75\n  %y = call double @exp(double %e)"),
        lanes(
            CalledFunction,
            "  %e = fsub double %x, 0.75\n  %t = load ptr, ptr @table, align 8\n  %y = call double %t(double %e)",
        ),
        Row {
            right: 2.0 * X - 0.681_638_760_023_334_2,
            ..lanes(
                Outputs,
                "  %m = alloca double, align 8\n  %n = alloca double, align 8\n  call void @sincos(double %x, ptr %m, \
                 ptr %n)
  %y = load double, ptr %n, align 8",
            )
        },
        lanes(Pieces, "  %y = call double @llvm.maxnum.f64(double %x, double 0.0)"),
        Row { gap: NOTHING, ..lanes(Everything, SAME) },
    ]
}

/// Faults of the taint.
pub fn of_taint() -> Vec<Row> {
    use Forgets::*;
    const AROUND: &str = "define i64 @g(i64 %v) {\n  ret i64 %v\n}\n";
    vec![
        taint(Bits, keyed!("  %l = add i64 %k, 0")),
        taint(
            BitIntrinsic,
            "  %i = bitcast double %x to i64\n  %k = call i64 @llvm.bswap.i64(i64 %i)
  %o = call i64 @llvm.bswap.i64(i64 %k)\n  %y = bitcast i64 %o to double",
        ),
        taint(LibraryResult, TEXT),
        taint(LibraryWrites, TEXT),
        taint(LibraryReads, TEXT),
        taint(
            Kept,
            own!(
                "  %t = call ptr @tmpfile()\n  %w = call i64 @fwrite(ptr %p, i64 8, i64 1, ptr %t)
  call void @rewind(ptr %t)\n  %n = call i64 @fread(ptr %m, i64 8, i64 1, ptr %t)\n  %c = call i32 @fclose(ptr %t)
  %y = load double, ptr %m, align 8"
            ),
        ),
        taint(
            Condition,
            "  %i = bitcast double %x to i64\n  br label %bit\nbit:
  %n = phi i64 [ 0, %start ], [ %n1, %bit ]\n  %have = phi i64 [ 0, %start ], [ %more, %bit ]
  %here = lshr i64 %i, %n\n  %one = and i64 %here, 1\n  %set = icmp ne i64 %one, 0\n  %mask = shl i64 1, %n
  %got = select i1 %set, i64 %mask, i64 0\n  %more = or i64 %have, %got\n  %n1 = add i64 %n, 1
  %end = icmp eq i64 %n1, 64\n  br i1 %end, label %done, label %bit\ndone:\n  %y = bitcast i64 %more to double",
        ),
        // From 1/2 to 1 neighbours are 2^-53 apart.
        taint(
            FromInteger,
            "  %i = bitcast double %x to i64\n  %k = sub i64 %i, 4602678819172646912\n  %n = sitofp i64 %k to double
  %y = fmul double %n, 0x3CA0000000000000",
        ),
        taint(
            Load,
            own!(
                "  %i = bitcast double %x to i64\n  %k = xor i64 %i, 77\n  store i64 %k, ptr %m, align 8
  %l = load i64, ptr %m, align 8\n  %o = xor i64 %l, 77\n  %y = bitcast i64 %o to double"
            ),
        ),
        taint(
            Store,
            own!(
                "  %i = bitcast double %x to i64\n  %k = xor i64 %i, 77\n  store i64 %k, ptr %m, align 8
  %l = load i64, ptr %m, align 8\n  %o = xor i64 %l, 77\n  %y = bitcast i64 %o to double"
            ),
        ),
        taint(
            Copy,
            own!(
                "  %c = alloca i64, align 8\n  %i = bitcast double %x to i64\n  %k = xor i64 %i, 77
  store i64 %k, ptr %c, align 8\n  call void @llvm.memcpy.p0.p0.i64(ptr %m, ptr %c, i64 8, i1 false)
  %l = load i64, ptr %m, align 8\n  %o = xor i64 %l, 77\n  %y = bitcast i64 %o to double"
            ),
        ),
        taint(Select, keyed!("  %l = select i1 %none, i64 0, i64 %k")),
        taint(
            Phi,
            keyed!(
                "  br i1 %none, label %else, label %join\nelse:\n  br label %join\njoin:\n  \
                 %l = phi i64 [ %k, %start ], [ 0, %else ]"
            ),
        ),
        taint(Freeze, keyed!("  %l = freeze i64 %k")),
        Row { around: AROUND, ..taint(Argument, keyed!("  %l = call i64 @g(i64 %k)")) },
        Row { around: AROUND, ..taint(Return, keyed!("  %l = call i64 @g(i64 %k)")) },
        taint(
            Members,
            keyed!("  %w = insertvalue { i64, i64 } undef, i64 %k, 1\n  %l = extractvalue { i64, i64 } %w, 1"),
        ),
        taint(Bitcast, keyed!("  %l = add i64 %k, 0")),
        taint(
            Exchange,
            own!(
                "  %i = bitcast double %x to i64\n  %k = xor i64 %i, 77\n  store i64 0, ptr %m, align 8
  %c = atomicrmw xchg ptr %m, i64 %k seq_cst, align 8\n  %l = load i64, ptr %m, align 8\n  %o = xor i64 %l, 77
  %y = bitcast i64 %o to double"
            ),
        ),
    ]
}

/// Faults of sums, and of what they go by.
pub fn of_sums() -> Vec<Row> {
    const CUBE: &str = "  %c = fmul double %x, %x\n  %y = fmul double %c, %x";
    const STAIRS: &str =
        "  %b = fadd double %x, 0x3ED0000000000000\n  %c = fmul double %b, 0x40F0000000000000\n  %n = \
        fptosi double %c to i64
  %d = sitofp i64 %n to double\n  %y = fmul double %d, 0x3EF0000000000000";
    const NEAR: &str = "  %c = fsub double %x, 0x3FE8000020000000\n  %b = fcmp olt double %c, 0.0
  br i1 %b, label %less, label %join\nless:\n  %m = fneg double %c\n  br label %join
join:\n  %y = phi double [ %c, %start ], [ %m, %less ]";
    let row = |fault, right, gap| Row { fault, right, gap, ..lanes(Forgets::Everything, CUBE) };
    let cubic = 2.0 * X + 3.0 * X * X;
    let reference = |what, gap| row(Fault::Reference(what), cubic, gap);
    let differences = |what, gap| row(Fault::Differences(what), cubic, gap);
    vec![
        reference(Sums::FrozenInput, [cubic, 0.0]),
        reference(Sums::DroppedResult, [0.0, 0.0]),
        reference(Sums::DoubledQuotient, [2.0 * cubic, 4.0 * Z]),
        differences(Sums::UnseenResult, [0.0, 0.0]),
        differences(Sums::DoubledDifference, [2.0 * cubic, 4.0 * Z]),
        Row { body: STAIRS, right: 2.0 * X, ..differences(Sums::Pieces, [2.0 * X + 1.0, 2.0 * Z]) },
        Row { body: STAIRS, ..row(Fault::Decisions(Forgets::Rounding), 2.0 * X, [2.0 * X + 1.0, 2.0 * Z]) },
        Row { body: NEAR, ..row(Fault::Decisions(Forgets::Comparison), 2.0 * X - 1.0, [2.0 * X + 1.0, 2.0 * Z]) },
    ]
}

/// Words in which lanes are lost. Nothing is planted in the taint for them.
pub fn of_words() -> Vec<Row> {
    let bodies = [
        own!(
            "  %i = bitcast double %x to i64\n  store i64 77, ptr %m, align 8
  %c = atomicrmw xor ptr %m, i64 %i seq_cst, align 8\n  %d = atomicrmw xor ptr %m, i64 77 seq_cst, align 8
  %y = load double, ptr %m, align 8"
        ),
        own!(
            "  %b = bitcast double %x to <64 x i1>\n  store <64 x i1> %b, ptr %m, align 8
  %y = load double, ptr %m, align 8"
        ),
        own!(
            "  store double %x, ptr %m, align 8\n  %b = load <64 x i1>, ptr %m, align 8
  %y = bitcast <64 x i1> %b to double"
        ),
    ];
    bodies.map(|body| taint(Forgets::Everything, body)).into()
}
