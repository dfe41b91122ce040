// The middle of an array is copied through two buffers, to the middle of another.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
__attribute__((noinline)) static void put(char *a, const char *s) { memcpy(a, s, 800); }
__attribute__((noinline)) static void move(char *b, const char *a) { memcpy(b, a, 800); }
__attribute__((noinline)) static void get(char *t, const char *b) { memcpy(t, b, 800); }
static double f(const double *x) {
  double s[200], t[200];
  char *a = malloc(800), *b = malloc(800);
  for (int i = 0; i < 200; i++) s[i] = x[i & 1] * x[i & 1];
  put(a, (char *)(s + 50));
  move(b, a);
  get((char *)(t + 50), b);
  double r = 0;
  for (int i = 50; i < 150; i++) r += t[i];
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
