/* The measure for the dealer: a plain scalar loop that does the same work. Eight decks, the first card turned and that
   many burned, cut card 14 cards from the end, one more round after it. One 64-bit draw (Lemire) for each card, only
   cards that are used are drawn, the drawing rules as if / else, one 16-bit round code stored a round. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

static uint8_t shoe[416];
static int place;
static const int values[13] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0};

static int draw(void) {
    int other = place + (int)below(416 - place);
    uint8_t card = shoe[other];
    shoe[other] = shoe[place];
    shoe[place++] = card;
    return card;
}

static int pair_of(int a, int b) { return a == b ? 2 : a / 4 == b / 4 ? 1 : 0; }

static uint16_t deal_round(void) {
    int p1 = draw(), b1 = draw(), p2 = draw(), b2 = draw();
    int player = (values[p1 / 4] + values[p2 / 4]) % 10, banker = (values[b1 / 4] + values[b2 / 4]) % 10;
    int player_cards = 2, banker_cards = 2;
    if (player < 8 && banker < 8) {
        int draws;
        if (player <= 5) {
            int third = values[draw() / 4];
            player = (player + third) % 10;
            player_cards = 3;
            if (banker <= 2) draws = 1;
            else if (banker == 3) draws = third != 8;
            else if (banker == 4) draws = third >= 2 && third <= 7;
            else if (banker == 5) draws = third >= 4 && third <= 7;
            else if (banker == 6) draws = third == 6 || third == 7;
            else draws = 0;
        } else draws = banker <= 5;
        if (draws) {
            banker = (banker + values[draw() / 4]) % 10;
            banker_cards = 3;
        }
    }
    int pp = pair_of(p1, p2), bp = pair_of(b1, b2);
    int state = pp && bp && p1 / 4 == b1 / 4 ? 9 + (pp - 1) * 2 + bp - 1 : pp * 3 + bp;
    return (uint16_t)(((player * 10 + banker) * 4 + (player_cards - 2) * 2 + banker_cards - 2) * 13 + state);
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    int sessions = atoi(argv[1]), width = atoi(argv[2]), repeats = atoi(argv[3]);
    uint16_t *codes = malloc(sizeof(uint16_t) * (size_t)sessions * (size_t)width);
    for (int i = 0; i < 4; i++) s[i] = 0x9E3779B97F4A7C15u * (uint64_t)(i + 1);
    for (int repeat = 0; repeat < repeats; repeat++) {
        memset(codes, 0, sizeof(uint16_t) * (size_t)sessions * (size_t)width);
        clock_t start = clock();
        for (int session = 0; session < sessions; session++) {
            uint16_t *row = codes + (size_t)session * (size_t)width;
            int made = 0;
            while (made < width) {
                for (int card = 0; card < 416; card++) shoe[card] = (uint8_t)(card / 8);
                place = 0;
                int burn = values[draw() / 4];
                for (int card = burn ? burn : 10; card; card--) draw();
                int first = made;
                while (place < 402 && made < width) row[made++] = deal_round();
                if (made < width) row[made++] = deal_round();
                row[first] |= 0x8000;
            }
        }
        printf("%.3f\n", (double)(clock() - start) / CLOCKS_PER_SEC * 1e9 / sessions / width);
    }
    uint64_t tie = 0;
    for (size_t i = 0; i < (size_t)sessions * (size_t)width; i++) {
        int totals = (codes[i] & 0x1FFF) / 52;
        tie += totals / 10 == totals % 10;
    }
    fprintf(stderr, "ties %.5f\n", (double)tie / sessions / width);
    free(codes);
    return 0;
}
