/* One session dealt after the other, without a branch on the cards: a shoe is shuffled as far as it is needed, then
   walked through by look-ups. The shuffle is the inner loop; it draws no more cards than are played but for the last
   few. */
#include "numbers.h"
#include "walk.h"

#define LANES 1

static uint8_t shoe[CARDS + 64];

static void shuffle(int need) {
    for (int card = 0; card < CARDS; card++) shoe[card] = (uint8_t)(card / 8);
    for (int place = 0; place < need && place < CARDS - 1; place++) {
        int other = place + (int)below((uint32_t)(CARDS - place));
        uint8_t card = shoe[other];
        shoe[other] = shoe[place];
        shoe[place] = card;
    }
}

static void deal(uint16_t *codes, int width) {
    int made = 0;
    while (made < width) {
        int need = 11 + 6 * (width - made);
        shuffle(need < CARDS ? need : CARDS);
        int place = 1 + burned(shoe[0]), first = made;
        while (place < CUT && made < width) codes[made++] = round_at(shoe + place, &place);
        if (made < width) codes[made++] = round_at(shoe + place, &place);
        codes[first] |= NEW_SHOE;
    }
}

static void begin(void) {
    seed();
    make_tables();
}
