// Primes by the sieve of Eratosthenes, and the sum of their gaps' squares.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { N = 20000 };
static char composite[N];
int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 1;
  unsigned total = 0;
  for (int r = 0; r < rounds; r++) {
    for (int i = 0; i < N; i++)
      composite[i] = 0;
    for (int i = 2; i * i < N; i++)
      if (!composite[i])
        for (int j = i * i; j < N; j += i)
          composite[j] = 1;
    int last = 2;
    for (int i = 3; i < N; i++)
      if (!composite[i]) {
        total += (unsigned)(i - last) * (unsigned)(i - last) + r;
        last = i;
      }
  }
  printf("%u\n", total);
  return 0;
}
