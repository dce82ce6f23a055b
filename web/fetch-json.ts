/** Asks for JSON until there is an answer, `retryMs` after one another: the page may be there before its service. */
export async function fetchJson<T>(path: string, retryMs: number): Promise<T> {
  for (;;) {
    try {
      const answer = await fetch(path);
      if (answer.ok) return await answer.json();
    } catch {
      // Asked again below.
    }
    await new Promise(resolve => setTimeout(resolve, retryMs));
  }
}
