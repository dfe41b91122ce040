//! Messages between ranks: what is refused, and whose handles are understood. That the answers are right is the
//! business of the corpus (`corpus/parallel/mpi`).

use ad::{Options, Output, differentiate};

const DECLARATIONS: &str = "@enzyme_dup = external global i32\n@enzyme_const = external global i32\n\
    @ompi_mpi_double = external global i8\n@ompi_mpi_byte = external global i8\n\
    @ompi_mpi_comm_world = external global i8\ndeclare double @__enzyme_autodiff(ptr, ...)\n";

/// The gradient of a function with a body by one buffer of the caller, `%x`, and another one that is constant, `%c`.
fn gradient(declarations: &str, body: &str) -> Output {
    let text = format!(
        "{DECLARATIONS}{declarations}\ndefine double @f(ptr %x, ptr %c) {{\n{body}\n  \
         %v = load double, ptr %x, align 8\n  ret double %v\n}}\n\
         define double @main(ptr %x, ptr %dx, ptr %c) {{\nentry:\n  %dup = load i32, ptr @enzyme_dup, align 4\n  \
         %const = load i32, ptr @enzyme_const, align 4\n  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f, \
         i32 %dup, ptr %x, ptr %dx, i32 %const, ptr %c)\n  ret double %r\n}}\n"
    );
    differentiate(ir::parse(&text, "test").expect("the test's IR parses"), &Options::default())
}

fn refused(declarations: &str, body: &str, words: &str) {
    let output = gradient(declarations, body);
    assert!(output.judged.is_empty(), "it was not refused");
    let message = output.refusals[0].diagnostic.to_string();
    assert!(message.contains(words), "`{message}` does not say `{words}`");
}

/// The functions of a gradient by their names, and what each calls.
fn calls(output: &Output) -> Vec<(String, Vec<String>)> {
    assert!(output.refusals.is_empty(), "{}", output.refusals[0].diagnostic);
    let m = &output.module;
    let called = |f: &ir::Function| {
        let calls = f.inst_order().filter_map(|(_, inst)| f.insts[inst].kind.as_call());
        calls.filter_map(|call| m.as_function(call.callee)).map(|f| m.functions[f].name.clone()).collect()
    };
    m.functions.values().map(|f| (f.name.clone(), called(f))).collect()
}

fn calls_of(all: &[(String, Vec<String>)], function: &str) -> Vec<String> {
    let found = all.iter().find(|(name, _)| name == function);
    found.unwrap_or_else(|| panic!("there is no `{function}` among {all:?}")).1.clone()
}

const SEND: &str = "declare i32 @MPI_Send(ptr, i32, i32, i32, i32, i32)";
const RECV: &str = "declare i32 @MPI_Recv(ptr, i32, i32, i32, i32, i32, ptr)";

#[test]
fn the_transposed_message_goes_back() {
    let send = calls(&gradient(SEND, "  %r = call i32 @MPI_Send(ptr %x, i32 1, i32 3592, i32 1, i32 0, i32 1)"));
    assert!(calls_of(&send, "__adj_MPI_Send").contains(&"MPI_Send".to_owned()));
    assert!(calls_of(&send, "__adj_reverse_MPI_Send").contains(&"MPI_Recv".to_owned()));
    let body = "  %r = call i32 @MPI_Recv(ptr %x, i32 1, i32 3592, i32 1, i32 0, i32 1, ptr null)";
    let recv = calls(&gradient(RECV, body));
    assert!(calls_of(&recv, "__adj_reverse_MPI_Recv").contains(&"MPI_Send".to_owned()));
}

#[test]
fn a_constant_buffer_is_received_back_too() {
    let all = calls(&gradient(SEND, "  %r = call i32 @MPI_Send(ptr %c, i32 1, i32 3592, i32 1, i32 0, i32 1)"));
    assert!(calls_of(&all, "__adj_reverse_MPI_Send").contains(&"MPI_Recv".to_owned()));
}

