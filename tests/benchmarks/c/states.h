/* The bettors as tables: what each state lays, and what it wins and where it goes after each outcome. */
#define STATES 64

static int64_t stake_of[STATES], net_of[STATES * 3], next_of[STATES * 3];

static void tabulate(int steps) {
    for (int step = 0; step < steps; step++) {
        int64_t stake = UNIT << step, *net = net_of + step * 3, *next = next_of + step * 3;
        stake_of[step] = stake;
        net[PLAYER] = stake, net[BANKER] = -stake, net[TIE] = 0;
        next[PLAYER] = 0, next[BANKER] = step + 1 < steps ? step + 1 : 0, next[TIE] = step;
    }
}
