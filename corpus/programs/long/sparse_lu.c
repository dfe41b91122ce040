// Sparse LU factorisation: compressed columns, minimum-degree ordering, symbolic reach by depth-first search, left-looking elimination with
// threshold pivoting (Gilbert and Peierls), solves with refinement, condition estimates, and a circuit whose sensitivities come from solves.
#include "adj.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- matrices in compressed columns ---- */

typedef struct {
  int n, room;
  int *start;  /* n + 1 */
  int *row;
  double *value;
} matrix;

static void *need(size_t count, size_t size) {
  void *p = calloc(count ? count : 1, size);
  if (!p) {
    fputs("out of memory\n", stderr);
    exit(2);
  }
  return p;
}

static matrix *matrix_new(int n, int room) {
  matrix *a = need(1, sizeof *a);
  a->n = n;
  a->room = room;
  a->start = need((size_t)n + 1, sizeof *a->start);
  a->row = need((size_t)room, sizeof *a->row);
  a->value = need((size_t)room, sizeof *a->value);
  return a;
}

static void matrix_free(matrix *a) {
  free(a->start);
  free(a->row);
  free(a->value);
  free(a);
}

static void matrix_push(matrix *a, int at, int row, double value) {
  if (at == a->room) {
    a->room = 2 * a->room + 8;
    a->row = realloc(a->row, (size_t)a->room * sizeof *a->row);
    a->value = realloc(a->value, (size_t)a->room * sizeof *a->value);
    if (!a->row || !a->value)
      exit(2);
  }
  a->row[at] = row;
  a->value[at] = value;
}

/* Triplets, which are added up where they fall together. */
typedef struct {
  int n, count, room;
  int *row, *column;
  double *value;
} triplets;

static void put(triplets *t, int row, int column, double value) {
  if (t->count == t->room) {
    t->room = 2 * t->room + 16;
    t->row = realloc(t->row, (size_t)t->room * sizeof *t->row);
    t->column = realloc(t->column, (size_t)t->room * sizeof *t->column);
    t->value = realloc(t->value, (size_t)t->room * sizeof *t->value);
    if (!t->row || !t->column || !t->value)
      exit(2);
  }
  t->row[t->count] = row;
  t->column[t->count] = column;
  t->value[t->count++] = value;
}

static void triplets_free(triplets *t) {
  free(t->row);
  free(t->column);
  free(t->value);
}

static matrix *compress(const triplets *t) {
  matrix *a = matrix_new(t->n, t->count);
  int *next = need((size_t)t->n + 1, sizeof *next), *place = need((size_t)t->n, sizeof *place);
  for (int k = 0; k < t->count; k++)
    next[t->column[k] + 1]++;
  for (int j = 0; j < t->n; j++)
    next[j + 1] += next[j];
  int *order = need((size_t)t->count, sizeof *order);
  for (int k = 0; k < t->count; k++)
    order[next[t->column[k]]++] = k;
  for (int i = 0; i < t->n; i++)
    place[i] = -1;
  int out = 0, k = 0;
  for (int j = 0; j < t->n; j++) {
    a->start[j] = out;
    for (; k < t->count && t->column[order[k]] == j; k++) {
      int i = t->row[order[k]];
      if (place[i] >= a->start[j]) {
        a->value[place[i]] += t->value[order[k]];
      } else {
        place[i] = out;
        a->row[out] = i;
        a->value[out++] = t->value[order[k]];
      }
    }
  }
  a->start[t->n] = out;
  free(next), free(place), free(order);
  return a;
}

static void multiply(const matrix *a, const double *x, double *y) {
  for (int i = 0; i < a->n; i++)
    y[i] = 0.0;
  for (int j = 0; j < a->n; j++)
    for (int k = a->start[j]; k < a->start[j + 1]; k++)
      y[a->row[k]] += a->value[k] * x[j];
}

static double norm1(const matrix *a) {
  double norm = 0;
  for (int j = 0; j < a->n; j++) {
    double sum = 0;
    for (int k = a->start[j]; k < a->start[j + 1]; k++)
      sum += fabs(a->value[k]);
    norm = fmax(norm, sum);
  }
  return norm;
}

