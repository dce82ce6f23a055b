/** How long an answer may take, in milliseconds. */
const PATIENCE_MS = 8_000;

/**
 * Asks for JSON until there is an answer, `retryMs` after one another: the page may be there before its service. `onFault`
 * is called each time when there is none.
 */
export async function fetchJson<T>(
  path: string,
  retryMs: number,
  onFault = (): void => undefined,
): Promise<T> {
  for (;;) {
    try {
      // As the page asks for it ahead, or it would be asked for twice.
      const answer = await fetch(path, { credentials: "include", signal: AbortSignal.timeout(PATIENCE_MS) });
      if (answer.ok) return await answer.json();
    } catch {
      // Asked again below.
    }
    onFault();
    await new Promise(resolve => setTimeout(resolve, retryMs));
  }
}
