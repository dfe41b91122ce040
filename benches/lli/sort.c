// Quicksort of integers, by recursion.
#include <stdio.h>
#include <stdlib.h>
enum { N = 2000 };
static int numbers[N];
static void sort(int *a, int low, int high) {
  if (low >= high)
    return;
  int pivot = a[(low + high) / 2], i = low, j = high;
  while (i <= j) {
    while (a[i] < pivot)
      i++;
    while (a[j] > pivot)
      j--;
    if (i <= j) {
      int t = a[i];
      a[i++] = a[j];
      a[j--] = t;
    }
  }
  sort(a, low, j);
  sort(a, i, high);
}
int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 1;
  unsigned state = 12345, sum = 0;
  for (int r = 0; r < rounds; r++) {
    for (int i = 0; i < N; i++) {
      state = state * 1664525u + 1013904223u;
      numbers[i] = (int)(state >> 8) - 8000000;
    }
    sort(numbers, 0, N - 1);
    for (int i = 0; i < N; i++)
      sum = sum * 31u + (unsigned)numbers[i];
  }
  printf("%u\n", sum);
  return 0;
}
