// A table with open addressing: numbers are put in and looked up.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
enum { SIZE = 4096 };
static uint64_t keys[SIZE];
static uint32_t counts[SIZE];
static uint64_t mix(uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdull;
  x ^= x >> 29;
  x *= 0xc4ceb9fe1a85ec53ull;
  return x ^ x >> 32;
}
static uint32_t *find(uint64_t key) {
  uint64_t at = mix(key) % SIZE;
  while (keys[at] != 0 && keys[at] != key)
    at = (at + 1) % SIZE;
  keys[at] = key;
  return &counts[at];
}
int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 1;
  uint64_t state = 88172645463325252ull, sum = 0;
  for (int r = 0; r < rounds; r++)
    for (int i = 0; i < 5000; i++) {
      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;
      sum += ++*find(1 + state % 2000);
    }
  printf("%llu\n", (unsigned long long)sum);
  return 0;
}
