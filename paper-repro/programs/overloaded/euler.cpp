// Euler's method for a tool with its own number type.
#include "ode.hpp"

extern "C" void overloaded_gradient(const double *x0, const double *p, double dt, long steps, double *gradient) {
  gradient_with<ode::euler<std::array<Real, 3>>>(x0, p, dt, steps, gradient);
}