/* ---- minimum degree on the pattern of A + A': the graph is eliminated in a bit matrix ---- */

static int *minimum_degree(const matrix *a) {
  int n = a->n;
  size_t words = ((size_t)n + 63) / 64;
  unsigned long long *adjacent = need((size_t)n * words, sizeof *adjacent);
#define BIT(i, j) (adjacent[(size_t)(i) * words + (size_t)(j) / 64] >> ((j) % 64) & 1)
#define LINK(i, j) (adjacent[(size_t)(i) * words + (size_t)(j) / 64] |= 1ULL << ((j) % 64))
#define CUT(i, j) (adjacent[(size_t)(i) * words + (size_t)(j) / 64] &= ~(1ULL << ((j) % 64)))
  for (int j = 0; j < n; j++)
    for (int k = a->start[j]; k < a->start[j + 1]; k++)
      if (a->row[k] != j) {
        LINK(a->row[k], j);
        LINK(j, a->row[k]);
      }
  int *order = need((size_t)n, sizeof *order), *degree = need((size_t)n, sizeof *degree);
  bool *gone = need((size_t)n, sizeof *gone);
  for (int step = 0; step < n; step++) {
    int best = -1;
    for (int i = 0; i < n; i++) {
      if (gone[i])
        continue;
      degree[i] = 0;
      for (size_t w = 0; w < words; w++)
        degree[i] += __builtin_popcountll(adjacent[(size_t)i * words + w]);
      if (best < 0 || degree[i] < degree[best])
        best = i;
    }
    order[step] = best;
    gone[best] = true;
    /* Its neighbours become a clique. */
    for (int i = 0; i < n; i++) {
      if (!BIT(best, i))
        continue;
      for (size_t w = 0; w < words; w++)
        adjacent[(size_t)i * words + w] |= adjacent[(size_t)best * words + w];
      CUT(i, i);
      CUT(i, best);
    }
  }
  free(adjacent), free(degree), free(gone);
  return order;
}

/* ---- the factors: P A Q = L U ---- */

typedef struct {
  matrix *l, *u;  /* L with unit diagonal first in each column, U with its diagonal last */
  int *pivot;     /* the step at which a row was chosen, or -1 */
  int *order;     /* the column taken at a step */
  double growth;
} factors;

/* Rows that a column of A reaches in the graph of L, in topological order from `top` on. */
static int reach(const matrix *l, const int *pivot, const matrix *a, int column, int *stack, int *pointer, bool *marked, int *out) {
  int top = l->n;
  for (int k = a->start[column]; k < a->start[column + 1]; k++) {
    if (marked[a->row[k]])
      continue;
    int head = 0;
    stack[0] = a->row[k];
    while (head >= 0) {
      int i = stack[head], step = pivot[i];
      if (!marked[i]) {
        marked[i] = true;
        pointer[head] = step < 0 ? 0 : l->start[step] + 1;
      }
      bool done = true;
      for (int p = pointer[head]; step >= 0 && p < l->start[step + 1]; p++)
        if (!marked[l->row[p]]) {
          pointer[head] = p + 1;
          stack[++head] = l->row[p];
          done = false;
          break;
        }
      if (done) {
        head--;
        out[--top] = i;
      }
    }
  }
  return top;
}

static void factors_free(factors *f) {
  matrix_free(f->l);
  matrix_free(f->u);
  free(f->pivot);
  free(f->order);
  free(f);
}

