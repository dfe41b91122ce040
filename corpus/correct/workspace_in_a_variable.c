// A variable of the file holds the address of a workspace, which the function sets before its parts look at it. The
// program also calls the function itself, to compare: written out in `main`, that assigns the variable as well.
#include "adj.h"
#include <math.h>
#include <stdlib.h>

enum { N = 8 };

static double buffer[2 * N], *work, *rows, *scratch;

static double total(int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += work[i] * work[i];
  return s;
}

// Two parts of a buffer of the file.
static double parts(const double *x, int n) {
  work = buffer;
  rows = buffer + n;
  for (int i = 0; i < n; i++) work[i] = x[i] * x[(i + 1) % n];
  for (int i = 0; i < n; i++) rows[i] = work[i] + x[i];
  double s = total(n);
  for (int i = 0; i < n; i++) s += rows[i] * work[n - 1 - i];
  return s;
}

static void prepare(int n) { scratch = malloc(n * sizeof(double)); }

// Memory of its own, which a function before it gets.
static double own(const double *x, int n) {
  prepare(n);
  for (int i = 0; i < n; i++) scratch[i] = sin(x[i]);
  double s = 0;
  for (int i = 0; i < n; i++) s += scratch[i] * scratch[(i + 3) % n];
  free(scratch);
  return s;
}

static int differs(double (*f)(const double *, int), double *x, const double *d) {
  int wrong = 0;
  for (int i = 0; i < N; i++) {
    double at = x[i], h = 1e-6;
    x[i] = at + h;
    double more = f(x, N);
    x[i] = at - h;
    double less = f(x, N);
    x[i] = at;
    wrong += fabs((more - less) / (2 * h) - d[i]) > 1e-6;
  }
  return wrong;
}

int main(void) {
  double x[N], d[2][N] = {{0}};
  for (int i = 0; i < N; i++) x[i] = 0.25 * i - 0.6;
  __enzyme_autodiff((void *)parts, enzyme_dup, x, d[0], enzyme_const, N);
  __enzyme_autodiff((void *)own, enzyme_dup, x, d[1], enzyme_const, N);
  return differs(parts, x, d[0]) + differs(own, x, d[1]);
}
