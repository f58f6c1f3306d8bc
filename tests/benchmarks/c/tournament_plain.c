/* The tournament as it is plainly written in C: rounds dealt as in dealer_plain.h, one session after the other; its
   figures are locals, and what a round comes to is written as if / else. */
#include "dealer_plain.h"

#define TILE 1
#include "tournament.h"

static void play(const uint16_t *codes, int width, int steps, int64_t *kept, int64_t *figures) {
    int64_t bankroll = START, peak = START, trough = START, drawdown = 0, wins = 0, losses = 0, pushes = 0, staked = 0;
    int64_t largest = 0, winning = 0, losing = 0, most_won = 0, most_lost = 0;
    int64_t stake = UNIT, last = UNIT << (steps - 1);
    for (int r = 0; r < width; r++) {
        int outcome = outcome_of[codes[r] & CODE_MASK];
        staked += stake;
        if (stake > largest) largest = stake;
        if (outcome == PLAYER) {
            bankroll += stake, wins++, winning++, losing = 0;
            if (bankroll > peak) peak = bankroll;
            if (winning > most_won) most_won = winning;
            stake = UNIT;
        } else if (outcome == BANKER) {
            bankroll -= stake, losses++, losing++, winning = 0;
            if (bankroll < trough) trough = bankroll;
            if (peak - bankroll > drawdown) drawdown = peak - bankroll;
            if (losing > most_lost) most_lost = losing;
            stake = stake < last ? 2 * stake : UNIT;
        } else pushes++;
        if ((r + 1) % EVERY == 0) kept[r / EVERY] = bankroll;
    }
    int64_t all[] = {bankroll, peak, trough, drawdown, wins, losses, pushes, staked, largest, most_won, most_lost};
    memcpy(figures, all, sizeof all);
}
