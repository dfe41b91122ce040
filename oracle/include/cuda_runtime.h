/* cuda_runtime.h: what a CUDA program (or, by hip/hip_runtime.h, a HIP program) needs to be compiled by clang without an installation of CUDA or
 * ROCm, and run by `adj run`: the qualifiers, the built-in variables, synchronisation, warp operations, atomics, mathematics on the device, and
 * the part of the host's interface that the interpreter knows. Names and meanings are those of the public documentation.
 */
#ifndef ADJ_CUDA_RUNTIME_H
#define ADJ_CUDA_RUNTIME_H

#include <stddef.h>

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __restrict__ __restrict

struct uint3 {
  unsigned x, y, z;
};
#define ADJ_VECTORS(T, A2, A4)                                                     \
  struct alignas(A2) T##2 { T x, y; };                                             \
  struct T##3 { T x, y, z; };                                                      \
  struct alignas(A4) T##4 { T x, y, z, w; };                                       \
  static inline __host__ __device__ T##2 make_##T##2(T x, T y) { return {x, y}; }  \
  static inline __host__ __device__ T##3 make_##T##3(T x, T y, T z) { return {x, y, z}; } \
  static inline __host__ __device__ T##4 make_##T##4(T x, T y, T z, T w) { return {x, y, z, w}; }
ADJ_VECTORS(int, 8, 16)
ADJ_VECTORS(float, 8, 16)
ADJ_VECTORS(double, 16, 16)
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

/* Without debug information: what goes wrong in such a function goes wrong where it is called. */
#define ADJ_DEVICE static __device__ inline __attribute__((always_inline, nodebug))
#define ADJ_ON_HOST static inline __attribute__((always_inline, nodebug))

/* The built-in variables: each component is read where it is named. */
#define ADJ_INDEX(NAME, X, Y, Z)                                                     \
  struct adj_##NAME {                                                                \
    ADJ_DEVICE unsigned get_x() { return X; }                          \
    ADJ_DEVICE unsigned get_y() { return Y; }                          \
    ADJ_DEVICE unsigned get_z() { return Z; }                          \
    __declspec(property(get = get_x)) unsigned x;                                    \
    __declspec(property(get = get_y)) unsigned y;                                    \
    __declspec(property(get = get_z)) unsigned z;                                    \
  };                                                                                 \
  extern const __device__ __attribute__((weak)) adj_##NAME NAME;

#if defined(__HIP__)
ADJ_INDEX(threadIdx, __builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(), __builtin_amdgcn_workitem_id_z())
ADJ_INDEX(blockIdx, __builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(), __builtin_amdgcn_workgroup_id_z())
ADJ_INDEX(blockDim, __builtin_amdgcn_workgroup_size_x(), __builtin_amdgcn_workgroup_size_y(), __builtin_amdgcn_workgroup_size_z())
ADJ_INDEX(gridDim, __builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x(),
          __builtin_amdgcn_grid_size_y() / __builtin_amdgcn_workgroup_size_y(),
          __builtin_amdgcn_grid_size_z() / __builtin_amdgcn_workgroup_size_z())
#define warpSize 64
ADJ_DEVICE void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
ADJ_DEVICE void __threadfence_block() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup"); }
ADJ_DEVICE void __threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
ADJ_DEVICE void __threadfence_system() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, ""); }
ADJ_DEVICE unsigned __lane_id() { return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0)); }
ADJ_DEVICE unsigned long long __ballot(int p) { return __builtin_amdgcn_ballot_w64(p != 0); }
ADJ_DEVICE int __any(int p) { return __ballot(p) != 0; }
ADJ_DEVICE int __all(int p) { return __ballot(p == 0) == 0; }
ADJ_DEVICE int __shfl(int v, int from, int width = warpSize) {
  int self = __lane_id();
  return __builtin_amdgcn_ds_bpermute(((from & (width - 1)) + (self & ~(width - 1))) << 2, v);
}
ADJ_DEVICE int __shfl_down(int v, unsigned by, int width = warpSize) {
  int self = __lane_id(), from = self + by;
  return __builtin_amdgcn_ds_bpermute(((self & (width - 1)) + (int)by >= width ? self : from) << 2, v);
}
ADJ_DEVICE int __shfl_xor(int v, int mask, int width = warpSize) {
  int self = __lane_id(), from = self ^ mask;
  return __builtin_amdgcn_ds_bpermute((from >= ((self + width) & ~(width - 1)) ? self : from) << 2, v);
}
ADJ_DEVICE float __shfl_down(float v, unsigned by, int width = warpSize) {
  return __builtin_bit_cast(float, __shfl_down(__builtin_bit_cast(int, v), by, width));
}
ADJ_DEVICE float __shfl_xor(float v, int mask, int width = warpSize) {
  return __builtin_bit_cast(float, __shfl_xor(__builtin_bit_cast(int, v), mask, width));
}
#define ADJ_ATOMIC(OP, p, v) __hip_atomic_fetch_##OP(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)
#define ADJ_EXCHANGE(p, v) __hip_atomic_exchange(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)
#define ADJ_COMPARE(p, e, v) \
  __hip_atomic_compare_exchange_strong(p, e, v, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)
