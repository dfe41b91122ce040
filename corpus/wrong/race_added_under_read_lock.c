// Many threads may read the table at once (a lock for reading). Their reverse takes the same lock in the same way,
// and adds to the table's shadow under it.
// adj-flags: -pthread
#include "adj.h"
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 3 };
struct table {
  pthread_rwlock_t lock;
  const double *entry;
  double *shadow;
};
struct query {
  struct table *table;
  const double *at;
  double *value, *adjoint;
};

static void *look_up(void *argument) {
  struct query *query = argument;
  pthread_rwlock_rdlock(&query->table->lock);
  *query->value = query->table->entry[0] + query->table->entry[1] * *query->at;
  pthread_rwlock_unlock(&query->table->lock);
  return NULL;
}

static void *look_up_reverse(void *argument) {
  struct query *query = argument;
  double partial[2] = {1.0, *query->at};
  pthread_rwlock_rdlock(&query->table->lock);
  for (int k = 0; k < 2; k++)
    query->table->shadow[k] += partial[k] * *query->adjoint; //~ race
  pthread_rwlock_unlock(&query->table->lock);
  *query->adjoint = 0.0;
  return NULL;
}

static void all(void *(*work)(void *), const double *c, double *dc, const double *at, double *y, double *dy) {
  struct table table = {PTHREAD_RWLOCK_INITIALIZER, c, dc};
  struct query queries[THREADS];
  pthread_t threads[THREADS];
  for (int t = 0; t < THREADS; t++) {
    queries[t] = (struct query){&table, at + t, y + t, dy + t};
    pthread_create(&threads[t], NULL, work, &queries[t]);
  }
  for (int t = 0; t < THREADS; t++)
    pthread_join(threads[t], NULL);
}

static void table(const double *c, const double *at, double *y) { all(look_up, c, NULL, at, y, y); }

static void table_reverse(const double *c, double *dc, const double *at, double *y, double *dy) {
  all(look_up, c, NULL, at, y, y);
  all(look_up_reverse, c, dc, at, y, dy);
}

int main(void) {
  double c[2] = {1.0, -0.5}, dc[2] = {0}, at[THREADS] = {0.0, 1.0, 2.0}, y[THREADS], dy[THREADS] = {1.0, 1.0, 1.0};
  __adj_check_gradient((void *)table, (void *)table_reverse, enzyme_dup, c, dc, enzyme_const, at, enzyme_dup, y, dy);
  printf("%g\n", y[2]);
  return 0;
}
