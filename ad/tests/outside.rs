//! Active numbers outside of the floats: words under a code that is undone carry the derivative, and what comes back in
//! any other way is refused with both its places. What only looks like it is differentiated as ever.

use ad::{Options, Reason, differentiate};

/// What becomes of the gradient of `f`, whose first argument is duplicated memory: the refusal, if there is one.
fn outcome(declared: &str, body: &str) -> Option<String> {
    let text = format!(
        "@enzyme_dup = external global i32\n@enzyme_const = external global i32\n\
         declare double @__enzyme_autodiff(ptr, ...)\n{declared}\n{body}\n\
         define double @main(ptr %x, ptr %dx, ptr %c) {{\nentry:\n  %dup = load i32, ptr @enzyme_dup, align 4\n\
         %const = load i32, ptr @enzyme_const, align 4\n\
         %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f, i32 %dup, ptr %x, ptr %dx, i32 %const, ptr %c)\n  \
         ret double %r\n}}\n"
    );
    let module = ir::parse(&text, "test").expect("the test's IR parses");
    let out = differentiate(module, &Options::default());
    let refused = out.refusals.first().map(|refusal| {
        assert_ne!(refusal.diagnostic.reason, Reason::Bug, "{}", refusal.diagnostic);
        refusal.diagnostic.to_string()
    });
    assert_eq!(out.judged.len(), usize::from(refused.is_none()));
    refused
}

#[track_caller]
fn refused(declared: &str, body: &str, words: &str) {
    let message = outcome(declared, body).expect("it was not refused");
    assert!(message.contains(words), "`{message}` does not say `{words}`");
}

#[track_caller]
fn differentiated(declared: &str, body: &str) {
    assert_eq!(outcome(declared, body), None);
}

const LEFT: &str = "left the floats before";

/// A function that gets the first number of `%x`, and gives back what stands in `%y`.
fn through(middle: &str) -> String {
    format!(
        "define double @f(ptr %x, ptr %c) {{\nentry:\n  %number = alloca double, align 8\n  \
         %text = alloca [64 x i8], align 1\n\
         %v = load double, ptr %x, align 8\n{middle}\n  %w = load double, ptr %number, align 8\n\
         %s = fmul double %w, %w\n  ret double %s\n}}"
    )
}

const TEXT: &str = "@g = private constant [6 x i8] c\"%.17g\\00\"\n@l = private constant [4 x i8] c\"%lf\\00\"\n\
    declare i32 @snprintf(ptr, i64, ptr, ...)\ndeclare i32 @sscanf(ptr, ptr, ...)\ndeclare i32 @printf(ptr, ...)\n\
    declare double @strtod(ptr, ptr)\ndeclare i64 @strlen(ptr)";

const PRINT: &str = "%n = call i32 (ptr, i64, ptr, ...) @snprintf(ptr %text, i64 64, ptr @g, double %v)";

#[test]
fn text_that_is_read_again() {
    let scanned = format!("{PRINT}\n  %m = call i32 (ptr, ptr, ...) @sscanf(ptr %text, ptr @l, ptr %number)");
    refused(TEXT, &through(&scanned), LEFT);
    let converted =
        format!("{PRINT}\n  %d = call double @strtod(ptr %text, ptr null)\n  store double %d, ptr %number, align 8");
    refused(TEXT, &through(&converted), "by `snprintf`");
    // Text of one number, and another one converted: the text is not told apart by its offset.
    let other = format!("{PRINT}\n  store double %v, ptr %number, align 8");
    differentiated(TEXT, &through(&other));
}

#[test]
fn what_is_printed_to_the_terminal_does_not_come_back() {
    let printed = "%n = call i32 (ptr, ...) @printf(ptr @g, double %v)\n  store double %v, ptr %number, align 8";
    differentiated(TEXT, &through(printed));
}

const FILES: &str = "@stderr = external global ptr\n@mode = private constant [3 x i8] c\"w+\\00\"\n\
    declare ptr @tmpfile()\ndeclare i64 @fwrite(ptr, i64, i64, ptr)\ndeclare i64 @fread(ptr, i64, i64, ptr)\n\
    declare void @rewind(ptr)";

