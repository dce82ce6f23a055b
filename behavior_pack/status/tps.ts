const WINDOW_MS = 60_000;
const SAMPLE_MS = 1000;
const TOP = 20;

interface Sample {
  tick: number;
  at: number;
}

/** Measures ticks per second over the last minute of wall time. */
export function createTpsMeter() {
  // Oldest first; the first one may lie before the window, so that the window's begin can be found between two.
  let samples: Sample[] = [];

  function trim(now: number): void {
    let gone = 0;
    for (let i = 1; i < samples.length; i++) {
      const next = samples[i];
      if (next === undefined || next.at > now - WINDOW_MS) break;
      gone = i;
    }
    if (gone > 0) samples.splice(0, gone);
  }

  return {
    /** To be called every tick. */
    step(tick: number, now: number) {
      const last = samples[samples.length - 1];
      // A clock that was set back makes the old samples worthless.
      if (last !== undefined && (now < last.at || tick < last.tick)) samples = [];
      if (last === undefined || samples.length === 0 || now - last.at >= SAMPLE_MS) {
        samples.push({ tick, at: now });
        trim(now);
      }
    },
    /** 0 to 20, two decimals; over the time since the first step while that is less than a minute. */
    read(tick: number, now: number): number {
      trim(now);
      const [first, second] = samples;
      if (first === undefined) return TOP;
      let begin = first;
      if (first.at < now - WINDOW_MS) {
        const end = second ?? { tick, at: now };
        const share = end.at > first.at ? (now - WINDOW_MS - first.at) / (end.at - first.at) : 0;
        begin = { at: now - WINDOW_MS, tick: first.tick + share * (end.tick - first.tick) };
      }
      const seconds = (now - begin.at) / 1000;
      if (seconds <= 0) return TOP;
      const rate = Math.max(0, tick - begin.tick) / seconds;
      return Math.min(TOP, Math.round(rate * 100) / 100);
    },
  };
}
