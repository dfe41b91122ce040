// Records of a number, an array and more, in containers that grow, fill and move them: the number is none of the
// array's, whichever record a pointer leads to.
#include "adj.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

struct Particle {
  int id;
  double x[2];
};

struct Cell {
  int count;
  double flux[3];
  double weight;
};

static double pushed(const double *p, int n) {
  std::vector<Particle> all;
  for (int i = 0; i < n; i++) {
    Particle one;
    one.id = i;
    one.x[0] = p[i];
    one.x[1] = p[i] * p[i];
    all.push_back(one);
  }
  double sum = 0;
  for (const Particle &one : all) sum += one.x[0] * one.x[1] + one.id;
  return sum;
}

static double filled(const double *p, int n) {
  std::vector<Cell> all(n, Cell{2, {p[0], 1.0, p[1]}, 0.5});
  for (int i = 0; i < n; i++) all[i].weight += p[i];
  std::rotate(all.begin(), all.begin() + 1, all.end());
  double sum = 0;
  for (const Cell &one : all)
    for (int k = 0; k < 3; k++) sum += one.count * one.weight * one.flux[k] * one.flux[k];
  return sum;
}

static double moved(const double *p, int n) {
  std::vector<Cell> to;
  for (int i = 0; i < n; i++) to.push_back({i, {p[i], p[i] * p[i], 2.0 * p[i]}, p[n - 1 - i]});
  to.erase(to.begin());
  double sum = 0;
  for (std::size_t i = 0; i < to.size(); i++)
    for (int k = 0; k < 3; k++) sum += (to[i].count + k) * to[i].flux[k] * to[i].weight;
  return sum;
}

static int differ(const char *name, double (*f)(const double *, int), const double *p, const double *d) {
  double at[4];
  for (int i = 0; i < 4; i++) {
    std::copy(p, p + 4, at);
    at[i] = p[i] + 1e-5;
    double more = f(at, 4);
    at[i] = p[i] - 1e-5;
    double slope = (more - f(at, 4)) / 2e-5;
    if (!(std::fabs(d[i] - slope) < 1e-6 * (1 + std::fabs(slope))))
      return std::printf("%s, component %d: %g, not %g\n", name, i, d[i], slope), 1;
  }
  return 0;
}

int main() {
  double p[4] = {0.5, 1.25, -0.75, 2.0}, d[3][4] = {};
  __enzyme_autodiff<void>((void *)pushed, p, d[0], 4);
  __enzyme_autodiff<void>((void *)filled, p, d[1], 4);
  __enzyme_autodiff<void>((void *)moved, p, d[2], 4);
  return differ("pushed", pushed, p, d[0]) | differ("filled", filled, p, d[1]) | differ("moved", moved, p, d[2]);
}
