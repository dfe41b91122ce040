// A callback gets its arguments as bytes, copied into a frame by a loop; one of two pointers is to constant memory.
#include "adj.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct Args {
  const double *values;
  const double *weights;
  int count;
};

static double dot(const void *frame) {
  struct Args args;
  memcpy(&args, frame, sizeof args);
  double sum = 0;
  for (int i = 0; i < args.count; i++)
    sum += args.weights[i] * args.values[i] * args.values[i];
  return sum;
}

static double call(double (*function)(const void *), const void *args, size_t size) {
  _Alignas(16) char frame[64];
  const char *from = args;
  for (size_t i = 0; i < size; i++)
    frame[i] = from[i];
  return function(frame);
}

static double f(const double *x, const double *w, int n) {
  struct Args args = {x, w, n};
  return call(dot, &args, sizeof args);
}

int main(void) {
  double x[3] = {1, 2, 3}, w[3] = {2, 1, 3}, d[3] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, w, enzyme_const, 3);
  printf("%g %g %g\n", d[0], d[1], d[2]);
  return 0;
}
