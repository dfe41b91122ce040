// A loop with checkpoints in C++: the state is a class with a random number generator of its own beside its numbers, the steps are a
// function template, and the number of steps is known only at run time. Integers of the state are part of the snapshots, too.
#define ADJ_CHECKPOINTS
#include "adj.h"
#include <cmath>
#include <cstdint>
#include <cstdio>

struct Model {
  double drift, volatility;
};

struct Path {
  double price;
  double average;
  std::uint32_t seed;
  int jumps;

  double noise() {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 8388608.0 - 1.0;
  }
};

template <int Days> static void day(long i, void *state, const void *parameters) {
  auto &path = *static_cast<Path *>(state);
  const auto &model = *static_cast<const Model *>(parameters);
  double shock = path.noise();
  path.price *= std::exp(model.drift / Days + model.volatility * shock / std::sqrt(double(Days)));
  if (shock > 0.75) {
    path.price *= 0.5 + 0.5 * model.volatility;
    path.jumps++;
  }
  path.average += (path.price - path.average) / (i + 1);
}

static double payoff(double price, double drift, double volatility, long days, int schedule) {
  Model model{drift, volatility};
  Path path{price, 0.0, 12345u, 0};
  __enzyme_checkpoint_for(day<50>, 0, days, schedule, 3, &path, sizeof path, &model, sizeof model);
  double strike = path.average - 0.5 * price;
  return strike > 0.0 ? strike * (1 + path.jumps) : 0.0;
}

struct Greeks {
  double delta, drift, vega;
};

int main(int argc, char **) {
  for (int schedule = ADJ_PERIODIC; schedule <= ADJ_REVOLVE; schedule++) {
    Greeks g = __enzyme_autodiff<Greeks>((void *)payoff, 10.0, 0.05, 0.3, 19L + argc, schedule);
    std::printf("%.12g %.12g %.12g\n", g.delta, g.drift, g.vega);
  }
  return 0;
}
