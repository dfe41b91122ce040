//! Rows of BLAS ([`crate::blas`] has the language). One row for each routine whose derivative is made of such routines.
//!
//! Formulas: Giles, "Collected matrix derivative results for forward and reverse mode algorithmic differentiation" (2008), 2.2, with what
//! a triangle that stands for a symmetric matrix adds: an element off the diagonal stands for two, so that the products count the diagonal
//! once too little or too often.

use crate::blas::{Routine, Term};

const fn term(of: &'static str, when: &'static str, steps: &'static [&'static str]) -> Term {
    Term { of, when, steps }
}

const PRIMAL: Term = term("", "", &["call"]);

/// The routines.
pub const ROUTINES: &[Routine] = &[
    Routine {
        name: "scal",
        formula: "x := alpha x",
        params: "n alpha x(n)",
        output: "x",
        nonempty: "n x.ld",
        adjoints: &[term("alpha", "", &["+= dot n x0 x'"]), term("x", "", &["vescal n alpha x'"])],
        tangents: &[term("x", "", &["vescal n alpha x'"]), term("alpha", "", &["axpy n alpha' x x'"]), PRIMAL],
    },
    Routine {
        name: "axpy",
        formula: "y := alpha x + y",
        params: "n alpha x(n) y(n)",
        output: "y",
        nonempty: "n",
        adjoints: &[term("alpha", "", &["+= dot n x y'"]), term("x", "", &["axpy n alpha y' x'"])],
        // In this order it is right also where x is y.
        tangents: &[term("x", "", &["axpy n alpha x' y'"]), term("alpha", "", &["axpy n alpha' x y'"]), PRIMAL],
    },
    Routine {
        name: "dot",
        formula: "r = x · y",
        params: "n x(n) y(n)",
        output: "r",
        nonempty: "n",
        adjoints: &[term("x", "", &["axpy n r' y x'"]), term("y", "", &["axpy n r' x y'"])],
        tangents: &[term("x", "", &["+= dot n x' y"]), term("y", "", &["+= dot n x y'"]), PRIMAL],
    },
    Routine {
        name: "nrm2",
        formula: "r = |x|, of slope 0 at 0",
        params: "n x(n)",
        output: "r",
        nonempty: "n x.ld",
        adjoints: &[term("x", "r", &["axpy n r'/r x x'"])],
        tangents: &[PRIMAL, term("x", "r", &["+= dot n x x' /r"])],
    },
    Routine {
        name: "gemv",
        formula: "y := alpha op(A) x + beta y",
        params: "t m n alpha A(m,n) x(n|m@t) beta y(m|n@t)",
        output: "y",
        nonempty: "m n",
        adjoints: &[
            term("A", "!t", &["ger m n alpha y' x A'"]),
            term("A", "t", &["ger m n alpha x y' A'"]),
            term("x", "", &["gemv !t m n alpha A y' 1 x'"]),
            term("alpha", "", &["new w #y", "gemv t m n 1 A x 0 w", "+= dot #y w y'"]),
            term("beta", "beta", &["+= dot #y y0 y'"]),
            term("y", "", &["vescal #y beta y'"]),
        ],
        tangents: &[
            term("y", "", &["vescal #y beta y'"]),
            term("beta", "beta", &["axpy #y beta' y y'"]),
            term("A", "", &["gemv t m n alpha A' x 1 y'"]),
            term("x", "", &["gemv t m n alpha A x' 1 y'"]),
            term("alpha", "", &["gemv t m n alpha' A x 1 y'"]),
            PRIMAL,
        ],
    },
    Routine {
        name: "ger",
        formula: "A := alpha x yᵀ + A",
        params: "m n alpha x(m) y(n) A(m,n)",
        output: "A",
        nonempty: "m n",
        adjoints: &[
            term("x", "", &["gemv N m n alpha A' y 1 x'"]),
            term("y", "", &["gemv T m n alpha A' x 1 y'"]),
            term("alpha", "", &["new w m", "gemv N m n 1 A' y 0 w", "+= dot m w x"]),
        ],
        tangents: &[
            term("x", "", &["ger m n alpha x' y A'"]),
            term("y", "", &["ger m n alpha x y' A'"]),
            term("alpha", "", &["ger m n alpha' x y A'"]),
            PRIMAL,
        ],
    },
    Routine {
        name: "symv",
        formula: "y := alpha A x + beta y, A symmetric",
        params: "uplo n alpha A(n,n) x(n) beta y(n)",
        output: "y",
        nonempty: "n",
        adjoints: &[
            term("A", "", &["syr2 uplo n alpha x y' A'", "diadd n -alpha x y' A'"]),
            term("x", "", &["symv uplo n alpha A y' 1 x'"]),
            term("alpha", "", &["new w n", "symv uplo n 1 A x 0 w", "+= dot n w y'"]),
            term("beta", "beta", &["+= dot n y0 y'"]),
            term("y", "", &["vescal n beta y'"]),
        ],
        tangents: &[
            term("y", "", &["vescal n beta y'"]),
            term("beta", "beta", &["axpy n beta' y y'"]),
            term("A", "", &["symv uplo n alpha A' x 1 y'"]),
            term("x", "", &["symv uplo n alpha A x' 1 y'"]),
            term("alpha", "", &["symv uplo n alpha' A x 1 y'"]),
            PRIMAL,
        ],
    },
    Routine {
        name: "syr",
        formula: "A := alpha x xᵀ + A, one triangle of it",
        params: "uplo n alpha x(n) A(n,n)",
        output: "A",
        nonempty: "n",
        adjoints: &[
            term("alpha", "", &["new w n", "symv uplo n 0.5 A' x 0 w", "dimul n 0.5 A' x w", "+= dot n w x"]),
            term("x", "", &["symv uplo n alpha A' x 1 x'", "dimul n alpha A' x x'"]),
        ],
        tangents: &[
            term("x", "", &["syr2 uplo n alpha x x' A'"]),
            term("alpha", "", &["syr uplo n alpha' x A'"]),
            PRIMAL,
        ],
    },
    Routine {
        name: "syr2",
        formula: "A := alpha (x yᵀ + y xᵀ) + A, one triangle of it",
        params: "uplo n alpha x(n) y(n) A(n,n)",
        output: "A",
        nonempty: "n",
        adjoints: &[
            term("alpha", "", &["new w n", "symv uplo n 1 A' y 0 w", "dimul n 1 A' y w", "+= dot n w x"]),
            term("x", "", &["symv uplo n alpha A' y 1 x'", "dimul n alpha A' y x'"]),
            term("y", "", &["symv uplo n alpha A' x 1 y'", "dimul n alpha A' x y'"]),
        ],
        tangents: &[
            term("x", "", &["syr2 uplo n alpha x' y A'"]),
            term("y", "", &["syr2 uplo n alpha x y' A'"]),
            term("alpha", "", &["syr2 uplo n alpha' x y A'"]),
            PRIMAL,
        ],
    },
    Routine {
        name: "trmv",
        formula: "x := op(A) x, A triangular",
        params: "uplo t diag n A(n,n) x(n)",
        output: "x",
        nonempty: "n",
        adjoints: &[
            term("A", "!t", &["new W n n", "gescal n n 0 W", "ger n n 1 x' x0 W", "tradd uplo diag n 1 W A'"]),
            term("A", "t", &["new W n n", "gescal n n 0 W", "ger n n 1 x0 x' W", "tradd uplo diag n 1 W A'"]),
            term("x", "", &["trmv uplo !t diag n A x'"]),
        ],
        tangents: &[
            term("x", "", &["trmv uplo t diag n A x'"]),
            term("A", "", &["new w n", "vecopy n x w", "trmv uplo t diag n A' w", "axpy n 1 w x'"]),
            // The diagonal of A is not read, but that of its tangent counted as ones.
            term("A", "diag", &["axpy n -1 x x'"]),
            PRIMAL,
        ],
    },
    Routine {
        name: "trsv",
        formula: "x := op(A)⁻¹ x, A triangular",
        params: "uplo t diag n A(n,n) x(n)",
        output: "x",
        nonempty: "n",
        adjoints: &[
            term("x", "", &["trsv uplo !t diag n A x'"]),
            term("A", "!t", &["new W n n", "gescal n n 0 W", "ger n n -1 x' x1 W", "tradd uplo diag n 1 W A'"]),
            term("A", "t", &["new W n n", "gescal n n 0 W", "ger n n -1 x1 x' W", "tradd uplo diag n 1 W A'"]),
        ],
        tangents: &[
            PRIMAL,
            term("A", "", &["new w n", "vecopy n x w", "trmv uplo t diag n A' w", "axpy n -1 w x'"]),
            term("A", "diag", &["axpy n 1 x x'"]),
            term("x", "", &["trsv uplo t diag n A x'"]),
        ],
    },
    Routine {
        name: "gemm",
        formula: "C := alpha op(A) op(B) + beta C",
        params: "ta tb m n k alpha A(m,k|k,m@ta) B(k,n|n,k@tb) beta C(m,n)",
        output: "C",
        nonempty: "m n",
        adjoints: &[
            term("A", "!ta", &["gemm N !tb m k n alpha C' B 1 A'"]),
            term("A", "ta", &["gemm tb T k m n alpha B C' 1 A'"]),
            term("B", "!tb", &["gemm !ta N k n m alpha A C' 1 B'"]),
            term("B", "tb", &["gemm T ta n k m alpha C' A 1 B'"]),
            term("alpha", "", &["new W m n", "gemm ta tb m n k 1 A B 0 W", "+= gedot m n W C'"]),
            term("beta", "beta", &["+= gedot m n C0 C'"]),
            term("C", "", &["gescal m n beta C'"]),
        ],
        tangents: &[
            term("C", "", &["gescal m n beta C'"]),
            term("beta", "beta", &["geadd m n beta' C C'"]),
            term("A", "", &["gemm ta tb m n k alpha A' B 1 C'"]),
            term("B", "", &["gemm ta tb m n k alpha A B' 1 C'"]),
            term("alpha", "", &["gemm ta tb m n k alpha' A B 1 C'"]),
            PRIMAL,
        ],
    },
    Routine {
        name: "symm",
        formula: "C := alpha A B + beta C, or alpha B A + beta C, A symmetric",
        params: "side uplo m n alpha A(m,m|n,n@side) B(m,n) beta C(m,n)",
        output: "C",
        nonempty: "m n",
        adjoints: &[
            term("A", "!side", &["syr2k uplo N m n alpha C' B 1 A'", "didot side m n -alpha C' B A'"]),
            term("A", "side", &["syr2k uplo T n m alpha C' B 1 A'", "didot side m n -alpha C' B A'"]),
            term("B", "", &["symm side uplo m n alpha A C' 1 B'"]),
            term("alpha", "", &["new W m n", "symm side uplo m n 1 A B 0 W", "+= gedot m n W C'"]),
            term("beta", "beta", &["+= gedot m n C0 C'"]),
            term("C", "", &["gescal m n beta C'"]),
        ],
        tangents: &[
            term("C", "", &["gescal m n beta C'"]),
            term("beta", "beta", &["geadd m n beta' C C'"]),
            term("A", "", &["symm side uplo m n alpha A' B 1 C'"]),
            term("B", "", &["symm side uplo m n alpha A B' 1 C'"]),
            term("alpha", "", &["symm side uplo m n alpha' A B 1 C'"]),
            PRIMAL,
        ],
    },
    Routine {
        name: "syrk",
        formula: "C := alpha op(A) op(A)ᵀ + beta C, one triangle of it",
        params: "uplo t n k alpha A(n,k|k,n@t) beta C(n,n)",
        output: "C",
        nonempty: "n",
        adjoints: &[
            term("A", "!t", &["symm L uplo n k alpha C' A 1 A'", "dgadd t n k alpha C' A A'"]),
            term("A", "t", &["symm R uplo k n alpha C' A 1 A'", "dgadd t n k alpha C' A A'"]),
            term("alpha", "", &["new W n n", "syrk uplo t n k 1 A 0 W", "+= trdot uplo n W C'"]),
            term("beta", "beta", &["+= trdot uplo n C0 C'"]),
            term("C", "", &["trscal uplo n beta C'"]),
        ],
        tangents: &[
            term("C", "", &["trscal uplo n beta C'"]),
            term("beta", "beta", &["tradd uplo N n beta' C C'"]),
            term("A", "", &["syr2k uplo t n k alpha A' A 1 C'"]),
            term("alpha", "", &["syrk uplo t n k alpha' A 1 C'"]),
            PRIMAL,
        ],
    },
    Routine {
        name: "syr2k",
        formula: "C := alpha (op(A) op(B)ᵀ + op(B) op(A)ᵀ) + beta C, one triangle of it",
        params: "uplo t n k alpha A(n,k|k,n@t) B(n,k|k,n@t) beta C(n,n)",
        output: "C",
        nonempty: "n",
        adjoints: &[
            term("A", "!t", &["symm L uplo n k alpha C' B 1 A'", "dgadd t n k alpha C' B A'"]),
            term("A", "t", &["symm R uplo k n alpha C' B 1 A'", "dgadd t n k alpha C' B A'"]),
            term("B", "!t", &["symm L uplo n k alpha C' A 1 B'", "dgadd t n k alpha C' A B'"]),
            term("B", "t", &["symm R uplo k n alpha C' A 1 B'", "dgadd t n k alpha C' A B'"]),
            term("alpha", "", &["new W n n", "syr2k uplo t n k 1 A B 0 W", "+= trdot uplo n W C'"]),
            term("beta", "beta", &["+= trdot uplo n C0 C'"]),
            term("C", "", &["trscal uplo n beta C'"]),
        ],
        tangents: &[
            term("C", "", &["trscal uplo n beta C'"]),
            term("beta", "beta", &["tradd uplo N n beta' C C'"]),
            term("A", "", &["syr2k uplo t n k alpha A' B 1 C'"]),
            term("B", "", &["syr2k uplo t n k alpha A B' 1 C'"]),
            term("alpha", "", &["syr2k uplo t n k alpha' A B 1 C'"]),
            PRIMAL,
        ],
    },
    Routine {
        name: "trmm",
        formula: "B := alpha op(A) B, or alpha B op(A), A triangular",
        params: "side uplo t diag m n alpha A(m,m|n,n@side) B(m,n)",
        output: "B",
        nonempty: "m n",
        adjoints: &[
            term("A", "!side !t", &["new W m m", "gemm N T m m n alpha B' B0 0 W", "tradd uplo diag m 1 W A'"]),
            term("A", "!side t", &["new W m m", "gemm N T m m n alpha B0 B' 0 W", "tradd uplo diag m 1 W A'"]),
            term("A", "side !t", &["new W n n", "gemm T N n n m alpha B0 B' 0 W", "tradd uplo diag n 1 W A'"]),
            term("A", "side t", &["new W n n", "gemm T N n n m alpha B' B0 0 W", "tradd uplo diag n 1 W A'"]),
            term(
                "alpha",
                "",
                &["new W m n", "gecopy m n B0 W", "trmm side uplo t diag m n 1 A W", "+= gedot m n W B'"],
            ),
            term("B", "", &["trmm side uplo !t diag m n alpha A B'"]),
        ],
        tangents: &[
            term("B", "", &["trmm side uplo t diag m n alpha A B'"]),
            term("A", "", &["new W m n", "gecopy m n B W", "trmm side uplo t diag m n alpha A' W", "geadd m n 1 W B'"]),
            term("A", "diag", &["geadd m n -alpha B B'"]),
            term(
                "alpha",
                "",
                &["new W m n", "gecopy m n B W", "trmm side uplo t diag m n alpha' A W", "geadd m n 1 W B'"],
            ),
            PRIMAL,
        ],
    },
    Routine {
        name: "trsm",
        formula: "B := alpha op(A)⁻¹ B, or alpha B op(A)⁻¹, A triangular",
        params: "side uplo t diag m n alpha A(m,m|n,n@side) B(m,n)",
        output: "B",
        nonempty: "m n",
        adjoints: &[
            term("B", "alpha", &["trsm side uplo !t diag m n 1 A B'"]),
            term("A", "!side !t", &["new W m m", "gemm N T m m n -1 B' B1 0 W", "tradd uplo diag m 1 W A'"]),
            term("A", "!side t", &["new W m m", "gemm N T m m n -1 B1 B' 0 W", "tradd uplo diag m 1 W A'"]),
            term("A", "side !t", &["new W n n", "gemm T N n n m -1 B1 B' 0 W", "tradd uplo diag n 1 W A'"]),
            term("A", "side t", &["new W n n", "gemm T N n n m -1 B' B1 0 W", "tradd uplo diag n 1 W A'"]),
            term("alpha", "", &["+= gedot m n B0 B'"]),
            term("B", "", &["gescal m n alpha B'"]),
        ],
        tangents: &[
            term("B", "", &["gescal m n alpha B'"]),
            term("alpha", "", &["geadd m n alpha' B B'"]),
            PRIMAL,
            term("A", "", &["new W m n", "gecopy m n B W", "trmm side uplo t diag m n -1 A' W", "geadd m n 1 W B'"]),
            term("A", "diag", &["geadd m n 1 B B'"]),
            term("B", "alpha", &["trsm side uplo t diag m n 1 A B'"]),
        ],
    },
];