/* NULL if the matrix is singular. A diagonal entry is taken if it is at least `threshold` of the greatest. */
static factors *factorise(const matrix *a, int *order, double threshold) {
  int n = a->n;
  factors *f = need(1, sizeof *f);
  f->l = matrix_new(n, 2 * a->start[n]);
  f->u = matrix_new(n, 2 * a->start[n]);
  f->order = order;
  f->pivot = need((size_t)n, sizeof *f->pivot);
  double *x = need((size_t)n, sizeof *x), largest = 0, grown = 0;
  int *work = need(3 * (size_t)n, sizeof *work);
  bool *marked = need((size_t)n, sizeof *marked), singular = false;
  for (int i = 0; i < n; i++)
    f->pivot[i] = -1;
  int ln = 0, un = 0;
  for (int step = 0; step < n && !singular; step++) {
    int column = order[step];
    f->l->start[step] = ln;
    f->u->start[step] = un;
    int *found = work + 2 * n, top = reach(f->l, f->pivot, a, column, work, work + n, marked, found);
    for (int k = a->start[column]; k < a->start[column + 1]; k++) {
      x[a->row[k]] = a->value[k];
      largest = fmax(largest, fabs(a->value[k]));
    }
    int best = -1;
    for (int k = top; k < n; k++) {
      int i = found[k], done = f->pivot[i];
      if (done < 0) {
        if (best < 0 || fabs(x[i]) > fabs(x[best]))
          best = i;
        continue;
      }
      matrix_push(f->u, un++, done, x[i]);
      for (int p = f->l->start[done] + 1; p < f->l->start[done + 1]; p++)
        x[f->l->row[p]] -= f->l->value[p] * x[i];
    }
    /* Values may have changed since they were compared. */
    for (int k = top; k < n; k++)
      if (f->pivot[found[k]] < 0 && fabs(x[found[k]]) > fabs(x[best]))
        best = found[k];
    if (best < 0 || x[best] == 0.0) {
      singular = true;
    } else {
      if (f->pivot[column] < 0 && marked[column] && fabs(x[column]) >= threshold * fabs(x[best]))
        best = column;
      double pivot = x[best];
      matrix_push(f->u, un++, step, pivot);
      f->pivot[best] = step;
      matrix_push(f->l, ln++, best, 1.0);
      for (int k = top; k < n; k++)
        if (f->pivot[found[k]] < 0 && x[found[k]] != 0.0)
          matrix_push(f->l, ln++, found[k], x[found[k]] / pivot);
    }
    for (int k = top; k < n; k++) {
      grown = fmax(grown, fabs(x[found[k]]));
      x[found[k]] = 0.0;
      marked[found[k]] = false;
    }
    f->l->start[step + 1] = ln;
    f->u->start[step + 1] = un;
  }
  f->growth = grown / largest;
  free(x), free(work), free(marked);
  if (singular) {
    factors_free(f);
    return NULL;
  }
  for (int k = 0; k < ln; k++)
    f->l->row[k] = f->pivot[f->l->row[k]];
  return f;
}

static void solve(const factors *f, const double *b, double *out) {
  int n = f->l->n;
  double *y = need((size_t)n, sizeof *y);
  for (int i = 0; i < n; i++)
    y[f->pivot[i]] = b[i];
  for (int j = 0; j < n; j++)
    for (int k = f->l->start[j] + 1; k < f->l->start[j + 1]; k++)
      y[f->l->row[k]] -= f->l->value[k] * y[j];
  for (int j = n - 1; j >= 0; j--) {
    int last = f->u->start[j + 1] - 1;
    y[j] /= f->u->value[last];
    for (int k = f->u->start[j]; k < last; k++)
      y[f->u->row[k]] -= f->u->value[k] * y[j];
  }
  for (int j = 0; j < n; j++)
    out[f->order[j]] = y[j];
  free(y);
}

static void solve_transposed(const factors *f, const double *b, double *out) {
  int n = f->l->n;
  double *y = need((size_t)n, sizeof *y);
  for (int j = 0; j < n; j++) {
    int last = f->u->start[j + 1] - 1;
    double sum = b[f->order[j]];
    for (int k = f->u->start[j]; k < last; k++)
      sum -= f->u->value[k] * y[f->u->row[k]];
    y[j] = sum / f->u->value[last];
  }
  for (int j = n - 1; j >= 0; j--)
    for (int k = f->l->start[j] + 1; k < f->l->start[j + 1]; k++)
      y[j] -= f->l->value[k] * y[f->l->row[k]];
  for (int i = 0; i < n; i++)
    out[i] = y[f->pivot[i]];
  free(y);
}

