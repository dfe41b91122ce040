// A record without padding: bytes at odd addresses.
#include <string.h>
struct __attribute__((packed)) record {
  char tag;
  double number;
};
static void leave(const double *x, double *y, int n) {
  char wire[64];
  for (int i = 0; i < n; i++) {
    struct record r = {'d', x[i]};
    memcpy(wire + i * sizeof r, &r, sizeof r);
  }
  for (int i = 0; i < n; i++) {
    struct record r;
    memcpy(&r, wire + i * sizeof r, sizeof r);
    y[i] = r.number;
  }
}
#include "judge.h"
