const WINDOW_MS = 60_000;
const SAMPLE_MS = 1000;
const TOP = 20;

interface Sample {
  tick: number;
  at: number;
}

/** Measures ticks per second over the last minute of wall time. */
export function createTpsMeter() {
  // Oldest first. The first may be older than the window, whose start then lies between two samples.
  let samples: Sample[] = [];

  function trim(now: number): void {
    while ((samples[1]?.at ?? now) <= now - WINDOW_MS) samples.shift();
  }

  return {
    /** To be called every tick. */
    step(tick: number, now: number) {
      const last = samples[samples.length - 1];
      // After the clock was set back, the old samples are useless.
      if (last !== undefined && (now < last.at || tick < last.tick)) samples = [];
      if (last === undefined || samples.length === 0 || now - last.at >= SAMPLE_MS) {
        samples.push({ tick, at: now });
        trim(now);
      }
    },
    /** 0 to 20, two decimals; since the first step during the first minute. */
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
