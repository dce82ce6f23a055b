import type { InitializationData, Result } from "../../client/index.ts";
import { ANSWER_MS, client } from "./service.ts";

/** The session of this browser, which is made or found. Neither promise rejects. */
export interface Session {
  begun: Promise<Result<InitializationData>>;
  /** what the feed calls this browser; nothing while there is no session */
  label: Promise<string | undefined>;
}

export function beginSession(): Session {
  const begun = client.initialize({ timeoutMs: ANSWER_MS });
  const label = begun.then(async session => {
    const named = session.ok ? await client.label({ timeoutMs: ANSWER_MS }) : session;
    return named.ok ? named.value.label : undefined;
  });
  return { begun, label };
}
