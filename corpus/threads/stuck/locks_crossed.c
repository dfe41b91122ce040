// Two threads take two locks in opposite order; some schedules let each have one.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static int meals;

static void *eat_left_first(void *unused) {
  for (int i = 0; i < 5; i++) {
    pthread_mutex_lock(&left);
    pthread_mutex_lock(&right); //~ deadlock
    meals++;
    pthread_mutex_unlock(&right);
    pthread_mutex_unlock(&left);
  }
  return unused;
}

static void *eat_right_first(void *unused) {
  for (int i = 0; i < 5; i++) {
    pthread_mutex_lock(&right);
    pthread_mutex_lock(&left); //~ deadlock
    meals++;
    pthread_mutex_unlock(&left);
    pthread_mutex_unlock(&right);
  }
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, eat_left_first, NULL);
  pthread_create(&second, NULL, eat_right_first, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  printf("%d\n", meals);
  return 0;
}
