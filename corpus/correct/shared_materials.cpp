// std::shared_ptr: a value and a structure with several owners.
#include "adj.h"
#include <cstdio>
#include <memory>
#include <vector>

struct Material {
  double density, stiffness;
};

struct Body {
  std::shared_ptr<Material> material;
  double length;
};

static double run(const double *p, int n) {
  auto scale = std::make_shared<double>(p[0] * p[1]);
  auto common = std::make_shared<Material>();
  common->density = p[1];
  common->stiffness = p[2] * *scale;
  std::vector<Body> bodies;
  for (int i = 0; i < n; i++)
    bodies.push_back({common, p[i]});
  std::shared_ptr<double> other = scale;
  *other *= 2.0;
  double sum = 0.0;
  for (const Body &b : bodies)
    sum += b.material->density * b.length + b.material->stiffness * b.length * b.length;
  return sum * *scale + (double)common.use_count();
}

int main() {
  double p[3] = {0.8, 1.2, 0.4}, dp[3] = {0};
  __enzyme_autodiff<double>((void *)run, enzyme_dup, p, dp, enzyme_const, 3);
  for (double d : dp)
    std::printf("%.17g\n", d);
  return 0;
}
