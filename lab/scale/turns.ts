/** One of the servers behind a balancer. */
export interface Target {
  name: string;
  /** address without a path */
  url: string;
}

interface Place {
  target: Target;
  isWell: boolean;
}

export interface Turns {
  /** All targets in the order in which a request tries them: the next one first, those that are not well last. */
  next(): Target[];
  /** Notes whether a target has passed its last check. */
  note(target: Target, isWell: boolean): void;
}

/** Gives every request to another target than the one before. */
export function createTurns(targets: readonly Target[]): Turns {
  const places: Place[] = targets.map(target => ({ target, isWell: true }));
  let turn = 0;
  return {
    next() {
      const well = places.filter(({ isWell }) => isWell);
      const among = well.length > 0 ? well : places;
      const first = among[turn++ % among.length];
      const from = first ? places.indexOf(first) : 0;
      const inTurn = [...places.slice(from), ...places.slice(0, from)];
      return [...inTurn.filter(({ isWell }) => isWell), ...inTurn.filter(({ isWell }) => !isWell)].map(
        ({ target }) => target,
      );
    },
    note(target, isWell) {
      for (const place of places) if (place.target === target) place.isWell = isWell;
    },
  };
}
