// Forward mode, where the number that a cell holds on entry is only handed on to another, as bytes, while the one it holds on exit is
// computed: the tangent on entry is that of the other cell on exit.
#include "adj.h"
#include <string.h>

struct history {
  double now, before, oldest;
};

// One step of a decay, with the last two states kept.
static void step(struct history *h, const double *rate) {
  memcpy(&h->oldest, &h->before, sizeof h->before);
  memcpy(&h->before, &h->now, sizeof h->now);
  h->now = *rate * *rate;
}

// A window that moves by one over a series.
static double slide(double *window, int n, const double *next) {
  memmove(window, window + 1, (unsigned long)(n - 1) * sizeof *window);
  window[n - 1] = next[0] * next[1];
  return window[n - 1] * window[n - 1];
}

int main(void) {
  struct history h = {1.0, 2.0, 3.0}, dh = {0.25, 0.5, 0.75};
  double rate = 1.5, drate = 1.0;
  __enzyme_fwddiff((void *)step, enzyme_dup, &h, &dh, enzyme_dup, &rate, &drate);

  double window[4] = {1.0, 2.0, 3.0, 4.0}, dwindow[4] = {0.1, 0.2, 0.3, 0.4};
  double next[2] = {0.5, 3.0}, dnext[2] = {1.0, 0.0};
  double slope = __enzyme_fwddiff((void *)slide, enzyme_dup, window, dwindow, enzyme_const, 4, enzyme_dup, next, dnext);
  return dh.oldest == 0.5 && dh.before == 0.25 && dh.now == 3.0 && dwindow[0] == 0.2 && slope == 9.0 ? 0 : 1;
}
