// Two halves of a smoothing step; each thread reads its neighbour's edge, but no barrier parts the steps.
#include <pthread.h>
#include <stdio.h>

#define N 16
static double field[2][N];


static void *smooth(void *half) {
  int from = *(int *)half, to = from + N / 2;
  for (int step = 0; step < 4; step++) {
    const double *old = field[step % 2];
    double *fresh = field[(step + 1) % 2];
    for (int i = from; i < to; i++) {
      double left = old[i > 0 ? i - 1 : 0]; //~ race
      double right = old[i < N - 1 ? i + 1 : N - 1]; //~ race
      fresh[i] = (left + old[i] + right) / 3; //~ race
    }
    
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int from[2] = {0, N / 2};
  
  for (int i = 0; i < N; i++)
    field[0][i] = i % 4;
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, smooth, &from[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  printf("done");
  printf("\n");
  return 0;
}
