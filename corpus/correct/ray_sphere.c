// Shading of a ray that meets the nearest of several spheres; misses return the background.
#include "adj.h"
#include <math.h>
#include <stdio.h>

struct sphere {
  double centre[3];
  double radius;
  double albedo;
};

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double shade(const struct sphere *s, int n, double x, double y) {
  double dir[3] = {x, y, 1.0}, light[3] = {0.5, 0.7, -0.5};
  double norm = sqrt(dot(dir, dir));
  for (int i = 0; i < 3; i++)
    dir[i] /= norm;
  const struct sphere *hit = NULL;
  double nearest = 1e30;
  for (int i = 0; i < n; i++) {
    double b = dot(dir, s[i].centre);
    double disc = b * b - dot(s[i].centre, s[i].centre) + s[i].radius * s[i].radius;
    if (disc <= 0.0)
      continue;
    double t = b - sqrt(disc);
    if (t > 0.0 && t < nearest) {
      nearest = t;
      hit = &s[i];
    }
  }
  if (!hit)
    return 0.1 * (1.0 + dir[1]);
  double normal[3];
  for (int i = 0; i < 3; i++)
    normal[i] = (nearest * dir[i] - hit->centre[i]) / hit->radius;
  double lambert = dot(normal, light);
  return hit->albedo * (lambert > 0.0 ? lambert : 0.05 * lambert) / (1.0 + 0.1 * nearest);
}

int main(void) {
  struct sphere s[3] = {{{0.0, 0.0, 5.0}, 1.0, 0.9}, {{1.0, 0.5, 4.0}, 0.8, 0.5}, {{-1.5, -0.4, 6.0}, 1.2, 0.7}};
  for (int k = 0; k < 4; k++) {
    struct sphere d[3] = {{{0, 0, 0}, 0, 0}, {{0, 0, 0}, 0, 0}, {{0, 0, 0}, 0, 0}};
    double x = 0.21 * k - 0.3, y = 0.05;
    printf("%.17g\n", shade(s, 3, x, y));
    double dx = __enzyme_autodiff((void *)shade, enzyme_dup, s, d, enzyme_const, 3, enzyme_out, x, enzyme_const, y);
    printf("%.17g\n", dx);
    for (int i = 0; i < 3; i++)
      printf("%.17g %.17g %.17g\n", d[i].centre[0], d[i].radius, d[i].albedo);
  }
  return 0;
}
