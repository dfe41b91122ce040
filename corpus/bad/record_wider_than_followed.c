// Numbers 4000 bytes behind the start of a record, which passes through two buffers that nothing else accesses.
// adj-exit: 3
// adj-message: farther in it than their types are followed
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record {
  int padding[1000];
  double numbers[2];
};

__attribute__((noinline)) static void put(char *to, const struct record *from) { memcpy(to, from, sizeof(struct record)); }

__attribute__((noinline)) static void move(char *to, const char *from) { memcpy(to, from, sizeof(struct record)); }

__attribute__((noinline)) static void get(struct record *to, const char *from) { memcpy(to, from, sizeof(struct record)); }

static double f(const double *x, long length) {
  struct record first = {{0}, {x[0] * x[0], x[1] * 3}}, last;
  char *one = malloc(length), *other = malloc(length);
  put(one, &first);
  move(other, one);
  get(&last, other);
  free(one);
  free(other);
  return last.numbers[0] + last.numbers[1];
}

int main(void) {
  double x[2] = {0.5, -1.5}, d[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, (long)sizeof(struct record));
  printf("%g %g\n", d[0], d[1]);
  return 0;
}
