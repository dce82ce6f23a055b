import { Skipped } from "../probe.ts";
import { ask, eventsDuring, kindsOf, probesAt, textOf } from "../values.ts";
import { SECOND, withPlayers } from "./players.ts";

const ANSWER_MS = 5_000;

/** What the console says of players, and does to them. Only with all features the game offers simulated players. */
export const consolePlayerProbes = probesAt("script", [
  {
    id: "console-player-lines",
    expect: "the same id as persistentId",
    why: "without the experiment players are recognised by the pfid in the lines of the console",
    ask: withPlayers([], async env => {
      const from = env.console.count;
      const { persistentId } = await ask(env, "player-come", { name: SECOND });
      const spawned = new RegExp(`^Player Spawned: ${SECOND} xuid: ?\\d*, pfid: (\\w*)`);
      const line = await env.console.line(spawned, ANSWER_MS, from);
      if (line === undefined) throw new Skipped("the console says nothing of a simulated player");
      const [, pfid = ""] = spawned.exec(line) ?? [];
      return pfid.toLowerCase() === textOf(persistentId).toLowerCase()
        ? "the same id as persistentId"
        : `another id: ${line}`;
    }),
  },
  {
    id: "console-kick",
    expect: "leave",
    why: "without the experiment players are kicked over the console, with their name in quotes",
    ask: withPlayers([SECOND], async env => {
      const from = env.console.count;
      const events = await eventsDuring(env, ["leave"], async () => {
        env.console.type(`kick "${SECOND}" prove`);
        await env.console.line(/kick/i, ANSWER_MS, from);
      });
      return events.length > 0
        ? kindsOf(events)
        : `nothing; ${env.console.lines(from).filter(Boolean)[0] ?? ""}`;
    }),
  },
]);
