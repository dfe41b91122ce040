// A window that is shifted by memmove in a function that gets active memory at one call and a constant table at another: the adjoints
// that overlap are moved, not cleared.
#include "adj.h"
#include <string.h>

enum { N = 4 };

static void next_window(double *to, const double *from) { memmove(to, from + 1, (N - 1) * sizeof *to); }

static double played(double *x, double last) {
  double table[N] = {-1.25, -1.5, 0.125, 3.0};
  double kept[N];
  memcpy(kept, x, sizeof kept);
  next_window(x, table);
  x[0] = x[0] * kept[1];
  next_window(x, x);
  x[N - 1] = last;
  next_window(x, x);
  double s = 0.0;
  for (int i = 0; i < N; i++) s += (i + 1) * x[i] * x[i] + kept[i] * x[0];
  return s;
}

int main(void) {
  double x[N] = {0.5, -0.75, 1.0, 2.0}, dx[N] = {0.0, 0.0, 0.0, 0.0};
  double d = __enzyme_autodiff((void *)played, enzyme_dup, x, dx, enzyme_out, 1.5);
  return d != 0.0 ? 0 : 1;
}
