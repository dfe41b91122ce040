// Memory of the caller may be a variable of the module: what is written through the one is written to the other, so that
// neither is loaded again in the reverse pass where the other has been written to since.
#include <math.h>
#include <stdio.h>
#include "adj.h"

double shared[3];
static double hidden[3];
static double only_here[3];
static double *const table[] = {hidden};

// Written by name, loaded through a parameter.
__attribute__((noinline)) static double by_name(const double *x, int n, double z) {
  double y = z;
  for (int i = 0; i < n; i++) y = sin(y) * x[i];
  shared[0] = 5.0;
  hidden[1] = 7.0;
  return y;
}

// Written through a parameter, loaded by name.
__attribute__((noinline)) static double by_parameter(double *x, int n, double z) {
  double y = z;
  for (int i = 0; i < n; i++) y = sin(y) * shared[i] + cos(y) * hidden[i];
  x[1] = 4.0;
  return y;
}

__attribute__((noinline)) static void put(double *to, double value) { *to = value; }

// Written by a function that is called, and by name behind the loop.
__attribute__((noinline)) static double later(int n, double z) {
  double y = z;
  for (int i = 0; i < n; i++) y = sin(y) * only_here[i];
  put(&only_here[1], 0.5);
  for (int i = 0; i < n; i++) y = cos(y) * only_here[i];
  only_here[2] = 9.0;
  return y;
}

// Nobody is told what this does; it counts.
__attribute__((noinline, annotate("enzyme_inactive"))) static void tick(void) { only_here[0] += 1.0; }

__attribute__((noinline)) static double ticking(int n, double z) {
  double y = z;
  for (int i = 0; i < n; i++) y = sin(y) * only_here[i];
  tick();
  return y;
}

static void reset(void) {
  for (int i = 0; i < 3; i++) {
    shared[i] = 1.5 - 0.25 * i;
    hidden[i] = 0.75 + 0.5 * i;
    only_here[i] = 1.25 + 0.25 * i;
  }
}

int main(int argc, char **argv) {
  (void)argv;
  int n = 2 + argc;
  reset();
  printf("%.12f\n", __enzyme_autodiff((void *)by_name, enzyme_const, shared, n, 1.5));
  reset();
  printf("%.12f\n", __enzyme_autodiff((void *)by_name, enzyme_const, table[0], n, 1.5));
  reset();
  printf("%.12f\n", __enzyme_autodiff((void *)by_parameter, enzyme_const, shared, n, 1.5));
  reset();
  printf("%.12f\n", __enzyme_autodiff((void *)by_parameter, enzyme_const, table[0], n, 1.5));
  reset();
  printf("%.12f\n", __enzyme_autodiff((void *)later, n, 1.5));
  reset();
  printf("%.12f\n", __enzyme_autodiff((void *)ticking, n, 1.5));
  return 0;
}
