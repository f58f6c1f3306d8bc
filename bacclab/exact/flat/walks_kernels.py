"""The elimination over the places of a walk, compiled. Imported only by `bacclab.exact.flat.walks`."""

from __future__ import annotations

from typing import Any

import numpy as np

from bacclab.kernels import njit


@njit
def settle_places(steps: Any, chances: Any, stopped: Any, payoffs: Any, running: Any, down: int, up: int) -> Any:
    """The mean of what a walk gets until it stops, from every place: see `bacclab.exact.flat.walks.settled`.

    From the highest place down, each place where the walk goes on is put in terms of lower ones. The chance to leave it
    is added up from the ways out, never taken as 1 minus the chance to stay, so nothing cancels.
    """
    size, kinds = payoffs.shape
    lower = np.zeros((size, down + 1))  # [place, how far below]: the way out, after the elimination
    ended = np.zeros(size)
    values = payoffs.copy()
    reach = np.zeros(down + up + 1)
    for place in range(size - up - 1, down - 1, -1):
        if stopped[place]:
            continue
        reach[:] = 0.0
        for k in range(steps.size):
            reach[down + steps[k]] += chances[k]
        out = 0.0
        got = running.copy()
        for target in range(place + up, place - down - 1, -1):
            weight = reach[target - place + down]
            if weight == 0.0 or target == place:
                continue
            if stopped[target]:
                out += weight
                for kind in range(kinds):
                    got[kind] += weight * payoffs[target, kind]
            elif target > place:
                out += weight * ended[target]
                for kind in range(kinds):
                    got[kind] += weight * values[target, kind]
                for below in range(1, down + 1):
                    reach[target - below - place + down] += weight * lower[target, below]
        ended[place] = out
        total = out
        for below in range(1, down + 1):
            if not stopped[place - below]:
                lower[place, below] = reach[down - below]
                total += reach[down - below]
        ended[place] /= total
        for below in range(1, down + 1):
            lower[place, below] /= total
        for kind in range(kinds):
            values[place, kind] = got[kind] / total
    for place in range(down, size - up):
        if not stopped[place]:
            for below in range(1, down + 1):
                if lower[place, below] > 0.0:
                    for kind in range(kinds):
                        values[place, kind] += lower[place, below] * values[place - below, kind]
    return values
