/* Exact bounded random numbers, one after the other: xoshiro256++, 64 bits a number, with Lemire's rejection. */
#include <stdint.h>

static uint64_t s[4];

static uint64_t rotl(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

static uint64_t next_word(void) {
    uint64_t word = rotl(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0]; s[3] ^= s[1]; s[1] ^= s[2]; s[0] ^= s[3]; s[2] ^= t; s[3] = rotl(s[3], 45);
    return word;
}

static uint32_t below(uint32_t bound) {
    for (;;) {
        unsigned __int128 product = (unsigned __int128)next_word() * bound;
        uint64_t low = (uint64_t)product;
        if (low >= bound || low >= (0 - (uint64_t)bound) % bound) return (uint32_t)(product >> 64);
    }
}

static void seed(void) {
    for (int i = 0; i < 4; i++) s[i] = 0x9E3779B97F4A7C15u * (uint64_t)(i + 1);
}
