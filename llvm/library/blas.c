/* Reference bodies of BLAS and LAPACK routines, for programs that call them without having them.
 *
 * Written from the definitions in Lawson, Hanson, Kincaid, Krogh (level 1, ACM TOMS 5, 1979), Dongarra et al. (level 2, ACM TOMS 14,
 * 1988; level 3, ACM TOMS 16, 1990), the CBLAS chapter of the BLAS Technical Forum standard (2001), and the LAPACK Users' Guide (3rd
 * edition). The text is compiled once for each format: REAL is the number, K(name) a kernel, C(name) the CBLAS spelling, F(name) the
 * Fortran one. Kernels are column-major and take characters in upper case; every spelling ends in a kernel.
 *
 * Where the standard says that an argument is not read (a factor of zero, the other triangle, a unit diagonal), it is not read here:
 * it may be uninitialised, or NaN. */

/* The element of a vector with increment `inc`; with a negative one it is stored backwards. */
#define AT(x, i, n, inc) (x)[((inc) < 0 ? (long)((i) - (n) + 1) : (long)(i)) * (inc)]
#define M(a, i, j, ld) (a)[(long)(i) + (long)(j) * (ld)]

static int K(upper)(int c) { return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c; }
static int K(trans)(int c) { return K(upper)(c) == 'N' ? 'N' : 'T'; }
static int K(flip)(int uplo) { return uplo == 'U' ? 'L' : 'U'; }
static int K(turn)(int trans) { return trans == 'N' ? 'T' : 'N'; }

/* Level 1. */

static void K(scal)(int n, REAL alpha, REAL *x, int incx) {
    if (incx <= 0)
        return;
    for (int i = 0; i < n; i++)
        AT(x, i, n, incx) *= alpha;
}

static void K(axpy)(int n, REAL alpha, const REAL *x, int incx, REAL *y, int incy) {
    for (int i = 0; i < n; i++)
        AT(y, i, n, incy) += alpha * AT(x, i, n, incx);
}

static REAL K(dot)(int n, const REAL *x, int incx, const REAL *y, int incy) {
    REAL sum = 0;
    for (int i = 0; i < n; i++)
        sum += AT(x, i, n, incx) * AT(y, i, n, incy);
    return sum;
}

static REAL K(nrm2)(int n, const REAL *x, int incx) {
    REAL sum = 0;
    if (incx <= 0)
        return 0;
    for (int i = 0; i < n; i++)
        sum += AT(x, i, n, incx) * AT(x, i, n, incx);
    return SQRT(sum);
}

static REAL K(asum)(int n, const REAL *x, int incx) {
    REAL sum = 0;
    if (incx <= 0)
        return 0;
    for (int i = 0; i < n; i++)
        sum += FABS(AT(x, i, n, incx));
    return sum;
}

static void K(copy)(int n, const REAL *x, int incx, REAL *y, int incy) {
    for (int i = 0; i < n; i++)
        AT(y, i, n, incy) = AT(x, i, n, incx);
}

static void K(swap)(int n, REAL *x, int incx, REAL *y, int incy) {
    for (int i = 0; i < n; i++) {
        REAL t = AT(x, i, n, incx);
        AT(x, i, n, incx) = AT(y, i, n, incy);
        AT(y, i, n, incy) = t;
    }
}

static void K(rot)(int n, REAL *x, int incx, REAL *y, int incy, REAL c, REAL s) {
    for (int i = 0; i < n; i++) {
        REAL a = AT(x, i, n, incx), b = AT(y, i, n, incy);
        AT(x, i, n, incx) = c * a + s * b;
        AT(y, i, n, incy) = c * b - s * a;
    }
}

/* The index, from 0, of the first element of greatest modulus; -1 if there is none. */
static int K(iamax)(int n, const REAL *x, int incx) {
    int best = -1;
    if (incx <= 0)
        return best;
    for (int i = 0; i < n; i++)
        if (best < 0 || FABS(AT(x, i, n, incx)) > FABS(AT(x, best, n, incx)))
            best = i;
    return best;
}

/* Level 2. */

/* y := beta y, where a factor of zero stores zeros whatever was there. */
static void K(start)(int n, REAL beta, REAL *y, int incy) {
    for (int i = 0; i < n; i++)
        AT(y, i, n, incy) = beta == 0 ? 0 : beta * AT(y, i, n, incy);
}

static void K(gemv)(int trans, int m, int n, REAL alpha, const REAL *a, int lda, const REAL *x, int incx, REAL beta, REAL *y,
                    int incy) {
    int rows = trans == 'N' ? m : n, columns = trans == 'N' ? n : m;
    if (m == 0 || n == 0)
        return;
    K(start)(rows, beta, y, incy);
    if (alpha == 0)
        return;
    for (int i = 0; i < rows; i++) {
        REAL sum = 0;
        for (int j = 0; j < columns; j++)
            sum += (trans == 'N' ? M(a, i, j, lda) : M(a, j, i, lda)) * AT(x, j, columns, incx);
        AT(y, i, rows, incy) += alpha * sum;
    }
}

static void K(ger)(int m, int n, REAL alpha, const REAL *x, int incx, const REAL *y, int incy, REAL *a, int lda) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            M(a, i, j, lda) += alpha * AT(x, i, m, incx) * AT(y, j, n, incy);
}

