// Krylov solvers on compressed sparse rows: a Matrix Market reader, Jacobi, symmetric Gauss-Seidel and incomplete Cholesky
// preconditioners, conjugate gradients, BiCGSTAB and restarted GMRES, and an eigenvalue by inverse iteration.
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- matrices ---- */

typedef struct {
  int row, column;
  double value;
} entry;

typedef struct {
  int rows, columns, entries;
  int *start;
  int *column;
  double *value;
} csr;

static void *need(size_t bytes) {
  void *p = malloc(bytes ? bytes : 1);
  if (!p) {
    fputs("out of memory\n", stderr);
    exit(2);
  }
  return p;
}

static double *vector_new(int n) {
  double *v = need((size_t)n * sizeof *v);
  for (int i = 0; i < n; i++)
    v[i] = 0.0;
  return v;
}

static int by_place(const void *a, const void *b) {
  const entry *x = a, *y = b;
  if (x->row != y->row)
    return x->row < y->row ? -1 : 1;
  return (x->column > y->column) - (x->column < y->column);
}

/* Sorts the entries and adds those at one place. */
static csr *csr_from_entries(int rows, int columns, entry *list, int count) {
  qsort(list, (size_t)count, sizeof *list, by_place);
  csr *a = need(sizeof *a);
  a->rows = rows;
  a->columns = columns;
  a->start = need((size_t)(rows + 1) * sizeof *a->start);
  a->column = need((size_t)count * sizeof *a->column);
  a->value = need((size_t)count * sizeof *a->value);
  int out = 0, at = 0;
  for (int row = 0; row < rows; row++) {
    a->start[row] = out;
    while (at < count && list[at].row == row) {
      if (out > a->start[row] && a->column[out - 1] == list[at].column) {
        a->value[out - 1] += list[at].value;
      } else {
        a->column[out] = list[at].column;
        a->value[out++] = list[at].value;
      }
      at++;
    }
  }
  a->start[rows] = out;
  a->entries = out;
  return a;
}

static void csr_free(csr *a) {
  if (!a)
    return;
  free(a->start);
  free(a->column);
  free(a->value);
  free(a);
}

static void csr_multiply(const csr *a, const double *restrict x, double *restrict y) {
  for (int i = 0; i < a->rows; i++) {
    double sum = 0.0;
    for (int k = a->start[i]; k < a->start[i + 1]; k++)
      sum += a->value[k] * x[a->column[k]];
    y[i] = sum;
  }
}

static csr *csr_transpose(const csr *a) {
  entry *list = need((size_t)a->entries * sizeof *list);
  int n = 0;
  for (int i = 0; i < a->rows; i++)
    for (int k = a->start[i]; k < a->start[i + 1]; k++)
      list[n++] = (entry){a->column[k], i, a->value[k]};
  csr *t = csr_from_entries(a->columns, a->rows, list, n);
  free(list);
  return t;
}

static double csr_asymmetry(const csr *a) {
  csr *t = csr_transpose(a);
  double worst = t->entries == a->entries ? 0.0 : INFINITY;
  for (int k = 0; k < a->entries && k < t->entries; k++)
    worst = fmax(worst, a->column[k] == t->column[k] ? fabs(a->value[k] - t->value[k]) : INFINITY);
  csr_free(t);
  return worst;
}

static csr *laplacian(int nx, int ny, double wind) {
  entry *list = need((size_t)(5 * nx * ny) * sizeof *list);
  int n = 0;
  for (int j = 0; j < ny; j++)
    for (int i = 0; i < nx; i++) {
      int here = i + nx * j;
      list[n++] = (entry){here, here, 4.0 + 0.1 * (i % 3)};
      if (i > 0)
        list[n++] = (entry){here, here - 1, -1.0 - wind};
      if (i + 1 < nx)
        list[n++] = (entry){here, here + 1, -1.0 + wind};
      if (j > 0)
        list[n++] = (entry){here, here - nx, -1.0};
      if (j + 1 < ny)
        list[n++] = (entry){here, here + nx, -1.0};
    }
  csr *a = csr_from_entries(nx * ny, nx * ny, list, n);
  free(list);
  return a;
}

/* ---- Matrix Market, from text in memory ---- */

typedef struct {
  const char *at;
  int line;
  char message[120];
} reader;

static int complain(reader *r, const char *format, ...) {
  int used = snprintf(r->message, sizeof r->message, "line %d: ", r->line);
  va_list args;
  va_start(args, format);
  vsnprintf(r->message + used, sizeof r->message - (size_t)used, format, args);
  va_end(args);
  return 0;
}

