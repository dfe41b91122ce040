// A sparse Hessian: the tangent of a gradient, whose tangents are functions.
#include "adj.h"
#include <math.h>
#include <stdlib.h>

double *__enzyme_todense(void *, ...);

enum { N = 6 };

struct matrix {
  int entries;
  double sum[N][N];
  int there[N][N];
};

static double energy(const double *x, long n) {
  double sum = 0;
  for (long i = 0; i + 1 < n; i++) {
    double d = x[i + 1] - x[i];
    sum += d * d * d + cos(x[i]);
  }
  return sum;
}

static void gradient(const double *x, double *g, long n) {
  for (long i = 0; i < n; i++)
    g[i] = 0;
  __enzyme_autodiff((void *)energy, enzyme_dup, x, g, enzyme_const, n);
}

static double unit_load(long at, long column) { return at / (long)sizeof(double) == column; }
static void unit_store(double value, long at, long column) { abort(); }

static double entry_load(long at, long column) { return 0; }
static void entry_store(double value, long at, long column, struct matrix *m) {
  if (value == 0)
    return;
  long row = at / (long)sizeof(double);
  m->entries++;
  m->there[row][column] = 1;
  m->sum[row][column] += value;
}

static void hessian(const double *x, double *g, long n, struct matrix *m) {
  for (long i = 0; i < n; i++) {
    double *dx = __enzyme_todense((void *)unit_load, (void *)unit_store, i);
    double *dg = __enzyme_todense((void *)entry_load, (void *)entry_store, i, m);
    __enzyme_fwddiff((void *)gradient, enzyme_dup, x, dx, enzyme_dup, g, dg, enzyme_const, n);
  }
}

int main(void) {
  double x[N] = {0, 0.5, 0.25, 1, 2, 2}, g[N];
  static struct matrix m;
  hessian(x, g, N, &m);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double wanted = 0;
      if (i == j && i > 0)
        wanted += 6 * (x[i] - x[i - 1]);
      if (i == j && i + 1 < N)
        wanted += 6 * (x[i + 1] - x[i]) - cos(x[i]);
      if (j == i + 1 || i == j + 1)
        wanted -= 6 * (i < j ? x[j] - x[i] : x[i] - x[j]);
      // The last two are equal here: what is zero at this point is an entry all the same.
      if (m.there[i][j] != (abs(i - j) <= 1) || fabs(m.sum[i][j] - wanted) > 1e-12)
        return 1;
    }
  return m.entries > 5 * N;
}
