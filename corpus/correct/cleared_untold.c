// adj-flags: -g0
// Fields of the caller that are cleared and never read: at -O1 a `memset` is a store of an integer zero, and without debug
// information nothing tells that a number lies there. What is overwritten has no derivative before, in both modes.
#include "adj.h"
#include <stddef.h>
#include <string.h>

struct record {
  double value;
  float weights[2];
  int count;
  double *next;
  long key;
  double last;
};

static double read_last(const double *x, struct record *r) {
  double s = x[0] * x[1] + r->last;
  memset(&r->value, 0, sizeof r->value);
  memset(&r->count, 0, sizeof r->count);
  memset(&r->next, 0, sizeof r->next);
  r->key = 5;
  return s;
}

static double clear_all_but_last(const double *x, struct record *r) {
  memset(r, 0, offsetof(struct record, last));
  return x[0] * r->last;
}

static void write_last(const double *x, struct record *r) {
  memset(&r->value, 0, sizeof r->value);
  memset(r->weights, 0, sizeof r->weights);
  r->count = 7;
  r->last = x[0] * x[0] * x[1];
}

int main(void) {
  double x[2] = {2.0, 3.0}, dx[2] = {0.0, 0.0}, y = 1.0, dy = 3.0;
  struct record a = {4.0, {5.0f, 6.0f}, 3, &y, 8, 9.0}, da = {1.0, {2.0f, 3.0f}, 3, &dy, 8, 0.5};
  __enzyme_autodiff((void *)read_last, enzyme_dup, x, dx, enzyme_dup, &a, &da);
  struct record b = {4.0, {5.0f, 6.0f}, 3, &y, 8, 9.0}, db = {1.0, {2.0f, 3.0f}, 3, &dy, 8, 0.5};
  __enzyme_autodiff((void *)clear_all_but_last, enzyme_dup, x, dx, enzyme_dup, &b, &db);
  struct record c = {4.0, {5.0f, 6.0f}, 3, &y, 8, 9.0}, dc = {1.0, {2.0f, 3.0f}, 3, &dy, 8, 0.5};
  __enzyme_fwddiff((void *)write_last, enzyme_dup, x, dx, enzyme_dup, &c, &dc);
  return da.value == 0.0 && da.weights[1] == 3.0f && db.weights[1] == 0.0f && dc.weights[1] == 0.0f ? 0 : 1;
}
