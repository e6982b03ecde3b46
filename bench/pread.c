/* What reading alone costs: two threads, a half of FILE each, read by 1 MiB and summed as integers.
   `build/bench/pread FILE`; bench/tensors runs it beside `stalldoc inspect` on the same file. */
/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WINDOW = 1 << 20 };

struct half {
    int file;
    off_t from, to;
    uint64_t sum;
};

static void *half_sum(void *of)
{
    struct half *half = of;
    uint8_t *window = malloc(WINDOW);
    for (off_t at = half->from; window && at < half->to;) {
        ssize_t got = pread(half->file, window, WINDOW, at);
        if (got <= 0)
            break;
        for (ssize_t i = 0; i + 8 <= got; i += 8) {
            uint64_t word;
            memcpy(&word, window + i, 8);
            half->sum += word;
        }
        at += got;
    }
    free(window);
    return NULL;
}

int main(int argc, char **argv)
{
    struct stat stat;
    int file = argc == 2 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0 || fstat(file, &stat)) {
        fputs("usage: pread FILE\n", stderr);
        return 2;
    }
    off_t middle = stat.st_size / 2 / WINDOW * WINDOW;
    struct half halves[] = {{file, 0, middle, 0}, {file, middle, stat.st_size, 0}};
    pthread_t other;
    if (pthread_create(&other, NULL, half_sum, &halves[0]))
        return 2;
    half_sum(&halves[1]);
    pthread_join(other, NULL);
    printf("%016llx\n", (unsigned long long)(halves[0].sum + halves[1].sum));
    return 0;
}
