/* The measure for a tournament: rounds dealt as in simd_dealer.h, and each of them played by bettors that all bet on
   Player and double after a loss, up to 1, 2, 3, … bets in a row (the first one is flat). What is kept is what bacclab
   keeps of a session: bankroll, peak, trough, deepest drawdown, wins, losses, pushes, action, largest stake, running and
   longest runs of wins and losses, and the bankroll at every fifth round. Sixty-four sessions are played side by side; the
   compiler makes vector instructions of the loops over them. No limits, refusals or endings are looked at, and the results
   are looked up once in a table of state and outcome, as bacclab's are. */
#include "simd_dealer.h"

#define TILE 64
#define EVERY 5

typedef int64_t figure[TILE];

static uint8_t outcome_of[8192];

static void play(const uint16_t *codes, int width, int steps, int64_t *restrict kept, int64_t *restrict results) {
    static int64_t net_of[64 * 3], next_of[64 * 3], stake_of[64];
    static figure state, bankroll, peak, trough, drawdown, wins, losses, pushes, staked, largest;
    static figure winning, losing, most_won, most_lost, net, stake;
    for (int step = 0; step < steps; step++) {
        stake_of[step] = 100000LL << step;
        net_of[step * 3] = stake_of[step], net_of[step * 3 + 1] = -stake_of[step], net_of[step * 3 + 2] = 0;
        next_of[step * 3] = 0, next_of[step * 3 + 1] = step + 1 < steps ? step + 1 : 0, next_of[step * 3 + 2] = step;
    }
    for (int k = 0; k < TILE; k++) {
        bankroll[k] = peak[k] = trough[k] = 1LL << 40;
        state[k] = drawdown[k] = wins[k] = losses[k] = pushes[k] = staked[k] = largest[k] = 0;
        winning[k] = losing[k] = most_won[k] = most_lost[k] = 0;
    }
    for (int r = 0; r < width; r++) {
        for (int k = 0; k < TILE; k++) {
            int64_t cell = state[k] * 3 + outcome_of[codes[(size_t)k * (size_t)width + (size_t)r] & 0x1FFF];
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
        memcpy(results + (size_t)k * 11, all, sizeof all);
    }
}

int main(int argc, char **argv) {
    if (argc != 5) return 2;
    int sessions = atoi(argv[1]), width = atoi(argv[2]), bettors = atoi(argv[3]), repeats = atoi(argv[4]);
    sessions -= sessions % TILE;
    size_t rounds = (size_t)sessions * (size_t)width;
    uint16_t *codes = malloc(sizeof(uint16_t) * rounds);
    int64_t *kept = malloc(sizeof(int64_t) * (rounds / EVERY + TILE) * (size_t)bettors);
    int64_t *results = malloc(sizeof(int64_t) * 11 * (size_t)sessions * (size_t)bettors);
    begin();
    for (int code = 0; code < 8192; code++) {
        int totals = code / 52, player = totals / 10, banker = totals % 10;
        outcome_of[code] = player > banker ? 0 : player < banker ? 1 : 2;
    }
    for (int repeat = 0; repeat < repeats; repeat++) {
        memset(codes, 0, sizeof(uint16_t) * rounds);
        clock_t start = clock();
        for (int session = 0; session < sessions; session += LANES)
            deal(codes + (size_t)session * (size_t)width, width);
        clock_t dealt = clock();
        for (int bettor = 0; bettor < bettors; bettor++)
            for (int session = 0; session < sessions; session += TILE) {
                size_t place = (size_t)bettor * (size_t)sessions + (size_t)session;
                play(codes + (size_t)session * (size_t)width, width, bettor + 1,
                     kept + place * (size_t)(width / EVERY), results + place * 11);
            }
        clock_t played = clock();
        printf("%.3f %.3f\n", (double)(dealt - start) / CLOCKS_PER_SEC * 1e9 / (double)rounds,
               (double)(played - dealt) / CLOCKS_PER_SEC * 1e9 / (double)rounds / bettors);
    }
    int64_t net = 0;
    for (size_t s = 0; s < (size_t)sessions; s++) net += results[s * 11] - (1LL << 40);
    fprintf(stderr, "flat on Player returns %.5f of action\n", (double)net / 1e5 / (double)rounds);
    free(codes), free(kept), free(results);
    return 0;
}
