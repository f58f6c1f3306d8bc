/* The walk through a shuffled shoe by look-ups: a round's code from its six next cards, without a branch on them. */
#include "shoe.h"

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