#[test]
fn files_keep_numbers() {
    let to_and_fro = |first: &str, second: &str| {
        through(&format!(
            "%kept = alloca double, align 8\n  store double %v, ptr %kept, align 8\n  \
             store double 1.0, ptr %number, align 8\n\
             %file = call ptr @tmpfile()\n  %terminal = load ptr, ptr @stderr, align 8\n{first}\n  \
             call void @rewind(ptr %file)\n{second}"
        ))
    };
    let read = "%b = call i64 @fread(ptr %number, i64 8, i64 1, ptr %file)";
    let write = |stream: &str| format!("%a = call i64 @fwrite(ptr %kept, i64 8, i64 1, ptr {stream})");
    refused(FILES, &to_and_fro(&write("%file"), read), "by `fwrite`");
    // What is written to the terminal is not read, and what is read before anything is written is another one's.
    differentiated(FILES, &to_and_fro(&write("%terminal"), read));
    differentiated(FILES, &to_and_fro(read, &write("%file")));
}

const BITS: &str = "declare i64 @llvm.bswap.i64(i64)\ndeclare i64 @llvm.fshl.i64(i64, i64, i64)\n\
    declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)";

/// A word in memory, encoded and decoded.
fn word(encode: &str, decode: &str) -> String {
    through(&format!(
        "%words = alloca [4 x i64], align 8\n  %b = bitcast double %v to i64\n  {encode}\n  \
         store i64 %e, ptr %words, align 8\n\
         %l = load i64, ptr %words, align 8\n  {decode}\n  %u = bitcast i64 %d to double\n  \
         store double %u, ptr %number, align 8"
    ))
}

#[test]
fn codes_that_are_undone() {
    let pairs = [
        ("%e = call i64 @llvm.bswap.i64(i64 %b)", "%d = call i64 @llvm.bswap.i64(i64 %l)"),
        ("%e = call i64 @llvm.fshl.i64(i64 %b, i64 %b, i64 7)", "%d = call i64 @llvm.fshl.i64(i64 %l, i64 %l, i64 57)"),
        ("%e = xor i64 %b, 1229782938247303441", "%d = xor i64 %l, 1229782938247303441"),
        (
            "%s1 = ashr i64 %b, 63\n  %k1 = or i64 %s1, -9223372036854775808\n  %e = xor i64 %b, %k1",
            "%s2 = ashr i64 %l, 63\n  %n2 = xor i64 %s2, -1\n  %k2 = or i64 %n2, -9223372036854775808\n  \
             %d = xor i64 %l, %k2",
        ),
    ];
    for (encode, decode) in pairs {
        differentiated(BITS, &word(encode, decode));
    }
    for (encode, _) in pairs {
        for (other, decode) in pairs.iter().filter(|(other, _)| *other != encode) {
            let message = outcome(BITS, &word(encode, decode));
            assert!(message.is_some(), "{encode}, undone as if it were {other}");
        }
    }
}

/// The meaning of a function does not depend on where its blocks stand.
#[test]
fn codes_are_found_in_any_order_of_blocks() {
    let body = "declare ptr @malloc(i64)
define double @f(ptr %x, ptr %c) {
entry:
  %n = load i64, ptr %c, align 8
  %words = call ptr @malloc(i64 %n)
  %moved = call ptr @malloc(i64 %n)
  br label %encode
back:
  %l = load i64, ptr %moved, align 8
  %d = call i64 @llvm.fshl.i64(i64 %l, i64 %l, i64 57)
  %u = bitcast i64 %d to double
  %s = fmul double %u, %u
  ret double %s
move:
  call void @llvm.memcpy.p0.p0.i64(ptr %moved, ptr %words, i64 %n, i1 false)
  br label %back
encode:
  %v = load double, ptr %x, align 8
  %b = bitcast double %v to i64
  %e = call i64 @llvm.fshl.i64(i64 %b, i64 %b, i64 7)
  store i64 %e, ptr %words, align 8
  br label %move
}";
    differentiated(BITS, body);
}