#define ADJ_LIBRARY1(NAME, T, KIND) \
  extern "C" __device__ T __ocml_##NAME##_f##KIND(T);
#define ADJ_CALL(NAME, KIND) __ocml_##NAME##_f##KIND
#else
ADJ_INDEX(threadIdx, __nvvm_read_ptx_sreg_tid_x(), __nvvm_read_ptx_sreg_tid_y(), __nvvm_read_ptx_sreg_tid_z())
ADJ_INDEX(blockIdx, __nvvm_read_ptx_sreg_ctaid_x(), __nvvm_read_ptx_sreg_ctaid_y(), __nvvm_read_ptx_sreg_ctaid_z())
ADJ_INDEX(blockDim, __nvvm_read_ptx_sreg_ntid_x(), __nvvm_read_ptx_sreg_ntid_y(), __nvvm_read_ptx_sreg_ntid_z())
ADJ_INDEX(gridDim, __nvvm_read_ptx_sreg_nctaid_x(), __nvvm_read_ptx_sreg_nctaid_y(), __nvvm_read_ptx_sreg_nctaid_z())
#define warpSize 32
/* clang knows __syncthreads itself. */
ADJ_DEVICE int __syncthreads_count(int p) { return __nvvm_bar0_popc(p); }
ADJ_DEVICE int __syncthreads_and(int p) { return __nvvm_bar0_and(p); }
ADJ_DEVICE int __syncthreads_or(int p) { return __nvvm_bar0_or(p); }
ADJ_DEVICE void __threadfence_block() { __nvvm_membar_cta(); }
ADJ_DEVICE void __threadfence() { __nvvm_membar_gl(); }
ADJ_DEVICE void __threadfence_system() { __nvvm_membar_sys(); }
ADJ_DEVICE void __syncwarp(unsigned mask = 0xffffffff) { __nvvm_bar_warp_sync(mask); }
ADJ_DEVICE unsigned __lane_id() { return __nvvm_read_ptx_sreg_laneid(); }
ADJ_DEVICE unsigned __ballot_sync(unsigned mask, int p) { return __nvvm_vote_ballot_sync(mask, p != 0); }
ADJ_DEVICE int __any_sync(unsigned mask, int p) { return __nvvm_vote_any_sync(mask, p != 0); }
ADJ_DEVICE int __all_sync(unsigned mask, int p) { return __nvvm_vote_all_sync(mask, p != 0); }
ADJ_DEVICE unsigned __match_any_sync(unsigned mask, int v) { return __nvvm_match_any_sync_i32(mask, v); }
ADJ_DEVICE int __reduce_add_sync(unsigned mask, int v) { return __nvvm_redux_sync_add(v, mask); }
ADJ_DEVICE int __reduce_max_sync(unsigned mask, int v) { return __nvvm_redux_sync_max(v, mask); }
#define ADJ_SHUFFLE(T, SUFFIX)                                                                                                        \
  ADJ_DEVICE T __shfl_sync(unsigned mask, T v, int from, int width = warpSize) {                                                      \
    return __nvvm_shfl_sync_idx_##SUFFIX(mask, v, from, (warpSize - width) << 8 | 31);                                                \
  }                                                                                                                                   \
  ADJ_DEVICE T __shfl_up_sync(unsigned mask, T v, unsigned by, int width = warpSize) {                                                \
    return __nvvm_shfl_sync_up_##SUFFIX(mask, v, by, (warpSize - width) << 8);                                                        \
  }                                                                                                                                   \
  ADJ_DEVICE T __shfl_down_sync(unsigned mask, T v, unsigned by, int width = warpSize) {                                              \
    return __nvvm_shfl_sync_down_##SUFFIX(mask, v, by, (warpSize - width) << 8 | 31);                                                 \
  }                                                                                                                                   \
  ADJ_DEVICE T __shfl_xor_sync(unsigned mask, T v, int lanes, int width = warpSize) {                                                 \
    return __nvvm_shfl_sync_bfly_##SUFFIX(mask, v, lanes, (warpSize - width) << 8 | 31);                                              \
  }
