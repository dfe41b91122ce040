// Forward mode of structures passed and returned by value: in memory, and in registers. The call returns the tangent.
#define ADJ_NO_AUTODIFF
#include "adj.h"
#include <math.h>
#include <stdio.h>

struct vec {
  double x, y, z;
};
struct pair {
  double a, b;
};
struct single {
  float a, b;
};

struct vec __enzyme_fwddiff_vec(void *, ...);
struct pair __enzyme_fwddiff_pair(void *, ...);
struct single __enzyme_fwddiff_single(void *, ...);

static struct vec cross(struct vec a, struct vec b) {
  struct vec r = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  a.x = r.x * b.y;
  r.z += a.x;
  return r;
}

static struct pair polar(double r, double angle) {
  struct pair p = {r * cos(angle), r * sin(angle)};
  return p;
}

static struct single halves(float x) {
  struct single s = {x * x, 1.0f / x};
  return s;
}

int main(void) {
  struct vec a = {1.0, 2.0, 3.0}, da = {0.1, 0.2, 0.3}, b = {-1.0, 0.5, 2.0}, db = {1.0, 0.0, -0.5};
  struct vec r = __enzyme_fwddiff_vec((void *)cross, enzyme_dup, a, da, enzyme_dup, b, db);
  printf("%.17g %.17g %.17g\n", r.x, r.y, r.z);
  printf("%g %g\n", a.x, da.x);
  struct pair p = __enzyme_fwddiff_pair((void *)polar, 2.0, 1.0, 0.5, 0.25);
  printf("%.17g %.17g\n", p.a, p.b);
  struct single s = __enzyme_fwddiff_single((void *)halves, 1.5f, 1.0f);
  printf("%.9g %.9g\n", s.a, s.b);
  return 0;
}
