/* Colour to grey: by hand, with the weights of the header, 0.29901, 0.58700 and 0.11398. */
#include "image_format.h"
#include "test.h"

TEST(light_is_weighted) {
    static const uint8_t rgb[] = {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0};
    static const uint8_t want[] = {76, 150, 29, 255, 0};
    uint8_t grey[10] = {0};
    grey_from_rgb(rgb, 5, grey, 2);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(grey[2 * i], want[i]);
        assert_int_equal(grey[2 * i + 1], 0);
    }
}

/* Inverted ink is light: a colour's times black's, of 255, each rounded before it is weighted. */
TEST(inks_are_rounded) {
    static const struct {
        uint8_t ink[4], grey;
    } cases[] = {
        {{199, 221, 1, 228}, 170}, /* 177.93, 197.6 and 0.89: 178, 198 and 1 are 169.57 */
        {{95, 151, 61, 170}, 83},  /* 63.33, 100.67 and 40.67: 63, 101 and 41 are 82.80 */
        {{250, 15, 240, 22}, 10},  /* 21.57, 1.29 and 20.71: 22, 1 and 21 are 9.56 */
        {{255, 255, 255, 255}, 255}, {{255, 255, 255, 0}, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t other[4];
        uint8_t grey = 1;
        grey_from_cmyk(cases[i].ink, 1, 1, &grey, 1);
        assert_int_equal(grey, cases[i].grey);
        for (int k = 0; k < 4; k++) {
            other[k] = (uint8_t)(255 - cases[i].ink[k]);
        }
        grey_from_cmyk(other, 1, 0, &grey, 1);
        assert_int_equal(grey, cases[i].grey);
    }
}
