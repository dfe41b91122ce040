// Quaternion products, normalisation and rotation of a vector, as structures by value.
#include "adj.h"
#include <math.h>
#include <stdio.h>

struct quaternion {
  double w, x, y, z;
};

static struct quaternion multiply(struct quaternion a, struct quaternion b) {
  struct quaternion r;
  r.w = a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z;
  r.x = a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y;
  r.y = a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x;
  r.z = a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w;
  return r;
}

static struct quaternion normalised(struct quaternion q) {
  double n = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  q.w /= n;
  q.x /= n;
  q.y /= n;
  q.z /= n;
  return q;
}

static void rotate_twice(const struct quaternion *p, const double *v, double *out) {
  struct quaternion q = normalised(multiply(normalised(p[0]), normalised(p[1])));
  struct quaternion conjugate = {q.w, -q.x, -q.y, -q.z}, pure = {0.0, v[0], v[1], v[2]};
  struct quaternion r = multiply(multiply(q, pure), conjugate);
  out[0] = r.x;
  out[1] = r.y;
  out[2] = r.z;
}

int main(void) {
  struct quaternion p[2] = {{1.0, 0.2, -0.3, 0.4}, {0.7, -0.1, 0.5, 0.2}}, dp[2] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
  double v[3] = {1.0, -2.0, 0.5}, dv[3] = {0}, out[3] = {0}, dout[3] = {1.0, 0.5, -1.0};
  __enzyme_autodiff((void *)rotate_twice, enzyme_dup, p, dp, enzyme_dup, v, dv, enzyme_dup, out, dout);
  printf("%.17g %.17g %.17g\n", out[0], out[1], out[2]);
  for (int i = 0; i < 2; i++)
    printf("%.17g %.17g %.17g %.17g\n", dp[i].w, dp[i].x, dp[i].y, dp[i].z);
  printf("%.17g %.17g %.17g\n", dv[0], dv[1], dv[2]);
  return 0;
}
