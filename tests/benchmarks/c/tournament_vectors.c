/* The tournament with vector instructions: rounds dealt as in dealer_vectors.h, sixty-four sessions played side by
   side; the compiler makes vector instructions of the loops over them. What a round comes to is looked up once in a
   table of state and outcome, as in bacclab. */
#include "dealer_vectors.h"

#define TILE 64
#include "tournament.h"
#include "states.h"

typedef int64_t figure[TILE];

static void play(const uint16_t *codes, int width, int steps, int64_t *restrict kept, int64_t *restrict figures) {
    static figure state, bankroll, peak, trough, drawdown, wins, losses, pushes, staked, largest;
    static figure winning, losing, most_won, most_lost, net, stake;
    tabulate(steps);
    for (int k = 0; k < TILE; k++) {
        bankroll[k] = peak[k] = trough[k] = START;
        state[k] = drawdown[k] = wins[k] = losses[k] = pushes[k] = staked[k] = largest[k] = 0;
        winning[k] = losing[k] = most_won[k] = most_lost[k] = 0;
    }
    for (int r = 0; r < width; r++) {
        for (int k = 0; k < TILE; k++) {
            int64_t cell = state[k] * 3 + outcome_of[codes[(size_t)k * (size_t)width + (size_t)r] & CODE_MASK];
            stake[k] = stake_of[state[k]], net[k] = net_of[cell], state[k] = next_of[cell];
        }
        for (int k = 0; k < TILE; k++) {
            bankroll[k] += net[k];
            peak[k] = bankroll[k] > peak[k] ? bankroll[k] : peak[k];
            trough[k] = bankroll[k] < trough[k] ? bankroll[k] : trough[k];
            drawdown[k] = peak[k] - bankroll[k] > drawdown[k] ? peak[k] - bankroll[k] : drawdown[k];
            int64_t won = net[k] > 0, lost = net[k] < 0;
            wins[k] += won, losses[k] += lost, pushes[k] += (stake[k] > 0) - won - lost;
            staked[k] += stake[k];
            largest[k] = stake[k] > largest[k] ? stake[k] : largest[k];
            winning[k] = lost ? 0 : winning[k] + won, losing[k] = won ? 0 : losing[k] + lost;
            most_won[k] = winning[k] > most_won[k] ? winning[k] : most_won[k];
            most_lost[k] = losing[k] > most_lost[k] ? losing[k] : most_lost[k];
        }
        if ((r + 1) % EVERY == 0)
            for (int k = 0; k < TILE; k++) kept[(size_t)(r / EVERY) * TILE + (size_t)k] = bankroll[k];
    }
    for (int k = 0; k < TILE; k++) {
        int64_t all[] = {bankroll[k], peak[k], trough[k], drawdown[k], wins[k], losses[k], pushes[k], staked[k],
                         largest[k], most_won[k], most_lost[k]};
        memcpy(figures + (size_t)k * FIGURES, all, sizeof all);
    }
}
