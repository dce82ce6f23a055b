/** How long an answer may take, in milliseconds. */
const REQUEST_TIMEOUT_MS = 8_000;

/** Fetches JSON until there is an answer, with a pause of `retryMs` after each failure, which calls `onFault`. */
export async function fetchJson<T>(
  path: string,
  retryMs: number,
  onFault = (): void => undefined,
): Promise<T> {
  for (;;) {
    try {
      // The options are those of the page's preload link, or it would be fetched twice.
      const answer = await fetch(path, {
        credentials: "include",
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      });
      if (answer.ok) return await answer.json();
    } catch {
      // Retried below.
    }
    onFault();
    await new Promise(resolve => setTimeout(resolve, retryMs));
  }
}
