// What the vector intrinsics of x86 compute that LLVM keeps as such: every rounding, conversions that do not fit, comparisons with NaN,
// signs of zeros, shifts by too many places. The expected output is the processor's.
// adj-flags: -msse4.1
#include <immintrin.h>
#include <stdio.h>

static double values[8] = {0.5, -0.5, 2.5, -2.5, 3e9, -3e9, 1e300, 0.0};
static float singles[8] = {1.5f, -1.5f, 2.5f, -0.0f, 3e9f, -3e9f, 7.25f, 0.0f};

static void show(const char *what, __m128d v) {
  double out[2];
  _mm_storeu_pd(out, v);
  printf("%s %g %g\n", what, out[0], out[1]);
}

static void ints(const char *what, __m128i v) {
  int out[4];
  _mm_storeu_si128((__m128i *)out, v);
  printf("%s %d %d %d %d\n", what, out[0], out[1], out[2], out[3]);
}

int main(void) {
  values[7] = -__builtin_inf();
  double nan = __builtin_nan("");
  for (int i = 0; i < 8; i += 2) {
    __m128d v = _mm_loadu_pd(values + i), w = _mm_set_pd(nan, -0.0);
    show("nearest", _mm_round_pd(v, 8));
    show("down", _mm_round_pd(v, 9));
    show("up", _mm_round_pd(v, 10));
    show("to zero", _mm_round_pd(v, 11));
    show("current", _mm_round_sd(w, v, 4));
    ints("rounded", _mm_cvtpd_epi32(v));
    ints("cut", _mm_cvttpd_epi32(v));
    ints("singles", _mm_cvtps_epi32(_mm_loadu_ps(singles + i / 4 * 4)));
    ints("cut singles", _mm_cvttps_epi32(_mm_loadu_ps(singles + i / 4 * 4)));
    printf("%d %d %lld\n", _mm_cvtsd_si32(v), _mm_cvttsd_si32(v), _mm_cvtsd_si64(v));
    show("maximum", _mm_max_pd(w, v));
    show("minimum", _mm_min_pd(v, w));
    show("the other", _mm_max_pd(_mm_set1_pd(0.0), _mm_set1_pd(-0.0)));
    show("low", _mm_min_sd(v, w));
    show("hadd", _mm_hadd_pd(v, w));
    show("addsub", _mm_addsub_pd(v, v));
    show("blend", _mm_blendv_pd(v, w, _mm_set_pd(-0.0, 1.0)));
    show("dot", _mm_dp_pd(v, v, 0x13));
    printf("signs %d %d\n", _mm_movemask_pd(v), _mm_movemask_epi8(_mm_castpd_si128(v)));
    printf("comparisons %d %d %d %d\n", _mm_comilt_sd(v, w), _mm_comieq_sd(w, w), _mm_ucomineq_sd(v, w),
           _mm_comige_sd(_mm_set1_pd(nan), v));
    printf("masks %d %d\n", _mm_movemask_pd(_mm_cmplt_sd(v, w)), _mm_movemask_pd(_mm_cmpunord_sd(_mm_set1_pd(nan), v)));
  }
  __m128i n = _mm_set_epi32(-7, 1 << 30, 12345, -1);
  ints("left", _mm_slli_epi32(n, 3));
  for (int by = 0; by < 40; by += 13) {
    __m128i count = _mm_set_epi32(9, 9, 0, by);
    ints("left by", _mm_sll_epi32(n, count));
    ints("right by", _mm_srl_epi32(n, count));
    ints("arithmetic", _mm_sra_epi32(n, count));
    ints("words", _mm_sra_epi16(n, count));
    ints("long", _mm_srl_epi64(n, count));
  }
  float out[4];
  _mm_storeu_ps(out, _mm_dp_ps(_mm_loadu_ps(singles), _mm_set1_ps(2.0f), 0x75));
  printf("%g %g %g %g\n", out[0], out[1], out[2], out[3]);
  _mm_storeu_ps(out, _mm_cvtpd_ps(_mm_loadu_pd(values)));
  printf("%g %g %g %g\n", out[0], out[1], out[2], out[3]);
  _mm_storeu_ps(out, _mm_hsub_ps(_mm_loadu_ps(singles), _mm_loadu_ps(singles + 4)));
  printf("%g %g %g %g\n", out[0], out[1], out[2], out[3]);
  return 0;
}
