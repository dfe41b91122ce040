// Eigen's matrices of fixed size: products, transposes, an inverse, norms; a rigid motion fitted to points.
#include "adj.h"
#include <cstdio>
#include <eigen3/Eigen/Dense>

using Eigen::Matrix3d;
using Eigen::Vector3d;

static Matrix3d rotation(const Vector3d &axis) {
  Matrix3d cross;
  cross << 0.0, -axis.z(), axis.y(), axis.z(), 0.0, -axis.x(), -axis.y(), axis.x(), 0.0;
  return (Matrix3d::Identity() - 0.5 * cross).inverse() * (Matrix3d::Identity() + 0.5 * cross);
}

static double misfit(const double *motion, const double *points, int n) {
  Vector3d axis(motion[0], motion[1], motion[2]), shift(motion[3], motion[4], motion[5]);
  Matrix3d turned = rotation(axis);
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    Vector3d point(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
    Vector3d moved = turned * point + shift;
    sum += (moved - Vector3d(1.0, 0.5, -0.25)).squaredNorm() + 0.1 * moved.dot(point);
  }
  return sum + (turned.transpose() * turned).trace() + turned.determinant();
}

int main() {
  double motion[6] = {0.1, -0.2, 0.3, 0.5, 0.0, -0.4}, points[6] = {1.0, 2.0, 3.0, -1.0, 0.5, 2.0};
  double dm[6] = {0.0}, dp[6] = {0.0};
  __enzyme_autodiff<double>((void *)misfit, enzyme_dup, motion, dm, enzyme_dup, points, dp, enzyme_const, 2);
  for (int i = 0; i < 6; i++)
    std::printf("%.10g %.10g\n", dm[i], dp[i]);
}
