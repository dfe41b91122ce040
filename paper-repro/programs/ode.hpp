// A small stepper library in the style of Boost's odeint: steppers are templates over the state, systems are functors or functions
// `void(const State &x, State &dxdt, double t)`, and `integrate_const` takes any stepper.
#ifndef ODE_HPP
#define ODE_HPP

#include <array>
#include <cstddef>

namespace ode {

// The linear combinations of states that the steppers need.
template <typename State>
inline void scale_sum2(State &out, double a, const State &x, double b, const State &y) {
  for (std::size_t i = 0; i < out.size(); i++) out[i] = a * x[i] + b * y[i];
}

template <typename State>
struct euler {
  State dxdt;

  template <typename System>
  void do_step(System system, State &x, double t, double dt) {
    system(x, dxdt, t);
    scale_sum2(x, 1.0, x, dt, dxdt);
  }
};

template <typename State>
struct runge_kutta4 {
  State k1, k2, k3, k4, at;

  template <typename System>
  void do_step(System system, State &x, double t, double dt) {
    const double half = 0.5 * dt;
    system(x, k1, t);
    scale_sum2(at, 1.0, x, half, k1);
    system(at, k2, t + half);
    scale_sum2(at, 1.0, x, half, k2);
    system(at, k3, t + half);
    scale_sum2(at, 1.0, x, dt, k3);
    system(at, k4, t + dt);
    for (std::size_t i = 0; i < x.size(); i++) x[i] += dt / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
  }
};

template <typename Stepper, typename System, typename State>
std::size_t integrate_const(Stepper stepper, System system, State &x, double start, double dt, long steps) {
  std::size_t done = 0;
  for (long i = 0; i < steps; i++, done++) stepper.do_step(system, x, start + dt * (double)i, dt);
  return done;
}

}  // namespace ode

#endif
