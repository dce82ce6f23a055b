import { useCallback, useState } from "preact/hooks";
import { client } from "./service.ts";

/** How long the page waits for its session before it is shown, in milliseconds: without one it can be read all the same. */
const PATIENCE_MS = 3_000;

/** Makes the session of this browser, or finds it, and says what the feed calls it. Nothing while there is none. */
export async function beginSession(): Promise<string | undefined> {
  const session = await client.initialize({ timeoutMs: PATIENCE_MS });
  const named = session.ok ? await client.label({ timeoutMs: PATIENCE_MS }) : session;
  return named.ok ? named.value.label : undefined;
}

/** What the feed calls this browser, and what finds out where that is not known, or may be another. */
export function useLabel(first: string | undefined): [label: string | undefined, find: () => Promise<void>] {
  const [label, setLabel] = useState(first);
  const find = useCallback(async () => setLabel(await beginSession()), []);
  return [label, find];
}
