/**
 * Goes on with answers that are there or come, for each key in the order of the calls. What goes wrong later than within the
 * call ends the key, and `report` is told.
 */
export function createInOrder<K>(end: (key: K) => unknown, report: (error: unknown) => void) {
  /** settles with whether there is more to be done for the key */
  const waiting = new Map<K, Promise<boolean>>();

  async function goOnLater(
    before: Promise<boolean> | undefined,
    answer: number | Promise<number>,
    goOn: (answer: number, isLate: boolean) => unknown,
  ): Promise<boolean> {
    // Not one after the other: a rejection of the answer would have nobody meanwhile.
    const [isOpen, value] = await Promise.all([before ?? true, answer]);
    return isOpen && (await goOn(value, true)) !== false;
  }

  /**
   * Calls `goOn` within this call where the answer is there and nothing else is waited for. What comes behind one that was
   * waited for waits for what it returns, too. From one that says false on, what waits behind it is dropped. Answers what settles
   * when that is over, if it is not.
   */
  return (
    key: K,
    answer: number | Promise<number>,
    goOn: (answer: number, isLate: boolean) => unknown,
  ): Promise<unknown> | undefined => {
    const before = waiting.size === 0 ? undefined : waiting.get(key);
    if (before === undefined && typeof answer === "number") {
      goOn(answer, false);
      return undefined;
    }
    const done = goOnLater(before, answer, goOn).catch((error: unknown) => {
      end(key);
      report(error);
      return false;
    });
    waiting.set(key, done);
    return done.then(() => {
      if (waiting.get(key) === done) waiting.delete(key);
    });
  };
}