/* The norm of the inverse from below, by Hager's ascent. */
static double inverse_norm(const factors *f) {
  int n = f->l->n;
  double *x = need((size_t)n, sizeof *x), *y = need((size_t)n, sizeof *y), *z = need((size_t)n, sizeof *z), best = 0;
  for (int i = 0; i < n; i++)
    x[i] = 1.0 / n;
  for (int round = 0; round < 5; round++) {
    solve(f, x, y);
    double norm = 0;
    for (int i = 0; i < n; i++) {
      norm += fabs(y[i]);
      y[i] = y[i] >= 0 ? 1.0 : -1.0;
    }
    best = fmax(best, norm);
    solve_transposed(f, y, z);
    int top = 0;
    double along = 0;
    for (int i = 0; i < n; i++) {
      along += z[i] * x[i];
      top = fabs(z[i]) > fabs(z[top]) ? i : top;
    }
    if (fabs(z[top]) <= along)
      break;
    memset(x, 0, (size_t)n * sizeof *x);
    x[top] = 1.0;
  }
  free(x), free(y), free(z);
  return best;
}

/* ---- a circuit: conductances between nodes, currents into them ---- */

enum { NODES = 6, BRANCHES = 9 };
static const int branch[BRANCHES][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {0, 3}, {1, 4}, {2, 5}, {5, -1}};

