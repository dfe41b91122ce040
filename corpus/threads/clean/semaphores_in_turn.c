// Two threads take turns, each with a semaphore of its own.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t ping, pong;
static int ball;

static void *serve(void *unused) {
  for (int i = 0; i < 5; i++) {
    sem_wait(&ping);
    ball++;
    sem_post(&pong);
  }
  return unused;
}

static void *answer(void *unused) {
  for (int i = 0; i < 5; i++) {
    sem_wait(&pong);
    ball *= 2;
    sem_post(&ping);
  }
  return unused;
}

int main(void) {
  pthread_t first, second;
  sem_init(&ping, 0, 1);
  sem_init(&pong, 0, 0);
  pthread_create(&first, NULL, serve, NULL);
  pthread_create(&second, NULL, answer, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  printf("%d\n", ball);
  return 0;
}
