import { useCallback, useState } from "preact/hooks";
import { client } from "./service.ts";

/** How long the page waits for its session before it is shown, in milliseconds: without one it can be read all the same. */
const PATIENCE_MS = 3_000;
/** What the game and the feed call a browser: so many characters of its session. */
const BROWSER_LENGTH = 8;

/** Makes the session of this browser, or finds it, and says what others call it. Nothing while there is none. */
export async function beginSession(): Promise<string | undefined> {
  const session = await client.initialize({ timeoutMs: PATIENCE_MS });
  return session.ok ? session.value.userId.slice(0, BROWSER_LENGTH) : undefined;
}

/** What others call this browser, and what finds out where that is not known, or may be another. */
export function useBrowser(
  first: string | undefined,
): [browser: string | undefined, find: () => Promise<void>] {
  const [browser, setBrowser] = useState(first);
  const find = useCallback(async () => setBrowser(await beginSession()), []);
  return [browser, find];
}
