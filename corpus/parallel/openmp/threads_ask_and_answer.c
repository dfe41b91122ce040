// Who asks leaves a number, and waits within the same section for an answer, which is made of it by another thread.
// adj-flags: -pthread
#include "differences.h"
#include <pthread.h>

enum { N = 8 };

enum state { IDLE, ASKED, ANSWERED, OVER };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t told = PTHREAD_COND_INITIALIZER;
static enum state state;
static double number;

static void *answer(void *arg) {
  pthread_mutex_lock(&lock);
  for (;;) {
    while (state != ASKED && state != OVER)
      pthread_cond_wait(&told, &lock);
    if (state == OVER)
      break;
    number = number * number + 0.5;
    state = ANSWERED;
    pthread_cond_broadcast(&told);
  }
  pthread_mutex_unlock(&lock);
  return arg;
}

static double ask(double value) {
  pthread_mutex_lock(&lock);
  number = sin(value) * value;
  state = ASKED;
  pthread_cond_broadcast(&told);
  while (state != ANSWERED)
    pthread_cond_wait(&told, &lock);
  double answered = number;
  pthread_mutex_unlock(&lock);
  return answered;
}

static double f(const double *x, int n) {
  pthread_t thread;
  double sum = 0;
  state = IDLE;
  pthread_create(&thread, NULL, answer, NULL);
  for (int i = 0; i < n; i++)
    sum = ask(x[i] + 0.1 * sum);
  pthread_mutex_lock(&lock);
  state = OVER;
  pthread_cond_broadcast(&told);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  return sum;
}

int main(void) {
  double x[N], dx[N];
  start(x, dx, N);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, (int)N);
  return differing(f, x, dx, N);
}
