// Structures that travel in memory, and vectors, as variable arguments; and records of pointers, for
// functions that only move them.
#include "adj.h"
#include <stdarg.h>
#include <stdio.h>

struct large {
  double parts[5];
};

struct singles {
  float parts[7];
};

struct few {
  float parts[3];
};

struct named {
  double *numbers[4];
  long count;
};

struct pair {
  double *first, *second;
};

__attribute__((noinline)) static double of_large(int n, ...) {
  va_list list;
  va_start(list, n);
  double sum = 0;
  for (int i = 0; i < n; i++) {
    struct large large = va_arg(list, struct large);
    for (int k = 0; k < 5; k++) {
      sum += large.parts[k] * large.parts[n] * (i + k);
    }
  }
  va_end(list);
  return sum;
}

__attribute__((noinline)) static double of_singles(int n, ...) {
  va_list list;
  va_start(list, n);
  struct singles first = va_arg(list, struct singles), second = va_arg(list, struct singles);
  va_end(list);
  return first.parts[0] * first.parts[6] + second.parts[1] * first.parts[n];
}

__attribute__((noinline)) static double of_few(int n, ...) {
  va_list list;
  va_start(list, n);
  struct few few = va_arg(list, struct few);
  va_end(list);
  return few.parts[n] * few.parts[0] + few.parts[2];
}

__attribute__((noinline)) static struct named last_of(int n, ...) {
  va_list list;
  va_start(list, n);
  struct named out = {{0}, 0};
  for (int i = 0; i < n; i++) {
    out = va_arg(list, struct named);
  }
  va_end(list);
  return out;
}

__attribute__((noinline)) static struct pair first_of(int n, ...) {
  va_list list;
  va_start(list, n);
  struct pair out = va_arg(list, struct pair);
  va_end(list);
  return out;
}

static double value(const double *x) {
  double y[2] = {x[0] * x[1], x[0] - x[1]};
  struct large large = {{y[0], y[1], 1.0, y[0] * y[1], x[0]}}, other = {{x[1], 2.0, y[0], y[1], x[0]}};
  struct singles singles = {{(float)x[0], (float)x[1], 3, 0, 0, 0, (float)(x[0] * x[0])}};
  struct few few = {{(float)x[1], (float)y[0], 2.0f}};
  double sum = of_large(2, large, other) + of_singles(1, singles, singles) + of_few(1, few);
  struct named some = {{y, y, y, y}, 1}, others = {{y, y + 1, y, y + 1}, 4};
  struct named last = last_of(2, some, others);
  for (long i = 0; i < last.count; i++) {
    sum += *last.numbers[i] * (double)(i + 1);
  }
  struct pair pair = first_of(2, (struct pair){y + 1, y}, (struct pair){y, y});
  return sum + *pair.first * *pair.second * *pair.second;
}

int main(void) {
  double x[2] = {0.5, -1.5}, dx[2] = {0};
  __enzyme_autodiff((void *)value, enzyme_dup, x, dx);
  printf("%g %g\n", dx[0], dx[1]);
  return 0;
}
