// An enum class steers a state machine in a namespace with default arguments and overloads.
#include "adj.h"
#include <cmath>
#include <cstdio>

namespace engine {
enum class State { Idle, Warm, Running };

inline double step(double t, double rate = 0.3) { return t + rate * (1.0 - t); }
inline double step(double t, int gear) { return t * std::exp(-0.1 * gear); }

State next(State s, double t) {
  switch (s) {
  case State::Idle:
    return t > 0.5 ? State::Warm : State::Idle;
  case State::Warm:
    return t > 0.8 ? State::Running : State::Warm;
  default:
    return t < 0.6 ? State::Idle : State::Running;
  }
}
} // namespace engine

static double run(double t, double load) {
  using engine::State;
  State s = State::Idle;
  double work = 0.0;
  for (int i = 0; i < 12; i++) {
    t = s == State::Running ? engine::step(t, 2) : s == State::Warm ? engine::step(t, load) : engine::step(t);
    work += t * load * (static_cast<int>(s) + 1);
    s = engine::next(s, t);
  }
  return work;
}

struct Both {
  double t, load;
};

int main() {
  Both g = __enzyme_autodiff<Both>((void *)run, enzyme_out, 0.2, enzyme_out, 0.45);
  std::printf("%.17g %.17g\n", g.t, g.load);
  return 0;
}
