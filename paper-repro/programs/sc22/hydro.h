/* Lagrangian hydrodynamics on a staggered grid of hexahedra: positions and velocities live at nodes, mass, energy
 * and pressure in elements. A blast wave (Sedov, 1946) starts in the element at the origin of an octant.
 *
 * Each cycle: each element finds its volume, density, pressure (a gas), artificial viscosity (von Neumann &
 * Richtmyer, 1950, with the linear term of Landshoff, 1955) and resistance to hourglass modes (Flanagan &
 * Belytschko, 1981), and from these the forces on its corners; each node adds up those of the corners that meet in
 * it, and is accelerated and moved; each element loses the energy that its corner forces spent (Caramana et al.,
 * "The construction of compatible hydrodynamics algorithms utilizing conservation of total energy", 1998). The next
 * time step is the least that any element allows.
 *
 * What is done for one element or one node stands here; how the loops over them are run is each program's. */
#ifndef HYDRO_H
#define HYDRO_H

#ifdef HYDRO_MPI
#define THREADS_MPI
#endif
#include "adj.h"
#include "threads.h"

#define GAMMA 1.4
#define QUADRATIC_VISCOSITY 1.5
#define LINEAR_VISCOSITY 0.3
#define HOURGLASS 0.1
#define COURANT 0.3
#define LARGEST_CHANGE 0.1

enum { CORNERS = 8 };
enum { FIXED_X = 1, FIXED_Y = 2, FIXED_Z = 4 };

struct domain {
  int elements, nodes;
  /* The nodes of each element, and the corners of elements that meet in each node: those of node n are
   * `corner_at[first[n]]` to `corner_at[first[n + 1] - 1]`. */
  int *node_of, *first, *corner_at;
  /* Which components of a node's velocity stay zero: planes of symmetry. */
  int *fixed;
  /* Nodes: position, velocity, force, mass. */
  double *x, *y, *z, *u, *v, *w, *fx, *fy, *fz, *node_mass;
  /* Corners: force. */
  double *corner_fx, *corner_fy, *corner_fz;
  /* Elements: mass, internal energy, largest time step. */
  double *mass, *energy, *limit;
  double dt;
  /* Processes: this one's number, how many there are, and nodes in a plane between two. */
  int rank, ranks, plane;
  double *sent[2], *received[2];
};

/* A quarter of the area of the face a, b, c, d goes to each of its corners. */
static inline void add_face(const double *x, const double *y, const double *z, int a, int b, int c, int d, double *ax,
                            double *ay, double *az) {
  const double px = x[c] - x[a], py = y[c] - y[a], pz = z[c] - z[a];
  const double qx = x[d] - x[b], qy = y[d] - y[b], qz = z[d] - z[b];
  const double nx = 0.125 * (py * qz - pz * qy), ny = 0.125 * (pz * qx - px * qz), nz = 0.125 * (px * qy - py * qx);
  ax[a] += nx, ax[b] += nx, ax[c] += nx, ax[d] += nx;
  ay[a] += ny, ay[b] += ny, ay[c] += ny, ay[d] += ny;
  az[a] += nz, az[b] += nz, az[c] += nz, az[d] += nz;
}

/* The area vectors of an element's corners; they point outwards. Corners 0 to 3 go around the lower face, 4 to 7
 * around the upper. */
static inline void corner_areas(const double *x, const double *y, const double *z, double *ax, double *ay, double *az) {
  for (int c = 0; c < CORNERS; c++) ax[c] = ay[c] = az[c] = 0.0;
  add_face(x, y, z, 0, 3, 2, 1, ax, ay, az);
  add_face(x, y, z, 4, 5, 6, 7, ax, ay, az);
  add_face(x, y, z, 0, 1, 5, 4, ax, ay, az);
  add_face(x, y, z, 1, 2, 6, 5, ax, ay, az);
  add_face(x, y, z, 2, 3, 7, 6, ax, ay, az);
  add_face(x, y, z, 3, 0, 4, 7, ax, ay, az);
}

/* By the divergence theorem. */
static inline double volume_of(const double *x, const double *y, const double *z, const double *ax, const double *ay,
                               const double *az) {
  double sum = 0.0;
  for (int c = 0; c < CORNERS; c++) sum += x[c] * ax[c] + y[c] * ay[c] + z[c] * az[c];
  return sum / 3.0;
}

static inline void gather(const struct domain *d, int e, const double *field, double *to) {
  for (int c = 0; c < CORNERS; c++) to[c] = field[d->node_of[CORNERS * e + c]];
}

static const double hourglass_modes[4][CORNERS] = {
    {1, 1, -1, -1, -1, -1, 1, 1},
    {1, -1, -1, 1, -1, 1, 1, -1},
    {1, -1, 1, -1, 1, -1, 1, -1},
    {-1, 1, -1, 1, 1, -1, 1, -1},
};

