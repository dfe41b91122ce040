// adj-levels: O2,O3
// adj-exit: 3
// adj-message: memory that the call marks constant
// An output that the caller declares constant is ignored, whether or not a pointer leads elsewhere at other times; sums that are added to it and
// comparisons with it are no uses. Helpers put inactive numbers there, and active ones elsewhere.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>

struct plan {
  int n;
  double *work;
};


__attribute__((noinline)) static void copy(double *to, const double *from, int n) {
  for (int k = 0; k < n; k++)
    to[k] = from[k];
}

static double first_of_two(const double *x, struct plan *p) {
  double own[4], s = 0;
  for (int r = 0; r < 2; r++) {
    double *to = r ? p->work : own;
    for (int k = 0; k < p->n; k++)
      to[k] = x[k] * x[k];
  }
  for (int k = 0; k < p->n; k++)
    s += own[k];
  return s;
}

static double inactive_numbers(const double *x, struct plan *p) {
  double own[4], two[4] = {2, 2, 2, 2}, s = 0;
  copy(p->work, two, p->n);
  copy(own, x, p->n);
  for (int k = 0; k < p->n; k++)
    s += own[k] * own[k] * p->work[k];
  return s;
}

static double summed_up(const double *x, struct plan *p) {
  double own[4] = {0}, s = 0;
  for (int r = 0; r < 2; r++) {
    double *to = r ? p->work : own;
    for (int k = 0; k < p->n; k++) {
      to[k] += x[k] * x[k];
    }
  }
  for (int k = 0; k < p->n; k++)
    s += x[k] * x[k];
  return s;
}

int main(void) {
  double (*functions[])(const double *, struct plan *) = {first_of_two, inactive_numbers, summed_up};
  double x[4] = {1, 2, 3, 4}, dx[3][4] = {{0}}, work[4] = {0};
  struct plan p = {4, work};
  __enzyme_autodiff((void *)first_of_two, enzyme_dup, x, dx[0], enzyme_const, &p);
  __enzyme_autodiff((void *)inactive_numbers, enzyme_dup, x, dx[1], enzyme_const, &p);
  __enzyme_autodiff((void *)summed_up, enzyme_dup, x, dx[2], enzyme_const, &p);
  for (int f = 0; f < 3; f++)
    printf("%g %g %g %g %g\n", functions[f](x, &p), dx[f][0], dx[f][1], dx[f][2], dx[f][3]);
  return 0;
}
