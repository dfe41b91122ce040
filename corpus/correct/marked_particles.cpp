// Particles in vectors, moved in place by a marked loop whose steps call member functions and write to a local array through
// pointers that may point to the particles too.
#include "adj.h"
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

static void scale(double *values, int n, double factor) {
  for (int i = 0; i < n; i++)
    values[i] *= factor;
}

struct Particle {
  double x, v;
};

struct System {
  std::vector<Particle> particles;
  std::array<double, 3> weights{};

  void force(double *f, int n) const {
    for (int i = 0; i < n; i++)
      f[i] = -weights[i] * particles[i].x + 0.1 * particles[(i + 1) % n].x;
  }

};

static void run(System &system, int steps, double dt) {
  int n = static_cast<int>(system.particles.size());
  for (int t = 0; t < steps; t++) {
    double f[3];
    system.force(f, n);
    scale(f, n, dt);
    for (int i = 0; i < n; i++) {
      Particle &p = system.particles[i];
      p.v += f[i], p.x += dt * p.v;
    }
    scale(system.weights.data(), 3, 1.001);
  }
}

void *__enzyme_checkpoint_loop_run[] = {reinterpret_cast<void *>(run), const_cast<char *>("revolve:2")};

static double energy(const double *start, const double *weights) {
  System system;
  for (int i = 0; i < 3; i++) {
    system.particles.push_back({start[i], 0.0});
    system.weights[i] = weights[i];
  }
  run(system, 12, 0.1);
  double sum = 0.0;
  for (const Particle &p : system.particles)
    sum += p.x * p.x + p.v * p.v;
  return sum;
}

int main() {
  double start[3] = {1.0, -0.5, 0.3}, weights[3] = {1.0, 2.0, 0.7}, ds[3] = {}, dw[3] = {};
  __enzyme_autodiff<void>(reinterpret_cast<void *>(energy), enzyme_dup, start, ds, enzyme_dup, weights, dw);
  for (int i = 0; i < 3; i++)
    std::printf("%.10g %.10g\n", ds[i], dw[i]);
}
