// A variable that is declared inactive is scratch memory.
// adj-exit: 3
// adj-message: or the program declares inactive
#include "adj.h"

struct plan {
  int n;
  double *work, *current;
};

static double scratch[4];

void *__enzyme_inactive_global_scratch[] = {(void *)scratch};

static double f(const double *x, struct plan *p) {
  double s = 0;
  for (int k = 0; k < p->n; k++)
    scratch[k] = x[k] * x[k];
  for (int k = 0; k < p->n; k++)
    s += scratch[k];
  return s;
}

int main(void) {
  double x[4] = {1, 2, 3, 4}, dx[4] = {0}, block[8] = {0};
  struct plan p = {4, block, block + 4};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, &p);
  return dx[0] != 2;
}
