import { useEffect, useRef, useState } from "preact/hooks";
import { readStored, store } from "./storage.ts";

/** The time in milliseconds since 1970, drawn again every `everyMs` while `isRunning`. */
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

/** Calls when the page becomes visible or hidden, and on these events of the window; returns what unsubscribes. */
export function listen(callback: () => void, ...events: string[]): () => void {
  const aborter = new AbortController();
  document.addEventListener("visibilitychange", callback, { signal: aborter.signal });
  for (const event of events) addEventListener(event, callback, { signal: aborter.signal });
  return () => aborter.abort();
}

/** Whether the page has had the focus for so many milliseconds since the component appeared. */
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
    const unlisten = listen(begin, "focus");
    return () => {
      clearTimeout(timer);
      unlisten();
    };
  }, [forMs]);
  return isLookedAt;
}

/** Whether a media query matches at the moment. */
export function useMediaQuery(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const update = (): void => setMatches(list.matches);
    update();
    list.addEventListener("change", update);
    return () => list.removeEventListener("change", update);
  }, [query]);
  return matches;
}

/** Whether this device has a network connection, as far as the browser knows. */
export function useHasNetwork(): boolean {
  const [hasNetwork, setHasNetwork] = useState(navigator.onLine);
  useEffect(() => {
    const update = (): void => setHasNetwork(navigator.onLine);
    update();
    return listen(update, "online", "offline");
  }, []);
  return hasNetwork;
}

/**
 * Calls immediately, every `everyMs`, and when the tab becomes visible or the network is back; never two calls at a time, and none in
 * a hidden tab.
 */
export function usePolling(everyMs: number, poll: () => Promise<void>, isRunning = true): void {
  useEffect(() => {
    if (!isRunning) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let hasEnded = false;
    let isBusy = false;
    const run = async (): Promise<void> => {
      if (isBusy || hasEnded || document.hidden) return;
      isBusy = true;
      clearTimeout(timer);
      try {
        await poll();
      } finally {
        isBusy = false;
        if (!hasEnded) timer = setTimeout(run, everyMs);
      }
    };
    void run();
    const unlisten = listen(run, "online");
    return () => {
      hasEnded = true;
      clearTimeout(timer);
      unlisten();
    };
  }, [everyMs, poll, isRunning]);
}

/** A choice that this browser stores, at first true. */
export function useStored(key: string): [isChosen: boolean, choose: (isChosen: boolean) => void] {
  const [isChosen, setIsChosen] = useState(() => readStored(key) !== "off");
  const choose = (next: boolean): void => {
    setIsChosen(next);
    store(key, next ? "on" : "off");
  };
  return [isChosen, choose];
}

/** The newest value, for callbacks that finish late. */
export function useLatest<T>(value: T): { readonly current: T } {
  const latest = useRef(value);
  latest.current = value;
  return latest;
}

/** Calls after a value has changed, with the one before; not at first. */
export function useChange<T>(value: T, onChange: (before: T) => void): void {
  const last = useRef(value);
  useEffect(() => {
    const before = last.current;
    last.current = value;
    if (before !== value) onChange(before);
  }, [value]);
}

/** Whether the element that had the focus is gone from the page. */
export const isFocusLost = (): boolean => document.activeElement === document.body;
