// A pointer behind the first 512 bytes of a record, which passes through two buffers that nothing else accesses.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct S {
  int pad[150];
  double *p;
};
__attribute__((noinline)) static void put(char *a, const struct S *s) { memcpy(a, s, sizeof *s); }
__attribute__((noinline)) static void move(char *b, const char *a) { memcpy(b, a, sizeof(struct S)); }
__attribute__((noinline)) static void get(struct S *t, const char *b) { memcpy(t, b, sizeof *t); }
static double f(double *x) {
  struct S s, t;
  char *a = malloc(sizeof s), *b = malloc(sizeof s);
  memset(&s, 0, sizeof s);
  s.p = x;
  put(a, &s);
  move(b, a);
  get(&t, b);
  double r = t.p[0] * t.p[0] + t.p[1] * 3;
  free(a);
  free(b);
  return r;
}
int main(void) {
  double x[2] = {0.5, -1.5}, dx[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  printf("%g %g\n", dx[0], dx[1]);
  return 0;
}
