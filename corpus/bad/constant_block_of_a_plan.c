// A plan has its factors and its work space in one block.
// adj-exit: 3
// adj-message: memory that the call marks constant
#include "adj.h"

struct plan {
  int n;
  double *work, *current;
};

static double f(const double *x, struct plan *p) {
  double own[4], s = 0;
  for (int r = 0; r < 2; r++) {
    double *to = r ? p->work + 4 : own;
    for (int k = 0; k < p->n; k++)
      to[k] = x[k] * x[k] * (1 + p->work[k]);
    if (r)
      for (int k = 0; k < p->n; k++)
        s += to[k];
  }
  return s;
}

int main(void) {
  double x[4] = {1, 2, 3, 4}, dx[4] = {0}, block[8] = {0};
  struct plan p = {4, block, block + 4};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, &p);
  return dx[0] != 1;
}
