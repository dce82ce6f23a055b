import { useEffect, useState } from "preact/hooks";

/** Wall time in milliseconds, drawn anew every `everyMs` while `isRunning`. */
export function useNow(everyMs: number, isRunning = true): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!isRunning) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, isRunning]);
  return now;
}

/** Whether a media query fits at the moment. */
export function useMediaQuery(query: string): boolean {
  const [fits, setFits] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const note = (): void => setFits(list.matches);
    note();
    list.addEventListener("change", note);
    return () => list.removeEventListener("change", note);
  }, [query]);
  return fits;
}

/** Calls at once, every `everyMs`, and when the tab is looked at again; never twice at a time. */
export function usePolling(everyMs: number, ask: () => Promise<void>): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let ended = false;
    let asking = false;
    const run = async (): Promise<void> => {
      if (asking || ended) return;
      asking = true;
      clearTimeout(timer);
      await ask();
      asking = false;
      if (!ended) timer = setTimeout(run, everyMs);
    };
    const look = (): void => {
      if (!document.hidden) void run();
    };
    void run();
    document.addEventListener("visibilitychange", look);
    return () => {
      ended = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [everyMs, ask]);
}