/* Where a triangle keeps the element (i, j) of a symmetric matrix; `lda` of 0 says that it is packed by columns. */
static long K(place)(int uplo, int n, int lda, int i, int j) {
    int r = (uplo == 'U') == (i <= j) ? i : j, c = i + j - r;
    if (lda)
        return r + (long)c * lda;
    return uplo == 'U' ? r + (long)c * (c + 1) / 2 : r - c + (long)c * (2 * n - c + 1) / 2;
}

static void K(symv)(int uplo, int n, REAL alpha, const REAL *a, int lda, const REAL *x, int incx, REAL beta, REAL *y, int incy) {
    K(start)(n, beta, y, incy);
    if (alpha == 0)
        return;
    for (int i = 0; i < n; i++) {
        REAL sum = 0;
        for (int j = 0; j < n; j++)
            sum += a[K(place)(uplo, n, lda, i, j)] * AT(x, j, n, incx);
        AT(y, i, n, incy) += alpha * sum;
    }
}

static void K(syr)(int uplo, int n, REAL alpha, const REAL *x, int incx, REAL *a, int lda) {
    for (int j = 0; j < n; j++)
        for (int i = uplo == 'U' ? 0 : j; i < (uplo == 'U' ? j + 1 : n); i++)
            a[K(place)(uplo, n, lda, i, j)] += alpha * AT(x, i, n, incx) * AT(x, j, n, incx);
}

static void K(syr2)(int uplo, int n, REAL alpha, const REAL *x, int incx, const REAL *y, int incy, REAL *a, int lda) {
    for (int j = 0; j < n; j++)
        for (int i = uplo == 'U' ? 0 : j; i < (uplo == 'U' ? j + 1 : n); i++)
            a[K(place)(uplo, n, lda, i, j)] +=
                alpha * (AT(x, i, n, incx) * AT(y, j, n, incy) + AT(y, i, n, incy) * AT(x, j, n, incx));
}

/* x := op(A) x in place: each element is made before those that it is made from. */
static void K(trmv)(int uplo, int trans, int unit, int n, const REAL *a, int lda, REAL *x, int incx) {
    int forward = (uplo == 'U') == (trans == 'N');
    for (int k = 0; k < n; k++) {
        int i = forward ? k : n - 1 - k;
        REAL sum = unit ? AT(x, i, n, incx) : M(a, i, i, lda) * AT(x, i, n, incx);
        for (int j = forward ? i + 1 : 0; j < (forward ? n : i); j++)
            sum += (trans == 'N' ? M(a, i, j, lda) : M(a, j, i, lda)) * AT(x, j, n, incx);
        AT(x, i, n, incx) = sum;
    }
}

/* x := op(A)^-1 x in place. */
static void K(trsv)(int uplo, int trans, int unit, int n, const REAL *a, int lda, REAL *x, int incx) {
    int backward = (uplo == 'U') == (trans == 'N');
    for (int k = 0; k < n; k++) {
        int i = backward ? n - 1 - k : k;
        REAL sum = AT(x, i, n, incx);
        for (int j = backward ? i + 1 : 0; j < (backward ? n : i); j++)
            sum -= (trans == 'N' ? M(a, i, j, lda) : M(a, j, i, lda)) * AT(x, j, n, incx);
        AT(x, i, n, incx) = unit ? sum : sum / M(a, i, i, lda);
    }
}

/* Level 3. */

static void K(gemm)(int ta, int tb, int m, int n, int k, REAL alpha, const REAL *a, int lda, const REAL *b, int ldb, REAL beta,
                    REAL *c, int ldc) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            REAL sum = 0;
            if (alpha != 0)
                for (int l = 0; l < k; l++)
                    sum += (ta == 'N' ? M(a, i, l, lda) : M(a, l, i, lda)) * (tb == 'N' ? M(b, l, j, ldb) : M(b, j, l, ldb));
            M(c, i, j, ldc) = beta == 0 ? alpha * sum : alpha * sum + beta * M(c, i, j, ldc);
        }
}

static void K(symm)(int side, int uplo, int m, int n, REAL alpha, const REAL *a, int lda, const REAL *b, int ldb, REAL beta, REAL *c,
                    int ldc) {
    int order = side == 'L' ? m : n;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            REAL sum = 0;
            if (alpha != 0)
                for (int l = 0; l < order; l++)
                    sum += side == 'L' ? a[K(place)(uplo, order, lda, i, l)] * M(b, l, j, ldb)
                                       : M(b, i, l, ldb) * a[K(place)(uplo, order, lda, l, j)];
            M(c, i, j, ldc) = beta == 0 ? alpha * sum : alpha * sum + beta * M(c, i, j, ldc);
        }
}

