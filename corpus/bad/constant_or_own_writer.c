// One writer is given constant memory, which is read again, and memory of the function.
// adj-exit: 3
// adj-message: memory that the call marks constant
#include "adj.h"

struct plan {
  int n;
  double *work, *current;
};

__attribute__((noinline)) static void square(double *to, const double *x, int n) {
  for (int k = 0; k < n; k++)
    to[k] = x[k] * x[k];
}

static double f(const double *x, struct plan *p) {
  double own[4], s = 0;
  square(p->work, x, p->n);
  square(own, x, p->n);
  for (int k = 0; k < p->n; k++)
    s += p->work[k] + 10 * own[k];
  return s;
}

int main(void) {
  double x[4] = {1, 2, 3, 4}, dx[4] = {0}, block[8] = {0};
  struct plan p = {4, block, block + 4};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, &p);
  return dx[0] != 22;
}
