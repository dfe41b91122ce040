// Vectors of the compiler: arithmetic, lanes picked and put, arguments and results by value.
#include "adj.h"

typedef double v4 __attribute__((vector_size(32)));
typedef float f4 __attribute__((vector_size(16)));

static v4 cross(v4 a, v4 b) {
  v4 c = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0], 0.0};
  return c;
}

static double volume(const double *x) {
  v4 a = {x[0], x[1], x[2], 0.0}, b = {x[1], x[2], x[0] * x[0], 0.0};
  v4 c = cross(a, b) * a + b;
  v4 d = __builtin_shufflevector(c, a, 2, 5, 0, 6);
  return c[0] * c[1] + d[2] * d[3] + d[0] / (1.0 + d[1] * d[1]);
}

static float singles(const float *x) {
  f4 a = {x[0], x[1], x[2], x[3]}, s = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int i = 0; i < 3; i++) {
    s += a * a;
    a = __builtin_shufflevector(a, a, 1, 2, 3, 0);
    a[i] *= 0.5f;
  }
  return s[0] * s[3] + s[1] - s[2];
}

int main(void) {
  double x[3] = {0.5, -1.5, 2.0}, dx[3] = {0};
  __enzyme_autodiff((void *)volume, enzyme_dup, x, dx);
  float y[4] = {1.0f, 0.5f, -2.0f, 1.5f}, dy[4] = {0};
  __enzyme_autodiff((void *)singles, enzyme_dup, y, dy);
  return dx[0] != 0.0 && dy[0] != 0.0f ? 0 : 1;
}