#[test]
fn coded_words_are_no_numbers() {
    let swap = "%e = call i64 @llvm.bswap.i64(i64 %b)";
    let back = "%d = call i64 @llvm.bswap.i64(i64 %l)";
    differentiated(BITS, &word(swap, back));
    let uses = [
        // As a float, by a cast and by memory.
        "%q = bitcast i64 %l to double\n  store double %q, ptr %x, align 8",
        "%q = load double, ptr %words, align 8\n  store double %q, ptr %x, align 8",
        "call void @llvm.memcpy.p0.p0.i64(ptr %number, ptr %words, i64 8, i1 false)\n  \
         %q = load double, ptr %number, align 8\n\
         store double %q, ptr %x, align 8",
        // By the caller.
        "store i64 %l, ptr %x, align 8",
        "call void @llvm.memcpy.p0.p0.i64(ptr %x, ptr %words, i64 8, i1 false)",
        // Overwritten in part, by a copy of other bytes.
        "call void @llvm.memcpy.p0.p0.i64(ptr %words, ptr %text, i64 2, i1 false)\n  \
         %l3 = load i64, ptr %words, align 8",
        // In another place, cut.
        "%q = trunc i64 %l to i32\n  store i32 %q, ptr %words, align 8",
    ];
    for other in uses {
        let message = outcome(BITS, &word(swap, &format!("{other}\n  {back}")));
        assert!(message.is_some(), "{other}");
    }
}

#[test]
fn bits_that_are_copied_stay_bits() {
    let moved = "%copy = alloca [8 x i8], align 8\n  \
        call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %words, i64 8, i1 false)\n\
        %l2 = load i64, ptr %copy, align 8";
    let mixed = format!("{moved}\n  %d1 = call i64 @llvm.bswap.i64(i64 %l2)\n  %d = mul i64 %d1, 3");
    refused(BITS, &word("%m = mul i64 %b, 3\n  %e = call i64 @llvm.bswap.i64(i64 %m)", &mixed), LEFT);
}

#[test]
fn variable_arguments_keep_numbers() {
    let declared = "declare void @llvm.va_start.p0(ptr)\ndeclare void @llvm.va_end.p0(ptr)\n\
        define internal i64 @second(i64 %n, ...) noinline {\n  %list = alloca [24 x i8], align 8\n\
        call void @llvm.va_start.p0(ptr %list)\n  %v = va_arg ptr %list, i64\n  call void @llvm.va_end.p0(ptr \
        %list)\n  ret i64 %v\n}";
    let passed = |what: &str| {
        through(&format!(
            "%b = bitcast double %v to i64\n  %d = call i64 (i64, ...) @second(i64 1, i64 {what})\n  \
             %u = bitcast i64 %d to double\n\
             store double %u, ptr %number, align 8"
        ))
    };
    let message = outcome(declared, &passed("%b"));
    assert!(message.is_some());
}

#[test]
fn integers_of_the_caller_of_which_nothing_tells() {
    // Bits of a float, if they become one after they were computed with; a number, if they are converted.
    let body = |made: &str| {
        format!(
            "define double @f(ptr %x, ptr %c) {{\n  %b = load i64, ptr %x, align 8\n  %s = ashr i64 %b, 63\n  \
             %d = xor i64 %b, %s\n\
             %r = {made}\n  ret double %r\n}}"
        )
    };
    refused("", &body("bitcast i64 %d to double"), LEFT);
    differentiated("", &body("sitofp i64 %d to double"));
}

#[test]
fn products_of_addresses_are_no_addresses() {
    let body = |back: &str| {
        format!(
            "define double @f(ptr %x, ptr %c) {{\n  %slot = alloca i64, align 8\n  %a = ptrtoint ptr %x to i64\n\
             store i64 %a, ptr %slot, align 8\n  %l = load i64, ptr %slot, align 8\n  {back}\n  \
             store i64 %m, ptr %slot, align 8\n\
             %p = load ptr, ptr %slot, align 8\n  %v = load double, ptr %p, align 8\n  %r = fmul double %v, %v\n  \
             ret double %r\n}}"
        )
    };
    let product = "%k = mul i64 %l, -7046029254386353131\n  %m = mul i64 %k, -1018231460777725123";
    refused("", &body(product), "put together from numbers");
    differentiated("", &body("%m = add i64 %l, 0"));
}

