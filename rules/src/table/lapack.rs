//! Rows of LAPACK ([`crate::blas`] has the language), which has Fortran's spelling alone.
//!
//! Where `info` is not zero, nothing has been computed, and the call was the identity: so `trtrs` of a singular matrix.
//! Of a factorisation that stopped LAPACK does not say what it left behind ("the factorization could not be
//! completed"): a derivative with respect to that is not defined. The reverse refuses to go on if it is asked for one,
//! that is, if an adjoint there is not zero; tangents there are not numbers. A program that looks at `info` and goes
//! another way never sees either.
//!
//! Formulas: Murray, "Differentiation of the Cholesky decomposition" (2016, arXiv:1602.07527), 3: with `A = L Lᵀ` and
//! `Φ` for the lower triangle with half of its diagonal, `dL = L Φ(L⁻¹ dA L⁻ᵀ)`, and transposed
//! `A' = Φ(L⁻ᵀ (P + Pᵀ) L⁻¹)` with `P = Φ(Lᵀ L')`. The upper factor is the transpose. `P + Pᵀ` is one triangle of
//! `Lᵀ L'`, mirrored.

use super::blas::{PRIMAL, term};
use crate::blas::Routine;

/// The routines.
pub const ROUTINES: &[Routine] = &[
    Routine {
        name: "lacpy",
        formula: "B := A, all of it or one triangle",
        params: "part m n A(m,n) B(m,n)",
        output: "B",
        nonempty: "m n",
        adjoints: &[term("A", "", &["tzadd part 0 0 m n 1 B' A'"]), term("B", "", &["tzscal part 0 0 m n 0 B'"])],
        tangents: &[term("B", "", &["tzscal part 0 0 m n 0 B'"]), term("A", "", &["lacpy part m n A' B'"]), PRIMAL],
    },
    Routine {
        name: "lascl",
        formula: "A := (to / from) A, where the type says",
        params: "type kl ku from to m n A(type,n) info",
        output: "A",
        nonempty: "m n",
        adjoints: &[
            term("to", "!info", &["+= tzdot type kl ku m n 1/from A0 A'"]),
            term("from", "!info", &["-= tzdot type kl ku m n to/from/from A0 A'"]),
            term("A", "!info", &["tzscal type kl ku m n to/from A'"]),
        ],
        tangents: &[
            term("A", "", &["tzscal type kl ku m n to/from A'"]),
            term("to", "", &["tzadd type kl ku m n to'/from A A'"]),
            term("from", "", &["tzadd type kl ku m n -from'*to/from/from A A'"]),
            PRIMAL,
        ],
    },
    Routine {
        name: "potrf",
        formula: "A := L where A = L Lᵀ, or U where A = Uᵀ U, in one triangle",
        params: "uplo n A(n,n) info",
        output: "A",
        nonempty: "n",
        adjoints: &[
            term("A", "info", &["none trabs uplo n A'"]),
            term(
                "A",
                "uplo !info",
                &[
                    "new W n n",
                    "gescal n n 0 W",
                    "tradd uplo N n 1 A' W",
                    "trmm L uplo T N n n 1 A1 W",
                    "mirror uplo n W",
                    "trsm L uplo T N n n 1 A1 W",
                    "trsm R uplo N N n n 1 A1 W",
                    "trhalf uplo n W A'",
                ],
            ),
            term(
                "A",
                "!uplo !info",
                &[
                    "new W n n",
                    "gescal n n 0 W",
                    "tradd uplo N n 1 A' W",
                    "trmm R uplo T N n n 1 A1 W",
                    "mirror uplo n W",
                    "trsm L uplo N N n n 1 A1 W",
                    "trsm R uplo T N n n 1 A1 W",
                    "trhalf uplo n W A'",
                ],
            ),
        ],
        tangents: &[
            PRIMAL,
            term("A", "info", &["trscal uplo n NaN A'"]),
            term(
                "A",
                "uplo !info",
                &[
                    "new W n n",
                    "gescal n n 0 W",
                    "tradd uplo N n 1 A' W",
                    "mirror uplo n W",
                    "trsm L uplo N N n n 1 A W",
                    "trsm R uplo T N n n 1 A W",
                    "trhalf uplo n W A'",
                    "gescal n n 0 W",
                    "tradd uplo N n 1 A' W",
                    "trmm L uplo N N n n 1 A W",
                    "trscal uplo n 0 A'",
                    "tradd uplo N n 1 W A'",
                ],
            ),
            term(
                "A",
                "!uplo !info",
                &[
                    "new W n n",
                    "gescal n n 0 W",
                    "tradd uplo N n 1 A' W",
                    "mirror uplo n W",
                    "trsm L uplo T N n n 1 A W",
                    "trsm R uplo N N n n 1 A W",
                    "trhalf uplo n W A'",
                    "gescal n n 0 W",
                    "tradd uplo N n 1 A' W",
                    "trmm R uplo N N n n 1 A W",
                    "trscal uplo n 0 A'",
                    "tradd uplo N n 1 W A'",
                ],
            ),
        ],
    },
    Routine {
        name: "potrs",
        formula: "B := (A Aᵀ)⁻¹ B, or (Aᵀ A)⁻¹ B, A the lower or the upper factor of Cholesky",
        params: "uplo n k A(n,n) B(n,k) info",
        output: "B",
        nonempty: "n k",
        adjoints: &[
            term("B", "!info", &["potrs uplo n k A B'"]),
            term(
                "A",
                "uplo !info",
                &[
                    "new W n n",
                    "gemm N T n n k -1 B' B1 0 W",
                    "gemm N T n n k -1 B1 B' 1 W",
                    "trmm R uplo N N n n 1 A W",
                    "tradd uplo N n 1 W A'",
                ],
            ),
            term(
                "A",
                "!uplo !info",
                &[
                    "new W n n",
                    "gemm N T n n k -1 B' B1 0 W",
                    "gemm N T n n k -1 B1 B' 1 W",
                    "trmm L uplo N N n n 1 A W",
                    "tradd uplo N n 1 W A'",
                ],
            ),
        ],
        tangents: &[
            PRIMAL,
            term(
                "A",
                "uplo !info",
                &[
                    "new W n k",
                    "gecopy n k B W",
                    "trmm L uplo T N n k 1 A W",
                    "trmm L uplo N N n k 1 A' W",
                    "geadd n k -1 W B'",
                    "gecopy n k B W",
                    "trmm L uplo T N n k 1 A' W",
                    "trmm L uplo N N n k 1 A W",
                    "geadd n k -1 W B'",
                ],
            ),
            term(
                "A",
                "!uplo !info",
                &[
                    "new W n k",
                    "gecopy n k B W",
                    "trmm L uplo N N n k 1 A W",
                    "trmm L uplo T N n k 1 A' W",
                    "geadd n k -1 W B'",
                    "gecopy n k B W",
                    "trmm L uplo N N n k 1 A' W",
                    "trmm L uplo T N n k 1 A W",
                    "geadd n k -1 W B'",
                ],
            ),
            term("B", "!info", &["potrs uplo n k A B'"]),
        ],
    },
    Routine {
        name: "trtrs",
        formula: "B := op(A)⁻¹ B, A triangular; nothing where A is singular",
        params: "uplo t diag n k A(n,n) B(n,k) info",
        output: "B",
        nonempty: "n k",
        adjoints: &[
            term("B", "!info", &["trsm L uplo !t diag n k 1 A B'"]),
            term("A", "!t !info", &["new W n n", "gemm N T n n k -1 B' B1 0 W", "tradd uplo diag n 1 W A'"]),
            term("A", "t !info", &["new W n n", "gemm N T n n k -1 B1 B' 0 W", "tradd uplo diag n 1 W A'"]),
        ],
        tangents: &[
            PRIMAL,
            term("A", "!info", &["new W n k", "gecopy n k B W", "trmm L uplo t diag n k -1 A' W", "geadd n k 1 W B'"]),
            term("A", "diag !info", &["geadd n k 1 B B'"]),
            term("B", "!info", &["trsm L uplo t diag n k 1 A B'"]),
        ],
    },
];