#[test]
fn other_spellings_and_handles() {
    let profiling = "declare i32 @PMPI_Send(ptr, i32, i32, i32, i32, i32)";
    let body = "  %r = call i32 @PMPI_Send(ptr %x, i32 1, i32 1275070475, i32 1, i32 0, i32 1140850688)";
    let mpich = gradient(profiling, body);
    let text = mpich.module.to_string();
    assert!(calls_of(&calls(&mpich), "__adj_reverse_PMPI_Send").contains(&"MPI_Recv".to_owned()));
    assert!(text.contains("icmp eq i32 %0, 1275070475"), "the type of MPICH is not asked for");
    let open_mpi = "declare i32 @MPI_Send(ptr, i32, ptr, i32, i32, ptr)";
    let body = "  %r = call i32 @MPI_Send(ptr %x, i32 1, ptr @ompi_mpi_double, i32 1, i32 0, ptr @ompi_mpi_comm_world)";
    let text = gradient(open_mpi, body).module.to_string();
    assert!(text.contains("icmp eq ptr %0, @ompi_mpi_double"), "the type of Open MPI is not asked for");
}

#[test]
fn integers_need_no_reverse() {
    let body = "  %n = alloca i32, align 4\n  store i32 3, ptr %n, align 4\n  \
        %r = call i32 @MPI_Send(ptr %n, i32 1, i32 1796, i32 1, i32 0, i32 1)";
    let all = calls(&gradient(SEND, body));
    assert!(all.iter().all(|(name, _)| !name.starts_with("__adj_reverse_MPI")), "{all:?}");
}

#[test]
fn what_is_not_known_is_refused() {
    let bytes = "  %r = call i32 @MPI_Send(ptr %x, i32 8, i32 1025, i32 1, i32 0, i32 1)";
    refused(SEND, bytes, "as another type than MPI_DOUBLE or MPI_FLOAT");
    let integers = "  %r = call i32 @MPI_Send(ptr %x, i32 1, i32 2312, i32 1, i32 0, i32 1)";
    refused(SEND, integers, "sent or received as integers");
    let constant = "  %r = call i32 @MPI_Recv(ptr %c, i32 1, i32 3592, i32 1, i32 0, i32 1, ptr null)";
    refused(RECV, constant, "in memory that the call marks constant");
    // What may hold floats is not to be sent as integers by a type that only a run tells.
    let handle =
        "  %t = load i32, ptr %c, align 4\n  %r = call i32 @MPI_Send(ptr %x, i32 1, i32 %t, i32 1, i32 0, i32 1)";
    let text = gradient(SEND, handle).module.to_string();
    assert!(text.contains("sent or received as integers"), "the type is not looked at");
    let put = "declare i32 @MPI_Put(ptr, i32, i32, i32, i64, i32, i32, i32)";
    let body = "  %r = call i32 @MPI_Put(ptr %x, i32 1, i32 3592, i32 0, i64 0, i32 1, i32 3592, i32 1)";
    refused(put, body, "this function of MPI has no derivative here");
}

#[test]
fn reductions_that_have_no_derivative_are_refused() {
    let allreduce = "declare i32 @MPI_Allreduce(ptr, ptr, i32, i32, i32, i32)";
    let scan = "declare i32 @MPI_Scan(ptr, ptr, i32, i32, i32, i32)";
    let call = |name: &str, op: u32| {
        format!("  %r = call i32 @{name}(ptr inttoptr (i64 -1 to ptr), ptr %x, i32 1, i32 3592, i32 {op}, i32 1)")
    };
    refused(allreduce, &call("MPI_Allreduce", 9), "by another operation than MPI_SUM, MPI_PROD, MPI_MIN");
    refused(scan, &call("MPI_Scan", 3), "a scan of floats by another operation than MPI_SUM");
    let all = calls(&gradient(allreduce, &call("MPI_Allreduce", 3)));
    assert!(calls_of(&all, "__adj_message_weights").contains(&"MPI_Allreduce".to_owned()));
    let all = calls(&gradient(scan, &call("MPI_Scan", 1)));
    assert!(calls_of(&all, "__adj_reverse_MPI_Scan").contains(&"MPI_Comm_split".to_owned()));
}

