// A global accumulator and a scratch array of the file, used by a function that is called from several places.
#include "adj.h"
#include <math.h>
#include <string.h>

enum { N = 4 };
static double scratch[N], total;
static int calls;

static double contribution(const double *x, double scale) {
  memcpy(scratch, x, sizeof scratch);
  for (int i = 1; i < N; i++) scratch[i] *= scale * scratch[i - 1];
  total += scratch[N - 1];
  calls++;
  return scratch[N - 1] * scratch[0];
}

static double objective(const double *x) {
  total = 0.0;
  double a = contribution(x, 1.0), b = contribution(x, sin(x[0])), c = contribution(x, 0.5);
  return a * b + c + total * total;
}

int main(void) {
  double x[N] = {0.75, -1.5, 2.0, 0.5}, dx[N] = {0};
  __enzyme_autodiff((void *)objective, enzyme_dup, x, dx);
  return dx[0] != 0.0 && calls == 3 ? 0 : 1;
}
