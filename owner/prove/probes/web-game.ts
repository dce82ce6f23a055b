import type { Trial } from "../probe.ts";
import { FIRST, SECOND, withPlayers } from "./players-of.ts";
import {
  ask,
  broken,
  type Held,
  judge,
  listOf,
  numberOf,
  pause,
  probesOf,
  recordOf,
  seconds,
  textOf,
  until,
} from "./say.ts";
import { call, calledUntil, session, withSockets, words } from "./web-of.ts";

/** Reports come every few seconds. */
const REPORT_MS = 30_000;
/** What is told at once, and may be late on a busy machine. */
const SOON_MS = 10_000;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;

const rowIn = (json: unknown, name: string): Held | undefined =>
  listOf(json)
    .map(recordOf)
    .find(row => row.name === name);

/** What the service tells of a player, once it fits. */
async function row(
  trial: Trial,
  name: string,
  fits: (row: Held) => boolean = () => true,
): Promise<Held | undefined> {
  const has = ({ json }: { json: unknown }): boolean => {
    const found = rowIn(json, name);
    return found !== undefined && fits(found);
  };
  return rowIn((await calledUntil(trial, "/players", REPORT_MS, has))?.json, name);
}

const lastId = async (trial: Trial): Promise<string> =>
  textOf(recordOf(listOf((await call(trial, "/events?format=json")).json).at(-1)).id);

/** Kinds of events of a player since one of the feed, once they are as many as that. */
async function eventsSince(
  trial: Trial,
  id: string,
  name: string,
  kinds: readonly string[],
): Promise<string[]> {
  let seen: string[] = [];
  await until(trial, SOON_MS, async () => {
    const since = id === "" ? "" : `&since=${encodeURIComponent(id)}`;
    const events = listOf((await call(trial, `/events?format=json${since}`)).json).map(recordOf);
    seen = events
      .filter(({ event, player }) => kinds.includes(textOf(event)) && recordOf(player).name === name)
      .map(({ event }) => textOf(event));
    return seen.length >= kinds.length ? true : undefined;
  });
  return seen;
}

