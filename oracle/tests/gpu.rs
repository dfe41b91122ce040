//! Programs with kernels: gradients of functions that launch some are judged with all threads of the grids.

use adjudicate::report::Report;
use adjudicate::{Verdict, check};

/// Judges a CUDA program at one level, under two schedules.
fn judged(text: &str, flags: &[&str]) -> Report {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kernels.cu");
    std::fs::write(&path, text).unwrap();
    check(&path).levels(["O1"]).flags(flags.iter().copied()).schedules(2).run().unwrap()
}

/// The line of the text that has this.
fn line(text: &str, what: &str) -> u32 {
    text.lines().position(|line| line.contains(what)).unwrap() as u32 + 1
}

/// A sum of squares by atomic additions, and its gradient by a second kernel.
const SQUARES: &str = "#include <cuda_runtime.h>
#include <adj.h>
__global__ void squares(const double *x, double *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(sum, x[i] * x[i]);
}
__global__ void squares_reverse(const double *x, double *dx, const double *dsum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    dx[PLACE] += FACTOR * x[i] * dsum[0];
}
static void total(const double *x, double *sum, int n) {
  *sum = 0.0;
  squares<<<2, 4>>>(x, sum, n);
  cudaDeviceSynchronize();
}
static void total_reverse(const double *x, double *dx, double *sum, double *dsum, int n) {
  total(x, sum, n);
  squares_reverse<<<2, 4>>>(x, dx, dsum, n);
  cudaDeviceSynchronize();
  *dsum = 0.0;
}
int main() {
  const int n = 7;
  double *x, *dx, *sum, *dsum;
  cudaMallocManaged(&x, n * sizeof(double));
  cudaMallocManaged(&dx, n * sizeof(double));
  cudaMallocManaged(&sum, sizeof(double));
  cudaMallocManaged(&dsum, sizeof(double));
  for (int i = 0; i < n; i++)
    x[i] = 1.0 / (i + 1.5), dx[i] = 0.0;
  *dsum = 1.0;
  __adj_check_gradient((void *)total, (void *)total_reverse, enzyme_dup, x, dx, enzyme_dup, sum, dsum, enzyme_const, n);
  cudaFree(x);
  cudaFree(dx);
  cudaFree(sum);
  cudaFree(dsum);
}
";

#[test]
fn a_gradient_that_launches_a_kernel_is_judged_with_its_grid() {
    judged(SQUARES, &["-DPLACE=i", "-DFACTOR=2.0"]).assert_correct();
    let report = judged(SQUARES, &["-DPLACE=i", "-DFACTOR=1.0"]);
    let place = report.levels[0].gradients[0].finding.as_ref().and_then(|finding| finding.position.clone());
    assert_eq!(report.verdict, Verdict::Wrong, "{report}");
    assert_eq!(place.map(|place| place.line), Some(line(SQUARES, "dx[PLACE]")), "{report}");
}

#[test]
fn increments_of_one_cell_by_many_threads_race() {
    let report = judged(SQUARES, &["-DPLACE=0", "-DFACTOR=2.0"]);
    assert_eq!(report.verdict, Verdict::Race, "{report}");
    assert!(report.to_string().contains("of block ("), "{report}");
}

#[test]
fn host_functions_of_a_program_with_kernels_are_differentiated() {
    let text = "#include <cuda_runtime.h>
#include <adj.h>
__global__ void twice(double *x) { x[threadIdx.x] *= 2.0; }
static double cost(const double *x, int n) {
  double s = 0.0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i] * x[i];
  return s;
}
int main() {
  double x[4] = {1, 2, 3, 4}, dx[4] = {0}, *there;
  cudaMalloc(&there, sizeof x);
  cudaMemcpy(there, x, sizeof x, cudaMemcpyHostToDevice);
  twice<<<1, 4>>>(there);
  cudaMemcpy(x, there, sizeof x, cudaMemcpyDeviceToHost);
  cudaFree(there);
  __enzyme_autodiff<double>((void *)cost, enzyme_dup, x, dx, enzyme_const, 4);
  return dx[3] != 3.0 * 8.0 * 8.0;
}
";
    let report = judged(text, &[]);
    report.assert_correct();
    assert_eq!(report.levels[0].gradients[0].components[3].expected, 192.0);
}

#[test]
fn a_launch_with_active_memory_is_refused_with_its_place() {
    let text = "#include <cuda_runtime.h>
#include <adj.h>
__global__ void twice(double *x) { x[threadIdx.x] *= 2.0; }
static void run(double *x) { twice<<<1, 4>>>(x); }
int main() {
  double *x, *dx;
  cudaMallocManaged(&x, 4 * sizeof(double));
  cudaMallocManaged(&dx, 4 * sizeof(double));
  for (int i = 0; i < 4; i++)
    x[i] = dx[i] = 1.0;
  __enzyme_autodiff<void>((void *)run, enzyme_dup, x, dx);
  cudaFree(x);
  cudaFree(dx);
}
";
    let report = judged(text, &[]);
    assert_eq!(report.verdict, Verdict::Unsupported, "{report}");
    assert!(report.levels[0].problems[0].position.is_some() && report.to_string().contains("LaunchKernel"), "{report}");
}

/// Each thread of a grid differentiates, in this way.
fn on_the_device(function: &str, call: &str) -> Report {
    let text = format!(
        "#include <cuda_runtime.h>
extern \"C\" __device__ double __enzyme_autodiff_square(void *, ...);
static __device__ double square({function}; }}
__global__ void derive(double *x, double *dx) {{
  int t = threadIdx.x;
  {call};
}}
int main() {{
  double *x, *dx;
  cudaMallocManaged(&x, 4 * sizeof(double));
  cudaMallocManaged(&dx, 4 * sizeof(double));
  for (int i = 0; i < 4; i++)
    x[i] = i + 1.0, dx[i] = 0.0;
  derive<<<1, 4>>>(x, dx);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(dx);
}}
"
    );
    judged(&text, &["-Xclang", "-fcuda-allow-variadic-functions"])
}

#[test]
fn on_the_device_threads_differentiate_numbers_and_memory() {
    let of_number = |place: &str| {
        on_the_device("double x) { return x * x", &format!("{place} = __enzyme_autodiff_square((void *)square, x[t])"))
    };
    let report = of_number("dx[t]");
    report.assert_correct();
    assert_eq!(report.levels[0].judged(), 8);
    // What becomes of the numbers is the program's business.
    assert_eq!(of_number("dx[0]").verdict, Verdict::UbInPrimal);
    let report = on_the_device(
        "const double *x) { return x[0] * x[0]",
        "__enzyme_autodiff_square((void *)square, x + t, dx + t)",
    );
    report.assert_correct();
    // Threads that share an adjoint add to it in one piece.
    let report =
        on_the_device("const double *x) { return x[0] * x[0]", "__enzyme_autodiff_square((void *)square, x, dx)");
    report.assert_correct();
}
