// Split reverse mode through templates: one forward pass, and a reverse for each row of the Jacobian on a tape that is kept.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <cstdlib>

extern int enzyme_nofree, enzyme_tape, enzyme_allocated, enzyme_not_overwritten;
template <typename Result, typename... Arguments> Result __enzyme_augmentfwd(void *, Arguments...);
template <typename Result, typename... Arguments> Result __enzyme_reverse(void *, Arguments...);

struct State {
  double u, v, w;
};

static void step(const State *from, State *to) {
  to->u = from->u * from->v - std::sin(from->w);
  to->v = from->v + 0.1 * from->u * from->u;
  to->w = std::exp(0.5 * from->w) * from->v;
}

int main() {
  State from = {0.4, 1.3, -0.7}, to = {};
  State row = {}, seed = {};
  alignas(16) char tape[256];
  __enzyme_augmentfwd<void>((void *)step, enzyme_allocated, sizeof tape, enzyme_tape, (void *)tape, enzyme_not_overwritten,
                            &from, &row, &to, &seed);
  for (int i = 0; i < 2; i++) {
    row = State();
    seed = State();
    (i == 0 ? seed.u : seed.v) = 1.0;
    __enzyme_reverse<void>((void *)step, enzyme_allocated, sizeof tape, enzyme_tape, (void *)tape, enzyme_nofree, &from, &row,
                           &to, &seed);
    std::printf("%.12g %.12g %.12g\n", row.u, row.v, row.w);
  }
  // The last one may use the tape up.
  row = State();
  seed = State{0.0, 0.0, 1.0};
  __enzyme_reverse<void>((void *)step, enzyme_allocated, sizeof tape, enzyme_tape, (void *)tape, &from, &row, &to, &seed);
  std::printf("%.12g %.12g %.12g\n", row.u, row.v, row.w);
  return 0;
}
