/* What becomes of CUDA errors: a refused launch is a failure, an illegal address loses the device.
 */
#include "backend_runner.h"
#include "device.h"
#include "fault.h"
#include "test.h"

TEST(a_refused_launch_is_a_failure) {
    need_device();
    const Status status = fault_bad_launch();
    assert_int_equal(status.code, STATUS_FAIL);
    assert_says(status.why, "fault.cu");
    void *block = NULL;
    assert_ok(cuda_backend.alloc(100, &block));
    cuda_backend.release(block);
}

/* Last, because nothing works on the device afterwards. */
TEST(an_illegal_address_loses_the_device) {
    need_device();
    const Status status = fault_illegal_address();
    assert_int_equal(status.code, STATUS_DEVICE_LOST);
    assert_says(status.why, "cannot be used any more");
    const Status after = cuda_backend.runner->synchronize();
    assert_int_equal(after.code, STATUS_DEVICE_LOST);
}
