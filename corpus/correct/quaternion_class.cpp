// A class template with friend operators, conversions and a const reference member: rotations by unit quaternions.
#include "adj.h"
#include <cmath>
#include <cstdio>

template <class T> struct Quaternion {
  T w, x, y, z;
  friend Quaternion operator*(const Quaternion &a, const Quaternion &b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
  }
  Quaternion conjugate() const { return {w, -x, -y, -z}; }
  Quaternion unit() const {
    T n = std::sqrt(w * w + x * x + y * y + z * z);
    return {w / n, x / n, y / n, z / n};
  }
};

template <class T> class Rotation {
  const Quaternion<T> &q;

public:
  explicit Rotation(const Quaternion<T> &q) : q(q) {}
  Quaternion<T> operator()(const Quaternion<T> &v) const { return q * v * q.conjugate(); }
};

static double run(const double *p) {
  Quaternion<double> q = Quaternion<double>{p[0], p[1], p[2], p[3]}.unit();
  Quaternion<double> v{0.0, 1.0, p[1] * p[2], -0.5};
  Rotation<double> rotate(q);
  for (int i = 0; i < 3; i++)
    v = rotate(v);
  return v.x * v.y + v.z;
}

int main() {
  double p[4] = {0.8, 0.3, -0.4, 0.5}, dp[4] = {0};
  __enzyme_autodiff<double>((void *)run, enzyme_dup, p, dp);
  for (double d : dp)
    std::printf("%.17g\n", d);
  return 0;
}
