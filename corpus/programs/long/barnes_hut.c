// An n-body code: a Barnes-Hut octree with a pool allocator, leapfrog steps, conserved quantities, and the sensitivity of a collapsing
// cluster's potential energy to every position and mass.
#include "adj.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- vectors ---- */

typedef struct {
  double x, y, z;
} vec3;

static vec3 vec(double x, double y, double z) {
  vec3 v = {x, y, z};
  return v;
}
static vec3 add(vec3 a, vec3 b) { return vec(a.x + b.x, a.y + b.y, a.z + b.z); }
static vec3 sub(vec3 a, vec3 b) { return vec(a.x - b.x, a.y - b.y, a.z - b.z); }
static vec3 scale(double s, vec3 a) { return vec(s * a.x, s * a.y, s * a.z); }
static double dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static vec3 cross(vec3 a, vec3 b) {
  return vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static double norm(vec3 a) { return sqrt(dot(a, a)); }

/* ---- random numbers: xorshift64* ---- */

typedef struct {
  unsigned long long state;
} rng;

static double rng_uniform(rng *r) {
  r->state ^= r->state >> 12;
  r->state ^= r->state << 25;
  r->state ^= r->state >> 27;
  return (double)((r->state * 2685821657736338717ULL) >> 11) / 9007199254740992.0;
}

static double rng_normal(rng *r) {
  double u = rng_uniform(r), v = rng_uniform(r);
  if (u < 1e-300)
    u = 1e-300;
  return sqrt(-2.0 * log(u)) * cos(6.283185307179586 * v);
}

/* ---- bodies ---- */

typedef struct {
  int count;
  double *mass;
  vec3 *position;
  vec3 *velocity;
  vec3 *acceleration;
  double *potential;
} bodies;

static bodies *bodies_new(int count) {
  bodies *b = malloc(sizeof *b);
  if (!b)
    exit(2);
  b->count = count;
  b->mass = calloc((size_t)count, sizeof *b->mass);
  b->position = calloc((size_t)count, sizeof *b->position);
  b->velocity = calloc((size_t)count, sizeof *b->velocity);
  b->acceleration = calloc((size_t)count, sizeof *b->acceleration);
  b->potential = calloc((size_t)count, sizeof *b->potential);
  if (!b->mass || !b->position || !b->velocity || !b->acceleration || !b->potential)
    exit(2);
  return b;
}

static void bodies_free(bodies *b) {
  free(b->mass);
  free(b->position);
  free(b->velocity);
  free(b->acceleration);
  free(b->potential);
  free(b);
}

static bodies *bodies_copy(const bodies *from) {
  bodies *b = bodies_new(from->count);
  size_t n = (size_t)from->count;
  memcpy(b->mass, from->mass, n * sizeof *b->mass);
  memcpy(b->position, from->position, n * sizeof *b->position);
  memcpy(b->velocity, from->velocity, n * sizeof *b->velocity);
  return b;
}

/* A Plummer sphere with unit total mass and scale radius one, cut at five radii, in its own centre-of-mass frame. */
static bodies *plummer_sphere(int count, rng *r) {
  bodies *b = bodies_new(count);
  vec3 centre = vec(0, 0, 0), drift = vec(0, 0, 0);
  for (int i = 0; i < count; i++) {
    double radius;
    do {
      double m = 0.05 + 0.9 * rng_uniform(r);
      radius = 1.0 / sqrt(pow(m, -2.0 / 3.0) - 1.0);
    } while (radius > 5.0);
    double cosine = 2.0 * rng_uniform(r) - 1.0, angle = 6.283185307179586 * rng_uniform(r);
    double sine = sqrt(1.0 - cosine * cosine);
    b->mass[i] = 1.0 / count;
    b->position[i] = scale(radius, vec(sine * cos(angle), sine * sin(angle), cosine));
    double dispersion = sqrt(1.0 / (6.0 * sqrt(1.0 + radius * radius)));
    b->velocity[i] = scale(dispersion, vec(rng_normal(r), rng_normal(r), rng_normal(r)));
    centre = add(centre, scale(b->mass[i], b->position[i]));
    drift = add(drift, scale(b->mass[i], b->velocity[i]));
  }
  for (int i = 0; i < count; i++) {
    b->position[i] = sub(b->position[i], centre);
    b->velocity[i] = sub(b->velocity[i], drift);
  }
  return b;
}

/* ---- the tree ---- */

enum { CHILDREN = 8, POOL_BLOCK = 64 };

typedef struct node {
  vec3 middle;     /* of the cube */
  double half;     /* half of its edge */
  double mass;     /* of all bodies inside */
  vec3 centre;     /* their centre of mass */
  double moment[6]; /* quadrupole: xx yy zz xy xz yz */
  int body;        /* the only body of a leaf, or -1 */
  int inside;      /* how many bodies */
  struct node *child[CHILDREN];
} node;

/* Nodes come from blocks that are freed together. */
typedef struct block {
  struct block *next;
  int used;
  node nodes[POOL_BLOCK];
} block;

typedef struct {
  block *blocks;
  node *root;
  const bodies *of;
  int nodes, leaves, depth;
} tree;

static node *tree_node(tree *t, vec3 middle, double half) {
  if (!t->blocks || t->blocks->used == POOL_BLOCK) {
    block *fresh = malloc(sizeof *fresh);
    if (!fresh)
      exit(2);
    fresh->next = t->blocks;
    fresh->used = 0;
    t->blocks = fresh;
  }
  node *n = &t->blocks->nodes[t->blocks->used++];
  memset(n, 0, sizeof *n);
  n->middle = middle;
  n->half = half;
  n->body = -1;
  t->nodes++;
  return n;
}

static int octant(const node *n, vec3 p) {
  return (p.x >= n->middle.x) | (p.y >= n->middle.y) << 1 | (p.z >= n->middle.z) << 2;
}

static node *child_for(tree *t, node *n, vec3 p) {
  int which = octant(n, p);
  if (!n->child[which]) {
    double quarter = 0.5 * n->half;
    vec3 middle = n->middle;
    middle.x += which & 1 ? quarter : -quarter;
    middle.y += which & 2 ? quarter : -quarter;
    middle.z += which & 4 ? quarter : -quarter;
    n->child[which] = tree_node(t, middle, quarter);
  }
  return n->child[which];
}

static void insert(tree *t, node *n, int body, int level) {
  for (;;) {
    if (level > t->depth)
      t->depth = level;
    n->inside++;
    if (n->inside == 1) {
      n->body = body;
      t->leaves++;
      return;
    }
    if (level > 60) { /* two bodies at one place */
      fprintf(stderr, "bodies %d and %d coincide\n", n->body, body);
      exit(2);
    }
    if (n->body >= 0) {
      int moved = n->body;
      n->body = -1;
      t->leaves--;
      insert(t, child_for(t, n, t->of->position[moved]), moved, level + 1);
    }
    n = child_for(t, n, t->of->position[body]);
    level++;
  }
}

/* Mass, centre of mass and quadrupole moments, from the leaves up. */
static void summarise(tree *t, node *n) {
  if (n->body >= 0) {
    n->mass = t->of->mass[n->body];
    n->centre = t->of->position[n->body];
    return;
  }
  vec3 weighted = vec(0, 0, 0);
  for (int c = 0; c < CHILDREN; c++) {
    node *child = n->child[c];
    if (!child)
      continue;
    summarise(t, child);
    n->mass += child->mass;
    weighted = add(weighted, scale(child->mass, child->centre));
  }
  n->centre = scale(1.0 / n->mass, weighted);
  for (int c = 0; c < CHILDREN; c++) {
    const node *child = n->child[c];
    if (!child)
      continue;
    vec3 d = sub(child->centre, n->centre);
    double square = dot(d, d);
    n->moment[0] += child->moment[0] + child->mass * (3 * d.x * d.x - square);
    n->moment[1] += child->moment[1] + child->mass * (3 * d.y * d.y - square);
    n->moment[2] += child->moment[2] + child->mass * (3 * d.z * d.z - square);
    n->moment[3] += child->moment[3] + child->mass * 3 * d.x * d.y;
    n->moment[4] += child->moment[4] + child->mass * 3 * d.x * d.z;
    n->moment[5] += child->moment[5] + child->mass * 3 * d.y * d.z;
  }
}

static tree tree_build(const bodies *b) {
  tree t = {0};
  t.of = b;
  double reach = 0.0;
  for (int i = 0; i < b->count; i++) {
    reach = fmax(reach, fabs(b->position[i].x));
    reach = fmax(reach, fabs(b->position[i].y));
    reach = fmax(reach, fabs(b->position[i].z));
  }
  t.root = tree_node(&t, vec(0, 0, 0), 1.0001 * reach + 1e-12);
  for (int i = 0; i < b->count; i++)
    insert(&t, t.root, i, 0);
  summarise(&t, t.root);
  return t;
}

static void tree_free(tree *t) {
  while (t->blocks) {
    block *next = t->blocks->next;
    free(t->blocks);
    t->blocks = next;
  }
}

/* ---- forces ---- */

typedef struct {
  double opening;   /* the angle below which a cube counts as one */
  double softening; /* squared */
  int quadrupoles;
  long interactions;
} force_law;

static void pull(const node *n, vec3 at, force_law *law, vec3 *acceleration, double *potential) {
  vec3 d = sub(n->centre, at);
  double square = dot(d, d) + law->softening;
  double inverse = 1.0 / sqrt(square);
  double cube = inverse * inverse * inverse;
  *acceleration = add(*acceleration, scale(n->mass * cube, d));
  *potential -= n->mass * inverse;
  law->interactions++;
  if (!law->quadrupoles || n->body >= 0)
    return;
  const double *q = n->moment;
  vec3 qd = vec(q[0] * d.x + q[3] * d.y + q[4] * d.z, q[3] * d.x + q[1] * d.y + q[5] * d.z,
                q[4] * d.x + q[5] * d.y + q[2] * d.z);
  double fifth = cube * inverse * inverse;
  double dqd = dot(d, qd);
  *potential -= 0.5 * dqd * fifth;
  *acceleration = add(*acceleration, scale(-fifth, qd));
  *acceleration = add(*acceleration, scale(2.5 * dqd * fifth * inverse * inverse, d));
}

static void walk(const node *n, int body, vec3 at, force_law *law, vec3 *acceleration, double *potential) {
  if (n->body == body)
    return;
  double distance = norm(sub(n->centre, at));
  if (n->body >= 0 || 2.0 * n->half < law->opening * distance) {
    pull(n, at, law, acceleration, potential);
    return;
  }
  for (int c = 0; c < CHILDREN; c++)
    if (n->child[c])
      walk(n->child[c], body, at, law, acceleration, potential);
}

static void tree_forces(bodies *b, force_law *law) {
  tree t = tree_build(b);
  for (int i = 0; i < b->count; i++) {
    vec3 acceleration = vec(0, 0, 0);
    double potential = 0.0;
    walk(t.root, i, b->position[i], law, &acceleration, &potential);
    b->acceleration[i] = acceleration;
    b->potential[i] = potential;
  }
  tree_free(&t);
}

static void direct_forces(bodies *b, double softening) {
  for (int i = 0; i < b->count; i++) {
    b->acceleration[i] = vec(0, 0, 0);
    b->potential[i] = 0.0;
  }
  for (int i = 0; i < b->count; i++)
    for (int j = i + 1; j < b->count; j++) {
      vec3 d = sub(b->position[j], b->position[i]);
      double inverse = 1.0 / sqrt(dot(d, d) + softening);
      double cube = inverse * inverse * inverse;
      b->acceleration[i] = add(b->acceleration[i], scale(b->mass[j] * cube, d));
      b->acceleration[j] = sub(b->acceleration[j], scale(b->mass[i] * cube, d));
      b->potential[i] -= b->mass[j] * inverse;
      b->potential[j] -= b->mass[i] * inverse;
    }
}

/* ---- time steps and what they conserve ---- */

typedef struct {
  double kinetic, potential;
  vec3 momentum, angular;
} totals;

static totals measure(const bodies *b) {
  totals t = {0};
  for (int i = 0; i < b->count; i++) {
    double m = b->mass[i];
    t.kinetic += 0.5 * m * dot(b->velocity[i], b->velocity[i]);
    t.potential += 0.5 * m * b->potential[i];
    t.momentum = add(t.momentum, scale(m, b->velocity[i]));
    t.angular = add(t.angular, scale(m, cross(b->position[i], b->velocity[i])));
  }
  return t;
}

static void leapfrog(bodies *b, force_law *law, double dt, int steps) {
  tree_forces(b, law);
  for (int s = 0; s < steps; s++) {
    for (int i = 0; i < b->count; i++) {
      b->velocity[i] = add(b->velocity[i], scale(0.5 * dt, b->acceleration[i]));
      b->position[i] = add(b->position[i], scale(dt, b->velocity[i]));
    }
    tree_forces(b, law);
    for (int i = 0; i < b->count; i++)
      b->velocity[i] = add(b->velocity[i], scale(0.5 * dt, b->acceleration[i]));
  }
}

/* ---- the sensitivity: a few bodies fall for some steps under direct forces; how deep is their well then? ---- */

enum { FALLING = 5 };

static double well_depth(const double *state, const double *mass, double dt, int steps) {
  double x[FALLING][3], v[FALLING][3], a[FALLING][3];
  for (int i = 0; i < FALLING; i++)
    for (int k = 0; k < 3; k++) {
      x[i][k] = state[3 * i + k];
      v[i][k] = 0.0;
    }
  double depth = 0.0;
  for (int s = 0; s <= steps; s++) {
    memset(a, 0, sizeof a);
    depth = 0.0;
    for (int i = 0; i < FALLING; i++)
      for (int j = 0; j < i; j++) {
        double d[3], square = 0.05;
        for (int k = 0; k < 3; k++) {
          d[k] = x[j][k] - x[i][k];
          square += d[k] * d[k];
        }
        double inverse = 1.0 / sqrt(square);
        depth += mass[i] * mass[j] * inverse;
        for (int k = 0; k < 3; k++) {
          a[i][k] += mass[j] * d[k] * inverse * inverse * inverse;
          a[j][k] -= mass[i] * d[k] * inverse * inverse * inverse;
        }
      }
    for (int i = 0; i < FALLING; i++)
      for (int k = 0; k < 3; k++) {
        v[i][k] += dt * a[i][k];
        x[i][k] += dt * v[i][k];
      }
  }
  return depth;
}

static int sensitivity(const bodies *b) {
  double state[3 * FALLING], dstate[3 * FALLING] = {0}, mass[FALLING], dmass[FALLING] = {0};
  for (int i = 0; i < FALLING; i++) {
    state[3 * i] = b->position[i].x;
    state[3 * i + 1] = b->position[i].y;
    state[3 * i + 2] = b->position[i].z;
    mass[i] = 0.5 + 0.25 * i;
  }
  double depth = well_depth(state, mass, 0.05, 12);
  __enzyme_autodiff((void *)well_depth, enzyme_dup, state, dstate, enzyme_dup, mass, dmass, 0.05, enzyme_const, 12);
  printf("well depth %.12g\n", depth);
  /* Moving all bodies together changes nothing. */
  double shift[3] = {0, 0, 0};
  for (int i = 0; i < 3 * FALLING; i++)
    shift[i % 3] += dstate[i];
  printf("d/dshift below 1e-12: %d\n", fabs(shift[0]) + fabs(shift[1]) + fabs(shift[2]) < 1e-12);
  int bad = !(fabs(shift[0]) + fabs(shift[1]) + fabs(shift[2]) < 1e-12);
  for (int i = 0; i < FALLING; i++) {
    double h = 1e-6, keep = mass[i];
    mass[i] = keep + h;
    double up = well_depth(state, mass, 0.05, 12);
    mass[i] = keep - h;
    double down = well_depth(state, mass, 0.05, 12);
    mass[i] = keep;
    double quotient = (up - down) / (2 * h);
    printf("  d/dmass %d = %.10g\n", i, dmass[i]);
    if (!(fabs(quotient - dmass[i]) < 1e-6 * (1 + fabs(quotient)))) {
      printf("  but the difference quotient is %.10g\n", quotient);
      bad = 1;
    }
  }
  return bad;
}

/* ---- the program ---- */

static double worst_error(const bodies *b, const bodies *exact) {
  double worst = 0.0, typical = 0.0;
  for (int i = 0; i < b->count; i++)
    typical += norm(exact->acceleration[i]) / b->count;
  for (int i = 0; i < b->count; i++)
    worst = fmax(worst, norm(sub(b->acceleration[i], exact->acceleration[i])) / typical);
  return worst;
}

static int failures = 0;

static void expect(int holds, const char *what) {
  printf("%-52s %s\n", what, holds ? "ok" : "FAILED");
  if (!holds)
    failures++;
}

int main(void) {
  rng r = {88172645463325252ULL};
  const double softening = 1e-3;
  bodies *cluster = plummer_sphere(60, &r);
  bodies *exact = bodies_copy(cluster);
  direct_forces(exact, softening);

  /* Accuracy against the direct sum, for several opening angles. */
  double angles[] = {0.0, 0.4, 0.8};
  double errors[2][3];
  for (int quadrupoles = 0; quadrupoles < 2; quadrupoles++)
    for (int k = 0; k < 3; k++) {
      force_law law = {angles[k], softening, quadrupoles, 0};
      tree_forces(cluster, &law);
      errors[quadrupoles][k] = worst_error(cluster, exact);
      printf("angle %.1f %s: %5ld interactions, worst error %.3e\n", angles[k], quadrupoles ? "quadrupole" : "monopole  ",
             law.interactions, errors[quadrupoles][k]);
    }
  expect(errors[0][0] < 1e-12, "with angle zero the tree is the direct sum");
  expect(errors[0][1] < 0.05 && errors[0][2] < 0.3, "monopoles are good to a few per cent");
  expect(errors[1][1] < errors[0][1] && errors[1][2] < errors[0][2], "quadrupoles are better");

  tree t = tree_build(cluster);
  printf("tree: %d nodes, %d leaves, depth %d, mass %.15g\n", t.nodes, t.leaves, t.depth, t.root->mass);
  expect(t.leaves == cluster->count, "each body has a leaf");
  expect(fabs(t.root->mass - 1.0) < 1e-12, "the root has all mass");
  expect(norm(t.root->centre) < 1e-12, "the centre of mass rests at the origin");
  expect(fabs(t.root->moment[0] + t.root->moment[1] + t.root->moment[2]) < 1e-9, "quadrupoles have no trace");
  tree_free(&t);

  /* Evolution. */
  force_law law = {0.5, softening, 1, 0};
  tree_forces(cluster, &law);
  totals before = measure(cluster);
  leapfrog(cluster, &law, 0.02, 8);
  totals after = measure(cluster);
  double energy0 = before.kinetic + before.potential, energy1 = after.kinetic + after.potential;
  printf("energy %.9g -> %.9g, virial ratio %.4f -> %.4f\n", energy0, energy1, -2 * before.kinetic / before.potential,
         -2 * after.kinetic / after.potential);
  printf("angular momentum (%.6f %.6f %.6f)\n", after.angular.x, after.angular.y, after.angular.z);
  expect(fabs(energy1 - energy0) < 2e-3 * fabs(energy0), "energy is conserved");
  expect(norm(sub(after.angular, before.angular)) < 1e-3, "angular momentum is conserved");
  expect(norm(after.momentum) < 1e-3, "momentum stays zero");

  /* Two bodies on a circle come back after one period. */
  bodies *pair = bodies_new(2);
  pair->mass[0] = pair->mass[1] = 0.5;
  pair->position[0] = vec(0.5, 0, 0);
  pair->position[1] = vec(-0.5, 0, 0);
  pair->velocity[0] = vec(0, 0.5, 0);
  pair->velocity[1] = vec(0, -0.5, 0);
  force_law kepler = {0.5, 0.0, 0, 0};
  leapfrog(pair, &kepler, 6.283185307179586 / 200, 200);
  printf("after a period (%.6f %.6f)\n", pair->position[0].x, pair->position[0].y);
  expect(norm(sub(pair->position[0], vec(0.5, 0, 0))) < 2e-3, "a circular orbit closes");

  expect(sensitivity(exact) == 0, "sensitivities agree with difference quotients");
  bodies_free(pair);
  bodies_free(exact);
  bodies_free(cluster);
  printf("%d failures\n", failures);
  return failures != 0;
}