/* The voltage of node 0 for a unit current, by elimination in a dense array. */
static double input_resistance(const double *conductance) {
  double a[NODES][NODES] = {{0}}, b[NODES] = {1.0};
  for (int k = 0; k < BRANCHES; k++) {
    int i = branch[k][0], j = branch[k][1];
    a[i][i] += conductance[k];
    if (j >= 0) {
      a[j][j] += conductance[k];
      a[i][j] -= conductance[k];
      a[j][i] -= conductance[k];
    }
  }
  for (int k = 0; k < NODES; k++)
    for (int i = k + 1; i < NODES; i++) {
      double factor = a[i][k] / a[k][k];
      for (int j = k; j < NODES; j++)
        a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  for (int k = NODES - 1; k >= 0; k--) {
    for (int j = k + 1; j < NODES; j++)
      b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return b[0];
}

/* ---- the program ---- */

static int failures = 0;
static void expect(bool holds, const char *what) {
  printf("  %-8s%s\n", holds ? "ok" : "FAILED", what);
  failures += !holds;
}

static int *natural(int n) {
  int *order = need((size_t)n, sizeof *order);
  for (int i = 0; i < n; i++)
    order[i] = i;
  return order;
}

static matrix *grid(int nx, int ny, double skew) {
  triplets t = {.n = nx * ny};
  for (int j = 0; j < ny; j++)
    for (int i = 0; i < nx; i++) {
      int here = i + nx * j;
      put(&t, here, here, 4.1 + 0.3 * ((3 * i + j) % 4));
      if (i + 1 < nx) {
        put(&t, here, here + 1, -1.0 + skew);
        put(&t, here + 1, here, -1.0 - skew);
      }
      if (j + 1 < ny) {
        put(&t, here, here + nx, -1.0 - skew);
        put(&t, here + nx, here, -1.0 + skew);
      }
    }
  matrix *a = compress(&t);
  triplets_free(&t);
  return a;
}

static double study(const char *name, const matrix *a, int *order, double threshold) {
  int n = a->n;
  factors *f = factorise(a, order, threshold);
  if (!f) {
    expect(false, "a factorisation");
    return 0;
  }
  double *x = need((size_t)n, sizeof *x), *b = need((size_t)n, sizeof *b), *r = need((size_t)n, sizeof *r), *y = need((size_t)n, sizeof *y);
  double worst = 0, along = 0, across = 0;
  for (int i = 0; i < n; i++)
    x[i] = cos(0.7 * i) + 0.1;
  multiply(a, x, b);
  solve(f, b, y);
  for (int i = 0; i < n; i++)
    worst = fmax(worst, fabs(x[i] - y[i]));
  /* <A^-1 b, x> = <b, A^-T x> */
  solve_transposed(f, x, r);
  for (int i = 0; i < n; i++) {
    along += y[i] * x[i];
    across += b[i] * r[i];
  }
  int fill = f->l->start[n] + f->u->start[n] - n;
  printf("%s: %d entries, %d in the factors, growth %.3f, condition about %.4g\n", name, a->start[n], fill, f->growth,
         norm1(a) * inverse_norm(f));
  expect(worst < 1e-9, "the solution is right");
  expect(fabs(along - across) < 1e-9 * (1 + fabs(along)), "the transposed solve is its adjoint");
  free(x), free(b), free(r), free(y);
  factors_free(f);
  return fill;
}

static void small_cases(void) {
  static const double dense[4][4] = {{0, 2, 0, 1}, {1e-9, 1, 3, 0}, {4, 0, 0, -1}, {0, 0, 1, 5}};
  triplets t = {.n = 4}, s = {.n = 3};
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      if (dense[i][j] != 0) {
        put(&t, i, j, dense[i][j] / 2);
        put(&t, i, j, dense[i][j] / 2);
      }
  matrix *a = compress(&t);
  expect(a->start[4] == 9, "entries at one place are added");
  study("pivots off the diagonal", a, natural(4), 0.1);
  matrix_free(a);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      put(&s, i, j, i + j);
  a = compress(&s);
  int *order = natural(3);
  factors *none = factorise(a, order, 1.0);
  expect(none == NULL || fabs(none->u->value[none->u->start[3] - 1]) < 1e-15, "a singular matrix is noticed");
  if (none)
    factors_free(none);
  matrix_free(a);
  triplets_free(&t), triplets_free(&s);
}

static void circuit(void) {
  double g[BRANCHES], dg[BRANCHES] = {0};
  for (int k = 0; k < BRANCHES; k++)
    g[k] = 1.0 + 0.25 * k;
  __enzyme_autodiff((void *)input_resistance, enzyme_dup, g, dg);
  /* The adjoint method by hand: with the same matrix, dV0/dg is minus the squared voltage across the branch. */
  triplets t = {.n = NODES};
  for (int k = 0; k < BRANCHES; k++) {
    int i = branch[k][0], j = branch[k][1];
    put(&t, i, i, g[k]);
    if (j >= 0) {
      put(&t, j, j, g[k]);
      put(&t, i, j, -g[k]);
      put(&t, j, i, -g[k]);
    }
  }
  matrix *a = compress(&t);
  factors *f = factorise(a, minimum_degree(a), 0.5);
  double b[NODES] = {1.0}, v[NODES], worst = 0;
  if (!f)
    exit(2);
  solve(f, b, v);
  printf("input resistance %.12f\n", v[0]);
  for (int k = 0; k < BRANCHES; k++) {
    double across = v[branch[k][0]] - (branch[k][1] < 0 ? 0.0 : v[branch[k][1]]);
    printf("  branch %d: %.12f\n", k, dg[k]);
    worst = fmax(worst, fabs(dg[k] + across * across));
  }
  expect(fabs(v[0] - input_resistance(g)) < 1e-12, "sparse and dense solves agree");
  expect(worst < 1e-12, "sensitivities are minus the squared voltages");
  factors_free(f);
  matrix_free(a);
  triplets_free(&t);
}

int main(void) {
  small_cases();
  matrix *a = grid(8, 8, 0.0), *skewed = grid(7, 6, 0.6);
  double plain = study("grid as it is", a, natural(a->n), 0.1), ordered = study("grid by minimum degree", a, minimum_degree(a), 0.1);
  expect(ordered < 0.8 * plain, "the ordering saves fill");
  study("unsymmetric grid", skewed, minimum_degree(skewed), 1.0);
  matrix_free(a);
  matrix_free(skewed);
  circuit();
  printf("%d failures\n", failures);
  return failures != 0;
}
