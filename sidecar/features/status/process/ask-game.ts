import { fetchJoinInfo } from "../../../../bds/join-info.ts";
import type { AskGame } from "../../../kernel/bridge/ports.ts";
import type { Clock } from "../../../platform/clock.ts";

/** How long the game server may take for its answer, in milliseconds: somebody waits for it. */
const ASK_MS = 1_000;

/** Asks the game server at a port of this machine what it tells anybody; undefined where no port is known. */
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
