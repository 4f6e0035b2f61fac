#include "hashsift_product.cuh"

#include <cublas_v2.h>
#include <dlfcn.h>

#include <cstdio>

namespace {

#define TEXT_OF(number) #number
#define LIBRARY_OF(version) "libcublas.so." TEXT_OF(version)

/* The functions used, with the types that the header gives them. */
struct Cublas {
    decltype(cublasCreate_v2) *create;
    decltype(cublasDestroy_v2) *destroy;
    decltype(cublasSetStream_v2) *set_stream;
    decltype(cublasSgemm_v2) *sgemm;
    decltype(cublasGetStatusString) *status_text;
};

template <typename Function> bool find(void *library, const char *name, Function **function) {
    *function = (Function *)dlsym(library, name);
    return *function != NULL;
}

bool find_all(void *library, Cublas *cublas) {
    return find(library, "cublasCreate_v2", &cublas->create) &&
           find(library, "cublasDestroy_v2", &cublas->destroy) &&
           find(library, "cublasSetStream_v2", &cublas->set_stream) &&
           find(library, "cublasSgemm_v2", &cublas->sgemm) &&
           find(library, "cublasGetStatusString", &cublas->status_text);
}

/* The one that the system finds, or else the one beside the toolkit that this was built with.
 * Never closed: the library stays in use until the program ends. */
Status load(Cublas *cublas) {
    const char *name = LIBRARY_OF(CUBLAS_VER_MAJOR);
    void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (library == NULL) {
        library = dlopen(CUBLAS_FOLDER "/" LIBRARY_OF(CUBLAS_VER_MAJOR), RTLD_LAZY | RTLD_LOCAL);
    }
    if (library == NULL || !find_all(library, cublas)) {
        const char *reason = dlerror();
        return status_skip("cuBLAS cannot be loaded: %s; install %s or name its folder in "
                           "LD_LIBRARY_PATH",
                           reason != NULL ? reason : "a function is missing", name);
    }
    return status_ok();
}

Status cublas_library(const Cublas **cublas) {
    static Cublas library;
    static Status loaded;
    static bool tried;
    if (!tried) {
        tried = true;
        loaded = load(&library);
    }
    *cublas = &library;
    return loaded;
}

/* A broken context is CUDA's error rather than the library's. */
Status status_of(const Cublas *cublas, cublasStatus_t status, const char *what) {
    if (status == CUBLAS_STATUS_SUCCESS) {
        return status_ok();
    }
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        return cuda_status(error, what, __FILE__, __LINE__);
    }
    if (status == CUBLAS_STATUS_ALLOC_FAILED) {
        return status_skip("not enough device memory for cuBLAS");
    }
    return status_fail("%s: %s", what, cublas->status_text(status));
}

void destroy(void *handle) {
    const Cublas *cublas = NULL;
    const Status status = cublas_library(&cublas);
    if (status_is_ok(&status)) {
        (void)cublas->destroy((cublasHandle_t)handle);
    }
}

} // namespace

Status hashsift_product_open(HashsiftDevice *device) {
    const Cublas *cublas = NULL;
    cublasHandle_t handle = NULL;
    if (device->weights == NULL) {
        return status_ok();
    }
    STATUS_TRY(cublas_library(&cublas));
    STATUS_TRY(status_of(cublas, cublas->create(&handle), "cublasCreate"));
    STATUS_TRY(cuda_state_own(device, handle, destroy));
    device->cublas = handle;
    return status_of(cublas, cublas->set_stream(handle, cuda_stream()), "cublasSetStream");
}

/* cuBLAS has columns where there are rows here: with its words, responses (bits × keypoints) are
 * the transposed factors (values × bits) times the values (values × keypoints). */
Status hashsift_product_queue(HashsiftDevice *device) {
    const Cublas *cublas = NULL;
    const float one = 1;
    const float zero = 0;
    STATUS_TRY(cublas_library(&cublas));
    const cublasStatus_t status = cublas->sgemm(
        (cublasHandle_t)device->cublas, CUBLAS_OP_T, CUBLAS_OP_N, device->bits,
        device->keypoints_count, HASHSIFT_VALUES, &one, device->factors, HASHSIFT_VALUES,
        device->values, HASHSIFT_VALUES, &zero, device->responses, device->bits);
    return status_of(cublas, status, "cublasSgemm");
}
