// Records of one kind, and others behind them, are copied with a length that is known only at run time.
// adj-exit: 3
// adj-message: do not repeat regularly
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct A {
  long a;
  double b;
  long c;
};
struct B {
  long l;
  double d;
};
struct M {
  struct A s[20];
  struct B t[];
};
static double f(const double *x, long n) {
  size_t len = sizeof(struct M) + n * sizeof(struct B);
  struct M *p = calloc(1, len), *q = malloc(len);
  for (int i = 0; i < 20; i++) {
    p->s[i].a = i;
    p->s[i].c = i;
    p->s[i].b = x[i & 1] * x[i & 1];
  }
  for (long i = 0; i < n; i++) {
    p->t[i].l = i;
    p->t[i].d = x[i & 1];
  }
  memcpy(q, p, len);
  double r = 0;
  for (int i = 0; i < 20; i++) r += q->s[i].b;
  for (long i = 0; i < n; i++) r += q->t[i].d;
  free(p);
  free(q);
  return r;
}
int main(void) {
  double x[2] = {0.5, -1.5}, dx[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 4L);
  printf("%g %g\n", dx[0], dx[1]);
  return 0;
}
