// A mutex is destroyed while another thread holds it.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t held, finish;

static void *hold(void *unused) {
  pthread_mutex_lock(&lock);
  sem_post(&held);
  sem_wait(&finish);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&held, 0, 0);
  sem_init(&finish, 0, 0);
  pthread_create(&thread, NULL, hold, NULL);
  sem_wait(&held);
  pthread_mutex_destroy(&lock); //~ library
  sem_post(&finish);
  pthread_join(thread, NULL);
  printf("done\n");
  return 0;
}
