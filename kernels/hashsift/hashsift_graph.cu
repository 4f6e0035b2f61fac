/*
 * cuda_graph: cuda_fast's upload, kernels and download as one graph launch (graph_pass.h), for
 * images so small and keypoints so few that calls take longer than the work. What improves is
 * end_to_end. The weights go up in each graph launch, as they do in each upload.
 *
 * Two kernels for few keypoints: one brings image, keypoints and weights from the host's memory,
 * the image into the array (copies.h); the other one makes the descriptors and writes them to the
 * host's memory (hashsift_fast_few.cuh). More keypoints take four: two of cuda_fast, and one takes
 * the descriptors back.
 *
 * End to end on an H100 with page-locked memory, 1000 keypoints, 256 bits, six launches, us:
 *
 *   360p   480p   720p  1080p
 *   60.4   62.9   78.7  101.5  the calls of cuda_fast
 *  209.5  211.8  216.5  245.6  these as a graph, copies among its nodes, all keypoints staged
 *  191.0  192.8  211.3  249.2  five kernels, all keypoints staged
 *   43.4   46.2   60.6   88.8  only those that are asked for (predicted for 360p: 35 to 45)
 *
 * On an H200, 360p and 720p, one after the other, twice:
 *   37.0 and 38.5; 54.8 and 56.5   smaller products, five kernels
 *   26.7 and 27.0; 41.8 and 42.0   two kernels (predicted for 360p: 24 to 28)
 *
 * The stage was what took long: 113 us for a list much longer than what was asked for. In a program
 * of its own a pass at 360p takes 39.5 us, 36.4 of them on the device, where by themselves image,
 * keypoints and weights take 14.8, the two kernels of cuda_fast 22.7 and the descriptors 4.5.
 */
#include "graph_pass.h"
#include "hashsift_device.cuh"

VARIANT_FUNCTIONS(hashsift_cuda_fast);
VARIANT_FUNCTIONS(hashsift_cuda_graph);
VARIANT_EXTERN Status hashsift_cuda_fast_queue_pass(void *state);

Status hashsift_cuda_graph_open(const Request *request, void **state) {
    static const GraphMethod method = {.open = hashsift_cuda_fast_open,
                                       .upload = hashsift_cuda_fast_upload,
                                       .run = hashsift_cuda_fast_run,
                                       .queue_download = cuda_state_queue_download,
                                       .queue_pass = hashsift_cuda_fast_queue_pass,
                                       .prepare = NULL,
                                       .finish = NULL,
                                       .memory_version = NULL};
    return graph_pass_open_with(request, &method, state);
}
