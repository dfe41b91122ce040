// The longest common subsequence of two texts: a table filled by dynamic programming.
#include <stdio.h>
#include <stdlib.h>
enum { N = 160 };
static char first[N], second[N];
static int best[N + 1][N + 1];
int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 1;
  unsigned state = 99;
  long total = 0;
  for (int r = 0; r < rounds; r++) {
    for (int i = 0; i < N; i++) {
      state = state * 1103515245u + 12345u;
      first[i] = (char)('a' + (state >> 16) % 4);
      state = state * 1103515245u + 12345u;
      second[i] = (char)('a' + (state >> 16) % 4);
    }
    for (int i = 1; i <= N; i++)
      for (int j = 1; j <= N; j++) {
        if (first[i - 1] == second[j - 1])
          best[i][j] = best[i - 1][j - 1] + 1;
        else
          best[i][j] = best[i - 1][j] > best[i][j - 1] ? best[i - 1][j] : best[i][j - 1];
      }
    total += best[N][N];
  }
  printf("%ld\n", total);
  return 0;
}