export const webGameProbes = probesOf("probes", [
  {
    id: "game-player",
    kind: "promise",
    assumes: "a player who comes is in GET /players with a uuid and a health of 20",
    how: "a simulated player comes, and the service is asked until it lists the player",
    rows: [],
    ask: trial =>
      withPlayers(trial, [FIRST], async () => {
        const begun = trial.now();
        const found = await row(trial, FIRST);
        if (found === undefined) return broken(`not listed within ${seconds(REPORT_MS)}`);
        const isSo = UUID.test(textOf(found.uuid)) && found.health === 20;
        return judge(
          isSo,
          `listed after ${seconds(trial.now() - begun)}, ${UUID.test(textOf(found.uuid)) ? "with a uuid" : "without a uuid"}, health ${String(found.health)}`,
        );
      }),
  },
  {
    id: "game-uuid",
    kind: "promise",
    assumes: "a player who comes back has the same uuid",
    how: "a simulated player comes, goes and comes again",
    rows: [],
    ask: trial =>
      withPlayers(trial, [FIRST], async () => {
        const one = await row(trial, FIRST);
        await ask(trial, "player-go", { name: FIRST });
        await calledUntil(trial, "/players", REPORT_MS, ({ json }) => rowIn(json, FIRST) === undefined);
        await ask(trial, "player-come", { name: FIRST });
        const other = await row(trial, FIRST);
        if (one === undefined || other === undefined) return broken("not listed");
        return judge(one.uuid === other.uuid, one.uuid === other.uuid ? "the same" : "another one");
      }),
  },
  {
    id: "game-leave",
    kind: "promise",
    assumes: "a player who goes is off GET /players at once",
    how: "a simulated player goes",
    rows: [],
    ask: trial =>
      withPlayers(trial, [FIRST], async () => {
        if ((await row(trial, FIRST)) === undefined) return broken("the player was not listed");
        await ask(trial, "player-go", { name: FIRST });
        const begun = trial.now();
        const gone = await calledUntil(
          trial,
          "/players",
          REPORT_MS,
          ({ json }) => rowIn(json, FIRST) === undefined,
        );
        return judge(
          gone !== undefined && trial.now() - begun < SOON_MS,
          gone === undefined ? "still listed" : `after ${seconds(trial.now() - begun)}`,
        );
      }),
  },
  {
    id: "game-events",
    kind: "promise",
    assumes: "the feed tells of joining, death and leaving of a player",
    how: "a simulated player comes, is killed and goes, and GET /events is asked",
    rows: [],
    ask: trial =>
      withPlayers(trial, [], async () => {
        const id = await lastId(trial);
        await ask(trial, "player-come", { name: FIRST });
        await row(trial, FIRST);
        await ask(trial, "player-kill", { name: FIRST });
        await ask(trial, "wait-ticks", { ticks: 40 });
        await ask(trial, "player-go", { name: FIRST });
        const seen = await eventsSince(trial, id, FIRST, ["join", "death", "leave"]);
        return judge(seen.join() === "join,death,leave", seen.join(", ") || "nothing of it");
      }),
  },
  {
    id: "game-chat",
    kind: "promise",
    assumes:
      "what a player says reaches the sockets of /chat, name and text each behind its mark of no colour",
    how: "a simulated player says something while a WebSocket is open",
    rows: [],
    ask: trial =>
      withPlayers(trial, [FIRST], () =>
        withSockets(trial, 1, async socket => {
          const begun = trial.now();
          await ask(trial, "player-say", { name: FIRST, text: "hello web" });
          const line = await socket.message(
            ({ type, content }) => type === "CHAT" && textOf(content).includes("hello web"),
          );
          if (line === undefined) return broken("it does not come");
          const isSo = line.content === `\u00a7\u00a7<${FIRST}> \u00a7\u00a7hello web`;
          return judge(isSo, isSo ? `after ${seconds(trial.now() - begun)}` : "it comes otherwise");
        }),
      ),
  },
  {
    id: "game-cancelled",
    kind: "promise",
    assumes: "a line that another script cancels does not reach the web",
    how: "a simulated player says one that is cancelled, and then another",
    rows: [],
    ask: trial =>
      withPlayers(trial, [FIRST], () =>
        withSockets(trial, 1, async socket => {
          await ask(trial, "player-say", { name: FIRST, text: "cancelled web" });
          await ask(trial, "player-say", { name: FIRST, text: "shown web" });
          const shown = await socket.message(({ content }) => textOf(content).includes("shown web"));
          const isThere = socket.received.some(({ content }) => textOf(content).includes("cancelled web"));
          return judge(
            shown !== undefined && !isThere,
            isThere ? "it comes" : shown === undefined ? "no line comes" : "only the other comes",
          );
        }),
      ),
  },
  {
    id: "game-death",
    kind: "promise",
    assumes: "a death is counted in GET /players",
    how: "a simulated player is killed",
    rows: [],
    ask: trial =>
      withPlayers(trial, [FIRST], async () => {
        const before = numberOf((await row(trial, FIRST))?.deaths);
        await ask(trial, "player-kill", { name: FIRST });
        const after = await row(trial, FIRST, ({ deaths }) => numberOf(deaths) > before);
        return judge(
          numberOf(after?.deaths) === before + 1,
          after === undefined ? "it is not counted" : `${numberOf(after.deaths) - before} more`,
        );
      }),
  },
  {
    id: "game-kill",
    kind: "promise",
    assumes: "a kill is counted for the player who did it",
    how: "a simulated player strikes another who is all but dead",
    rows: [],
    ask: trial =>
      withPlayers(trial, [FIRST, SECOND], async () => {
        const before = numberOf((await row(trial, SECOND))?.playerKills);
        await ask(trial, "player-strike", { name: FIRST, by: SECOND }, 60_000);
        const after = await row(trial, SECOND, ({ playerKills }) => numberOf(playerKills) > before);
        return judge(
          numberOf(after?.playerKills) === before + 1,
          after === undefined ? "it is not counted" : `${numberOf(after.playerKills) - before} more`,
        );
      }),
  },
  {
    id: "game-link",
    kind: "promise",
    assumes:
      "a request to link to a player who is there is answered with 202, is pending then, and is not taken twice",
    how: "POST /link-player for a simulated player, who answers nothing, twice",
    rows: [],
    ask: trial =>
      withPlayers(trial, [FIRST], async () => {
        if ((await row(trial, FIRST)) === undefined) return broken("the player was not listed");
        const cookie = await session(trial);
        const asked = { body: { username: FIRST }, cookie };
        const said = [
          words(await call(trial, "/link-player", asked)),
          words(await call(trial, "/linked-player", { cookie })),
          words(await call(trial, "/link-player", asked)),
        ].join(", ");
        return judge(said === "202 verification_sent, 200 pending, 409 already_pending", said);
      }),
  },
  {
    id: "game-link-exact",
    kind: "promise",
    assumes: "the name of a player is compared exactly",
    how: "POST /link-player with the name of a simulated player in small letters",
    rows: [],
    ask: trial =>
      withPlayers(trial, [FIRST], async () => {
        if ((await row(trial, FIRST)) === undefined) return broken("the player was not listed");
        const cookie = await session(trial);
        const said = words(
          await call(trial, "/link-player", { body: { username: FIRST.toLowerCase() }, cookie }),
        );
        return judge(said === "422 player_offline", said);
      }),
  },
  {
    id: "game-from-web",
    kind: "promise",
    assumes:
      "a line from the web is taken by the game while somebody is there, and is not sent back to the web as one of the game",
    how: "two WebSockets, of which one says something while a simulated player is there",
    rows: ["@minecraft/server / `world.sendMessage`, `Player.sendMessage`"],
    ask: trial =>
      withPlayers(trial, [FIRST], () =>
        withSockets(trial, 2, async (one, other) => {
          one.send({ type: "CHAT", content: "line for the game" });
          const echo = await other?.message(({ content }) => content === "line for the game");
          await pause(trial, 2_000);
          const all = [...one.received, ...(other?.received ?? [])].filter(({ content }) =>
            textOf(content).includes("line for the game"),
          );
          const refused = one.received.find(({ type }) => type === "EXCEPTION");
          const isSo = echo !== undefined && all.length === 1 && refused === undefined;
          return judge(isSo, refused === undefined ? `heard ${all.length} times` : textOf(refused.content));
        }),
      ),
  },
]);
