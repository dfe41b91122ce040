// Two buffers in turn, with a barrier after every round.
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 3, N = 9 };
static double buffer[2][N];
static pthread_barrier_t meeting;

static void *relax(void *argument) {
  int number = *(int *)argument;
  for (int round = 0; round < 4; round++) {
    const double *from = buffer[round % 2];
    double *to = buffer[(round + 1) % 2];
    for (int i = number * N / THREADS; i < (number + 1) * N / THREADS; i++)
      to[i] = 0.5 * (from[(i + 1) % N] + from[(i + N - 1) % N]);
    pthread_barrier_wait(&meeting);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  int numbers[THREADS];
  pthread_barrier_init(&meeting, NULL, THREADS);
  for (int i = 0; i < N; i++)
    buffer[0][i] = i;
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, relax, &numbers[i]);
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&meeting);
  printf("%g %g\n", buffer[0][0], buffer[0][N / 2]);
  return 0;
}
