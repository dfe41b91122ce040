// Tangents that the program registers for its own functions are used in forward mode, at every level.
#define ADJ_NO_AUTODIFF
#include "adj.h"
#include <math.h>
#include <stdio.h>

double __enzyme_fwddiff(void *, ...);

static int used;

struct both {
  double result, tangent;
};

__attribute__((noinline)) static double root(double x) {
  double y = x;
  for (int i = 0; i < 40; i++)
    y = 0.5 * (y + x / y);
  return y;
}

static double droot(double x, double dx) {
  used++;
  return 0.5 * dx / sqrt(x);
}

__attribute__((noinline)) static double power(double x, int n) { return n ? x * power(x, n - 1) : 1.0; }

static struct both dpower(double x, double dx, int n) {
  used += 10;
  struct both b = {power(x, n), n * pow(x, n - 1) * dx};
  return b;
}

void *__enzyme_register_derivative_root[2] = {(void *)root, (void *)droot};
void *__enzyme_register_derivative_power[2] = {(void *)power, (void *)dpower};

static double f(double x, double y) { return root(x * y) * power(y, 3) + x; }

int main(void) {
  double d = __enzyme_fwddiff((void *)f, 1.7, 1.0, 0.8, -0.5);
  printf("%.12g %d\n", d, used > 0);
  return 0;
}
