import { useEffect, useRef, useState } from "preact/hooks";

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

/** Whether it has been looked at for so many milliseconds, since it was there and since the page has the focus. */
export function useLookedAt(forMs: number): boolean {
  const [isLookedAt, setIsLookedAt] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const begin = (): void => {
      clearTimeout(timer);
      setIsLookedAt(false);
      timer = setTimeout(() => setIsLookedAt(true), forMs);
    };
    begin();
    addEventListener("focus", begin);
    document.addEventListener("visibilitychange", begin);
    return () => {
      clearTimeout(timer);
      removeEventListener("focus", begin);
      document.removeEventListener("visibilitychange", begin);
    };
  }, [forMs]);
  return isLookedAt;
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

/**
 * Calls at once, every `everyMs`, and when the tab is looked at again or the network is back; never twice at a time, and not in
 * a hidden tab.
 */
export function usePolling(everyMs: number, ask: () => Promise<void>, isRunning = true): void {
  useEffect(() => {
    if (!isRunning) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let ended = false;
    let asking = false;
    const run = async (): Promise<void> => {
      if (asking || ended || document.hidden) return;
      asking = true;
      clearTimeout(timer);
      await ask();
      asking = false;
      if (!ended) timer = setTimeout(run, everyMs);
    };
    void run();
    document.addEventListener("visibilitychange", run);
    addEventListener("online", run);
    return () => {
      ended = true;
      clearTimeout(timer);
      removeEventListener("online", run);
      document.removeEventListener("visibilitychange", run);
    };
  }, [everyMs, ask, isRunning]);
}

/** A choice that this browser keeps, at first true. */
export function useStored(key: string): [isChosen: boolean, choose: (isChosen: boolean) => void] {
  const [isChosen, setIsChosen] = useState(() => {
    try {
      return localStorage.getItem(key) !== "off";
    } catch {
      return true;
    }
  });
  const choose = (next: boolean): void => {
    setIsChosen(next);
    try {
      localStorage.setItem(key, next ? "on" : "off");
    } catch {
      // Without storage the choice lasts as long as the page.
    }
  };
  return [isChosen, choose];
}

/** The value of now, for what answers late: another one may be chosen by then. */
export function useLatest<T>(value: T): { readonly current: T } {
  const latest = useRef(value);
  latest.current = value;
  return latest;
}
