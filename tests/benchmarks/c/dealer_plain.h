/* The dealer as it is plainly written: one session after the other, only cards that are used are drawn, the drawing
   rules as if / else, one 16-bit round code stored a round. */
#include "numbers.h"
#include "shoe.h"

#define LANES 1

static uint8_t shoe[CARDS];
static int place;

static int draw(void) {
    int other = place + (int)below((uint32_t)(CARDS - place));
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

static void deal(uint16_t *codes, int width) {
    int made = 0;
    while (made < width) {
        for (int card = 0; card < CARDS; card++) shoe[card] = (uint8_t)(card / 8);
        place = 0;
        for (int card = burned(draw()); card; card--) draw();
        int first = made;
        while (place < CUT && made < width) codes[made++] = deal_round();
        if (made < width) codes[made++] = deal_round();
        codes[first] |= NEW_SHOE;
    }
}

static void begin(void) { seed(); }
