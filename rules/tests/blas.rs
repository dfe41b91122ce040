//! The rows of BLAS are well formed: whatever a statement names exists and is of the kind that the called routine wants.

use rules::blas::{KERNELS, Kind, ROUTINES, Routine, Spelling, Step, is_kernel, reached, routine};

/// Does a token stand for an operand of that kind, in a row, beside what the term has made?
fn is_of_kind(row: &Routine, made: &[&str], token: &str, kind: Kind) -> bool {
    let operands = row.operands();
    let kind_of = |name: &str| operands.iter().find(|(n, _)| *n == name).map(|(_, k)| *k);
    let negated = token.trim_start_matches(['!', '-']);
    match kind {
        Kind::Transposed => matches!(token, "N" | "T") || kind_of(negated) == Some(kind),
        Kind::Right => matches!(token, "L" | "R") || kind_of(negated) == Some(kind),
        Kind::Unit => token == "N" || kind_of(token) == Some(kind),
        Kind::Lower => kind_of(token) == Some(kind),
        Kind::Count => match token.strip_prefix('#') {
            Some(vector) => matches!(kind_of(vector), Some(Kind::Data(_))),
            None => kind_of(token) == Some(Kind::Count),
        },
        Kind::Scalar => {
            token.parse::<f64>().is_ok()
                || matches!(token, "r'" | "r'/r") && row.returns()
                || kind_of(negated.trim_end_matches('\'')) == Some(Kind::Scalar)
        }
        Kind::Data(wanted) => {
            let named = kind_of(token.trim_end_matches(['\'', '0', '1']));
            // A triangle in a full matrix has its leading dimension, and so has a diagonal; a vector never stands for a matrix.
            let fits = matches!(named, Some(Kind::Data(shape)) if shape.is_matrix() == wanted.is_matrix());
            fits || made.contains(&token)
        }
    }
}

#[test]
fn every_statement_of_every_row_can_be_executed() {
    for row in ROUTINES {
        let operands = row.operands();
        let has = |name: &str| operands.iter().any(|(n, _)| *n == name);
        assert!(row.returns() || has(row.output), "{}: no output", row.name);
        for name in row.nonempty.split_whitespace() {
            assert!(has(name.trim_end_matches(".ld")), "{}: {name}", row.name);
        }
        for (which, terms) in [("adjoint", row.adjoints), ("tangent", row.tangents)] {
            assert_eq!(
                terms.iter().filter(|t| t.of.is_empty()).count(),
                usize::from(which == "tangent"),
                "{}",
                row.name
            );
            for term in terms {
                let place = format!("{} of {}: {:?}", which, row.name, term);
                assert!(term.of.is_empty() || has(term.of), "{place}");
                for word in term.when.split_whitespace() {
                    let kind = operands.iter().find(|(n, _)| *n == word.trim_start_matches('!')).map(|(_, k)| *k);
                    let number = kind == Some(Kind::Scalar) || word == "r" && row.returns();
                    assert!(number || kind.is_some_and(Kind::is_flag), "{place}: {word}");
                }
                assert_eq!(term.steps().len(), term.steps.len(), "{place}: an unknown routine");
                let mut made = Vec::new();
                for step in term.steps() {
                    let (callee, tokens) = match step {
                        Step::New(name, counts) => {
                            assert!(counts.iter().all(|c| is_of_kind(row, &[], c, Kind::Count)), "{place}");
                            made.push(name);
                            continue;
                        }
                        Step::Primal => continue,
                        Step::Call(callee, tokens) => (callee, tokens),
                        Step::Add(callee, tokens, _) => {
                            assert!(callee.returns(), "{place}");
                            (callee, tokens)
                        }
                    };
                    assert_eq!(tokens.len(), callee.operands().len(), "{place}: {tokens:?}");
                    for ((name, kind), token) in callee.operands().into_iter().zip(tokens) {
                        assert!(is_of_kind(row, &made, token, kind), "{place}: {token} as {name}");
                    }
                }
            }
        }
    }
}

#[test]
fn every_active_operand_has_a_term_in_both_modes() {
    for row in ROUTINES {
        for (name, kind) in row.operands() {
            // What is added to keeps its adjoint.
            let kept = matches!(row.name, "axpy" | "ger" | "syr" | "syr2") && name == row.output;
            if matches!(kind, Kind::Data(_) | Kind::Scalar) && !kept {
                assert!(row.adjoints.iter().any(|t| t.of == name), "{}: no adjoint of {name}", row.name);
                assert!(row.tangents.iter().any(|t| t.of == name), "{}: no tangent of {name}", row.name);
            }
        }
    }
}

#[test]
fn names_lead_to_rows_and_back() {
    for row in ROUTINES {
        for cblas in [true, false] {
            for format in ['d', 's'] {
                let spelling = Spelling { cblas, format };
                assert_eq!(Spelling::of(&spelling.name(row)), Some((row, spelling)));
            }
        }
        assert!(reached(row).contains(&row));
    }
    for name in ["cblas_zgemm", "dgemm", "cblas_dgetrf", "gemm_", "_", "d_", "", "cblas_dgescal"] {
        assert_eq!(Spelling::of(name), None, "{name}");
    }
    let kernels: Vec<&Routine> = ROUTINES.iter().flat_map(reached).filter(|r| is_kernel(r)).collect();
    assert!(KERNELS.iter().all(|k| kernels.contains(&k)), "a kernel that no row needs");
    assert!(routine("gemm").is_some_and(|r| r.has_layout()) && routine("dot").is_some_and(|r| !r.has_layout()));
}
