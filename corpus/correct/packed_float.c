// A float beside an integer, passed and returned by value: both travel in one integer, of which only the lower half has an adjoint.
#include "adj.h"
#include <math.h>
#include <stdio.h>

struct tagged {
  float value;
  int count;
};

static __attribute__((noinline)) struct tagged advance(struct tagged t, double x) {
  t.value = t.value * (float)x + (float)t.count;
  t.count++;
  return t;
}

static double weigh(double x) {
  struct tagged t = {(float)x, 2};
  t = advance(t, x);
  return sin(t.value) * t.count;
}

int main(void) {
  printf("%.17g\n", __enzyme_autodiff((void *)weigh, 0.4));
  return 0;
}
