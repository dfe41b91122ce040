//! Parallel shapes. As with all shapes, both numbers are at most half of [`BOUND`] in size, the count lies between 1
//! and 4, and at most half of the bound is stored. The numbers are read by all threads of a team, and nothing that they
//! mention is written before the team has ended.

use super::Printer;
use crate::c::ast::{BOUND, Float, Int, Place, Width};
use crate::c::teams::Team;

impl Printer<'_> {
    pub(super) fn team_shape(&mut self, team: Team, to: &Place, args: &[Float], count: &Int) {
        let half = Float::Const(0.5);
        let [a, b] = [0, 1].map(|i| self.bounded(args.get(i).unwrap_or(&half), Width::F64, BOUND / 2.0));
        let n = self.within(count, 1, 4);
        let to = self.place(to);
        let mut text = vec![format!("int many = 2 + {n};"), format!("double one = {a}, two = {b}, all = 0, row[6];")];
        text.push("for (int c = 0; c < many; c++) row[c] = 0.6 * one + 0.1 * c * two;".into());
        let lines: &[&str] = match team {
            Team::Divide => {
                self.before(&["static double divided(const double *v, int many) {
  double left, right;
  if (many == 1) return 0.3 * v[0] * v[0];
#pragma omp task shared(left)
  left = divided(v, many / 2);
#pragma omp task shared(right) firstprivate(many)
  right = divided(v + many / 2, many - many / 2);
#pragma omp taskwait
  return 0.4 * (left + right) + 0.2 * left * right;
}"]);
                &["#pragma omp parallel", "#pragma omp single", "all = divided(row, many);"]
            }
            Team::Threads => {
                self.before(&["struct part { double *row; int from, to; double sum; };
static void *added(void *given) {
  struct part *part = given;
  for (int c = part->from; c < part->to; c++) {
    part->sum += 0.1 * part->row[c] * part->row[c];
    part->row[c] *= 0.5;
  }
  return 0;
}"]);
                &[
                    "pthread_t threads[2];",
                    "struct part parts[2] = {{row, 0, many / 2, 0}, {row, many / 2, many, 0.2}};",
                    "for (int c = 0; c < 2; c++) pthread_create(&threads[c], 0, added, &parts[c]);",
                    "for (int c = 0; c < 2; c++) pthread_join(threads[c], 0);",
                    "all = parts[0].sum * parts[1].sum + 0.3 * row[0] * row[many - 1];",
                ]
            }
            Team::Mutex => {
                self.before(&["struct share { pthread_mutex_t *mutex; double *all; const double *row; int count; };
static void *shared(void *given) {
  struct share *share = given;
  for (int c = 0; c < share->count; c++) {
    pthread_mutex_lock(share->mutex);
    *share->all += 0.1 * share->row[c] * share->row[0];
    pthread_mutex_unlock(share->mutex);
  }
  return 0;
}"]);
                &[
                    "pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;",
                    "pthread_t threads[2];",
                    "struct share shares[2] = {{&mutex, &all, row, many - 1}, {&mutex, &all, row + 1, 1}};",
                    "for (int c = 0; c < 2; c++) pthread_create(&threads[c], 0, shared, &shares[c]);",
                    "for (int c = 0; c < 2; c++) pthread_join(threads[c], 0);",
                ]
            }
            Team::Slots => &[
                "double slots[6];",
                "int used = 0;",
                "#pragma omp parallel for schedule(dynamic)",
                "for (int c = 0; c < many; c++) {",
                "  int at;",
                "#pragma omp atomic capture",
                "  at = used++;",
                "  slots[at] = 0.2 * row[c] * row[c];",
                "}",
                "for (int c = 0; c < used; c++) all += slots[c] * slots[c];",
            ],
            Team::Capture => &[
                "double total = 0.1 * two;",
                "#pragma omp parallel for reduction(+ : all)",
                "for (int c = 0; c < many; c++) {",
                "  double old, part = 0.1 * row[c] * one;",
                "#pragma omp atomic capture",
                "  {",
                "    old = total;",
                "    total += part;",
                "  }",
                "  all += (old + part) * (old + part) - old * old;",
                "}",
                "all += 0.1 * total;",
            ],
            Team::Pairs => {
                self.before(&["struct joint { double sum, product; };
static void join(struct joint *out, const struct joint *in) {
  out->sum += in->sum;
  out->product *= in->product;
}
#pragma omp declare reduction(pairs : struct joint : join(&omp_out, &omp_in)) initializer(omp_priv = {0, 1})"]);
                &[
                    "struct joint both = {0.1 * one, 1};",
                    "#pragma omp parallel for reduction(pairs : both)",
                    "for (int c = 0; c < many; c++) {",
                    "  both.sum += 0.1 * row[c] * row[c];",
                    "  both.product *= 0.7 + 0.1 * row[c];",
                    "}",
                    "all = both.sum * both.product;",
                ]
            }
            Team::Bins => &[
                "omp_lock_t locks[2];",
                "double bins[2] = {1, 0.5};",
                "for (int c = 0; c < 2; c++) omp_init_lock(&locks[c]);",
                "#pragma omp parallel for schedule(static, 1)",
                "for (int c = 0; c < many; c++) {",
                "  omp_set_lock(&locks[c % 2]);",
                "  bins[c % 2] *= 0.7 + 0.1 * row[c];",
                "  omp_unset_lock(&locks[c % 2]);",
                "}",
                "for (int c = 0; c < 2; c++) omp_destroy_lock(&locks[c]);",
                "all = bins[0] - 0.5 * bins[1] * one;",
            ],
            Team::Nested => &[
                "double scale = 1;",
                "#pragma omp parallel for",
                "for (int c = 0; c < many; c++) {",
                "#pragma omp critical(outer)",
                "  {",
                "    scale *= 0.7 + 0.1 * row[c];",
                "#pragma omp critical(inner)",
                "    all += 0.2 * row[c] * two;",
                "  }",
                "}",
                "all *= scale;",
            ],
            Team::Buffers => &[
                "double other[6];",
                "#pragma omp parallel",
                "{",
                "  double *now = row, *next = other;",
                "  for (int t = 0; t < 2; t++) {",
                "#pragma omp for",
                "    for (int c = 0; c < many; c++) next[c] = 0.5 * now[c] - 0.15 * now[(c + 1) % many] * now[c];",
                "    double *kept = now;",
                "    now = next, next = kept;",
                "  }",
                "}",
                "all = row[0] - 0.3 * row[1];",
            ],
            Team::Own => {
                self.before(&["static double own_part;\n#pragma omp threadprivate(own_part)"]);
                &[
                    "#pragma omp parallel",
                    "{",
                    "  own_part = 0;",
                    "#pragma omp for",
                    "  for (int c = 0; c < many; c++) own_part += 0.1 * row[c] * row[c];",
                    "#pragma omp critical(owned)",
                    "  all += own_part;",
                    "}",
                ]
            }
            Team::Group => &[
                "double parts[3] = {0};",
                "#pragma omp parallel",
                "#pragma omp single",
                "{",
                "#pragma omp taskgroup",
                "  {",
                "#pragma omp task shared(parts)",
                "    {",
                "      parts[0] = 0.3 * row[0] * row[1];",
                "#pragma omp task shared(parts)",
                "      parts[1] = 0.3 * row[1] * one;",
                "    }",
                "#pragma omp task shared(parts)",
                "    parts[2] = 0.3 * row[many - 1] * two;",
                "  }",
                "  all = parts[0] * parts[1] + parts[2];",
                "}",
            ],
            Team::Chain => &[
                "double first, second, third;",
                "#pragma omp parallel",
                "#pragma omp single",
                "{",
                "#pragma omp task depend(out : first) shared(first)",
                "  first = 0.3 * row[0] * one;",
                "#pragma omp task depend(in : first) depend(out : second) shared(first, second)",
                "  second = 0.5 * first * row[1];",
                "#pragma omp task depend(in : first) depend(out : third) shared(first, third)",
                "  third = first * first - 0.2 * row[many - 1];",
                "#pragma omp task depend(in : second, third) depend(inout : first) shared(first, second, third)",
                "  first = 0.5 * first * second + third;",
                "}",
                "all = first;",
            ],
            Team::Simd => &[
                "#pragma omp simd reduction(+ : all)",
                "for (int c = 0; c < many; c++) all += 0.1 * row[c] * row[c] * one;",
            ],
            Team::Parts => &[
                "double parts[4] = {0};",
                "#pragma omp parallel num_threads(4)",
                "{",
                "  int me = omp_get_thread_num(), team = omp_get_num_threads();",
                "  for (int c = me * many / team; c < (me + 1) * many / team; c++) parts[me] += 0.1 * row[c] * row[c];",
                "#pragma omp barrier",
                "#pragma omp single",
                "  for (int c = 0; c < 4; c++) all += parts[c];",
                "}",
            ],
            Team::Recurrence => &[
                "#pragma omp parallel for ordered schedule(static, 1)",
                "for (int c = 0; c < many; c++) {",
                "  double part = 0.3 * row[c] * two;",
                "#pragma omp ordered",
                "  all = 0.4 * all * row[c] + part;",
                "}",
            ],
            Team::Copies => &[
                "double scaled[6], factor = 0.5 * one;",
                "#pragma omp parallel",
                "#pragma omp single",
                "{",
                "  for (int c = 0; c < many; c++) {",
                "    factor *= 0.5;",
                "#pragma omp task firstprivate(factor, c) shared(scaled)",
                "    scaled[c] = factor * row[c] * row[c];",
                "  }",
                "#pragma omp taskwait",
                "  for (int c = 0; c < many; c++) all += 0.2 * scaled[c];",
                "}",
            ],
            Team::Pieces => &[
                "double seen[6], kept = 0;",
                "#pragma omp parallel",
                "{",
                "#pragma omp single",
                "  {",
                "#pragma omp atomic write",
                "    kept = 0.5 * one * two;",
                "  }",
                "#pragma omp for",
                "  for (int c = 0; c < many; c++) {",
                "    double now;",
                "#pragma omp atomic read",
                "    now = kept;",
                "    seen[c] = now * row[c];",
                "  }",
                "}",
                "for (int c = 0; c < many; c++) all += 0.2 * seen[c];",
            ],
            Team::Inner => &[
                "#pragma omp parallel for num_threads(2) reduction(+ : all)",
                "for (int r = 0; r < 2; r++) {",
                "  double sum = 0;",
                "#pragma omp parallel for num_threads(2) reduction(+ : sum)",
                "  for (int c = 0; c < many; c++) sum += 0.1 * row[c] * (r ? one : row[0]);",
                "  all += 0.5 * sum * sum;",
                "}",
            ],
            Team::Smallest => &[
                "double least = 100;",
                "int place = 0;",
                "#pragma omp parallel for",
                "for (int c = 0; c < many; c++) {",
                "  double value = row[c] * row[c] + 0.0137 * c;",
                "#pragma omp critical(least)",
                "  if (value < least) least = value, place = c;",
                "}",
                "all = 0.1 * least + 0.2 * row[place] * two;",
            ],
            Team::Nodes => &[
                "struct cell { double v, out; struct cell *next; } cells[6], *head = 0;",
                "for (int c = 0; c < many; c++) cells[c].v = row[c], cells[c].next = head, head = &cells[c];",
                "#pragma omp parallel",
                "#pragma omp single",
                "for (struct cell *at = head; at; at = at->next) {",
                "#pragma omp task firstprivate(at)",
                "  at->out = 0.2 * at->v * at->v + (at->next ? 0.1 * at->next->v : 0);",
                "}",
                "for (int c = 0; c < many; c++) all += 0.4 * cells[c].out;",
            ],
            Team::Sections => &[
                "#pragma omp parallel sections reduction(+ : all) firstprivate(one)",
                "{",
                "#pragma omp section",
                "  all += 0.2 * one * row[0];",
                "#pragma omp section",
                "  {",
                "    one *= 0.5;",
                "    all += 0.2 * one * row[1];",
                "  }",
                "#pragma omp section",
                "  for (int c = 0; c < many; c++) all -= 0.05 * row[c] * two;",
                "}",
            ],
            Team::Product => &[
                "double scale = 1;",
                "#pragma omp parallel for schedule(guided)",
                "for (int c = 0; c < many; c++) {",
                "#pragma omp atomic",
                "  scale *= 0.7 + 0.1 * row[c];",
                "}",
                "all = scale * one;",
            ],
        };
        text.extend(lines.iter().map(|line| (*line).to_owned()));
        text.push(format!("{to} = 0.3 * all;"));
        self.apart(&text);
    }

    /// Lines as a block of their own, as they are.
    fn apart(&mut self, text: &[String]) {
        self.line("{");
        self.depth += 1;
        text.iter().for_each(|line| self.line(line));
        self.depth -= 1;
        self.line("}");
    }

    fn before(&mut self, needed: &[&str]) {
        self.prototypes.extend(needed.iter().map(|text| (*text).to_owned()));
    }
}
