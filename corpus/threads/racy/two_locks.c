// Deposits and withdrawals are each under a lock, but not under the same one.
#include <pthread.h>
#include <stdio.h>

static double balance = 100.0;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;

static void *deposit(void *unused) {
  for (int i = 0; i < 10; i++) {
    pthread_mutex_lock(&lock);
    balance += 5.0; //~ race
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void *withdraw(void *unused) {
  for (int i = 0; i < 10; i++) {
    pthread_mutex_lock(&other);
    balance -= 3.0; //~ race
    pthread_mutex_unlock(&other);
  }
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, deposit, NULL);
  pthread_create(&second, NULL, withdraw, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  printf("%g\n", balance);
  return 0;
}
