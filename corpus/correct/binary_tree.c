// An expression tree on the heap, evaluated by recursion over children; the shadow tree mirrors it.
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct tree {
  char kind;
  double leaf;
  struct tree *left, *right;
};

static double evaluate(const struct tree *t) {
  switch (t->kind) {
  case '+': return evaluate(t->left) + evaluate(t->right);
  case '*': return evaluate(t->left) * evaluate(t->right);
  case '/': return evaluate(t->left) / evaluate(t->right);
  case 's': return sin(evaluate(t->left));
  default: return t->leaf;
  }
}

static struct tree *parse(const char **text, int shadow) {
  struct tree *t = malloc(sizeof *t);
  if (!t)
    abort();
  t->kind = *(*text)++;
  t->leaf = 0.0;
  t->left = t->right = NULL;
  if (t->kind >= '0' && t->kind <= '9') {
    t->leaf = shadow ? 0.0 : (t->kind - '0') * 0.3;
    return t;
  }
  t->left = parse(text, shadow);
  if (t->kind != 's')
    t->right = parse(text, shadow);
  return t;
}

static void finish(struct tree *t, const struct tree *value) {
  if (!t)
    return;
  if (!t->left)
    printf("%c %.17g\n", value->kind, t->leaf);
  finish(t->left, value->left);
  finish(t->right, value->right);
  free(t);
}

static void destroy(struct tree *t) {
  if (!t)
    return;
  destroy(t->left);
  destroy(t->right);
  free(t);
}

int main(void) {
  const char *a = "+*s2+34/s*15+6*77", *b = a;
  struct tree *t = parse(&a, 0), *d = parse(&b, 1);
  printf("%.17g\n", evaluate(t));
  __enzyme_autodiff((void *)evaluate, enzyme_dup, t, d);
  finish(d, t);
  destroy(t);
  return 0;
}
