// Deposits and withdrawals are under the same lock.
#include <pthread.h>
#include <stdio.h>

static double balance = 100.0;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;


static void *deposit(void *unused) {
  for (int i = 0; i < 10; i++) {
    pthread_mutex_lock(&lock);
    balance += 5.0;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void *withdraw(void *unused) {
  for (int i = 0; i < 10; i++) {
    pthread_mutex_lock(&lock);
    balance -= 3.0;
    pthread_mutex_unlock(&lock);
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
