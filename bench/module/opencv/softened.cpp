/* softened: the mean of 5×5 pixels, plain code beside a call of OpenCV. */
#include <algorithm>
#include <opencv2/imgproc.hpp>

#include "bench.h"

enum { RADIUS = 2, SIDE = 2 * RADIUS + 1 };

/* Rows first to last - 1: one thread, or each of several, calls it. Beyond the border the pixels of
 * the border go on. */
static void mean(const uint8_t *in, uint8_t *out, int width, int height, int first, int last) {
    for (int y = first; y < last; y++) {
        for (int x = 0; x < width; x++) {
            int sum = 0;
            for (int v = y - RADIUS; v <= y + RADIUS; v++) {
                const uint8_t *row = in + (size_t)std::clamp(v, 0, height - 1) * width;
                for (int u = x - RADIUS; u <= x + RADIUS; u++) {
                    sum += row[std::clamp(u, 0, width - 1)];
                }
            }
            out[(size_t)y * width + x] = (uint8_t)((sum + SIDE * SIDE / 2) / (SIDE * SIDE));
        }
    }
}

/* On one thread, as `seq`: those of OpenCV's own would share its processor. */
static void opencv(const uint8_t *in, uint8_t *out, int width, int height, int, int) {
    const cv::Mat image(height, width, CV_8U, const_cast<uint8_t *>(in));
    cv::Mat answer(height, width, CV_8U, out);
    cv::setNumThreads(1);
    cv::blur(image, answer, cv::Size(SIDE, SIDE), cv::Point(-1, -1), cv::BORDER_REPLICATE);
}

BENCH_IMAGE(uint8_t, uint8_t, mean)
BENCH_CPU(opencv)
BENCH_TOLERANCE(1, 0, 0) /* OpenCV may round otherwise */