/* C := alpha (op(A) op(B)' + op(B) op(A)') + beta C, or without the second term if `twice` is not set. */
static void K(syrk)(int uplo, int trans, int n, int k, REAL alpha, const REAL *a, int lda, const REAL *b, int ldb, int twice, REAL beta,
                    REAL *c, int ldc) {
    for (int j = 0; j < n; j++)
        for (int i = uplo == 'U' ? 0 : j; i < (uplo == 'U' ? j + 1 : n); i++) {
            REAL sum = 0;
            if (alpha != 0)
                for (int l = 0; l < k; l++) {
                    REAL ai = trans == 'N' ? M(a, i, l, lda) : M(a, l, i, lda), bj = trans == 'N' ? M(b, j, l, ldb) : M(b, l, j, ldb);
                    sum += ai * bj;
                    if (twice)
                        sum += (trans == 'N' ? M(b, i, l, ldb) : M(b, l, i, ldb)) * (trans == 'N' ? M(a, j, l, lda) : M(a, l, j, lda));
                }
            M(c, i, j, ldc) = beta == 0 ? alpha * sum : alpha * sum + beta * M(c, i, j, ldc);
        }
}

/* B := alpha op(A) B or alpha B op(A), or with the inverse of op(A): the columns of B, or its rows, one by one. */
static void K(trxm)(int inverse, int side, int uplo, int trans, int unit, int m, int n, REAL alpha, const REAL *a, int lda, REAL *b,
                    int ldb) {
    int count = side == 'L' ? n : m, length = side == 'L' ? m : n;
    /* x' op(A) is op(A)' x. */
    int turned = side == 'L' ? trans : K(turn)(trans);
    for (int v = 0; v < count; v++) {
        REAL *x = side == 'L' ? &M(b, 0, v, ldb) : &b[v];
        int inc = side == 'L' ? 1 : ldb;
        K(start)(length, alpha, x, inc);
        if (alpha == 0)
            continue;
        if (inverse)
            K(trsv)(uplo, turned, unit, length, a, lda, x, inc);
        else
            K(trmv)(uplo, turned, unit, length, a, lda, x, inc);
    }
}

/* LAPACK. */

static void K(lacpy)(int uplo, int m, int n, const REAL *a, int lda, REAL *b, int ldb) {
    for (int j = 0; j < n; j++)
        for (int i = uplo == 'L' ? j : 0; i < (uplo == 'U' && j + 1 < m ? j + 1 : m); i++)
            M(b, i, j, ldb) = M(a, i, j, lda);
}

/* The rows of column j that a letter speaks of: the whole matrix ('G'), a triangle ('L', 'U'), upper Hessenberg ('H'), or, as stored, the
 * lower ('B') or upper half ('Q') of a symmetric band, or a general band with room for its factors ('Z'); none for any other. */
static int K(first)(int type, int kl, int ku, int j) {
    int first = type == 'L' ? j : type == 'Q' ? ku - j : type == 'Z' ? kl + ku - j : 0, least = type == 'Z' ? kl : 0;
    return first < least ? least : first;
}
static int K(end)(int type, int kl, int ku, int m, int n, int j) {
    int end, most;
    switch (type) {
    case 'G':
    case 'L': return m;
    case 'U': end = j + 1, most = m; break;
    case 'H': end = j + 2, most = m; break;
    case 'B': end = kl + 1, most = n - j; break;
    case 'Q': return ku + 1;
    case 'Z': end = 2 * kl + ku + 1, most = kl + ku + m - j; break;
    default: return 0;
    }
    return end < most ? end : most;
}
#define EACH(type, kl, ku, m, n, i, j) \
    for (int j = 0; j < n; j++)        \
        for (int i = K(first)(type, kl, ku, j), end = K(end)(type, kl, ku, m, n, j); i < end; i++)

/* A := A to / from; or which argument is illegal. */
static int K(lascl)(int type, int kl, int ku, REAL from, REAL to, int m, int n, REAL *a, int lda) {
    int half = type == 'B' || type == 'Q', band = half || type == 'Z', whole = type == 'G' || type == 'L' || type == 'U' || type == 'H';
    int rows = type == 'B' ? kl + 1 : type == 'Q' ? ku + 1 : type == 'Z' ? 2 * kl + ku + 1 : m;
    if (!band && !whole)
        return -1;
    if (from == 0 || from != from)
        return -4;
    if (to != to)
        return -5;
    if (m < 0)
        return -6;
    if (n < 0 || (half && n != m))
        return -7;
    if (whole && lda < (m > 1 ? m : 1))
        return -9;
    if (band && (kl < 0 || kl > (m > 1 ? m - 1 : 0)))
        return -2;
    if (band && (ku < 0 || ku > (n > 1 ? n - 1 : 0) || (half && kl != ku)))
        return -3;
    if (band && lda < rows)
        return -9;
    EACH(type, kl, ku, m, n, i, j)
        M(a, i, j, lda) *= to / from;
    return 0;
}

/* Where LAPACK documents what arguments must hold: the first that does not is the negative of what is returned. (LAPACK's own `xerbla` prints
 * that and ends the program.) */
static int K(short)(int ld, int rows) { return ld < (rows > 1 ? rows : 1); }

