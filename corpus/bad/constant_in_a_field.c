// A field of a structure of the function leads to constant memory at one time.
// adj-exit: 3
// adj-message: memory that the call marks constant
#include "adj.h"

struct plan {
  int n;
  double *work, *current;
};

struct job {
  double *to, buffer[4];
};

static double f(const double *x, struct plan *p) {
  struct job job;
  double s = 0;
  for (int r = 0; r < 2; r++) {
    job.to = r ? p->work : job.buffer;
    for (int k = 0; k < p->n; k++)
      job.to[k] = x[k] * x[k];
    for (int k = 0; k < p->n; k++)
      s += job.to[k];
  }
  return s;
}

int main(void) {
  double x[4] = {1, 2, 3, 4}, dx[4] = {0}, block[8] = {0};
  struct plan p = {4, block, block + 4};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, &p);
  return dx[0] != 4;
}
