// Slots of the caller hold a number or refer to one: where a reference replaces a number, its shadow would be written
// over the weight of that slot.
// adj-exit: 3
// adj-message: take turns in memory that the caller can reach
#include "adj.h"

struct slot {
  int refers;
  union {
    float value;
    float *input;
  } u;
};

static float relinked(struct slot *s, float *x, int n) {
  float y = 0.0f;
  for (int i = 0; i < n; i++)
    y += s[i].refers ? *s[i].u.input : s[i].u.value;
  for (int i = 0; i < n; i++) {
    s[i].refers = i % 2;
    if (i % 2)
      s[i].u.input = x + i;
    else
      s[i].u.value = x[i] * y;
  }
  return y;
}

int main(void) {
  float x[4] = {1, 2, 3, 4}, dx[4] = {0};
  struct slot s[4] = {{0, {1}}, {0, {2}}, {0, {3}}, {0, {4}}}, ds[4] = {{0, {0}}, {0, {0}}, {0, {0}}, {0, {0}}};
  __enzyme_autodiff((void *)relinked, enzyme_dup, s, ds, enzyme_dup, x, dx, 4);
  return dx[0] != 0.0f;
}