/* The Cholesky factor in place; the order of the first minor that is not positive, or 0. */
static int K(potrf)(int uplo, int n, REAL *a, int lda) {
    if (uplo != 'U' && uplo != 'L')
        return -1;
    if (n < 0)
        return -2;
    if (K(short)(lda, n))
        return -4;
    for (int j = 0; j < n; j++) {
        REAL pivot = a[K(place)(uplo, n, lda, j, j)];
        for (int k = 0; k < j; k++)
            pivot -= a[K(place)(uplo, n, lda, j, k)] * a[K(place)(uplo, n, lda, j, k)];
        if (!(pivot > 0))
            return j + 1;
        pivot = SQRT(pivot);
        a[K(place)(uplo, n, lda, j, j)] = pivot;
        for (int i = j + 1; i < n; i++) {
            REAL sum = a[K(place)(uplo, n, lda, i, j)];
            for (int k = 0; k < j; k++)
                sum -= a[K(place)(uplo, n, lda, i, k)] * a[K(place)(uplo, n, lda, j, k)];
            a[K(place)(uplo, n, lda, i, j)] = sum / pivot;
        }
    }
    return 0;
}

static int K(potrs)(int uplo, int n, int nrhs, const REAL *a, int lda, REAL *b, int ldb) {
    if (uplo != 'U' && uplo != 'L')
        return -1;
    if (n < 0)
        return -2;
    if (nrhs < 0)
        return -3;
    if (K(short)(lda, n))
        return -5;
    if (K(short)(ldb, n))
        return -7;
    K(trxm)(1, 'L', uplo, uplo == 'U' ? 'T' : 'N', 0, n, nrhs, 1, a, lda, b, ldb);
    K(trxm)(1, 'L', uplo, uplo == 'U' ? 'N' : 'T', 0, n, nrhs, 1, a, lda, b, ldb);
    return 0;
}

/* The index of the first zero on the diagonal, or 0. */
static int K(trtrs)(int uplo, int trans, int diag, int n, int nrhs, const REAL *a, int lda, REAL *b, int ldb) {
    int unit = diag == 'U';
    if (uplo != 'U' && uplo != 'L')
        return -1;
    if (trans != 'N' && trans != 'T' && trans != 'C')
        return -2;
    if (diag != 'U' && diag != 'N')
        return -3;
    if (n < 0)
        return -4;
    if (nrhs < 0)
        return -5;
    if (K(short)(lda, n))
        return -7;
    if (K(short)(ldb, n))
        return -9;
    for (int i = 0; i < n && !unit; i++)
        if (M(a, i, i, lda) == 0)
            return i + 1;
    K(trxm)(1, 'L', uplo, K(trans)(trans), unit, n, nrhs, 1, a, lda, b, ldb);
    return 0;
}

/* CBLAS: the numbers of its enumerations, and row-major matrices as the transposes that they are. */

#define ROW(layout) ((layout) == 101)
#define TRANS(t) ((t) == 111 ? 'N' : 'T')
#define UPLO(u) ((u) == 121 ? 'U' : 'L')
#define SIDE(s) ((s) == 141 ? 'L' : 'R')
#define UNIT(d) ((d) == 132)

void C(scal)(int n, REAL alpha, REAL *x, int incx) { K(scal)(n, alpha, x, incx); }
void C(axpy)(int n, REAL alpha, const REAL *x, int incx, REAL *y, int incy) { K(axpy)(n, alpha, x, incx, y, incy); }
REAL C(dot)(int n, const REAL *x, int incx, const REAL *y, int incy) { return K(dot)(n, x, incx, y, incy); }
REAL C(nrm2)(int n, const REAL *x, int incx) { return K(nrm2)(n, x, incx); }
REAL C(asum)(int n, const REAL *x, int incx) { return K(asum)(n, x, incx); }
void C(copy)(int n, const REAL *x, int incx, REAL *y, int incy) { K(copy)(n, x, incx, y, incy); }
void C(swap)(int n, REAL *x, int incx, REAL *y, int incy) { K(swap)(n, x, incx, y, incy); }
void C(rot)(int n, REAL *x, int incx, REAL *y, int incy, REAL c, REAL s) { K(rot)(n, x, incx, y, incy, c, s); }
unsigned long CI(amax)(int n, const REAL *x, int incx) {
    int best = K(iamax)(n, x, incx);
    return best < 0 ? 0 : best;
}

