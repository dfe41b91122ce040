// A thread computes the first half of a sum, and is joined before the program computes the other half. The reverse
// pass reverses that half while its thread, which adds to the same adjoint, is still at work, and joins it at the
// end.
// adj-flags: -pthread
#include "adj.h"
#include <math.h>
#include <pthread.h>
#include <stdio.h>

struct half {
  const double *x;
  double exponent, *value, *adjoint, seed;
};

static void *forward(void *argument) {
  struct half *half = argument;
  for (int i = 0; i < 3; i++)
    *half->value += pow(half->x[i], half->exponent);
  return NULL;
}

static void *backward(void *argument) {
  struct half *half = argument;
  for (int i = 0; i < 3; i++)
    *half->adjoint += log(half->x[i]) * pow(half->x[i], half->exponent) * half->seed; //~ race
  return NULL;
}

static double powers(const double *x, double exponent) {
  pthread_t helper;
  double value = 0.0;
  struct half first = {x, exponent, &value, NULL, 0.0}, second = {x + 3, exponent, &value, NULL, 0.0};
  pthread_create(&helper, NULL, forward, &first);
  pthread_join(helper, NULL);
  forward(&second);
  return value;
}

static double powers_reverse(const double *x, double exponent, double seed) {
  pthread_t helper;
  double adjoint = 0.0;
  struct half first = {x, exponent, NULL, &adjoint, seed}, second = {x + 3, exponent, NULL, &adjoint, seed};
  pthread_create(&helper, NULL, backward, &first);
  backward(&second);
  pthread_join(helper, NULL);
  return adjoint;
}

int main(void) {
  double x[6] = {1.0, 2.0, 3.0, 1.5, 2.5, 0.5};
  __adj_check_gradient((void *)powers, (void *)powers_reverse, enzyme_const, x, enzyme_out, 1.5, 1.0);
  printf("%g\n", powers(x, 1.5));
  return 0;
}
