/* A tournament: what the C programs share. All bettors bet on Player and double after a loss, up to so many bets in a
   row (1: flat). What is kept of every session is: bankroll, peak, trough, deepest drawdown, wins, losses, pushes,
   action, largest stake, longest runs of wins and of losses, and the bankroll at every fifth round. No limits,
   refusals, endings, commission or expectations are looked at.

   A program includes a dealer (`deal` deals LANES sessions), defines TILE, includes this file and defines `play`.

       program SESSIONS WIDTH REPEATS CODES OUT [STEPS ...]

   Sessions are a multiple of TILE; each of STEPS is a bettor. Printed are the nanoseconds of CPU time a round of each
   repeat. CODES is a file of round codes to be played in place of dealt ones, OUT a file for the codes and all that
   is kept; a dash stands for neither. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define EVERY 5
#define CODE_MASK 0x1FFF
#define START (1LL << 40)
#define UNIT 100000LL
#define FIGURES 11

enum { PLAYER, BANKER, TIE };

static uint8_t outcome_of[CODE_MASK + 1];

/* Play TILE sessions of `width` rounds by one bettor. `kept` is for the bankrolls (record after record, TILE of each),
   `figures` for the FIGURES of one session after the other. */
static void play(const uint16_t *codes, int width, int steps, int64_t *kept, int64_t *figures);

static void write_out(const char *path, const uint16_t *codes, const int64_t *figures, const int64_t *kept,
                      int sessions, int width, int bettors) {
    size_t records = (size_t)(width / EVERY), played = (size_t)sessions * (size_t)bettors;
    FILE *out = fopen(path, "wb");
    if (!out) exit(2);
    fwrite(codes, sizeof *codes, (size_t)sessions * (size_t)width, out);
    fwrite(figures, sizeof *figures, played * FIGURES, out);
    for (size_t place = 0; place < played; place++)
        for (size_t record = 0; record < records; record++)
            fwrite(kept + place / TILE * TILE * records + record * TILE + place % TILE, sizeof *kept, 1, out);
    fclose(out);
}

int main(int argc, char **argv) {
    if (argc < 6) return 2;
    int sessions = atoi(argv[1]), width = atoi(argv[2]), repeats = atoi(argv[3]), bettors = argc - 6;
    if (sessions % TILE) return 2;
    size_t rounds = (size_t)sessions * (size_t)width, records = (size_t)(width / EVERY);
    uint16_t *codes = malloc(sizeof *codes * rounds);
    int64_t *kept = malloc(sizeof *kept * (size_t)sessions * records * (size_t)bettors);
    int64_t *figures = malloc(sizeof *figures * FIGURES * (size_t)sessions * (size_t)bettors);
    FILE *given = strcmp(argv[4], "-") ? fopen(argv[4], "rb") : NULL;
    if (given && fread(codes, sizeof *codes, rounds, given) != rounds) return 2;
    begin();
    for (int code = 0; code <= CODE_MASK; code++) {
        int totals = code / 52, player = totals / 10, banker = totals % 10;
        outcome_of[code] = player > banker ? PLAYER : player < banker ? BANKER : TIE;
    }
    for (int repeat = 0; repeat < repeats; repeat++) {
        if (!given) memset(codes, 0, sizeof *codes * rounds);
        clock_t start = clock();
        for (int session = 0; session < sessions; session += TILE) {
            uint16_t *rows = codes + (size_t)session * (size_t)width;
            for (int one = 0; one < TILE && !given; one += LANES) deal(rows + (size_t)one * (size_t)width, width);
            for (int bettor = 0; bettor < bettors; bettor++) {
                size_t place = (size_t)bettor * (size_t)sessions + (size_t)session;
                play(rows, width, atoi(argv[6 + bettor]), kept + place * records, figures + place * FIGURES);
            }
        }
        printf("%.3f\n", (double)(clock() - start) / CLOCKS_PER_SEC * 1e9 / (double)rounds);
    }
    if (strcmp(argv[5], "-")) write_out(argv[5], codes, figures, kept, sessions, width, bettors);
    free(codes), free(kept), free(figures);
    return 0;
}