void C(gemv)(int layout, int trans, int m, int n, REAL alpha, const REAL *a, int lda, const REAL *x, int incx, REAL beta, REAL *y,
             int incy) {
    int t = TRANS(trans);
    if (ROW(layout))
        K(gemv)(K(turn)(t), n, m, alpha, a, lda, x, incx, beta, y, incy);
    else
        K(gemv)(t, m, n, alpha, a, lda, x, incx, beta, y, incy);
}
void C(ger)(int layout, int m, int n, REAL alpha, const REAL *x, int incx, const REAL *y, int incy, REAL *a, int lda) {
    if (ROW(layout))
        K(ger)(n, m, alpha, y, incy, x, incx, a, lda);
    else
        K(ger)(m, n, alpha, x, incx, y, incy, a, lda);
}
static int K(triangle)(int layout, int uplo) { return ROW(layout) ? K(flip)(UPLO(uplo)) : UPLO(uplo); }
static int K(turned)(int layout, int trans) { return ROW(layout) ? K(turn)(TRANS(trans)) : TRANS(trans); }
void C(symv)(int layout, int uplo, int n, REAL alpha, const REAL *a, int lda, const REAL *x, int incx, REAL beta, REAL *y, int incy) {
    K(symv)(K(triangle)(layout, uplo), n, alpha, a, lda, x, incx, beta, y, incy);
}
void C(spmv)(int layout, int uplo, int n, REAL alpha, const REAL *ap, const REAL *x, int incx, REAL beta, REAL *y, int incy) {
    K(symv)(K(triangle)(layout, uplo), n, alpha, ap, 0, x, incx, beta, y, incy);
}
void C(syr)(int layout, int uplo, int n, REAL alpha, const REAL *x, int incx, REAL *a, int lda) {
    K(syr)(K(triangle)(layout, uplo), n, alpha, x, incx, a, lda);
}
void C(spr)(int layout, int uplo, int n, REAL alpha, const REAL *x, int incx, REAL *ap) {
    K(syr)(K(triangle)(layout, uplo), n, alpha, x, incx, ap, 0);
}
void C(syr2)(int layout, int uplo, int n, REAL alpha, const REAL *x, int incx, const REAL *y, int incy, REAL *a, int lda) {
    K(syr2)(K(triangle)(layout, uplo), n, alpha, x, incx, y, incy, a, lda);
}
void C(spr2)(int layout, int uplo, int n, REAL alpha, const REAL *x, int incx, const REAL *y, int incy, REAL *ap) {
    K(syr2)(K(triangle)(layout, uplo), n, alpha, x, incx, y, incy, ap, 0);
}
void C(trmv)(int layout, int uplo, int trans, int diag, int n, const REAL *a, int lda, REAL *x, int incx) {
    K(trmv)(K(triangle)(layout, uplo), K(turned)(layout, trans), UNIT(diag), n, a, lda, x, incx);
}
void C(trsv)(int layout, int uplo, int trans, int diag, int n, const REAL *a, int lda, REAL *x, int incx) {
    K(trsv)(K(triangle)(layout, uplo), K(turned)(layout, trans), UNIT(diag), n, a, lda, x, incx);
}
void C(gemm)(int layout, int ta, int tb, int m, int n, int k, REAL alpha, const REAL *a, int lda, const REAL *b, int ldb, REAL beta,
             REAL *c, int ldc) {
    if (ROW(layout))
        K(gemm)(TRANS(tb), TRANS(ta), n, m, k, alpha, b, ldb, a, lda, beta, c, ldc);
    else
        K(gemm)(TRANS(ta), TRANS(tb), m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
void C(symm)(int layout, int side, int uplo, int m, int n, REAL alpha, const REAL *a, int lda, const REAL *b, int ldb, REAL beta,
             REAL *c, int ldc) {
    if (ROW(layout))
        K(symm)(SIDE(side) == 'L' ? 'R' : 'L', K(flip)(UPLO(uplo)), n, m, alpha, a, lda, b, ldb, beta, c, ldc);
    else
        K(symm)(SIDE(side), UPLO(uplo), m, n, alpha, a, lda, b, ldb, beta, c, ldc);
}
void C(syrk)(int layout, int uplo, int trans, int n, int k, REAL alpha, const REAL *a, int lda, REAL beta, REAL *c, int ldc) {
    K(syrk)(K(triangle)(layout, uplo), K(turned)(layout, trans), n, k, alpha, a, lda, a, lda, 0, beta, c, ldc);
}
void C(syr2k)(int layout, int uplo, int trans, int n, int k, REAL alpha, const REAL *a, int lda, const REAL *b, int ldb, REAL beta,
              REAL *c, int ldc) {
    K(syrk)(K(triangle)(layout, uplo), K(turned)(layout, trans), n, k, alpha, a, lda, b, ldb, 1, beta, c, ldc);
}
static void K(triangular)(int inverse, int layout, int side, int uplo, int trans, int diag, int m, int n, REAL alpha, const REAL *a,
                          int lda, REAL *b, int ldb) {
    if (ROW(layout))
        K(trxm)(inverse, SIDE(side) == 'L' ? 'R' : 'L', K(flip)(UPLO(uplo)), TRANS(trans), UNIT(diag), n, m, alpha, a, lda, b, ldb);
    else
        K(trxm)(inverse, SIDE(side), UPLO(uplo), TRANS(trans), UNIT(diag), m, n, alpha, a, lda, b, ldb);
}
void C(trmm)(int layout, int side, int uplo, int trans, int diag, int m, int n, REAL alpha, const REAL *a, int lda, REAL *b, int ldb) {
    K(triangular)(0, layout, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb);
}
void C(trsm)(int layout, int side, int uplo, int trans, int diag, int m, int n, REAL alpha, const REAL *a, int lda, REAL *b, int ldb) {
    K(triangular)(1, layout, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb);
}

/* Fortran: everything by reference, characters in either case. */

#define UP(c) K(upper)(*(c))
#define TR(c) K(trans)(*(c))

void F(scal)(const int *n, const REAL *alpha, REAL *x, const int *incx) { K(scal)(*n, *alpha, x, *incx); }
void F(axpy)(const int *n, const REAL *alpha, const REAL *x, const int *incx, REAL *y, const int *incy) {
    K(axpy)(*n, *alpha, x, *incx, y, *incy);
}
REAL F(dot)(const int *n, const REAL *x, const int *incx, const REAL *y, const int *incy) { return K(dot)(*n, x, *incx, y, *incy); }
REAL F(nrm2)(const int *n, const REAL *x, const int *incx) { return K(nrm2)(*n, x, *incx); }
REAL F(asum)(const int *n, const REAL *x, const int *incx) { return K(asum)(*n, x, *incx); }
void F(copy)(const int *n, const REAL *x, const int *incx, REAL *y, const int *incy) { K(copy)(*n, x, *incx, y, *incy); }
void F(swap)(const int *n, REAL *x, const int *incx, REAL *y, const int *incy) { K(swap)(*n, x, *incx, y, *incy); }
void F(rot)(const int *n, REAL *x, const int *incx, REAL *y, const int *incy, const REAL *c, const REAL *s) {
    K(rot)(*n, x, *incx, y, *incy, *c, *s);
}
int FI(amax)(const int *n, const REAL *x, const int *incx) { return K(iamax)(*n, x, *incx) + 1; }

void F(gemv)(const char *trans, const int *m, const int *n, const REAL *alpha, const REAL *a, const int *lda, const REAL *x,
             const int *incx, const REAL *beta, REAL *y, const int *incy) {
    K(gemv)(TR(trans), *m, *n, *alpha, a, *lda, x, *incx, *beta, y, *incy);
}
void F(ger)(const int *m, const int *n, const REAL *alpha, const REAL *x, const int *incx, const REAL *y, const int *incy, REAL *a,
            const int *lda) {
    K(ger)(*m, *n, *alpha, x, *incx, y, *incy, a, *lda);
}
void F(symv)(const char *uplo, const int *n, const REAL *alpha, const REAL *a, const int *lda, const REAL *x, const int *incx,
             const REAL *beta, REAL *y, const int *incy) {
    K(symv)(UP(uplo), *n, *alpha, a, *lda, x, *incx, *beta, y, *incy);
}
void F(spmv)(const char *uplo, const int *n, const REAL *alpha, const REAL *ap, const REAL *x, const int *incx, const REAL *beta,
             REAL *y, const int *incy) {
    K(symv)(UP(uplo), *n, *alpha, ap, 0, x, *incx, *beta, y, *incy);
}
void F(syr)(const char *uplo, const int *n, const REAL *alpha, const REAL *x, const int *incx, REAL *a, const int *lda) {
    K(syr)(UP(uplo), *n, *alpha, x, *incx, a, *lda);
}
void F(spr)(const char *uplo, const int *n, const REAL *alpha, const REAL *x, const int *incx, REAL *ap) {
    K(syr)(UP(uplo), *n, *alpha, x, *incx, ap, 0);
}
void F(syr2)(const char *uplo, const int *n, const REAL *alpha, const REAL *x, const int *incx, const REAL *y, const int *incy,
             REAL *a, const int *lda) {
    K(syr2)(UP(uplo), *n, *alpha, x, *incx, y, *incy, a, *lda);
}
void F(spr2)(const char *uplo, const int *n, const REAL *alpha, const REAL *x, const int *incx, const REAL *y, const int *incy,
             REAL *ap) {
    K(syr2)(UP(uplo), *n, *alpha, x, *incx, y, *incy, ap, 0);
}
void F(trmv)(const char *uplo, const char *trans, const char *diag, const int *n, const REAL *a, const int *lda, REAL *x,
             const int *incx) {
    K(trmv)(UP(uplo), TR(trans), UP(diag) == 'U', *n, a, *lda, x, *incx);
}
void F(trsv)(const char *uplo, const char *trans, const char *diag, const int *n, const REAL *a, const int *lda, REAL *x,
             const int *incx) {
    K(trsv)(UP(uplo), TR(trans), UP(diag) == 'U', *n, a, *lda, x, *incx);
}
void F(gemm)(const char *ta, const char *tb, const int *m, const int *n, const int *k, const REAL *alpha, const REAL *a,
             const int *lda, const REAL *b, const int *ldb, const REAL *beta, REAL *c, const int *ldc) {
    K(gemm)(TR(ta), TR(tb), *m, *n, *k, *alpha, a, *lda, b, *ldb, *beta, c, *ldc);
}
void F(symm)(const char *side, const char *uplo, const int *m, const int *n, const REAL *alpha, const REAL *a, const int *lda,
             const REAL *b, const int *ldb, const REAL *beta, REAL *c, const int *ldc) {
    K(symm)(UP(side), UP(uplo), *m, *n, *alpha, a, *lda, b, *ldb, *beta, c, *ldc);
}
void F(syrk)(const char *uplo, const char *trans, const int *n, const int *k, const REAL *alpha, const REAL *a, const int *lda,
             const REAL *beta, REAL *c, const int *ldc) {
    K(syrk)(UP(uplo), TR(trans), *n, *k, *alpha, a, *lda, a, *lda, 0, *beta, c, *ldc);
}
void F(syr2k)(const char *uplo, const char *trans, const int *n, const int *k, const REAL *alpha, const REAL *a, const int *lda,
              const REAL *b, const int *ldb, const REAL *beta, REAL *c, const int *ldc) {
    K(syrk)(UP(uplo), TR(trans), *n, *k, *alpha, a, *lda, b, *ldb, 1, *beta, c, *ldc);
}
void F(trmm)(const char *side, const char *uplo, const char *trans, const char *diag, const int *m, const int *n, const REAL *alpha,
             const REAL *a, const int *lda, REAL *b, const int *ldb) {
    K(trxm)(0, UP(side), UP(uplo), TR(trans), UP(diag) == 'U', *m, *n, *alpha, a, *lda, b, *ldb);
}
void F(trsm)(const char *side, const char *uplo, const char *trans, const char *diag, const int *m, const int *n, const REAL *alpha,
             const REAL *a, const int *lda, REAL *b, const int *ldb) {
    K(trxm)(1, UP(side), UP(uplo), TR(trans), UP(diag) == 'U', *m, *n, *alpha, a, *lda, b, *ldb);
}
void F(lacpy)(const char *uplo, const int *m, const int *n, const REAL *a, const int *lda, REAL *b, const int *ldb) {
    K(lacpy)(UP(uplo), *m, *n, a, *lda, b, *ldb);
}
void F(lascl)(const char *type, const int *kl, const int *ku, const REAL *from, const REAL *to, const int *m, const int *n, REAL *a,
              const int *lda, int *info) {
    *info = K(lascl)(UP(type), *kl, *ku, *from, *to, *m, *n, a, *lda);
}
void F(potrf)(const char *uplo, const int *n, REAL *a, const int *lda, int *info) { *info = K(potrf)(UP(uplo), *n, a, *lda); }
void F(potrs)(const char *uplo, const int *n, const int *nrhs, const REAL *a, const int *lda, REAL *b, const int *ldb, int *info) {
    *info = K(potrs)(UP(uplo), *n, *nrhs, a, *lda, b, *ldb);
}
void F(trtrs)(const char *uplo, const char *trans, const char *diag, const int *n, const int *nrhs, const REAL *a, const int *lda,
              REAL *b, const int *ldb, int *info) {
    *info = K(trtrs)(UP(uplo), UP(trans), UP(diag), *n, *nrhs, a, *lda, b, *ldb);
}

/* Kernels for derivatives, beside the routines that they call: `rules/src/table/blas.rs` says what each does. Flags are set or not. */

#define BYROWS(layout, m, n) (ROW(layout) ? (n) : (m))
#define ELEMENT(layout, a, i, j, ld) (*(ROW(layout) ? &M(a, j, i, ld) : &M(a, i, j, ld)))

void D(vescal)(int n, REAL alpha, REAL *x, int incx) { K(start)(n, alpha, x, incx); }
void D(vecopy)(int n, const REAL *x, int incx, REAL *y, int incy) { K(copy)(n, x, incx, y, incy); }
void D(vetake)(int n, REAL *y, int incy, REAL *x, int incx) {
    for (int i = n - 1; i >= 0; i--) {
        AT(x, i, n, incx) += AT(y, i, n, incy);
        AT(y, i, n, incy) = 0;
    }
}
#define SGN(x) ((x) < 0 ? (REAL)-1 : (x) == 0 ? (REAL)0 : (REAL)1)
void D(sigadd)(int n, REAL alpha, const REAL *x, int incx, REAL *y, int incy) {
    for (int i = 0; i < n; i++)
        AT(y, i, n, incy) += alpha * SGN(AT(x, i, n, incx));
}
REAL D(sigdot)(int n, const REAL *x, int incx, const REAL *y, int incy) {
    REAL sum = 0;
    for (int i = 0; i < n; i++)
        sum += AT(y, i, n, incy) * SGN(AT(x, i, n, incx));
    return sum;
}
void D(gescal)(int layout, int m, int n, REAL alpha, REAL *a, int lda) {
    int length = BYROWS(layout, m, n), count = BYROWS(layout, n, m);
    for (int j = 0; j < count; j++)
        K(start)(length, alpha, &M(a, 0, j, lda), 1);
}
/* As bytes, since what a routine does not read may be uninitialised. */
void D(gecopy)(int layout, int m, int n, const REAL *a, int lda, REAL *b, int ldb) {
    int length = BYROWS(layout, m, n), count = BYROWS(layout, n, m);
    if (lda == length && ldb == length) {
        __builtin_memcpy(b, a, sizeof(REAL) * length * count);
        return;
    }
    for (int j = 0; j < count && length > 0; j++)
        __builtin_memcpy(&M(b, 0, j, ldb), &M(a, 0, j, lda), sizeof(REAL) * length);
}
void D(geadd)(int layout, int m, int n, REAL alpha, const REAL *a, int lda, REAL *b, int ldb) {
    int length = BYROWS(layout, m, n), count = BYROWS(layout, n, m);
    for (int j = 0; j < count; j++)
        for (int i = 0; i < length; i++)
            M(b, i, j, ldb) += alpha * M(a, i, j, lda);
}
REAL D(gedot)(int layout, int m, int n, const REAL *a, int lda, const REAL *b, int ldb) {
    int length = BYROWS(layout, m, n), count = BYROWS(layout, n, m);
    REAL sum = 0;
    for (int j = 0; j < count; j++)
        for (int i = 0; i < length; i++)
            sum += M(a, i, j, lda) * M(b, i, j, ldb);
    return sum;
}
/* Columns of the triangle as the memory has it. */
#define TRIANGLE(layout, lower, n, i, j) \
    for (int j = 0; j < n; j++)          \
        for (int i = (lower) == !ROW(layout) ? j : 0; i < ((lower) == !ROW(layout) ? n : j + 1); i++)
void D(trscal)(int layout, int lower, int n, REAL alpha, REAL *a, int lda) {
    TRIANGLE(layout, lower, n, i, j)
        M(a, i, j, lda) = alpha == 0 ? 0 : alpha * M(a, i, j, lda);
}
void D(tradd)(int layout, int lower, int unit, int n, REAL alpha, const REAL *a, int lda, REAL *b, int ldb) {
    TRIANGLE(layout, lower, n, i, j)
        if (!unit || i != j)
            M(b, i, j, ldb) += alpha * M(a, i, j, lda);
}
REAL D(trabs)(int layout, int lower, int n, const REAL *a, int lda) {
    REAL sum = 0;
    TRIANGLE(layout, lower, n, i, j)
        sum += FABS(M(a, i, j, lda));
    return sum;
}
void D(trhalf)(int layout, int lower, int n, const REAL *a, int lda, REAL *b, int ldb) {
    TRIANGLE(layout, lower, n, i, j)
        M(b, i, j, ldb) = i == j ? M(a, i, j, lda) / 2 : M(a, i, j, lda);
}
void D(mirror)(int layout, int lower, int n, REAL *a, int lda) {
    TRIANGLE(layout, lower, n, i, j)
        if (i != j)
            M(a, j, i, lda) = M(a, i, j, lda);
}
REAL D(trdot)(int layout, int lower, int n, const REAL *a, int lda, const REAL *b, int ldb) {
    REAL sum = 0;
    TRIANGLE(layout, lower, n, i, j)
        sum += M(a, i, j, lda) * M(b, i, j, ldb);
    return sum;
}
void D(diadd)(int layout, int n, REAL alpha, const REAL *x, int incx, const REAL *y, int incy, REAL *a, int lda) {
    (void)layout;
    for (int i = 0; i < n; i++)
        M(a, i, i, lda) += alpha * AT(x, i, n, incx) * AT(y, i, n, incy);
}
void D(dimul)(int layout, int n, REAL alpha, const REAL *a, int lda, const REAL *x, int incx, REAL *y, int incy) {
    (void)layout;
    for (int i = 0; i < n; i++)
        AT(y, i, n, incy) += alpha * M(a, i, i, lda) * AT(x, i, n, incx);
}
void D(dpadd)(int layout, int lower, int n, REAL alpha, const REAL *x, int incx, const REAL *y, int incy, REAL *ap) {
    int uplo = lower == !ROW(layout) ? 'L' : 'U';
    for (int i = 0; i < n; i++)
        ap[K(place)(uplo, n, 0, i, i)] += alpha * AT(x, i, n, incx) * AT(y, i, n, incy);
}
void D(dpmul)(int layout, int lower, int n, REAL alpha, const REAL *ap, const REAL *x, int incx, REAL *y, int incy) {
    int uplo = lower == !ROW(layout) ? 'L' : 'U';
    for (int i = 0; i < n; i++)
        AT(y, i, n, incy) += alpha * ap[K(place)(uplo, n, 0, i, i)] * AT(x, i, n, incx);
}
void D(tzscal)(int layout, int type, int kl, int ku, int m, int n, REAL alpha, REAL *a, int lda) {
    (void)layout; /* LAPACK's matrices are stored by columns. */
    EACH(type, kl, ku, m, n, i, j)
        M(a, i, j, lda) = alpha == 0 ? 0 : alpha * M(a, i, j, lda);
}
void D(tzadd)(int layout, int type, int kl, int ku, int m, int n, REAL alpha, const REAL *a, int lda, REAL *b, int ldb) {
    (void)layout;
    EACH(type, kl, ku, m, n, i, j)
        M(b, i, j, ldb) += alpha * M(a, i, j, lda);
}
REAL D(tzdot)(int layout, int type, int kl, int ku, int m, int n, REAL alpha, const REAL *a, int lda, const REAL *b, int ldb) {
    (void)layout;
    REAL sum = 0;
    EACH(type, kl, ku, m, n, i, j)
        sum += M(a, i, j, lda) * M(b, i, j, ldb);
    return alpha * sum;
}
void D(dgadd)(int layout, int trans, int n, int k, REAL alpha, const REAL *a, int lda, const REAL *b, int ldb, REAL *c, int ldc) {
    for (int l = 0; l < k; l++)
        for (int i = 0; i < n; i++)
            if (trans)
                ELEMENT(layout, c, l, i, ldc) += alpha * M(a, i, i, lda) * ELEMENT(layout, b, l, i, ldb);
            else
                ELEMENT(layout, c, i, l, ldc) += alpha * M(a, i, i, lda) * ELEMENT(layout, b, i, l, ldb);
}
void D(didot)(int layout, int right, int m, int n, REAL alpha, const REAL *b, int ldb, const REAL *c, int ldc, REAL *a, int lda) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            int d = right ? j : i;
            M(a, d, d, lda) += alpha * ELEMENT(layout, b, i, j, ldb) * ELEMENT(layout, c, i, j, ldc);
        }
}

#undef BYROWS
#undef ELEMENT
#undef TRIANGLE
#undef EACH
#undef SGN
#undef AT
#undef M
#undef ROW
#undef TRANS
#undef UPLO
#undef SIDE
#undef UNIT
#undef UP
#undef TR
