// Records of an integer and a number are arguments of a function with variable arguments: each travels in one word.
#include "adj.h"
#include <stdarg.h>
#include <stdio.h>

struct item {
  int count;
  float share;
};

static __attribute__((noinline)) double total(int many, ...) {
  va_list list;
  va_start(list, many);
  double sum = 0.0;
  for (int i = 0; i < many; i++) {
    struct item item = va_arg(list, struct item);
    sum += item.count * (double)item.share * item.share;
  }
  va_end(list);
  return sum;
}

static double value(const float *x) {
  struct item a = {2, x[0] * x[1]}, b = {3, x[0] - x[1]};
  return total(2, a, b);
}

static void dvalue(const float *x, float *dx, double seed) {
  double product = x[0] * x[1], difference = x[0] - x[1];
  dx[0] += (float)(seed * (4.0 * product * x[1] + 6.0 * difference));
  dx[1] += (float)(seed * (4.0 * product * x[0] - 6.0 * difference));
}

int main(void) {
  float x[2] = {1.1f, 0.7f}, dx[2] = {0.0f, 0.0f};
  __adj_check_gradient((void *)value, (void *)dvalue, enzyme_dup, x, dx, 1.0);
  printf("%.6f %.6f\n", dx[0], dx[1]);
  return 0;
}