/* Copies the next line without its end. */
static int next_line(reader *r, char *line, size_t size) {
  if (!*r->at)
    return 0;
  size_t length = strcspn(r->at, "\n");
  if (length >= size)
    return complain(r, "too long");
  memcpy(line, r->at, length);
  line[length] = '\0';
  r->at += length + (r->at[length] == '\n');
  r->line++;
  return 1;
}

static int blank(const char *s) {
  while (isspace((unsigned char)*s))
    s++;
  return *s == '\0';
}

static csr *read_matrix_market(const char *text, reader *r) {
  char line[200], object[20], format[20], field[20], symmetry[20];
  *r = (reader){text, 0, ""};
  if (!next_line(r, line, sizeof line) ||
      sscanf(line, "%%%%MatrixMarket %19s %19s %19s %19s", object, format, field, symmetry) != 4)
    return complain(r, "no banner"), NULL;
  for (char *c = symmetry; *c; c++)
    *c = (char)tolower((unsigned char)*c);
  if (strcmp(object, "matrix") || strcmp(format, "coordinate") || strcmp(field, "real"))
    return complain(r, "only real matrices in coordinate format, not %s %s %s", object, format, field), NULL;
  int symmetric = !strcmp(symmetry, "symmetric");
  if (!symmetric && strcmp(symmetry, "general"))
    return complain(r, "unknown symmetry %s", symmetry), NULL;
  do {
    if (!next_line(r, line, sizeof line))
      return complain(r, "no sizes"), NULL;
  } while (line[0] == '%' || blank(line));
  int rows, columns, count;
  if (sscanf(line, "%d %d %d", &rows, &columns, &count) != 3 || rows <= 0 || columns <= 0 || count < 0)
    return complain(r, "bad sizes \"%s\"", line), NULL;
  entry *list = need((size_t)(2 * count) * sizeof *list);
  int n = 0;
  for (int k = 0; k < count;) {
    if (!next_line(r, line, sizeof line)) {
      complain(r, "%d entries are missing", count - k);
      free(list);
      return NULL;
    }
    if (blank(line))
      continue;
    char *rest;
    errno = 0;
    long i = strtol(line, &rest, 10), j = strtol(rest, &rest, 10);
    char *number = rest;
    double value = strtod(number, &rest);
    if (rest == number || !blank(rest) || errno || i < 1 || i > rows || j < 1 || j > columns) {
      complain(r, "bad entry \"%s\"", line);
      free(list);
      return NULL;
    }
    list[n++] = (entry){(int)i - 1, (int)j - 1, value};
    if (symmetric && i != j)
      list[n++] = (entry){(int)j - 1, (int)i - 1, value};
    k++;
  }
  csr *a = csr_from_entries(rows, columns, list, n);
  free(list);
  return a;
}

/* ---- vectors ---- */

static double inner(const double *x, const double *y, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}
static double length(const double *x, int n) { return sqrt(inner(x, x, n)); }
static void add_scaled(double *y, double a, const double *x, int n) {
  for (int i = 0; i < n; i++)
    y[i] += a * x[i];
}
static void residual(const csr *a, const double *b, const double *x, double *r) {
  csr_multiply(a, x, r);
  for (int i = 0; i < a->rows; i++)
    r[i] = b[i] - r[i];
}

/* ---- preconditioners: objects with a function that applies the inverse ---- */

typedef struct preconditioner preconditioner;
struct preconditioner {
  const char *name;
  const csr *matrix;
  double *diagonal;
  csr *factor; /* lower triangle, diagonal last in each row */
  csr *factor_t;
  void (*solve)(const preconditioner *, const double *r, double *z);
};

static void solve_identity(const preconditioner *p, const double *r, double *z) {
  memcpy(z, r, (size_t)p->matrix->rows * sizeof *z);
}

static void solve_jacobi(const preconditioner *p, const double *r, double *z) {
  for (int i = 0; i < p->matrix->rows; i++)
    z[i] = r[i] / p->diagonal[i];
}

/* (D + L) D^-1 (D + U) z = r */
static void solve_gauss_seidel(const preconditioner *p, const double *r, double *z) {
  const csr *a = p->matrix;
  for (int i = 0; i < a->rows; i++) {
    double sum = r[i];
    for (int k = a->start[i]; k < a->start[i + 1] && a->column[k] < i; k++)
      sum -= a->value[k] * z[a->column[k]];
    z[i] = sum / p->diagonal[i];
  }
  for (int i = a->rows - 1; i >= 0; i--) {
    double sum = 0.0;
    for (int k = a->start[i + 1] - 1; k >= a->start[i] && a->column[k] > i; k--)
      sum += a->value[k] * z[a->column[k]];
    z[i] -= sum / p->diagonal[i];
  }
}