/* Drag against the part of a velocity that neither moves nor strains the element. */
static inline void resist_hourglass(const double shape[4][CORNERS], const double *velocity, double drag,
                                    double *force) {
  for (int m = 0; m < 4; m++) {
    double rate = 0.0;
    for (int c = 0; c < CORNERS; c++) rate += shape[m][c] * velocity[c];
    for (int c = 0; c < CORNERS; c++) force[c] -= drag * rate * shape[m][c];
  }
}

static inline void element_forces(const struct domain *d, int e) {
  double x[CORNERS], y[CORNERS], z[CORNERS], u[CORNERS], v[CORNERS], w[CORNERS];
  double ax[CORNERS], ay[CORNERS], az[CORNERS], shape[4][CORNERS];
  gather(d, e, d->x, x);
  gather(d, e, d->y, y);
  gather(d, e, d->z, z);
  gather(d, e, d->u, u);
  gather(d, e, d->v, v);
  gather(d, e, d->w, w);
  corner_areas(x, y, z, ax, ay, az);
  const double volume = volume_of(x, y, z, ax, ay, az);
  const double density = d->mass[e] / volume, length = cbrt(volume);
  const double sound = sqrt(GAMMA * (GAMMA - 1.0) * d->energy[e]);
  double rate = 0.0;
  for (int c = 0; c < CORNERS; c++) rate += ax[c] * u[c] + ay[c] * v[c] + az[c] * w[c];
  rate /= volume;
  double stress = (GAMMA - 1.0) * density * d->energy[e];
  double speed = sound;
  if (rate < 0.0) {
    const double jump = -length * rate;
    stress += density * jump * (QUADRATIC_VISCOSITY * jump + LINEAR_VISCOSITY * sound);
    speed += 2.0 * QUADRATIC_VISCOSITY * jump;
  }
  d->limit[e] = fmin(COURANT * length / speed, LARGEST_CHANGE / (fabs(rate) + 1e-12));
  /* Hourglass modes, made orthogonal to linear fields. */
  for (int m = 0; m < 4; m++) {
    double mx = 0.0, my = 0.0, mz = 0.0;
    for (int c = 0; c < CORNERS; c++) {
      mx += hourglass_modes[m][c] * x[c];
      my += hourglass_modes[m][c] * y[c];
      mz += hourglass_modes[m][c] * z[c];
    }
    for (int c = 0; c < CORNERS; c++)
      shape[m][c] = hourglass_modes[m][c] - (ax[c] * mx + ay[c] * my + az[c] * mz) / volume;
  }
  double gx[CORNERS], gy[CORNERS], gz[CORNERS];
  for (int c = 0; c < CORNERS; c++) {
    gx[c] = stress * ax[c];
    gy[c] = stress * ay[c];
    gz[c] = stress * az[c];
  }
  const double drag = HOURGLASS * density * sound * length * length / 8.0;
  resist_hourglass(shape, u, drag, gx);
  resist_hourglass(shape, v, drag, gy);
  resist_hourglass(shape, w, drag, gz);
  for (int c = 0; c < CORNERS; c++) {
    d->corner_fx[CORNERS * e + c] = gx[c];
    d->corner_fy[CORNERS * e + c] = gy[c];
    d->corner_fz[CORNERS * e + c] = gz[c];
  }
}

static inline void node_force(const struct domain *d, int n) {
  double fx = 0.0, fy = 0.0, fz = 0.0;
  for (int k = d->first[n]; k < d->first[n + 1]; k++) {
    fx += d->corner_fx[d->corner_at[k]];
    fy += d->corner_fy[d->corner_at[k]];
    fz += d->corner_fz[d->corner_at[k]];
  }
  d->fx[n] = fx;
  d->fy[n] = fy;
  d->fz[n] = fz;
}

static inline void move_node(const struct domain *d, int n, double dt) {
  d->u[n] += d->fixed[n] & FIXED_X ? 0.0 : dt * d->fx[n] / d->node_mass[n];
  d->v[n] += d->fixed[n] & FIXED_Y ? 0.0 : dt * d->fy[n] / d->node_mass[n];
  d->w[n] += d->fixed[n] & FIXED_Z ? 0.0 : dt * d->fz[n] / d->node_mass[n];
  d->x[n] += dt * d->u[n];
  d->y[n] += dt * d->v[n];
  d->z[n] += dt * d->w[n];
}

