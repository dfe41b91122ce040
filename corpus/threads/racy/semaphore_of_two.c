// A semaphore used as a lock that lets two in.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t gate;
static int inside;

static void *pass(void *unused) {
  for (int i = 0; i < 5; i++) {
    sem_wait(&gate);
    inside++; //~ race
    sem_post(&gate);
  }
  return unused;
}

int main(void) {
  pthread_t first, second;
  sem_init(&gate, 0, 2);
  pthread_create(&first, NULL, pass, NULL);
  pthread_create(&second, NULL, pass, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  printf("%d\n", inside > 0);
  sem_destroy(&gate);
  return 0;
}
