/* The tournament by one session after the other, without a branch on who won: rounds dealt as in dealer_scalar.h;
   what a round comes to is looked up in a table of state and outcome, as in bacclab; figures are locals. */
#include "dealer_scalar.h"

#define TILE 1
#include "tournament.h"
#include "states.h"

static inline int64_t more(int64_t a, int64_t b) { return a > b ? a : b; }

static void play(const uint16_t *codes, int width, int steps, int64_t *restrict kept, int64_t *restrict figures) {
    int64_t bankroll = START, peak = START, trough = START, drawdown = 0, wins = 0, losses = 0, pushes = 0, staked = 0;
    int64_t largest = 0, winning = 0, losing = 0, most_won = 0, most_lost = 0, state = 0;
    tabulate(steps);
    for (int r = 0, since = 0; r < width; r++) {
        int outcome = outcome_of[codes[r] & CODE_MASK];
        int64_t cell = state * 3 + outcome, stake = stake_of[state], won = outcome == PLAYER, lost = outcome == BANKER;
        bankroll += net_of[cell];
        state = next_of[cell];
        peak = more(bankroll, peak);
        trough = bankroll < trough ? bankroll : trough;
        drawdown = more(peak - bankroll, drawdown);
        wins += won, losses += lost, pushes += outcome == TIE;
        staked += stake;
        largest = more(stake, largest);
        winning = lost ? 0 : winning + won, losing = won ? 0 : losing + lost;
        most_won = more(winning, most_won), most_lost = more(losing, most_lost);
        if (++since == EVERY) *kept++ = bankroll, since = 0;
    }
    int64_t all[] = {bankroll, peak, trough, drawdown, wins, losses, pushes, staked, largest, most_won, most_lost};
    memcpy(figures, all, sizeof all);
}
