/* Sixteen sessions dealt side by side: random words, exact bounds and their rejection are computed for sixteen shoes
   at once with vector instructions; the exchange of cards and the walk through a finished shoe are look-ups. One
   exact 32-bit bounded number for each card, from xoshiro128++ in every lane. */
#include "walk.h"

#define LANES 16

typedef uint32_t words __attribute__((vector_size(4 * LANES)));
typedef uint64_t wide __attribute__((vector_size(8 * LANES)));

static words s0, s1, s2, s3;

static inline words next_words(void) {
    words total = s0 + s3;
    words word = ((total << 7) | (total >> 25)) + s0, t = s1 << 9;
    s2 ^= s0; s3 ^= s1; s1 ^= s2; s0 ^= s3; s2 ^= t; s3 = (s3 << 11) | (s3 >> 21);
    return word;
}

static uint8_t shoes[LANES][CARDS + 64];

/* Sixteen numbers under one bound, exact: a lane whose low word falls short draws again. */
static inline words below(uint32_t bound) {
    words word = next_words();
    wide product = __builtin_convertvector(word, wide) * (uint64_t)bound;
    words high = __builtin_convertvector(product >> 32, words), low = __builtin_convertvector(product, words);
    uint32_t least = (0u - bound) % bound;
    words bad = (words)(low < least);
    uint32_t any = 0;
    for (int lane = 0; lane < LANES; lane++) any |= bad[lane];
    while (__builtin_expect(any != 0, 0)) {
        words again = next_words();
        any = 0;
        for (int lane = 0; lane < LANES; lane++)
            if (bad[lane]) {
                uint64_t one = (uint64_t)again[lane] * bound;
                high[lane] = (uint32_t)(one >> 32);
                bad[lane] = (uint32_t)one < least ? ~0u : 0;
                any |= bad[lane];
            }
    }
    return high;
}

static void shuffle(int need) {
    for (int lane = 0; lane < LANES; lane++)
        for (int card = 0; card < CARDS; card++) shoes[lane][card] = (uint8_t)(card / 8);
    for (int place = 0; place < need && place < CARDS - 1; place++) {
        words jump = below((uint32_t)(CARDS - place));
        for (int lane = 0; lane < LANES; lane++) {
            uint8_t *shoe = shoes[lane] + place, card = shoe[jump[lane]];
            shoe[jump[lane]] = shoe[0];
            shoe[0] = card;
        }
    }
}

static void deal(uint16_t *codes, int width) {
    int made[LANES] = {0}, least = 0;
    while (least < width) {
        int need = 11 + 6 * (width - least);
        shuffle(need < CARDS ? need : CARDS);
        least = width;
        for (int lane = 0; lane < LANES; lane++) {
            const uint8_t *shoe = shoes[lane];
            uint16_t *row = codes + (size_t)lane * (size_t)width;
            int place = 1 + burned(shoe[0]), at = made[lane], first = at;
            while (place < CUT && at < width) row[at++] = round_at(shoe + place, &place);
            if (at < width) row[at++] = round_at(shoe + place, &place);
            if (first < width) row[first] |= NEW_SHOE;
            made[lane] = at;
            if (at < least) least = at;
        }
    }
}

static void begin(void) {
    for (int lane = 0; lane < LANES; lane++) {
        s0[lane] = 0x9E3779B9u * (uint32_t)(4 * lane + 1), s1[lane] = 0x85EBCA6Bu * (uint32_t)(4 * lane + 2);
        s2[lane] = 0xC2B2AE35u * (uint32_t)(4 * lane + 3), s3[lane] = 0x27D4EB2Fu * (uint32_t)(4 * lane + 4);
    }
    make_tables();
}
