/* Sixteen sessions dealt side by side: random words, exact bounds and their rejection are computed for sixteen shoes at
   once with vector instructions; the exchange of cards and the walk through a finished shoe are look-ups. Eight decks, the
   first card turned and that many burned, cut card 14 cards from the end, one more round after it, one 16-bit round code
   stored a round. One exact 32-bit bounded number for each card, from xoshiro128++ in every lane. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LANES 16
#define CARDS 416

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

static const int values[13] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0};
static uint8_t hands[64 * 64];
static uint16_t cells[10000];
static uint8_t states[18];

static int banker_draws(int player_cards, int banker, int third) {
    if (player_cards == 2) return banker <= 5;
    if (banker <= 2) return 1;
    if (banker == 3) return third != 8;
    if (banker == 4) return third >= 2 && third <= 7;
    if (banker == 5) return third >= 4 && third <= 7;
    if (banker == 6) return third == 6 || third == 7;
    return 0;
}

static void make_tables(void) {
    for (int a = 0; a < 52; a++)
        for (int b = 0; b < 52; b++)
            hands[a * 64 + b] =
                (uint8_t)((values[a / 4] + values[b / 4]) % 10 + (a == b ? 32 : a / 4 == b / 4 ? 16 : 0));
    for (int p = 0; p < 10; p++)
        for (int b = 0; b < 10; b++)
            for (int fifth = 0; fifth < 10; fifth++)
                for (int sixth = 0; sixth < 10; sixth++) {
                    int player = p, banker = b, player_cards = 2, banker_cards = 2;
                    if (p < 8 && b < 8) {
                        if (p <= 5) { player = (p + fifth) % 10; player_cards = 3; }
                        if (banker_draws(player_cards, b, fifth)) {
                            banker = (b + (player_cards == 3 ? sixth : fifth)) % 10;
                            banker_cards = 3;
                        }
                    }
                    cells[p * 1000 + b * 100 + fifth * 10 + sixth] =
                        (uint16_t)((player * 10 + banker) * 4 + (player_cards - 2) * 2 + banker_cards - 2);
                }
    for (int pp = 0; pp < 3; pp++)
        for (int bp = 0; bp < 3; bp++) {
            states[pp * 3 + bp] = (uint8_t)(pp * 3 + bp);
            states[9 + pp * 3 + bp] = (uint8_t)(pp && bp ? 9 + (pp - 1) * 2 + bp - 1 : pp * 3 + bp);
        }
}

static uint16_t round_at(const uint8_t *shoe, int *place) {
    int p1 = shoe[0], b1 = shoe[1], p2 = shoe[2], b2 = shoe[3];
    int player = hands[p1 * 64 + p2], banker = hands[b1 * 64 + b2];
    int fifth = shoe[4] >> 2, sixth = shoe[5] >> 2;
    fifth = fifth >= 9 ? 0 : fifth + 1;
    sixth = sixth >= 9 ? 0 : sixth + 1;
    int cell = cells[(player & 15) * 1000 + (banker & 15) * 100 + fifth * 10 + sixth];
    int state = states[(player >> 4) * 3 + (banker >> 4) + 9 * (p1 >> 2 == b1 >> 2)];
    *place += 4 + (cell & 1) + (cell >> 1 & 1);
    return (uint16_t)(cell * 13 + state);
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
            int burn = values[shoe[0] / 4], place = 1 + (burn ? burn : 10), at = made[lane], first = at;
            while (place < 402 && at < width) row[at++] = round_at(shoe + place, &place);
            if (at < width) row[at++] = round_at(shoe + place, &place);
            if (first < width) row[first] |= 0x8000;
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
