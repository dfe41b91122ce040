/* Points are moved by a loop, and read by a later one in whatever order. The memory may as well hold what they were made of, if nothing else is read from it;
 * derivatives of what lies there must be those of the moved points nevertheless. */
#include <adj.h>
#include <math.h>
#include <stdlib.h>

double __enzyme_fwddiff(void *, ...);

enum { N = 7, P = 7 };

/* Numbers that the optimiser does not know. */
static volatile int all = N, some = 9;

static const int order[9] = {3, 0, 6, 6, 2, 5, 1, 3, 3};

/* Three numbers of each point, made of three others by a matrix. */
static void bend(const double *p, int i, double bent[3]) {
  bent[0] = exp(0.1 * p[0] * i);
  bent[1] = tanh(p[1] + 0.2 * i);
  bent[2] = log(3.0 + p[2] * p[2] + i);
}

static double moved(const double *p, int n, int reads) {
  double *at = malloc(sizeof(double) * 3 * (size_t)n), total = 0.0;
  for (int i = 0; i < n; i++) {
    double b[3];
    bend(p, i, b);
    at[3 * i] = p[3] * b[0] + p[4] * b[1] + p[5] * b[2];
    at[3 * i + 1] = p[5] * b[0] - p[3] * b[1] + p[6];
    at[3 * i + 2] = p[6] * b[2] - p[4] * b[0] * 0.5 - b[1];
  }
  for (int i = 0; i < reads; i++) {
    const double *a = at + 3 * order[i];
    total += sin(a[0]) * a[1] + a[2] * a[2] * a[2];
  }
  free(at);
  return total;
}

/* Three numbers are made of one; not all are read, and some behind a branch. */
static double turned(const double *p, int n, int reads) {
  double at[3 * N], total = 1.0;
  for (int i = 0; i < n; i++) {
    double angle = exp(-0.3 * i * p[0]);
    at[3 * i + 2] = 2.0 * angle;
    at[3 * i] = p[1] * angle + 0.5;
    at[3 * i + 1] = p[2] - angle;
  }
  for (int i = 0; i < reads; i++) {
    if (order[i] & 1) total *= 1.0 + 0.1 * at[3 * order[i] + 1];
    total += sin(at[3 * order[i]] * at[3 * order[i]]);
  }
  return total + at[2] * at[2];
}

/* Single precision, of structures with a member between that nobody uses. */
struct point { float x, none, y; };

static float flat(const float *p, int n, int reads) {
  struct point *at = malloc(sizeof(struct point) * (size_t)n);
  float total = 0.0f;
  for (int i = 0; i < n; i++) {
    float a = expf(0.2f * p[0] * (float)i), b = sinf(p[1] + (float)i);
    at[i].x = p[2] * a - b;
    at[i].y = p[3] * b * a;
  }
  for (int i = 0; i < reads; i++) {
    const struct point *a = at + order[i];
    total += a->x * a->y * a->y;
  }
  free(at);
  return total;
}

/* The matrix is there only if there are any points. */
static double maybe(const double *p, int n, int reads) {
  double at[2 * N], total = 0.0;
  if (n > 0) {
    double c = cos(p[4]), s = sin(p[4]);
    for (int i = 0; i < n; i++) {
      double a = exp(0.1 * p[0] * i), b = tanh(p[1] + i);
      at[2 * i] = c * a + s * b;
      at[2 * i + 1] = s * a - c * b;
    }
  }
  for (int i = 0; i < reads; i++) total += sin(at[2 * order[i]]) * at[2 * order[i] + 1];
  return total;
}

/* The same again for the derivatives. */
static double slope(const double *p, int n, int reads) {
  double d[P] = {0}, total = 0.0;
  __enzyme_autodiff((void *)moved, enzyme_dup, p, d, enzyme_const, n, enzyme_const, reads);
  for (int i = 0; i < P; i++) total += (1.0 + 0.3 * i) * d[i];
  return total;
}

int main(void) {
  double p[P] = {0.7, -0.3, 1.1, 0.9, -0.6, 0.4, 1.3}, v[P] = {0.1, 0.2, -0.3, 0.4, 0.5, -0.6, 0.7}, d[6][P] = {{0}}, sum = 0.0;
  float q[4] = {0.5f, -0.25f, 1.5f, 0.75f}, e[4] = {0};
  for (int n = 0; n <= N; n += N) {
    int reads = n ? 9 : 0;
    __enzyme_autodiff((void *)moved, enzyme_dup, p, d[0], enzyme_const, n, enzyme_const, reads);
    __enzyme_autodiff((void *)maybe, enzyme_dup, p, d[1], enzyme_const, n, enzyme_const, reads);
    __enzyme_autodiff((void *)slope, enzyme_dup, p, d[2], enzyme_const, n, enzyme_const, reads);
    sum += __enzyme_fwddiff((void *)slope, enzyme_dup, p, v, enzyme_const, n, enzyme_const, reads);
  }
  __enzyme_autodiff((void *)turned, enzyme_dup, p, d[3], enzyme_const, all, enzyme_const, some);
  __enzyme_autodiff((void *)flat, enzyme_dup, q, e, enzyme_const, all, enzyme_const, some);
  for (int i = 0; i < P; i++) sum += d[0][i] + d[1][i] + d[2][i] + d[3][i] + (double)e[i % 4];
  return !isfinite(sum);
}