static void solve_cholesky(const preconditioner *p, const double *r, double *z) {
  const csr *l = p->factor, *u = p->factor_t;
  for (int i = 0; i < l->rows; i++) {
    int last = l->start[i + 1] - 1;
    double sum = r[i];
    for (int k = l->start[i]; k < last; k++)
      sum -= l->value[k] * z[l->column[k]];
    z[i] = sum / l->value[last];
  }
  for (int i = u->rows - 1; i >= 0; i--) {
    int first = u->start[i];
    double sum = z[i];
    for (int k = first + 1; k < u->start[i + 1]; k++)
      sum -= u->value[k] * z[u->column[k]];
    z[i] = sum / u->value[first];
  }
}

/* The factor has the pattern of the lower triangle. */
static csr *incomplete_cholesky(const csr *a) {
  entry *list = need((size_t)a->entries * sizeof *list);
  int n = 0;
  for (int i = 0; i < a->rows; i++)
    for (int k = a->start[i]; k < a->start[i + 1]; k++)
      if (a->column[k] <= i)
        list[n++] = (entry){i, a->column[k], a->value[k]};
  csr *l = csr_from_entries(a->rows, a->columns, list, n);
  free(list);
  for (int i = 0; i < l->rows; i++)
    for (int k = l->start[i]; k < l->start[i + 1]; k++) {
      int j = l->column[k];
      double sum = l->value[k];
      int p = l->start[i], q = l->start[j];
      while (p < k && q < l->start[j + 1] - 1) {
        if (l->column[p] == l->column[q])
          sum -= l->value[p++] * l->value[q++];
        else if (l->column[p] < l->column[q])
          p++;
        else
          q++;
      }
      if (j < i) {
        l->value[k] = sum / l->value[l->start[j + 1] - 1];
      } else if (sum > 0) {
        l->value[k] = sqrt(sum);
      } else {
        csr_free(l);
        return NULL;
      }
    }
  return l;
}

static preconditioner *precondition(const csr *a, const char *name) {
  preconditioner *p = need(sizeof *p);
  *p = (preconditioner){.name = name, .matrix = a, .solve = solve_identity};
  p->diagonal = vector_new(a->rows);
  for (int i = 0; i < a->rows; i++)
    for (int k = a->start[i]; k < a->start[i + 1]; k++)
      if (a->column[k] == i)
        p->diagonal[i] = a->value[k];
  if (!strcmp(name, "jacobi")) {
    p->solve = solve_jacobi;
  } else if (!strcmp(name, "gauss-seidel")) {
    p->solve = solve_gauss_seidel;
  } else if (!strcmp(name, "cholesky")) {
    p->factor = incomplete_cholesky(a);
    if (p->factor) {
      p->factor_t = csr_transpose(p->factor);
      p->solve = solve_cholesky;
    }
  }
  return p;
}

static void precondition_free(preconditioner *p) {
  free(p->diagonal);
  csr_free(p->factor);
  csr_free(p->factor_t);
  free(p);
}

/* ---- solvers: each returns the number of iterations, or -1 ---- */

static int conjugate_gradients(const csr *a, const preconditioner *m, const double *b, double *x, double tolerance, int limit) {
  int n = a->rows, steps = -1;
  double *r = vector_new(n), *z = vector_new(n), *p = vector_new(n), *ap = vector_new(n);
  residual(a, b, x, r);
  m->solve(m, r, z);
  memcpy(p, z, (size_t)n * sizeof *p);
  double rz = inner(r, z, n), goal = tolerance * length(b, n);
  for (int k = 1; k <= limit; k++) {
    csr_multiply(a, p, ap);
    double alpha = rz / inner(p, ap, n);
    add_scaled(x, alpha, p, n);
    add_scaled(r, -alpha, ap, n);
    if (length(r, n) <= goal) {
      steps = k;
      break;
    }
    m->solve(m, r, z);
    double next = inner(r, z, n), beta = next / rz;
    rz = next;
    for (int i = 0; i < n; i++)
      p[i] = z[i] + beta * p[i];
  }
  free(r), free(z), free(p), free(ap);
  return steps;
}