static inline void element_energy(const struct domain *d, int e, double dt) {
  double power = 0.0;
  for (int c = 0; c < CORNERS; c++) {
    const int n = d->node_of[CORNERS * e + c], k = CORNERS * e + c;
    power += d->corner_fx[k] * d->u[n] + d->corner_fy[k] * d->v[n] + d->corner_fz[k] * d->w[n];
  }
  d->energy[e] = fmax(d->energy[e] - dt * power / d->mass[e], 1e-9);
}

/* The energy that has become motion. */
static inline double motion_of(const struct domain *d, int n) {
  return 0.5 * d->node_mass[n] * (d->u[n] * d->u[n] + d->v[n] * d->v[n] + d->w[n] * d->w[n]);
}

/* Runs so many cycles. */
static double blast(struct domain *d, int cycles);

static double *doubles(long n) { return (double *)threads_array(n, sizeof(double)); }
static int *integers(long n) { return (int *)threads_array(n, sizeof(int)); }

/* A part of a cube of `size` elements on each side: the layers from `low` to `high` - 1. */
static void make_domain(struct domain *d, int size, int low, int high) {
  const int side = size + 1, layers = high - low;
  memset(d, 0, sizeof *d);
  d->elements = size * size * layers;
  d->nodes = side * side * (layers + 1);
  d->plane = side * side;
  d->node_of = integers((long)CORNERS * d->elements);
  d->first = integers(d->nodes + 1);
  d->corner_at = integers((long)CORNERS * d->elements);
  d->fixed = integers(d->nodes);
  double **of_nodes[] = {&d->x, &d->y, &d->z, &d->u, &d->v, &d->w, &d->fx, &d->fy, &d->fz, &d->node_mass};
  for (int i = 0; i < 10; i++) *of_nodes[i] = doubles(d->nodes);
  double **of_corners[] = {&d->corner_fx, &d->corner_fy, &d->corner_fz};
  for (int i = 0; i < 3; i++) *of_corners[i] = doubles((long)CORNERS * d->elements);
  double **of_elements[] = {&d->mass, &d->energy, &d->limit};
  for (int i = 0; i < 3; i++) *of_elements[i] = doubles(d->elements);
  for (int i = 0; i < 2; i++) {
    d->sent[i] = doubles(3L * d->plane);
    d->received[i] = doubles(3L * d->plane);
  }
  for (int e = 0; e < d->elements; e++) {
    const int i = e % size, j = e / size % size, k = e / (size * size);
    const int corner = (k * side + j) * side + i, up = side * side;
    const int nodes[CORNERS] = {corner,      corner + 1,      corner + side + 1,      corner + side,
                                corner + up, corner + up + 1, corner + up + side + 1, corner + up + side};
    for (int c = 0; c < CORNERS; c++) {
      d->node_of[CORNERS * e + c] = nodes[c];
      d->first[nodes[c] + 1]++;
    }
  }
  for (int n = 0; n < d->nodes; n++) d->first[n + 1] += d->first[n];
  int *filled = integers(d->nodes);
  for (int k = 0; k < CORNERS * d->elements; k++) {
    const int n = d->node_of[k];
    d->corner_at[d->first[n] + filled[n]++] = k;
  }
  free(filled);
}

/* Everything as it is before the blast. The mesh is a little uneven, so that no two elements allow the same step,
 * and expands slowly, so that none is at rest. */
static void start_domain(struct domain *d, int size, int low) {
  const int side = size + 1;
  const double width = 1.2 / size;
  for (int n = 0; n < d->nodes; n++) {
    const int i = n % side, j = n / side % side, k = n / (side * side) + low;
    const double uneven = 0.02 * width * sin(1.0 + 0.7 * i + 1.3 * j + 2.1 * k);
    d->x[n] = i * width + (i > 0 ? uneven : 0.0);
    d->y[n] = j * width + (j > 0 ? uneven : 0.0);
    d->z[n] = k * width + (k > 0 ? uneven : 0.0);
    d->u[n] = 0.01 * i * width * (1.0 + 0.1 * sin(0.3 * j + 1.7 * k));
    d->v[n] = 0.01 * j * width * (1.0 + 0.1 * sin(0.5 * k + 1.1 * i));
    d->w[n] = 0.01 * k * width * (1.0 + 0.1 * sin(0.9 * i + 0.4 * j));
    d->fixed[n] = (i == 0 ? FIXED_X : 0) | (j == 0 ? FIXED_Y : 0) | (k == 0 ? FIXED_Z : 0);
  }
  const double cell = width * width * width;
  for (int n = 0; n < d->nodes; n++) {
    /* Nodes between two processes have corners in both. */
    const int i = n % side, j = n / side % side, k = n / (side * side) + low;
    const int across = (i > 0 && i < size ? 2 : 1) * (j > 0 && j < size ? 2 : 1) * (k > 0 && k < size ? 2 : 1);
    d->node_mass[n] = cell * across / 8.0;
  }
  for (int e = 0; e < d->elements; e++) {
    d->mass[e] = cell;
    d->energy[e] = e == 0 && low == 0 ? 0.25 / cell : 1e-3 / cell * (1.0 + 0.1 * sin(1.0 + e + low * size * size));
  }
  d->dt = 0.01 * width * sqrt(cell);
}

