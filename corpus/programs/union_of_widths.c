// Unions of a `float` with a `double` or with a pointer: compilers move them as the widest member, of which only four
// bytes may have been written.
#include <stdio.h>

struct number {
  long wide;
  union {
    float single;
    double whole;
  } as;
};

struct item {
  int refers;
  union {
    float value;
    const float *at;
  } as;
};

__attribute__((noinline)) static struct number made(int i, float x) {
  struct number n;
  n.wide = i & 1;
  if (n.wide)
    n.as.whole = x;
  else
    n.as.single = x;
  return n;
}

__attribute__((noinline)) static double value(struct number n) { return n.wide ? n.as.whole : n.as.single; }

__attribute__((noinline)) static void put(struct item *items, int i, const float *x) {
  struct item one;
  one.refers = i & 1;
  if (one.refers)
    one.as.at = x + i;
  else
    one.as.value = x[i];
  items[i] = one;
}

int main(void) {
  const float x[6] = {0.5f, 1.5f, -2.0f, 0.25f, 4.0f, 8.0f};
  struct number numbers[6];
  struct item items[6];
  double sum = 0.0;
  for (int i = 0; i < 6; i++) {
    numbers[i] = made(i, x[i]);
    put(items, i, x);
  }
  for (int i = 0; i < 6; i++) {
    struct number n = numbers[5 - i];
    struct item item = items[i];
    sum += (i + 1) * value(n) + (item.refers ? *item.as.at : item.as.value);
  }
  printf("%g\n", sum);
  return 0;
}
