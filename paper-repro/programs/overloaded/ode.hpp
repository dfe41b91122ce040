// Lorenz's equations for a tool with its own number type, over the generic steppers of the programs: the formulas of ../lorenz.hpp.
#include "tool.hpp"

#include "../ode.hpp"

struct lorenz {
  const std::array<Real, 4> &p;

  void operator()(const std::array<Real, 3> &x, std::array<Real, 3> &dxdt, double t) const {
    dxdt[0] = p[0] * (x[1] - x[0]) + p[3] * t;
    dxdt[1] = x[0] * (p[1] - x[2]) - x[1];
    dxdt[2] = x[0] * x[1] - p[2] * x[2];
  }
};

template <typename Stepper>
static void gradient_with(const double *x0, const double *p0, double dt, long steps, double *gradient) {
  Recording recording;
  std::array<Real, 3> start, x;
  std::array<Real, 4> p;
  for (int i = 0; i < 3; i++) recording.input(start[i], x0[i]);
  for (int i = 0; i < 4; i++) recording.input(p[i], p0[i]);
  for (int i = 0; i < 3; i++) x[i] = start[i];
  // A stepper is not copied while it is recorded: its states are numbers of the tool.
  Stepper stepper;
  lorenz system{p};
  for (long i = 0; i < steps; i++) stepper.do_step(system, x, dt * (double)i, dt);
  Real sum = x[0] + x[1] + x[2];
  gradient_of(recording, sum, gradient);
}
