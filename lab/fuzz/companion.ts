import type { Fact } from "../../shared/facts.ts";
import { delivery, helloAnswer, PATHS } from "../../shared/frames.ts";
import { check, type Guard } from "../../shared/guard.ts";
import type { FactsFrame, Hello } from "../../shared/requests.ts";
import { PRODUCT_VERSION, WIRE_OLDEST, WIRE_VERSION } from "../../shared/version.ts";
import { TOKEN } from "./service.ts";

/** what it calls its run */
export const RUN = "companion";
const EVERY_MS = 250;
const player = { id: "-1", persistentId: "p-1", name: "Steve" };
const SNAPSHOT: Fact = {
  is: "snapshot",
  tps: 20,
  part: 0,
  parts: 1,
  rows: [{ player, health: 20, deaths: 0, playerKills: 0, playtimeSeconds: 1 }],
};

/**
 * A game with one player that plays along, so that inputs get behind "there is no game server": it reports, takes what
 * is asked of it, and says that it is done.
 */
export function startCompanion(port: number) {
  let session = "";
  let first = 1;
  let after = 0;
  let isOver = false;

  async function post<T>(path: string, body: unknown, guard: Guard<T>): Promise<T | undefined> {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: TOKEN },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(5_000),
    });
    const read = check(guard, await response.json());
    return response.ok && "value" in read ? read.value : undefined;
  }

  async function report(facts: readonly Fact[]): Promise<readonly Fact[]> {
    const frame: FactsFrame = { session, after, first, facts: [...facts] };
    const answer = session === "" ? undefined : await post(PATHS.facts, frame, delivery);
    if (answer) {
      first = answer.received + 1;
      after = answer.actions.at(-1)?.seq ?? after;
      return answer.actions.map(({ id, body }) => ({
        is: "outcome",
        id,
        do: body.do,
        status: "done",
        ...(body.do === "link-open" && { player }),
      }));
    }
    const versions = { product: PRODUCT_VERSION, wire: WIRE_VERSION, wireOldest: WIRE_OLDEST };
    const hello: Hello = { ...versions, run: RUN, firstFact: 1 };
    const met = await post(PATHS.hello, hello, helloAnswer);
    [session, first, after] = [met?.session ?? "", 1, 0];
    return [];
  }

  const ended = (async () => {
    let outcomes: readonly Fact[] = [];
    while (!isOver) {
      // What goes wrong here shows in the health of the sidecar.
      outcomes = await report([SNAPSHOT, ...outcomes].slice(0, 200)).catch(() => []);
      await new Promise(resolve => setTimeout(resolve, outcomes.length > 0 ? 1 : EVERY_MS));
    }
  })();
  return {
    session: () => session || "none yet",
    async stop() {
      isOver = true;
      await ended;
    },
  };
}
