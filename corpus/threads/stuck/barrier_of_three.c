// A barrier for three threads at which only two arrive.
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t barrier;

static void *arrive(void *unused) {
  pthread_barrier_wait(&barrier); //~ deadlock
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_barrier_init(&barrier, NULL, 3);
  pthread_create(&first, NULL, arrive, NULL);
  pthread_create(&second, NULL, arrive, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  printf("done\n");
  return 0;
}
