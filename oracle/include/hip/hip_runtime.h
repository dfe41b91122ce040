/* hip_runtime.h: the header of HIP programs; see cuda_runtime.h. */
#include "../cuda_runtime.h"
