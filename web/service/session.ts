import type { InitializationData, Result } from "../../client/index.ts";
import { ANSWER_MS, client } from "./service.ts";

/** The session of this browser, created or found. Neither promise rejects. */
export interface Session {
  begun: Promise<Result<InitializationData>>;
  /** what the feed calls this browser; undefined without a session */
  label: Promise<string | undefined>;
}

export function beginSession(): Session {
  const begun = client.initialize({ timeoutMs: ANSWER_MS });
  const label = begun.then(async session => {
    const answer = session.ok ? await client.label({ timeoutMs: ANSWER_MS }) : session;
    return answer.ok ? answer.value.label : undefined;
  });
  return { begun, label };
}

/** Characters of a session's id that the game shows. */
const CODE_LENGTH = 8;
export const codeOf = (userId: string): string => userId.slice(0, CODE_LENGTH);
