/* A shoe: eight decks, a card is rank * 4 + suit; the first card is turned and that many are burned, the cut card
   lies 14 cards from the end, and one more round is dealt after it. */
#include <stddef.h>
#include <stdint.h>

#define CARDS 416
#define CUT 402
#define NEW_SHOE 0x8000

static const int values[13] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0};

/* How many cards are burned after the first one. */
static inline int burned(int first) { return values[first / 4] ? values[first / 4] : 10; }
