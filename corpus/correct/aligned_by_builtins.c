// Pointers rounded up and down to a multiple of a power of two by the compiler's own functions, which become masks of
// pointers (LangRef, "llvm.ptrmask"): in memory of one's own, in blocks cut from an arena, and in the caller's memory.
#include "adj.h"
#include <stddef.h>
#include <stdlib.h>

enum { N = 5 };

typedef struct {
  char *next, *end;
} Arena;

static double *cut(Arena *arena, size_t count, size_t align) {
  char *at = __builtin_align_up(arena->next, align);
  if (at + count * sizeof(double) > arena->end) return NULL;
  arena->next = at + count * sizeof(double) + 4;
  return (double *)at;
}

static double own(const double *x, int n) {
  char *raw = malloc(n * sizeof(double) + 64);
  double *a = (double *)__builtin_align_up(raw, 64);
  double s = 0;
  for (int i = 0; i < n; i++) a[i] = x[i] * x[i];
  for (int i = 0; i < n; i++) s += a[i] * a[n - 1 - i];
  free(raw);
  return s;
}

static double blocks(const double *x, int n) {
  char *raw = malloc(3 * (n * sizeof(double) + 64));
  Arena arena = {raw, raw + 3 * (n * sizeof(double) + 64)};
  double *a = cut(&arena, n, 32), *b = cut(&arena, n, 16), *c = cut(&arena, n, 8), s = 0;
  for (int i = 0; i < n; i++) a[i] = x[i] * x[i];
  for (int i = 0; i < n; i++) b[i] = a[i] * x[n - 1 - i];
  for (int i = 0; i < n; i++) c[i] = b[i] * a[i];
  for (int i = 0; i < n; i++) s += c[i] * (__builtin_is_aligned(c, 8) ? 1 : 2);
  free(raw);
  return s;
}

// The pair that an element is in.
static double pair(const double *x, int i) {
  const double *p = __builtin_align_down(x + i, 16);
  return p[0] * p[1];
}

int main(void) {
  _Alignas(16) double x[N + 1] = {1.0, -0.5, 2.0, 0.75, -1.25, 0.1};
  _Alignas(16) double d[3][N + 1] = {{0}};
  __enzyme_autodiff((void *)own, enzyme_dup, x, d[0], enzyme_const, N);
  __enzyme_autodiff((void *)blocks, enzyme_dup, x, d[1], enzyme_const, N);
  __enzyme_autodiff((void *)pair, enzyme_dup, x, d[2], enzyme_const, 3);
  return d[0][0] != 0.0 && d[1][0] != 0.0 && d[2][2] == 0.75 && d[2][3] == 2.0 ? 0 : 1;
}
