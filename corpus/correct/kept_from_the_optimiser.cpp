// What benchmarks do to keep values from the optimiser: assembly without instructions, with operands in registers and in memory.
#include "adj.h"
#include <cstdio>

template <class T> inline void do_not_optimize(T &value) { asm volatile("" : "+r,m"(value) : : "memory"); }
template <class T> inline void do_not_optimize(const T &value) { asm volatile("" : : "r,m"(value) : "memory"); }
inline void clobber_memory() { asm volatile("" : : : "memory"); }

struct State {
  double position, velocity;
};

static double run(double x, float stiffness, int steps) {
  State s = {x, 0.0};
  do_not_optimize(s);
  double *where = &s.position;
  asm volatile("" : "+g"(where));
  for (int i = 0; i < steps; i++) {
    do_not_optimize(stiffness);
    s.velocity -= 0.1 * stiffness * *where;
    clobber_memory();
    s.position += 0.1 * s.velocity;
    int count = i;
    asm("// keep the count" : "+r"(count));
    s.position *= 1.0 + 0.01 * count;
  }
  const double energy = s.velocity * s.velocity + stiffness * s.position * s.position;
  do_not_optimize(energy);
  return energy;
}

struct Both {
  double x;
  float k;
};

int main() {
  Both g = __enzyme_autodiff<Both>((void *)run, enzyme_out, 1.25, enzyme_out, 0.75f, enzyme_const, 6);
  std::printf("%.17g %.9g\n", g.x, g.k);
  return 0;
}
