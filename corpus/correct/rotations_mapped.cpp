// A rotation about an axis mapped over points, as a chain of lazy steps: rotate, scale, shift, collect; each step gives back a small
// array by value.
#include "adj.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

using Point = std::array<double, 3>;

static Point map(const Point &p, double (*f)(double)) { return {f(p[0]), f(p[1]), f(p[2])}; }
template <class F> static Point zip(const Point &a, const Point &b, F f) { return {f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2])}; }
static double dot(const Point &a, const Point &b) {
  Point c = zip(a, b, [](double x, double y) { return x * y; });
  return c[0] + c[1] + c[2];
}
static Point cross(const Point &a, const Point &b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

static Point rotate(const Point &rotation, const Point &p) {
  double theta2 = dot(rotation, rotation);
  if (theta2 == 0.0)
    return zip(p, cross(rotation, p), [](double x, double y) { return x + y; });
  double theta = std::sqrt(theta2), c = std::cos(theta), s = std::sin(theta);
  Point axis = rotation;
  std::for_each(axis.begin(), axis.end(), [theta](double &x) { x /= theta; });
  Point turned = cross(axis, p);
  double along = dot(axis, p) * (1.0 - c);
  Point result;
  for (int i = 0; i < 3; i++)
    result[i] = p[i] * c + turned[i] * s + axis[i] * along;
  return result;
}

// The first three parameters are the rotation, the next three the shift, the last the scale.
static double misfit(const double *camera, const double *points, int n) {
  Point rotation{camera[0], camera[1], camera[2]}, shift{camera[3], camera[4], camera[5]};
  std::vector<Point> cloud(n);
  for (int i = 0; i < n; i++)
    std::copy(points + 3 * i, points + 3 * i + 3, cloud[i].begin());
  std::transform(cloud.begin(), cloud.end(), cloud.begin(), [&](const Point &p) { return rotate(rotation, p); });
  double sum = 0.0;
  for (const Point &p : cloud) {
    Point moved = zip(p, shift, [scale = camera[6]](double x, double s) { return scale * x + s; });
    sum += dot(moved, map(moved, std::tanh));
  }
  return sum;
}

int main() {
  double camera[7] = {0.1, -0.4, 0.25, 1.0, 0.5, -0.3, 1.2}, dcamera[7] = {0};
  double points[9] = {1.0, 0.2, -0.5, 0.3, 0.7, 2.0, -1.1, 0.4, 0.6}, dpoints[9] = {0};
  __enzyme_autodiff<void>((void *)misfit, enzyme_dup, camera, dcamera, enzyme_dup, points, dpoints, enzyme_const, 3);
  for (double d : dcamera)
    std::printf("%.15g\n", d);
  for (double d : dpoints)
    std::printf("%.15g\n", d);
  return 0;
}