const fn kernel(name: &'static str, formula: &'static str, params: &'static str, output: &'static str) -> Routine {
    Routine { name, formula, params, output, nonempty: "", adjoints: &[], tangents: &[] }
}

/// What the rows need and BLAS does not have; their bodies are in the library, and differentiated like any code.
pub const KERNELS: &[Routine] = &[
    kernel("vescal", "x := alpha x, zeros if alpha = 0", "n alpha x(n)", "x"),
    kernel("vecopy", "y := x", "n x(n) y(n)", "y"),
    kernel("gescal", "A := alpha A, zeros if alpha = 0", "m n alpha A(m,n)", "A"),
    kernel("gecopy", "B := A", "m n A(m,n) B(m,n)", "B"),
    kernel("geadd", "B := alpha A + B", "m n alpha A(m,n) B(m,n)", "B"),
    kernel("gedot", "r = Σ Aᵢⱼ Bᵢⱼ", "m n A(m,n) B(m,n)", "r"),
    kernel("trscal", "A := alpha A in one triangle, zeros if alpha = 0", "uplo n alpha A(n,n)", "A"),
    kernel(
        "tradd",
        "B := alpha A + B in one triangle, without a diagonal of ones",
        "uplo diag n alpha A(n,n) B(n,n)",
        "B",
    ),
    kernel("trdot", "r = Σ Aᵢⱼ Bᵢⱼ over one triangle", "uplo n A(n,n) B(n,n)", "r"),
    kernel("diadd", "Aᵢᵢ := alpha xᵢ yᵢ + Aᵢᵢ", "n alpha x(n) y(n) A(n,n)", "A"),
    kernel("dimul", "yᵢ := alpha Aᵢᵢ xᵢ + yᵢ", "n alpha A(n,n) x(n) y(n)", "y"),
    kernel(
        "dgadd",
        "op(C)ᵢ := alpha Aᵢᵢ op(B)ᵢ + op(C)ᵢ, row by row",
        "t n k alpha A(n,n) B(n,k|k,n@t) C(n,k|k,n@t)",
        "C",
    ),
    kernel(
        "didot",
        "Aᵢᵢ := alpha Bᵢ · Cᵢ + Aᵢᵢ, of rows or columns",
        "side m n alpha B(m,n) C(m,n) A(m,m|n,n@side)",
        "A",
    ),
];
