// Pointers to members and to member functions.
#include "adj.h"
#include <cstdio>

struct Model {
  double mass, drag, gain;
  double linear(double x) const { return mass * x + drag; }
  double square(double x) const { return gain * x * x - drag * x; }
};

static double run(double mass, double gain) {
  Model m{mass, mass * gain, gain};
  double Model::*fields[3] = {&Model::gain, &Model::mass, &Model::drag};
  double (Model::*steps[2])(double) const = {&Model::linear, &Model::square};
  double x = 0.5;
  for (int i = 0; i < 6; i++) {
    x = (m.*steps[i % 2])(x);
    m.*fields[i % 3] *= 0.9;
  }
  return x + m.*fields[0];
}

struct Both {
  double mass, gain;
};

int main() {
  Both g = __enzyme_autodiff<Both>((void *)run, enzyme_out, 0.8, enzyme_out, 0.6);
  std::printf("%.17g %.17g\n", g.mass, g.gain);
  return 0;
}