ADJ_SHUFFLE(int, i32)
ADJ_SHUFFLE(float, f32)
/* A device moves doubles in two halves. */
#define ADJ_SHUFFLE_DOUBLE(HOW) extern "C" __device__ double __adj_shfl_sync_##HOW##_f64(unsigned, double, unsigned, unsigned);
ADJ_SHUFFLE_DOUBLE(idx) ADJ_SHUFFLE_DOUBLE(up) ADJ_SHUFFLE_DOUBLE(down) ADJ_SHUFFLE_DOUBLE(bfly)
ADJ_DEVICE double __shfl_sync(unsigned mask, double v, int from, int width = warpSize) {
  return __adj_shfl_sync_idx_f64(mask, v, from, (warpSize - width) << 8 | 31);
}
ADJ_DEVICE double __shfl_up_sync(unsigned mask, double v, unsigned by, int width = warpSize) {
  return __adj_shfl_sync_up_f64(mask, v, by, (warpSize - width) << 8);
}
ADJ_DEVICE double __shfl_down_sync(unsigned mask, double v, unsigned by, int width = warpSize) {
  return __adj_shfl_sync_down_f64(mask, v, by, (warpSize - width) << 8 | 31);
}
ADJ_DEVICE double __shfl_xor_sync(unsigned mask, double v, int lanes, int width = warpSize) {
  return __adj_shfl_sync_bfly_f64(mask, v, lanes, (warpSize - width) << 8 | 31);
}
#define ADJ_ATOMIC(OP, p, v) __atomic_fetch_##OP(p, v, __ATOMIC_RELAXED)
#define ADJ_EXCHANGE(p, v) __atomic_exchange_n(p, v, __ATOMIC_RELAXED)
#define ADJ_COMPARE(p, e, v) __atomic_compare_exchange_n(p, e, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
#define ADJ_CALL(NAME, KIND) ADJ_CALL_##KIND(NAME)
#define ADJ_CALL_64(NAME) __nv_##NAME
#define ADJ_CALL_32(NAME) __nv_##NAME##f
#endif

/* Atomic operations are relaxed, as the manual says. */
#define ADJ_ATOMICS(T)                                                            \
  ADJ_DEVICE T atomicAdd(T *p, T v) { return ADJ_ATOMIC(add, p, v); }             \
  ADJ_DEVICE T atomicSub(T *p, T v) { return ADJ_ATOMIC(sub, p, v); }             \
  ADJ_DEVICE T atomicMax(T *p, T v) { return ADJ_ATOMIC(max, p, v); }             \
  ADJ_DEVICE T atomicMin(T *p, T v) { return ADJ_ATOMIC(min, p, v); }             \
  ADJ_DEVICE T atomicAnd(T *p, T v) { return ADJ_ATOMIC(and, p, v); }             \
  ADJ_DEVICE T atomicOr(T *p, T v) { return ADJ_ATOMIC(or, p, v); }               \
  ADJ_DEVICE T atomicXor(T *p, T v) { return ADJ_ATOMIC(xor, p, v); }             \
  ADJ_DEVICE T atomicExch(T *p, T v) { return ADJ_EXCHANGE(p, v); }               \
  ADJ_DEVICE T atomicCAS(T *p, T expected, T v) {                                 \
    ADJ_COMPARE(p, &expected, v);                                                 \
    return expected;                                                              \
  }
