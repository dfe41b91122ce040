//! The rows of BLAS and LAPACK are well formed: whatever a statement names exists and is of the kind that the called
//! routine wants.

use rules::blas::{KERNELS, Kind, Routine, Spelling, Step, is_kernel, is_lapack, reached, routine, rows};

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
            None => token.parse::<u32>().is_ok() || kind_of(token) == Some(Kind::Count),
        },
        Kind::Scalar => {
            let is_number = |factor: &str| {
                factor.parse::<f64>().is_ok()
                    || matches!(factor, "r'" | "r") && row.returns()
                    || kind_of(factor.trim_end_matches('\'')) == Some(Kind::Scalar)
            };
            token.parse::<f64>().is_ok() || negated.split(['*', '/']).all(is_number)
        }
        Kind::Part => kind_of(token) == Some(kind),
        Kind::Storage => matches!(kind_of(token), Some(Kind::Part | Kind::Storage)),
        Kind::Packed(_) => matches!(kind_of(token.trim_end_matches(['\'', '0', '1'])), Some(Kind::Packed(_))),
        Kind::Info => false,
        Kind::Data(wanted) => {
            let named = kind_of(token.trim_end_matches(['\'', '0', '1']));
            // A triangle in a full matrix has its leading dimension, and so has a diagonal; a vector never stands for a
            // matrix.
            let fits = matches!(named, Some(Kind::Data(shape)) if shape.is_matrix() == wanted.is_matrix());
            fits || made.contains(&token)
        }
    }
}

#[test]
fn every_statement_of_every_row_can_be_executed() {
    for row in rows() {
        let operands = row.operands();
        let has = |name: &str| operands.iter().any(|(n, _)| *n == name);
        assert!(row.returns() || row.outputs().into_iter().all(has), "{}: no output", row.name);
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
                    let name = word.trim_start_matches('!');
                    let kind_of = |name: &str| operands.iter().find(|(n, _)| *n == name).map(|(_, k)| *k);
                    if let Some(active) = name.strip_suffix('\'') {
                        assert!(kind_of(active).is_some_and(Kind::is_memory), "{place}: {word}");
                        continue;
                    }
                    let kind = kind_of(name);
                    let number = kind == Some(Kind::Info) || kind == Some(Kind::Scalar) || word == "r" && row.returns();
                    assert!(number || kind.is_some_and(Kind::is_flag), "{place}: {word}");
                }
                assert_eq!(term.steps().len(), term.steps.len(), "{place}: an unknown routine");
                let mut made = Vec::new();
                for step in term.steps() {
                    if let Step::New(name, counts) = &step {
                        assert!(counts.iter().all(|c| is_of_kind(row, &[], c, Kind::Count)), "{place}");
                        made.push(*name);
                    }
                    let (Some(callee), tokens) = (step.callee(), step.tokens()) else { continue };
                    assert!(callee.returns() || !matches!(step, Step::Add(..) | Step::None(..)), "{place}");
                    let mut wanted = callee.operands();
                    wanted.retain(|(_, kind)| *kind != Kind::Info);
                    assert_eq!(tokens.len(), wanted.len(), "{place}: {tokens:?}");
                    for ((name, kind), token) in wanted.into_iter().zip(tokens) {
                        assert!(is_of_kind(row, &made, token, kind), "{place}: {token} as {name}");
                    }
                }
            }
        }
    }
}

#[test]
fn every_active_operand_has_a_term_in_both_modes() {
    for row in rows() {
        for (name, kind) in row.operands() {
            // What is added to keeps its adjoint.
            let kept = matches!(row.name, "axpy" | "ger" | "syr" | "syr2" | "spr" | "spr2") && name == row.output;
            if (kind.is_memory() || kind == Kind::Scalar) && !kept {
                assert!(row.adjoints.iter().any(|t| t.of == name), "{}: no adjoint of {name}", row.name);
                assert!(row.tangents.iter().any(|t| t.of == name), "{}: no tangent of {name}", row.name);
            }
        }
    }
}

#[test]
fn names_lead_to_rows_and_back() {
    for row in rows() {
        for cblas in [true, false] {
            for format in ['d', 's'] {
                let spelling = Spelling { cblas, format };
                let expected = (!(cblas && is_lapack(row))).then_some((row, spelling));
                assert_eq!(Spelling::of(&spelling.name(row)), expected);
            }
        }
        assert!(reached(row).contains(&row));
    }
    for name in ["cblas_zgemm", "dgemm", "cblas_dgetrf", "gemm_", "_", "d_", "", "cblas_dgescal"] {
        assert_eq!(Spelling::of(name), None, "{name}");
    }
    let kernels: Vec<&Routine> = rows().flat_map(reached).filter(|r| is_kernel(r)).collect();
    assert!(KERNELS.iter().all(|k| kernels.contains(&k)), "a kernel that no row needs");
    assert!(routine("gemm").is_some_and(|r| r.has_layout()) && routine("dot").is_some_and(|r| !r.has_layout()));
}
