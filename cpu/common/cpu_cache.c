#include "cpu_cache.h"

#include <stdio.h>
#include <unistd.h>

/* The kernel's description of one cache of processor 0: "32768K". 0 when there is none. */
static size_t read_cache_size(int index) {
    char path[96];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", index);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return 0;
    }
    unsigned long long size = 0;
    char unit = '\0';
    const int fields = fscanf(file, "%llu%c", &size, &unit);
    fclose(file);
    if (fields < 1) {
        return 0;
    }
    const unsigned long long scale = unit == 'K' ? 1024 : unit == 'M' ? 1024 * 1024 : 1;
    return (size_t)(size * scale);
}

size_t cpu_last_level_cache_bytes(void) {
    size_t largest = 0;
    for (int index = 0; index < 8; ++index) {
        const size_t size = read_cache_size(index);
        largest = size > largest ? size : largest;
    }
#ifdef _SC_LEVEL3_CACHE_SIZE
    if (largest == 0) {
        const long size = sysconf(_SC_LEVEL3_CACHE_SIZE);
        largest = size > 0 ? (size_t)size : 0;
    }
#endif
    const size_t usual = (size_t)32 << 20;
    return largest != 0 ? largest : usual;
}
