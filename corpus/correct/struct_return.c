// Functions that take and return structures by value: small ones in registers, large ones in memory.
#include "adj.h"
#include <stdio.h>

struct vec3 {
  double x, y, z;
};
struct pair {
  double a, b;
};

static struct vec3 cross(struct vec3 a, struct vec3 b) {
  struct vec3 c = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  return c;
}

static struct pair complex_mul(struct pair p, struct pair q) {
  struct pair r = {p.a * q.a - p.b * q.b, p.a * q.b + p.b * q.a};
  return r;
}

static double volume(const struct vec3 *v) {
  struct vec3 c = cross(v[0], v[1]);
  struct pair z = {c.x, v[2].z};
  for (int i = 0; i < 3; i++)
    z = complex_mul(z, (struct pair){0.5 + v[1].x, v[2].y});
  return c.x * v[2].x + c.y * v[2].y + c.z * v[2].z + z.a * z.b;
}

int main(void) {
  struct vec3 v[3] = {{1.0, 0.2, -0.3}, {0.1, 1.5, 0.4}, {-0.2, 0.3, 0.8}};
  struct vec3 d[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  printf("%.17g\n", volume(v));
  __enzyme_autodiff((void *)volume, enzyme_dup, v, d);
  for (int i = 0; i < 3; i++)
    printf("%.17g %.17g %.17g\n", d[i].x, d[i].y, d[i].z);
  return 0;
}
