// Threads whose numbers are in variables of the program; one makes another, which its maker's maker awaits.
// adj-flags: -pthread
#include "differences.h"
#include <pthread.h>

enum { N = 8 };

static pthread_t threads[2], inner;
static double products[3];
static const double *input;

static void *innermost(void *arg) {
  products[2] = input[4] * input[5];
  return arg;
}

static void *multiply(void *arg) {
  int k = *(int *)arg;
  if (k == 1)
    pthread_create(&inner, NULL, innermost, NULL);
  products[k] = input[2 * k] * input[2 * k + 1];
  return arg;
}

static double f(const double *x, int n) {
  int numbers[2] = {0, 1};
  input = x;
  for (int k = 0; k < 2; k++)
    pthread_create(&threads[k], NULL, multiply, &numbers[k]);
  for (int k = 0; k < 2; k++)
    pthread_join(threads[k], NULL);
  double sum = products[0] * products[1];
  pthread_join(inner, NULL);
  return n * sum * products[2];
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