ADJ_ATOMICS(int)
ADJ_ATOMICS(unsigned)
ADJ_ATOMICS(unsigned long long)
ADJ_DEVICE float atomicAdd(float *p, float v) { return ADJ_ATOMIC(add, p, v); }
ADJ_DEVICE double atomicAdd(double *p, double v) { return ADJ_ATOMIC(add, p, v); }

/* Mathematics on the device, in double and in float. */
#define ADJ_MATH1(NAME)                                                           \
  extern "C" __device__ double ADJ_CALL(NAME, 64)(double);                        \
  extern "C" __device__ float ADJ_CALL(NAME, 32)(float);                          \
  ADJ_DEVICE double NAME(double x) { return ADJ_CALL(NAME, 64)(x); }              \
  ADJ_DEVICE float NAME##f(float x) { return ADJ_CALL(NAME, 32)(x); }
#define ADJ_MATH2(NAME)                                                           \
  extern "C" __device__ double ADJ_CALL(NAME, 64)(double, double);                \
  extern "C" __device__ float ADJ_CALL(NAME, 32)(float, float);                   \
  ADJ_DEVICE double NAME(double x, double y) { return ADJ_CALL(NAME, 64)(x, y); } \
  ADJ_DEVICE float NAME##f(float x, float y) { return ADJ_CALL(NAME, 32)(x, y); }
ADJ_MATH1(sqrt) ADJ_MATH1(cbrt) ADJ_MATH1(exp) ADJ_MATH1(exp2) ADJ_MATH1(expm1) ADJ_MATH1(log) ADJ_MATH1(log2) ADJ_MATH1(log10)
ADJ_MATH1(log1p) ADJ_MATH1(sin) ADJ_MATH1(cos) ADJ_MATH1(tan) ADJ_MATH1(asin) ADJ_MATH1(acos) ADJ_MATH1(atan) ADJ_MATH1(sinh)
ADJ_MATH1(cosh) ADJ_MATH1(tanh) ADJ_MATH1(erf) ADJ_MATH1(erfc) ADJ_MATH1(fabs) ADJ_MATH1(floor) ADJ_MATH1(ceil)
ADJ_MATH1(trunc) ADJ_MATH1(round) ADJ_MATH1(rint) ADJ_MATH1(asinh) ADJ_MATH1(acosh) ADJ_MATH1(atanh) ADJ_MATH1(exp10)
ADJ_MATH1(tgamma) ADJ_MATH1(lgamma)
ADJ_MATH2(fdim) ADJ_MATH2(copysign)
ADJ_MATH2(pow) ADJ_MATH2(atan2) ADJ_MATH2(hypot) ADJ_MATH2(fmod) ADJ_MATH2(fmax) ADJ_MATH2(fmin)

