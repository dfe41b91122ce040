// An array of pointers leads to constant memory and to other memory.
// adj-exit: 3
// adj-message: memory that the call marks constant
#include "adj.h"

struct plan {
  int n;
  double *work, *current;
};

static double f(const double *x, struct plan *p) {
  double own[4], *to[2] = {own, p->work}, s = 0;
  for (int r = 0; r < 2; r++)
    for (int k = 0; k < p->n; k++)
      to[r][k] = x[k] * x[k];
  for (int r = 0; r < 2; r++)
    for (int k = 0; k < p->n; k++)
      s += to[r][k];
  return s;
}

int main(void) {
  double x[4] = {1, 2, 3, 4}, dx[4] = {0}, block[8] = {0};
  struct plan p = {4, block, block + 4};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, &p);
  return dx[0] != 4;
}
