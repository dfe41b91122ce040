// A buffer that holds a record of more than 512 bytes is cleared by a function of its own.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct S {
  int pad[150];
  double d[2];
};
__attribute__((noinline)) static void put(char *a, const struct S *s) { memcpy(a, s, sizeof *s); }
__attribute__((noinline)) static void wipe(char *a) { memset(a, 0, sizeof(struct S)); }
__attribute__((noinline)) static void get(struct S *t, const char *b) { memcpy(t, b, sizeof *t); }
static double f(const double *x) {
  struct S s, t, u;
  char *a = malloc(sizeof s);
  memset(&s, 0, sizeof s);
  s.d[0] = x[0] * x[0];
  s.d[1] = x[1] * 3;
  put(a, &s);
  get(&u, a);
  wipe(a);
  get(&t, a);
  free(a);
  return u.d[0] + u.d[1] + t.d[0] + t.d[1];
}
int main(void) {
  double x[2] = {0.5, -1.5}, dx[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  printf("%g %g\n", dx[0], dx[1]);
  return 0;
}