ADJ_DEVICE double rsqrt(double x) { return 1 / sqrt(x); }
ADJ_DEVICE float rsqrtf(float x) { return 1 / sqrtf(x); }
ADJ_DEVICE double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
ADJ_DEVICE float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
#define ADJ_OVERLOAD1(NAME) ADJ_DEVICE float NAME(float x) { return NAME##f(x); }
ADJ_OVERLOAD1(sqrt) ADJ_OVERLOAD1(cbrt) ADJ_OVERLOAD1(exp) ADJ_OVERLOAD1(exp2) ADJ_OVERLOAD1(expm1) ADJ_OVERLOAD1(log)
ADJ_OVERLOAD1(log2) ADJ_OVERLOAD1(log10) ADJ_OVERLOAD1(log1p) ADJ_OVERLOAD1(sin) ADJ_OVERLOAD1(cos) ADJ_OVERLOAD1(tan)
ADJ_OVERLOAD1(asin) ADJ_OVERLOAD1(acos) ADJ_OVERLOAD1(atan) ADJ_OVERLOAD1(sinh) ADJ_OVERLOAD1(cosh) ADJ_OVERLOAD1(tanh)
ADJ_OVERLOAD1(erf) ADJ_OVERLOAD1(erfc) ADJ_OVERLOAD1(fabs) ADJ_OVERLOAD1(floor) ADJ_OVERLOAD1(ceil) ADJ_OVERLOAD1(rsqrt)
ADJ_DEVICE float pow(float x, float y) { return powf(x, y); }
ADJ_DEVICE float fmax(float x, float y) { return fmaxf(x, y); }
ADJ_DEVICE float fmin(float x, float y) { return fminf(x, y); }
ADJ_DEVICE double pow(double x, int n) { return pow(x, (double)n); }
/* The fast functions of a device are the exact ones here. */
ADJ_DEVICE float __expf(float x) { return expf(x); }
ADJ_DEVICE float __exp10f(float x) { return exp10f(x); }
ADJ_DEVICE float __logf(float x) { return logf(x); }
ADJ_DEVICE float __log2f(float x) { return log2f(x); }
ADJ_DEVICE float __log10f(float x) { return log10f(x); }
ADJ_DEVICE float __sinf(float x) { return sinf(x); }
ADJ_DEVICE float __cosf(float x) { return cosf(x); }
ADJ_DEVICE float __tanf(float x) { return tanf(x); }
ADJ_DEVICE float __powf(float x, float y) { return powf(x, y); }
ADJ_DEVICE float __fdividef(float x, float y) { return x / y; }
ADJ_DEVICE float __frcp_rn(float x) { return 1 / x; }
ADJ_DEVICE float __fsqrt_rn(float x) { return sqrtf(x); }
ADJ_DEVICE float __frsqrt_rn(float x) { return rsqrtf(x); }
ADJ_DEVICE float __fadd_rn(float x, float y) { return x + y; }
ADJ_DEVICE float __fmul_rn(float x, float y) { return x * y; }
ADJ_DEVICE double __dadd_rn(double x, double y) { return x + y; }
ADJ_DEVICE double __dmul_rn(double x, double y) { return x * y; }
ADJ_DEVICE float __saturatef(float x) { return fminf(fmaxf(x, 0), 1); }
ADJ_DEVICE void sincos(double x, double *s, double *c) { *s = sin(x), *c = cos(x); }
ADJ_DEVICE void sincosf(float x, float *s, float *c) { *s = sinf(x), *c = cosf(x); }
#define ADJ_ORDER(T)                                          \
  ADJ_DEVICE T max(T x, T y) { return x > y ? x : y; }        \
  ADJ_DEVICE T min(T x, T y) { return x < y ? x : y; }
ADJ_ORDER(int) ADJ_ORDER(unsigned) ADJ_ORDER(long) ADJ_ORDER(unsigned long)
ADJ_DEVICE double max(double x, double y) { return fmax(x, y); }
ADJ_DEVICE double min(double x, double y) { return fmin(x, y); }
ADJ_DEVICE float max(float x, float y) { return fmaxf(x, y); }
ADJ_DEVICE float min(float x, float y) { return fminf(x, y); }
ADJ_DEVICE int abs(int x) { return x < 0 ? -x : x; }
ADJ_DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
ADJ_DEVICE int __clz(int x) { return x ? __builtin_clz(x) : 32; }
ADJ_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
template <class T> ADJ_DEVICE T __ldg(const T *p) { return *p; }