static int bicgstab(const csr *a, const preconditioner *m, const double *b, double *x, double tolerance, int limit) {
  int n = a->rows, steps = -1;
  double *work = vector_new(8 * n);
  double *r = work, *r0 = work + n, *p = work + 2 * n, *v = work + 3 * n;
  double *s = work + 4 * n, *t = work + 5 * n, *y = work + 6 * n, *z = work + 7 * n;
  residual(a, b, x, r);
  memcpy(r0, r, (size_t)n * sizeof *r);
  double rho = 1, alpha = 1, omega = 1, goal = tolerance * length(b, n);
  for (int k = 1; k <= limit; k++) {
    double next = inner(r0, r, n), beta = next / rho * (alpha / omega);
    rho = next;
    for (int i = 0; i < n; i++)
      p[i] = r[i] + beta * (p[i] - omega * v[i]);
    m->solve(m, p, y);
    csr_multiply(a, y, v);
    alpha = rho / inner(r0, v, n);
    for (int i = 0; i < n; i++)
      s[i] = r[i] - alpha * v[i];
    m->solve(m, s, z);
    csr_multiply(a, z, t);
    omega = inner(t, s, n) / inner(t, t, n);
    for (int i = 0; i < n; i++) {
      x[i] += alpha * y[i] + omega * z[i];
      r[i] = s[i] - omega * t[i];
    }
    if (length(r, n) <= goal) {
      steps = k;
      break;
    }
  }
  free(work);
  return steps;
}

/* Right-preconditioned, with Givens rotations. */
static int gmres(const csr *a, const preconditioner *m, const double *b, double *x, int restart, double tolerance, int limit) {
  int n = a->rows, steps = 0, done = 0;
  double *basis = vector_new((restart + 1) * n), *h = vector_new((restart + 1) * restart);
  double *c = vector_new(restart), *s = vector_new(restart), *g = vector_new(restart + 1), *z = vector_new(n);
  double goal = tolerance * length(b, n);
#define H(i, j) h[(i) + (restart + 1) * (j)]
  while (!done && steps < limit) {
    residual(a, b, x, basis);
    double beta = length(basis, n);
    if (beta <= goal)
      break;
    for (int i = 0; i < n; i++)
      basis[i] /= beta;
    memset(g, 0, (size_t)(restart + 1) * sizeof *g);
    g[0] = beta;
    int k = 0;
    for (; k < restart && steps < limit && !done; k++, steps++) {
      double *w = basis + (k + 1) * n;
      m->solve(m, basis + k * n, z);
      csr_multiply(a, z, w);
      for (int i = 0; i <= k; i++) {
        H(i, k) = inner(w, basis + i * n, n);
        add_scaled(w, -H(i, k), basis + i * n, n);
      }
      double norm = length(w, n);
      for (int i = 0; i < n && norm > 0; i++)
        w[i] /= norm;
      for (int i = 0; i < k; i++) {
        double up = c[i] * H(i, k) + s[i] * H(i + 1, k);
        H(i + 1, k) = -s[i] * H(i, k) + c[i] * H(i + 1, k);
        H(i, k) = up;
      }
      double radius = hypot(H(k, k), norm);
      c[k] = H(k, k) / radius;
      s[k] = norm / radius;
      H(k, k) = radius;
      g[k + 1] = -s[k] * g[k];
      g[k] *= c[k];
      done = fabs(g[k + 1]) <= goal;
    }
    for (int i = k - 1; i >= 0; i--) {
      for (int j = i + 1; j < k; j++)
        g[i] -= H(i, j) * g[j];
      g[i] /= H(i, i);
    }
    double *sum = basis + restart * n;
    memset(sum, 0, (size_t)n * sizeof *sum);
    for (int j = k - 1; j >= 0; j--)
      add_scaled(sum, g[j], basis + j * n, n);
    m->solve(m, sum, z);
    add_scaled(x, 1.0, z, n);
  }
#undef H
  free(basis), free(h), free(c), free(s), free(g), free(z);
  return done ? steps : -1;
}

/* The smallest eigenvalue by inverse iteration, each solve by conjugate gradients. */
static double smallest_eigenvalue(const csr *a, const preconditioner *m, int *solves) {
  int n = a->rows;
  double *v = vector_new(n), *w = vector_new(n), lambda = 0.0;
  for (int i = 0; i < n; i++)
    v[i] = 1.0 + 0.01 * (i % 7);
  for (*solves = 0; *solves < 30; ++*solves) {
    double scale = 1.0 / length(v, n);
    for (int i = 0; i < n; i++)
      v[i] *= scale, w[i] = 0.0;
    if (conjugate_gradients(a, m, v, w, 1e-12, 500) < 0)
      break;
    double next = 1.0 / inner(v, w, n);
    memcpy(v, w, (size_t)n * sizeof *v);
    int settled = fabs(next - lambda) < 1e-10 * next;
    lambda = next;
    if (settled)
      break;
  }
  free(v), free(w);
  return lambda;
}