static struct domain domain, shadow;
static int cycles, mesh_size, mesh_low, mesh_high;
/* The inputs: the energies, and the positions. */
static double *initial;

static void threads_setup(long size) {
  mesh_size = (int)size;
  mesh_low = 0;
  mesh_high = mesh_size;
  cycles = size < 6 ? 3 : 20;
  int rank = 0, ranks = 1;
#ifdef HYDRO_MPI
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  mesh_low = rank * mesh_size / ranks;
  mesh_high = (rank + 1) * mesh_size / ranks;
#endif
  make_domain(&domain, mesh_size, mesh_low, mesh_high);
  make_domain(&shadow, mesh_size, mesh_low, mesh_high);
  domain.rank = shadow.rank = rank;
  domain.ranks = shadow.ranks = ranks;
  start_domain(&domain, mesh_size, mesh_low);
  initial = doubles(domain.elements + 3L * domain.nodes);
  memcpy(initial, domain.energy, sizeof(double) * (size_t)domain.elements);
  double *positions[3] = {domain.x, domain.y, domain.z};
  for (int i = 0; i < 3; i++)
    memcpy(initial + domain.elements + i * (long)domain.nodes, positions[i], sizeof(double) * (size_t)domain.nodes);
}

static void restart(void) {
  start_domain(&domain, mesh_size, mesh_low);
  memcpy(domain.energy, initial, sizeof(double) * (size_t)domain.elements);
  double *positions[3] = {domain.x, domain.y, domain.z};
  for (int i = 0; i < 3; i++)
    memcpy(positions[i], initial + domain.elements + i * (long)domain.nodes, sizeof(double) * (size_t)domain.nodes);
}

static double threads_primal(void) {
  restart();
  return blast(&domain, cycles);
}

static void clear(double *a, long n) { memset(a, 0, sizeof(double) * (size_t)n); }

static void threads_gradient(void) {
  restart();
  double *of_nodes[] = {shadow.x, shadow.y,  shadow.z,  shadow.u,  shadow.v,
                        shadow.w, shadow.fx, shadow.fy, shadow.fz, shadow.node_mass};
  for (int i = 0; i < 10; i++) clear(of_nodes[i], shadow.nodes);
  double *of_corners[] = {shadow.corner_fx, shadow.corner_fy, shadow.corner_fz};
  for (int i = 0; i < 3; i++) clear(of_corners[i], (long)CORNERS * shadow.elements);
  double *of_elements[] = {shadow.mass, shadow.energy, shadow.limit};
  for (int i = 0; i < 3; i++) clear(of_elements[i], shadow.elements);
  for (int i = 0; i < 2; i++) {
    clear(shadow.sent[i], 3L * shadow.plane);
    clear(shadow.received[i], 3L * shadow.plane);
  }
  shadow.dt = 0.0;
#ifdef __cplusplus
  __enzyme_autodiff<void>((void *)blast, enzyme_dup, &domain, &shadow, enzyme_const, cycles);
#else
  __enzyme_autodiff((void *)blast, enzyme_dup, &domain, &shadow, enzyme_const, cycles);
#endif
}

static long threads_length(void) { return domain.elements + 3L * domain.nodes; }
static double *threads_input(long i) { return &initial[i]; }

#ifdef HYDRO_MPI
static long threads_number(long i) {
  const long side = mesh_size + 1, layer = (long)mesh_size * mesh_size;
  if (i < domain.elements) return i + mesh_low * layer;
  const long n = (i - domain.elements) % domain.nodes, way = (i - domain.elements) / domain.nodes;
  return mesh_size * layer + way * side * side * side + n + mesh_low * side * side;
}
#endif

static double threads_scale(long i) {
  if (i < domain.elements) return 0.1 * initial[i];
  const long n = (i - domain.elements) % domain.nodes, way = (i - domain.elements) / domain.nodes;
  return domain.fixed[n] & (1 << way) ? 0.0 : 0.01 / mesh_size;
}

static const double *threads_result(long i) {
  if (i < domain.elements) return &shadow.energy[i];
  const long n = (i - domain.elements) % domain.nodes, way = (i - domain.elements) / domain.nodes;
  return way == 0 ? &shadow.x[n] : way == 1 ? &shadow.y[n] : &shadow.z[n];
}

#endif
