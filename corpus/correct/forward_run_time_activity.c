// Two arrays are put one behind the other, and a list of pointers is followed; that a part is constant is told at run time, by a shadow that
// is the part itself. Its numbers are no tangents.
#include "adj.h"
#include <stdio.h>
#include <string.h>

extern int enzyme_runtime_activity, enzyme_width;
double __enzyme_fwddiff_one(void *, ...);
struct both { double of[2]; } __enzyme_fwddiff_two(void *, ...);

static double joined(const double *a, const double *b, double *whole, int n) {
  memcpy(whole, a, n * sizeof *a);
  memcpy(whole + n, b, n * sizeof *b);
  double sum = 0.0;
  for (int i = 0; i + 1 < 2 * n; i++) sum += whole[i] * whole[i + 1];
  return sum;
}

struct node {
  double *value;
  struct node *next;
};

static double chain(const struct node *n, double x) {
  double product = x;
  for (; n; n = n->next) product *= *n->value + 0.5;
  return product;
}

int main(void) {
  double a[2] = {1.5, -0.75}, da[2] = {1.0, 0.5}, b[2] = {2.0, 0.25}, whole[4], dwhole[4] = {0};
  double one = __enzyme_fwddiff_one((void *)joined, enzyme_runtime_activity, enzyme_dup, a, da, enzyme_dup, b, b, enzyme_dup,
                                    whole, dwhole, enzyme_const, 2);
  double u = 0.8, du = 1.0, v = -1.2;
  struct node second = {&v, 0}, dsecond = {&v, 0}, first = {&u, &second}, dfirst = {&du, &dsecond};
  double two = __enzyme_fwddiff_one((void *)chain, enzyme_runtime_activity, enzyme_dup, &first, &dfirst, enzyme_dup, 0.9, 0.0);
  // The second direction moves nothing but x.
  struct both three = __enzyme_fwddiff_two((void *)chain, enzyme_runtime_activity, enzyme_width, 2, enzyme_dup, &first, &dfirst,
                                           &first, enzyme_dup, 0.9, 0.0, 1.0);
  printf("%.12g %.12g %.12g %.12g %.12g\n", one, dwhole[3], two, three.of[0], three.of[1]);
  return dwhole[2] == 0.0 && dwhole[3] == 0.0 && two == three.of[0] ? 0 : 1;
}