/// Memory that holds an address and, later, a word that `remake` makes of it; the number is read by that.
fn address(remake: &str) -> String {
    format!(
        "@digits = private constant [16 x i8] c\"0123456789abcdef\"\n\
         @table = internal global [16 x i64] zeroinitializer\n\
         define double @f(ptr %x, ptr %c) {{\nentry:\n  %cells = alloca [2 x double], align 16\n  \
         %word = alloca i64, align 8\n\
         %v = load double, ptr %x, align 8\n  store double %v, ptr %cells, align 8\n  \
         %w0 = ptrtoint ptr %cells to i64\n\
         store i64 %w0, ptr %word, align 8\n  %w = load i64, ptr %word, align 8\n{remake}\n  \
         store i64 %made, ptr %word, align 8\n\
         %p = load ptr, ptr %word, align 8\n  %y = load double, ptr %p, align 8\n  %s = fmul double %y, %y\n  \
         ret double %s\n}}"
    )
}

#[test]
fn addresses_that_leave_the_pointers() {
    let through_table = "%low = and i64 %w, 15\n  %at = getelementptr [16 x i8], ptr @digits, i64 0, i64 %low\n\
        %digit = load i8, ptr %at, align 1\n  %wide = zext i8 %digit to i64\n  %made = or i64 %w, %wide";
    refused("", &address(through_table), "its shadow is not known");
    let through_library = "%hash = call i64 @scrambled(i64 %w)\n  %made = xor i64 %w, %hash";
    refused("declare i64 @scrambled(i64) memory(none)", &address(through_library), "its shadow is not known");
    let product = "%times = mul i64 %w, 12345\n  %top = lshr i64 %times, 60\n  %made = or i64 %w, %top";
    refused("", &address(product), "its shadow is not known");
    // Moved, masked and joined again, its shadow is known.
    let halves = "%low = and i64 %w, 4294967295\n  %high = lshr i64 %w, 32\n  %back = shl i64 %high, 32\n  \
        %made = or i64 %back, %low";
    differentiated("", &address(halves));
}

#[test]
fn addresses_may_say_where() {
    // The bucket of a hash table is an index; what lies there is not made of it.
    let bucket = "%hash = mul i64 %w, 12345\n  %low = and i64 %hash, 15\n  \
        %at = getelementptr [16 x i64], ptr @table, i64 0, i64 %low\n\
        %count = load i64, ptr %at, align 8\n  %more = add i64 %count, 1\n  store i64 %more, ptr %at, align 8\n  \
        %made = or i64 %w, 0";
    differentiated("", &address(bucket));
    // So does a decision by its alignment.
    let aligned = "%low = and i64 %w, 7\n  %is = icmp eq i64 %low, 0\n  %made = select i1 %is, i64 %w, i64 %w0";
    differentiated("", &address(aligned));
}

/// What a sanitizer reports changes no number. (clang passes it a description, and values as integers or addresses.)
#[test]
fn reports_of_sanitizers_are_no_part_of_the_function() {
    let body = "define double @f(ptr %x, ptr %c) {\nentry:\n  %bits = ptrtoint ptr %x to i64\n  \
        %fits = icmp eq i64 %bits, 0\n  br i1 %fits, label %report, label %go\nreport:\n  \
        call void @HANDLER(ptr %c, i64 %bits, ptr %x)\n  br label %go\ngo:\n  \
        %v = load double, ptr %x, align 8\n  %r = fmul double %v, %v\n  ret double %r\n}\n";
    let [known, other] = ["__ubsan_handle_pointer_overflow", "handle"]
        .map(|name| [format!("declare void @{name}(ptr, i64, ptr)"), body.replace("HANDLER", name)]);
    differentiated(&known[0], &known[1]);
    refused(&other[0], &other[1], "has no body here");
}