#[test]
fn what_one_call_begins_and_another_completes() {
    let declared = "declare i32 @MPI_Irecv(ptr, i32, i32, i32, i32, i32, ptr)\ndeclare i32 @MPI_Wait(ptr, ptr)\n\
        declare i32 @MPI_Cancel(ptr)";
    let body = |ends: &str| {
        format!(
            "  %q = alloca i32, align 4\n  \
             %r = call i32 @MPI_Irecv(ptr %x, i32 1, i32 3592, i32 1, i32 0, i32 1, ptr %q)\n  {ends}"
        )
    };
    let all = calls(&gradient(declared, &body("%w = call i32 @MPI_Wait(ptr %q, ptr null)")));
    assert!(calls_of(&all, "__adj_reverse_MPI_Wait").contains(&"__adj_message_begin".to_owned()));
    assert!(calls_of(&all, "__adj_reverse_MPI_Irecv").contains(&"__adj_message_end_if_any".to_owned()));
    refused(declared, &body("%w = call i32 @MPI_Cancel(ptr %q)"), "receive and ignore the message instead");
}

#[test]
fn a_gradient_lists_what_its_own_functions_ask_for_and_nothing_else() {
    let send =
        "  %s = call i32 @MPI_Send(ptr %x, i32 1, i32 3592, i32 1, i32 0, i32 1)\n  %q = alloca i32, align 4\n  ";
    let wait = "\n  %w = call i32 @MPI_Wait(ptr %q, ptr null)";
    let declared = format!("{SEND}\ndeclare i32 @MPI_Wait(ptr, ptr)\n");
    // The reverse of what is only begun begins messages, too; that of the blocking one has no node to take out.
    let begun = "%r = call i32 @MPI_Ibcast(ptr %x, i32 1, i32 3592, i32 0, i32 1, ptr %q)";
    let ibcast = "declare i32 @MPI_Ibcast(ptr, i32, i32, i32, i32, ptr)";
    let all = calls(&gradient(&(declared.clone() + ibcast), &format!("{send}{begun}{wait}")));
    assert!(!calls_of(&all, "__adj_MPI_Send").contains(&"__adj_message_post".to_owned()));
    assert!(!calls_of(&all, "__adj_reverse_MPI_Send").contains(&"__adj_message_drop".to_owned()));
    // Beside one that is begun alone, it has.
    let begun = "%r = call i32 @MPI_Irecv(ptr %x, i32 1, i32 3592, i32 1, i32 0, i32 1, ptr %q)";
    let irecv = "declare i32 @MPI_Irecv(ptr, i32, i32, i32, i32, i32, ptr)";
    let all = calls(&gradient(&(declared.clone() + irecv), &format!("{send}{begun}{wait}")));
    assert!(calls_of(&all, "__adj_listed_MPI_Send").contains(&"__adj_message_post".to_owned()));
    assert!(calls_of(&all, "__adj_reverse_listed_MPI_Send").contains(&"__adj_message_drop".to_owned()));
}

#[test]
fn what_is_only_begun_begins_the_transposed_operation_where_it_is_awaited() {
    let declared = "declare i32 @MPI_Ibcast(ptr, i32, i32, i32, i32, ptr)\ndeclare i32 @MPI_Wait(ptr, ptr)";
    let body = "  %q = alloca i32, align 4\n  \
        %r = call i32 @MPI_Ibcast(ptr %x, i32 1, i32 3592, i32 0, i32 1, ptr %q)\n  \
        %w = call i32 @MPI_Wait(ptr %q, ptr null)";
    let all = calls(&gradient(declared, body));
    assert!(calls_of(&all, "__adj_begin_MPI_Ibcast").contains(&"MPI_Ireduce".to_owned()));
    assert!(calls_of(&all, "__adj_reverse_MPI_Wait").contains(&"__adj_message_begin".to_owned()));
    let iallreduce = "declare i32 @MPI_Iallreduce(ptr, ptr, i32, i32, i32, i32, ptr)";
    let body = "  %q = alloca i32, align 4\n  %r = call i32 @MPI_Iallreduce(ptr inttoptr (i64 -1 to ptr), ptr %x, i32 1, \
        i32 3592, i32 3, i32 1, ptr %q)";
    refused(iallreduce, body, "a reduction that is only begun");
}

#[test]
fn ranks_wait_for_each_other_before_the_reverse_where_some_receive_from_anyone() {
    let recv = |source: i32| {
        let body = format!("  %r = call i32 @MPI_Recv(ptr %x, i32 1, i32 3592, i32 {source}, i32 0, i32 1, ptr null)");
        calls_of(&calls(&gradient(RECV, &body)), "__adj_gradient_f").contains(&"MPI_Barrier".to_owned())
    };
    assert!(recv(-1) && !recv(1));
}
