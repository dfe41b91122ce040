// Eigen: matrices of fixed size, products, transposes, inverse, determinant, norms.
// adj-levels: O1,O2,O3
// adj-flags: -I/usr/include/eigen3 -DNDEBUG
#include "adj.h"
#include <Eigen/Dense>
#include <cstdio>

static double form(const double *a, const double *b) {
  Eigen::Map<const Eigen::Matrix3d> m(a);
  Eigen::Map<const Eigen::Vector3d> v(b);
  Eigen::Matrix3d s = m * m.transpose() + Eigen::Matrix3d::Identity();
  Eigen::Vector3d w = s.inverse() * v;
  return w.dot(v) + s.determinant() * w.norm() + (m * w).squaredNorm();
}

int main() {
  double a[9], b[3] = {0.5, -0.25, 1.0}, da[9] = {0}, db[3] = {0};
  for (int i = 0; i < 9; i++)
    a[i] = 0.1 * ((i * 5) % 9) - 0.3;
  __enzyme_autodiff<double>((void *)form, enzyme_dup, a, da, enzyme_dup, b, db);
  for (double d : da)
    std::printf("%.17g\n", d);
  for (double d : db)
    std::printf("%.17g\n", d);
  return 0;
}
