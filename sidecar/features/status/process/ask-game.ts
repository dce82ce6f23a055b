import { fetchJoinInfo } from "../../../../bds/join-info.ts";
import type { AskGame } from "../../../kernel/bridge/ports.ts";
import type { Clock } from "../../../platform/clock.ts";

/** Timeout of the game server's answer, in milliseconds: a request waits for it. */
const ASK_MS = 1_000;

/** Creates the ping of the game server at a port of this machine; undefined if the port is unknown. */
export function createAskGame(port: number, clock: Clock): AskGame | undefined {
  if (port === 0) return undefined;
  return async () => {
    const deadline = new AbortController();
    const cancel = clock.after(ASK_MS, () => deadline.abort());
    const answer = await fetchJoinInfo(port, deadline.signal);
    cancel();
    return "value" in answer ? answer.value : undefined;
  };
}
