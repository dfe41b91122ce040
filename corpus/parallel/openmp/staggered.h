/* Lagrangian hydrodynamics on a staggered grid of quadrilaterals, SIDE elements wide and LAYERS high: what one
 * element and one node do. The input are the energies of the elements. */
#ifndef STAGGERED_H
#define STAGGERED_H

#include <math.h>

#ifndef LAYERS
#define LAYERS 3
#endif

enum { SIDE = 3, WIDE = SIDE + 1, ELEMENTS = SIDE * LAYERS, NODES = WIDE * (LAYERS + 1), CORNERS = 4, CYCLES = 3 };

struct mesh {
  double *x, *y, *u, *v, *fx, *fy;
  double *corner_fx, *corner_fy;
  double *energy, *limit;
  double dt;
};

/* Memory of a mesh. */
struct numbers {
  double of_nodes[6][NODES], of_corners[2][CORNERS * ELEMENTS], limit[ELEMENTS];
};

static inline int node_of(int e, int corner) {
  const int lower = e / SIDE * WIDE + e % SIDE;
  return lower + (corner == 1 || corner == 2) + (corner >= 2) * WIDE;
}

static void start_mesh(struct mesh *d, struct numbers *in, double *energy, int low) {
  d->x = in->of_nodes[0], d->y = in->of_nodes[1], d->u = in->of_nodes[2], d->v = in->of_nodes[3];
  d->fx = in->of_nodes[4], d->fy = in->of_nodes[5];
  d->corner_fx = in->of_corners[0], d->corner_fy = in->of_corners[1];
  d->limit = in->limit;
  d->energy = energy;
  d->dt = 0.02;
  for (int n = 0; n < NODES; n++) {
    const int i = n % WIDE, j = n / WIDE + low;
    d->x[n] = i + 0.05 * sin(1.0 + 2.0 * i + 3.0 * j);
    d->y[n] = j + 0.05 * sin(2.0 + 3.0 * i + 5.0 * j);
    d->u[n] = 0.1 * sin(0.7 * i + j);
    d->v[n] = 0.1 * cos(i - 0.6 * j);
  }
}

static inline void element_forces(struct mesh *d, int e) {
  double ax[CORNERS], ay[CORNERS], area = 0.0, rate = 0.0;
  for (int c = 0; c < CORNERS; c++) {
    const int here = node_of(e, c), next = node_of(e, (c + 1) % CORNERS), before = node_of(e, (c + 3) % CORNERS);
    ax[c] = 0.5 * (d->y[next] - d->y[before]);
    ay[c] = 0.5 * (d->x[before] - d->x[next]);
    area += 0.5 * (d->x[here] * d->y[next] - d->x[next] * d->y[here]);
    rate += ax[c] * d->u[here] + ay[c] * d->v[here];
  }
  rate /= area;
  const double density = 1.0 / area, length = sqrt(area), sound = sqrt(0.56 * d->energy[e]);
  double stress = 0.4 * density * d->energy[e], speed = sound;
  if (rate < 0.0) {
    const double jump = -length * rate;
    stress += density * jump * (1.5 * jump + 0.3 * sound);
    speed += 3.0 * jump;
  }
  d->limit[e] = 0.2 * length / speed;
  for (int c = 0; c < CORNERS; c++) {
    d->corner_fx[CORNERS * e + c] = stress * ax[c];
    d->corner_fy[CORNERS * e + c] = stress * ay[c];
  }
}

/* The sum over the corners that meet in a node. */
static inline void node_force(struct mesh *d, int n) {
  const int i = n % WIDE, j = n / WIDE;
  double fx = 0.0, fy = 0.0;
  for (int c = 0; c < CORNERS; c++) {
    const int column = i - (c == 1 || c == 2), row = j - (c >= 2);
    if (column < 0 || column >= SIDE || row < 0 || row >= LAYERS) continue;
    fx += d->corner_fx[CORNERS * (row * SIDE + column) + c];
    fy += d->corner_fy[CORNERS * (row * SIDE + column) + c];
  }
  d->fx[n] = fx;
  d->fy[n] = fy;
}

static inline void move_node(struct mesh *d, int n, double dt) {
  d->u[n] += dt * d->fx[n];
  d->v[n] += dt * d->fy[n];
  d->x[n] += dt * d->u[n];
  d->y[n] += dt * d->v[n];
}

static inline void element_energy(struct mesh *d, int e, double dt) {
  double power = 0.0;
  for (int c = 0; c < CORNERS; c++) {
    const int n = node_of(e, c);
    power += d->corner_fx[CORNERS * e + c] * d->u[n] + d->corner_fy[CORNERS * e + c] * d->v[n];
  }
  d->energy[e] -= dt * power;
}

static inline double motion_of(const struct mesh *d, int n) { return 0.5 * (d->u[n] * d->u[n] + d->v[n] * d->v[n]); }

#endif
