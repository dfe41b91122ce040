// Options of forward mode: the value beside the tangent (of a number, along two directions, and of a pair), a result that is not
// differentiated, activity that is told at run time, and directions that do not move where the derivative is infinite.
#include "adj.h"
#include <math.h>
#include <stdio.h>

extern int enzyme_primal_return, enzyme_const_return, enzyme_runtime_activity, enzyme_strong_zero, enzyme_width;

struct value_slope { double value, slope; };
struct value_slopes { double value, slopes[2]; };
struct pair { double sum, product; };
struct pair_pair { struct pair value, slope; };

struct value_slope __enzyme_fwddiff_value(void *, ...);
struct value_slopes __enzyme_fwddiff_values(void *, ...);
struct pair_pair __enzyme_fwddiff_pair(void *, ...);
double __enzyme_fwddiff_only(void *, ...);

static double growth(double x, double rate) { return exp(rate * x) * sin(x); }

static struct pair both(double x, double y) {
  struct pair p = {x + y, x * y};
  return p;
}

static double stored(const double *x, double *out) {
  *out = x[0] * x[1];
  return x[0] - x[1];
}

static double weighted(const double *x, const double *w, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += w[i] * x[i] * x[i];
  return sum;
}

static double length(double x, double y) { return sqrt(x) * y; }

int main(void) {
  struct value_slope one =
      __enzyme_fwddiff_value((void *)growth, enzyme_primal_return, enzyme_dup, 0.7, 1.0, enzyme_const, 0.3);
  struct value_slopes two = __enzyme_fwddiff_values((void *)growth, enzyme_primal_return, enzyme_width, 2, enzyme_dup, 0.7,
                                                    1.0, 0.0, enzyme_dup, 0.3, 0.0, 1.0);
  struct pair_pair p = __enzyme_fwddiff_pair((void *)both, enzyme_primal_return, enzyme_dup, 1.5, 1.0, enzyme_dup, 2.5, -2.0);
  printf("%.12g %.12g %.12g %.12g %.12g\n", one.value, one.slope, two.value, two.slopes[0], two.slopes[1]);
  printf("%.12g %.12g %.12g %.12g\n", p.value.sum, p.value.product, p.slope.sum, p.slope.product);

  double x[2] = {1.25, -0.5}, dx[2] = {1.0, 2.0}, out = 0.0, dout = 0.0, w[2] = {0.3, 0.9};
  __enzyme_fwddiff_only((void *)stored, enzyme_const_return, enzyme_dup, x, dx, enzyme_dup, &out, &dout);
  double constant = __enzyme_fwddiff_only((void *)weighted, enzyme_runtime_activity, enzyme_dup, x, dx, enzyme_dup, w, w,
                                          enzyme_const, 2);
  double still = __enzyme_fwddiff_only((void *)length, enzyme_strong_zero, enzyme_dup, 4.0, 0.0, enzyme_dup, 3.0, 1.0);
  printf("%.12g %.12g %.12g %.12g\n", out, dout, constant, still);
  return one.value == two.value && one.slope == two.slopes[0] ? 0 : 1;
}
