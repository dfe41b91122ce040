// Numbers behind the first 512 bytes of a record, which passes through two buffers that nothing else accesses.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct S {
  int pad[150];
  double d[2];
};
__attribute__((noinline)) static void put(char *a, const struct S *s) { memcpy(a, s, sizeof *s); }
__attribute__((noinline)) static void move(char *b, const char *a) { memcpy(b, a, sizeof(struct S)); }
__attribute__((noinline)) static void get(struct S *t, const char *b) { memcpy(t, b, sizeof *t); }
static double f(const double *x, long len) {
  struct S s, t;
  char *a = malloc(len), *b = malloc(len);
  memset(&s, 0, sizeof s);
  s.d[0] = x[0] * x[0];
  s.d[1] = x[1] * 3;
  put(a, &s);
  move(b, a);
  get(&t, b);
  free(a);
  free(b);
  return t.d[0] + t.d[1];
}
int main(void) {
  double x[2] = {0.5, -1.5}, dx[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (long)sizeof(struct S));
  printf("%g %g\n", dx[0], dx[1]);
  return 0;
}
