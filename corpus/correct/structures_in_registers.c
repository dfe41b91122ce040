// Small structures by value, which the calling convention passes piece by piece: a marker stands for the whole structure,
// and its shadow follows it as a whole. What is expected of each call was computed by hand: with pieces in another order
// the call would be another one, and its answer right again.
#include "adj.h"
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct pair {
  double x, y;
};
struct view {
  const double *data;
  long n;
};
struct arrays {
  const double *in;
  double *out;
};
struct weighted {
  double weight;
  int power;
};

static double cubic(struct pair p) { return p.x * p.x * p.x + 5 * p.y * p.y; }

static double between(double a, struct pair p, struct pair q) { return a * p.x * q.y - p.y * p.y * q.x; }

static double norm(struct view v) {
  double s = 0;
  for (long i = 0; i < v.n; i++)
    s += v.data[i] * v.data[i];
  return s;
}

static void squares(struct arrays a, int n) {
  for (int i = 0; i < n; i++)
    a.out[i] = a.in[i] * a.in[i];
}

static double scaled(struct weighted w, double x) {
  double s = 1;
  for (int i = 0; i < w.power; i++)
    s *= x * w.weight;
  return s;
}

static double size(double complex z) { return creal(z) * creal(z) + 3 * cimag(z); }

static void is(double got, double expected) {
  printf("%g\n", got);
  if (!(fabs(got - expected) < 1e-12 * fabs(expected)))
    abort();
}

struct both {
  double a, x, y;
};
struct both __enzyme_autodiff_both(void *, ...);
struct pair __enzyme_autodiff_pair(void *, ...);
struct pair __enzyme_batch(void *, ...);
extern int enzyme_vector, enzyme_scalar;
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);

int main(void) {
  struct pair p = {2, 3}, dp = {7, 50}, q = {0.5, -2}, dq = {1, 10};
  is(__enzyme_fwddiff((void *)cubic, enzyme_dup, p, dp), 12 * 7 + 30 * 50);
  is(__enzyme_fwddiff((void *)cubic, p, dp), 12 * 7 + 30 * 50);
  // Pieces with a marker each.
  is(__enzyme_fwddiff((void *)cubic, enzyme_dup, p.x, dp.x, enzyme_const, p.y), 12 * 7);
  is(__enzyme_fwddiff((void *)between, enzyme_dup, 3.0, 1.0, enzyme_dup, p, dp, enzyme_dup, q, dq),
     -4 - 42 + 60 - 150 - 9);
  is(__enzyme_fwddiff((void *)between, enzyme_const, 3.0, enzyme_const, p, enzyme_dup, q, dq), 60 - 9);
  struct pair out = __enzyme_autodiff_pair((void *)cubic, enzyme_out, p);
  is(out.x, 12);
  is(out.y, 30);
  struct both b = __enzyme_autodiff_both((void *)between, enzyme_out, 3.0, enzyme_out, p, enzyme_const, q);
  is(b.a, -4);
  is(b.x, -6);
  is(b.y, -3);

  double x[3] = {1, 2, 3}, dx[3] = {0}, y[3], dy[3] = {1, 10, 100};
  struct view v = {x, 3}, dv = {dx, 3};
  __enzyme_autodiff((void *)norm, enzyme_dup, v, dv);
  struct arrays a = {x, y}, da = {dx, dy};
  __enzyme_autodiff((void *)squares, enzyme_dup, a, da, enzyme_const, 3);
  for (int i = 0; i < 3; i++)
    is(dx[i], 2 * x[i] + 2 * x[i] * pow(10, i));
  double tx[3] = {1, 10, 100}, ty[3] = {0};
  struct arrays tangents = {tx, ty};
  __enzyme_fwddiff((void *)squares, a, tangents, 3);
  for (int i = 0; i < 3; i++)
    is(ty[i], 2 * x[i] * pow(10, i));
  double own[3] = {0};
  dv.data = own;
  void *tape = __enzyme_augmentfwd((void *)norm, enzyme_dup, v, dv);
  __enzyme_reverse((void *)norm, enzyme_dup, v, dv, 2.0, tape);
  for (int i = 0; i < 3; i++)
    is(own[i], 4 * x[i]);

  struct weighted w = {0.5, 3}, dw = {1, 0};
  is(__enzyme_autodiff((void *)scaled, enzyme_const, w, enzyme_out, 3.0), 3.375);
  is(__enzyme_fwddiff((void *)scaled, enzyme_dup, w, dw, enzyme_const, 3.0), 20.25);
  struct pair each = __enzyme_batch((void *)between, enzyme_width, 2, enzyme_scalar, 2.0, enzyme_vector, p, q,
                                    enzyme_scalar, q);
  is(each.x, 2 * 2 * -2 - 9 * 0.5);
  is(each.y, 2 * 0.5 * -2 - 4 * 0.5);
  double complex z = 2 + 3 * I, dz = 5 + 7 * I;
  is(__enzyme_fwddiff((void *)size, enzyme_dup, z, dz), 20 + 21);
  return 0;
}
