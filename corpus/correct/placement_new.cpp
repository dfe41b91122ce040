// Placement new into a buffer of bytes, operator new[] and delete[], an arena of objects.
#include "adj.h"
#include <cstddef>
#include <cstdio>
#include <new>

struct Vec {
  double x, y;
  Vec(double x, double y) : x(x), y(y) {}
  double dot(const Vec &o) const { return x * o.x + y * o.y; }
};

class Arena {
  unsigned char *bytes;
  std::size_t used = 0;

public:
  explicit Arena(std::size_t n) : bytes(new unsigned char[n]) {}
  ~Arena() { delete[] bytes; }
  Vec *make(double x, double y) {
    Vec *v = new (bytes + used) Vec(x, y);
    used += sizeof(Vec);
    return v;
  }
};

static double chain(double a, double b) {
  Arena arena(8 * sizeof(Vec));
  Vec *last = arena.make(a, b);
  double sum = 0.0;
  for (int i = 1; i < 8; i++) {
    Vec *next = arena.make(last->y * 0.5 + a, last->x - b * i);
    sum += next->dot(*last);
    last = next;
  }
  double *raw = new double[3]{a, b, sum};
  sum = raw[0] * raw[1] + raw[2];
  delete[] raw;
  return sum;
}

struct Both {
  double a, b;
};

int main() {
  Both g = __enzyme_autodiff<Both>((void *)chain, enzyme_out, 1.2, enzyme_out, 0.7);
  std::printf("%.17g %.17g\n", g.a, g.b);
  return 0;
}