/* ---- the program ---- */

static int failures = 0;

static void expect(int holds, const char *what) {
  printf("%s: %s\n", holds ? "ok" : "FAILED", what);
  failures += !holds;
}

static void reading(void) {
  static const char good[] = "%%MatrixMarket matrix coordinate real Symmetric\n% a path of four nodes\n\n4 4 7\n"
                             "1 1 2.0\n2 1 -1\n2 2 2e0\n3 2 -1.0\n3 3 .2E+1\n4 3 -1\n4 4 2.5\n";
  static const char *const bad[] = {
      "matrix\n",
      "%%MatrixMarket matrix array real general\n2 2\n",
      "%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1.0\n",
      "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1.0\n",
      "%%MatrixMarket matrix coordinate real hermitian\n1 1 0\n",
      "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1.0x\n",
  };
  reader r;
  csr *a = read_matrix_market(good, &r);
  expect(a && a->entries == 10 && csr_asymmetry(a) == 0.0, "a symmetric matrix is read");
  if (a) {
    double x[4] = {1, 2, 3, 4}, y[4];
    csr_multiply(a, x, y);
    printf("A x = %g %g %g %g\n", y[0], y[1], y[2], y[3]);
  }
  csr_free(a);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    csr *none = read_matrix_market(bad[i], &r);
    printf("refused: %s\n", r.message);
    expect(none == NULL && r.message[0], "bad input is refused");
    csr_free(none);
  }
}

int main(void) {
  reading();
  static const char *const names[] = {"none", "jacobi", "gauss-seidel", "cholesky"};
  csr *a = laplacian(14, 12, 0.0);
  int n = a->rows;
  double *truth = vector_new(n), *b = vector_new(n), *x = vector_new(n), *r = vector_new(n);
  for (int i = 0; i < n; i++)
    truth[i] = sin(0.1 * i) + 0.5;
  csr_multiply(a, truth, b);
  printf("%d unknowns, %d entries\n", n, a->entries);
  int counts[4];
  for (int k = 0; k < 4; k++) {
    preconditioner *m = precondition(a, names[k]);
    memset(x, 0, (size_t)n * sizeof *x);
    counts[k] = conjugate_gradients(a, m, b, x, 1e-10, 400);
    residual(a, b, x, r);
    double error = 0.0;
    for (int i = 0; i < n; i++)
      error = fmax(error, fabs(x[i] - truth[i]));
    printf("cg %-13s %3d iterations, residual %.2e\n", names[k], counts[k], length(r, n));
    expect(counts[k] > 0 && error < 1e-8, "conjugate gradients converge");
    if (k == 3) {
      int solves;
      double lambda = smallest_eigenvalue(a, m, &solves);
      printf("smallest eigenvalue %.9f after %d solves\n", lambda, solves);
      expect(lambda > 0.1 && lambda < 0.3, "the smallest eigenvalue is where it should be");
    }
    precondition_free(m);
  }
  expect(counts[2] < counts[0] && counts[3] < counts[1], "preconditioners help");
  csr_free(a);

  csr *wind = laplacian(12, 10, 0.4);
  n = wind->rows;
  expect(csr_asymmetry(wind) > 0.5, "wind makes the matrix unsymmetric");
  csr_multiply(wind, truth, b);
  for (int k = 0; k < 2; k++) {
    preconditioner *m = precondition(wind, names[k]);
    memset(x, 0, (size_t)n * sizeof *x);
    int bi = bicgstab(wind, m, b, x, 1e-10, 200);
    residual(wind, b, x, r);
    printf("bicgstab %-8s %3d iterations, residual below 1e-8: %d\n", names[k], bi, length(r, n) < 1e-8);
    expect(bi > 0, "BiCGSTAB converges");
    memset(x, 0, (size_t)n * sizeof *x);
    int gm = gmres(wind, m, b, x, 12, 1e-10, 300);
    residual(wind, b, x, r);
    printf("gmres(12) %-7s %3d iterations, residual below 1e-8: %d\n", names[k], gm, length(r, n) < 1e-8);
    expect(gm > 0 && length(r, n) < 1e-8, "GMRES converges");
    precondition_free(m);
  }
  csr_free(wind);
  free(truth), free(b), free(x), free(r);
  printf("%d failures\n", failures);
  return failures != 0;
}