/* The host's interface. HIP's names are CUDA's. */
#if defined(__HIP__)
#define ADJ_HOST(NAME) hip##NAME
#else
#define ADJ_HOST(NAME) cuda##NAME
#endif
typedef struct adj_stream *ADJ_HOST(Stream_t);
typedef struct adj_event *ADJ_HOST(Event_t);
typedef enum {
  ADJ_HOST(Success) = 0,
  ADJ_HOST(ErrorInvalidValue) = 1,
  ADJ_HOST(ErrorInvalidConfiguration) = 9
} ADJ_HOST(Error_t);
enum ADJ_HOST(MemcpyKind) {
  ADJ_HOST(MemcpyHostToHost),
  ADJ_HOST(MemcpyHostToDevice),
  ADJ_HOST(MemcpyDeviceToHost),
  ADJ_HOST(MemcpyDeviceToDevice),
  ADJ_HOST(MemcpyDefault)
};
extern "C" {
ADJ_HOST(Error_t) ADJ_HOST(Malloc)(void **, size_t);
ADJ_HOST(Error_t) ADJ_HOST(Free)(void *);
ADJ_HOST(Error_t) ADJ_HOST(Memcpy)(void *, const void *, size_t, enum ADJ_HOST(MemcpyKind));
ADJ_HOST(Error_t) ADJ_HOST(MemcpyAsync)(void *, const void *, size_t, enum ADJ_HOST(MemcpyKind), ADJ_HOST(Stream_t));
ADJ_HOST(Error_t) ADJ_HOST(Memset)(void *, int, size_t);
ADJ_HOST(Error_t) ADJ_HOST(MemcpyToSymbol)(const void *, const void *, size_t, size_t, enum ADJ_HOST(MemcpyKind));
ADJ_HOST(Error_t) ADJ_HOST(MemcpyFromSymbol)(void *, const void *, size_t, size_t, enum ADJ_HOST(MemcpyKind));
ADJ_HOST(Error_t) ADJ_HOST(MallocManaged)(void **, size_t, unsigned);
ADJ_HOST(Error_t) ADJ_HOST(DeviceSynchronize)(void);
ADJ_HOST(Error_t) ADJ_HOST(GetLastError)(void);
ADJ_HOST(Error_t) ADJ_HOST(PeekAtLastError)(void);
const char *ADJ_HOST(GetErrorString)(ADJ_HOST(Error_t));
ADJ_HOST(Error_t) ADJ_HOST(GetDeviceCount)(int *);
ADJ_HOST(Error_t) ADJ_HOST(SetDevice)(int);
ADJ_HOST(Error_t) ADJ_HOST(StreamCreate)(ADJ_HOST(Stream_t) *);
ADJ_HOST(Error_t) ADJ_HOST(StreamSynchronize)(ADJ_HOST(Stream_t));
ADJ_HOST(Error_t) ADJ_HOST(StreamDestroy)(ADJ_HOST(Stream_t));
ADJ_HOST(Error_t) ADJ_HOST(EventCreate)(ADJ_HOST(Event_t) *);
ADJ_HOST(Error_t) ADJ_HOST(EventRecord)(ADJ_HOST(Event_t), ADJ_HOST(Stream_t));
ADJ_HOST(Error_t) ADJ_HOST(EventSynchronize)(ADJ_HOST(Event_t));
ADJ_HOST(Error_t) ADJ_HOST(EventElapsedTime)(float *, ADJ_HOST(Event_t), ADJ_HOST(Event_t));
ADJ_HOST(Error_t) ADJ_HOST(EventDestroy)(ADJ_HOST(Event_t));
ADJ_HOST(Error_t) ADJ_HOST(LaunchKernel)(const void *, dim3, dim3, void **, size_t, ADJ_HOST(Stream_t));
#if defined(__HIP__)
unsigned __hipPushCallConfiguration(dim3, dim3, size_t = 0, hipStream_t = 0);
unsigned __hipPopCallConfiguration(dim3 *, dim3 *, size_t *, void *);
#else
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, cudaStream_t = 0);
#endif
}
template <class T> ADJ_ON_HOST ADJ_HOST(Error_t) ADJ_HOST(Malloc)(T **p, size_t n) { return ADJ_HOST(Malloc)((void **)p, n); }
template <class T> ADJ_ON_HOST ADJ_HOST(Error_t) ADJ_HOST(MallocManaged)(T **p, size_t n) {
  return ADJ_HOST(MallocManaged)((void **)p, n, 1);
}
template <class T> ADJ_ON_HOST ADJ_HOST(Error_t) ADJ_HOST(MemcpyToSymbol)(const T &s, const void *from, size_t n) {
  return ADJ_HOST(MemcpyToSymbol)((const void *)&s, from, n, 0, ADJ_HOST(MemcpyHostToDevice));
}
template <class T> ADJ_ON_HOST ADJ_HOST(Error_t) ADJ_HOST(MemcpyFromSymbol)(void *to, const T &s, size_t n) {
  return ADJ_HOST(MemcpyFromSymbol)(to, (const void *)&s, n, 0, ADJ_HOST(MemcpyDeviceToHost));
}

#endif
