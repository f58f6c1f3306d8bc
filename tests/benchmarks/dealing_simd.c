/* The measure for the dealer at its fastest: see simd_dealer.h. */
#include "simd_dealer.h"

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    int sessions = atoi(argv[1]), width = atoi(argv[2]), repeats = atoi(argv[3]);
    sessions -= sessions % LANES;
    uint16_t *codes = malloc(sizeof(uint16_t) * (size_t)sessions * (size_t)width);
    begin();
    for (int repeat = 0; repeat < repeats; repeat++) {
        memset(codes, 0, sizeof(uint16_t) * (size_t)sessions * (size_t)width);
        clock_t start = clock();
        for (int session = 0; session < sessions; session += LANES)
            deal(codes + (size_t)session * (size_t)width, width);
        printf("%.3f\n", (double)(clock() - start) / CLOCKS_PER_SEC * 1e9 / sessions / width);
    }
    uint64_t tie = 0, player = 0;
    for (size_t i = 0; i < (size_t)sessions * (size_t)width; i++) {
        int totals = (codes[i] & 0x1FFF) / 52;
        tie += totals / 10 == totals % 10;
        player += totals / 10 > totals % 10;
    }
    fprintf(stderr, "ties %.5f player %.5f\n", (double)tie / sessions / width, (double)player / sessions / width);
    free(codes);
    return 0;
}
