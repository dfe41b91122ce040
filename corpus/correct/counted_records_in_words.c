// Records of an integer and a number travel in one word: as arguments, as results, as variable arguments, in arrays and
// in copies. The integer is no bit of the number beside it, whichever stands first.
#include "adj.h"
#include <stdarg.h>
#include <stdio.h>

struct counted {
  int count;
  float share;
};

struct weighed {
  float share;
  unsigned short count, spare;
};

__attribute__((noinline)) static double of_counted(struct counted r) { return r.count * r.share * r.share; }

__attribute__((noinline)) static double of_weighed(struct weighed r) { return r.share * (r.count + r.spare); }

__attribute__((noinline)) static struct counted scaled(struct counted r, float by) {
  struct counted out = {r.count + 1, r.share * by};
  return out;
}

__attribute__((noinline)) static double of_all(int n, ...) {
  va_list list;
  va_start(list, n);
  double sum = 0;
  for (int i = 0; i < n; i++) {
    struct counted r = va_arg(list, struct counted);
    sum += of_counted(r) / (i + 1);
  }
  va_end(list);
  return sum;
}

static double value(const float *x) {
  struct counted first = {3, x[0] * x[1]};
  struct weighed other = {x[0] - x[1], 7, 2};
  struct counted many[3];
  for (int i = 0; i < 3; i++) {
    many[i] = scaled(first, x[1] + i);
  }
  double sum = of_counted(first) + of_weighed(other) + of_all(2, first, many[1]);
  for (int i = 0; i < 3; i++) {
    struct counted copy = many[i];
    sum += of_counted(copy) * copy.count;
  }
  return sum;
}

int main(void) {
  float x[2] = {0.75f, -1.5f}, dx[2] = {0};
  __enzyme_autodiff((void *)value, enzyme_dup, x, dx);
  printf("%g %g\n", dx[0], dx[1]);
  return 0;
}
