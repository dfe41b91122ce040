//! Functions that take structures by value.
//!
//! A function that is differentiated takes the address of a copy that its caller made
//! ([`crate::normalise::collect`]); one that is called as it is takes the copy as the ABI says (LangRef, "Parameter
//! Attributes", `byval`), and each call has to say so too. Which of the two a call through a pointer reaches is known
//! when the derivative is there.

use ir::{Attr, FuncId, InstId, Module};

/// Lets direct calls pass copies where the called function takes them.
pub(crate) fn restore(m: &mut Module) {
    let taken = |m: &Module, f: FuncId| -> Vec<(usize, Vec<Attr>)> {
        let params = m.functions[f].params.iter().enumerate();
        let copied = params.filter(|(_, param)| param.attrs.has("byval"));
        let of = |attr: &&Attr| attr.name == "byval" || attr.name == "align";
        copied.map(|(index, param)| (index, param.attrs.0.iter().filter(of).cloned().collect())).collect()
    };
    if !m.functions.values().any(|f| f.params.iter().any(|param| param.attrs.has("byval"))) {
        return;
    }
    for id in m.functions.keys().collect::<Vec<_>>() {
        let func = &m.functions[id];
        let calls: Vec<(InstId, FuncId)> = func
            .inst_order()
            .filter_map(|(_, inst)| Some((inst, m.as_function(func.insts[inst].kind.as_call()?.callee)?)))
            .collect();
        for (inst, callee) in calls {
            for (index, attrs) in taken(m, callee) {
                let Some(call) = m.functions[id].insts[inst].kind.as_call_mut() else { continue };
                let Some(of) = call.arg_attrs.get_mut(index).filter(|of| !of.has("byval")) else { continue };
                of.0.retain(|attr| attr.name != "align");
                of.0.extend(attrs);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::restore;

    #[test]
    fn calls_pass_copies_where_they_are_taken() {
        let text = "%s = type { double, double, double }\n\
                    define double @takes(ptr %p, ptr byval(%s) align 8 %s) {\n  ret double 0.0\n}\n\
                    define double @address(ptr %p, ptr %s) {\n  ret double 0.0\n}\n\
                    define double @f(ptr %p, ptr %s) {\n  %a = call double @takes(ptr %p, ptr align 16 %s)\n  \
                    %b = call double @takes(ptr %p, ptr byval(%s) align 8 %s)\n  \
                    %c = call double @address(ptr %p, ptr align 16 %s)\n  %d = fadd double %a, %b\n  \
                    %e = fadd double %d, %c\n  ret double %e\n}\n";
        let mut m = ir::parse(text, "test").expect("the test's IR parses");
        restore(&mut m);
        let text = m.to_string();
        assert_eq!(text.matches("call double @takes(ptr %p, ptr byval(%s) align 8 %s)").count(), 2, "{text}");
        assert_eq!(text.matches("call double @address(ptr %p, ptr align 16 %s)").count(), 1, "{text}");
    }
}
