import { setTimeout as sleep } from "node:timers/promises";
import type { Fields, Trial } from "../probe.ts";
import { READY } from "../script-client.ts";
import { ask, fieldsOf, listOf, numberOf, probesAt, seconds, textOf } from "../values.ts";
import { type Answered, answeredUntil, call, withSockets, words } from "../web-client.ts";
import { FIRST, having, SECOND } from "./players.ts";

/** Reports of players come every few seconds. */
const REPORT_MS = 30_000;
const CONNECT_MS = 45_000;
/** Within this time a running world has been saved once. */
const SAVE_MS = 25_000;
const CONNECTED = /\[web bridge\] connected to the sidecar at /;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const NAME = "Prove Kept";

const rowIn = ({ json }: Answered, name: string): Fields | undefined =>
  listOf(json)
    .map(fieldsOf)
    .find(row => row.name === name);

/** What the service tells of a player, once it fits. */
async function row(trial: Trial, name: string, fits = (_: Fields): boolean => true): Promise<Fields> {
  const last = await answeredUntil(trial, "/players", REPORT_MS, answered => {
    const found = rowIn(answered, name);
    return found !== undefined && fits(found);
  });
  return rowIn(last, name) ?? {};
}

const value = async (trial: Trial, key: string): Promise<unknown> => (await ask(trial, "get", { key })).value;
const set = (trial: Trial, key: string, to: string): Promise<unknown> =>
  trial.script.ask("set", { key, value: to });
const isListed = async (trial: Trial): Promise<boolean> =>
  (await ask(trial, "list-contains", { name: NAME })).value === true;
const connects = async ({ console }: Trial, from: number): Promise<string> =>
  (await console.line(CONNECTED, CONNECT_MS, from)) === undefined ? "not connected" : "connected";

/** From the game to the web and back, and what outlives a restart. These go last: they end the server. */
export const gameProbes = probesAt("script", [
  {
    id: "game-player",
    expect: "listed, with a uuid, health 20",
    why: "the page lists the players who are online",
    ask: having([FIRST], async trial => {
      const { name, uuid, health } = await row(trial, FIRST);
      if (name === undefined) return "not listed";
      return `listed, ${UUID.test(textOf(uuid)) ? "with a uuid" : "without a uuid"}, health ${String(health)}`;
    }),
  },
  {
    id: "game-kill",
    expect: "1 death, 1 kill",
    why: "deaths and kills are counted for each player",
    ask: having([FIRST, SECOND], async trial => {
      const [deaths, kills] = [(await row(trial, FIRST)).deaths, (await row(trial, SECOND)).playerKills];
      await trial.script.ask("player-strike", { name: FIRST, by: SECOND }, 60_000);
      const more = (now: unknown, before: unknown): number => numberOf(now) - numberOf(before);
      const victim = await row(trial, FIRST, each => more(each.deaths, deaths) > 0);
      const killer = await row(trial, SECOND, each => more(each.playerKills, kills) > 0);
      return `${more(victim.deaths, deaths)} death, ${more(killer.playerKills, kills)} kill`;
    }),
  },
  {
    id: "game-chat",
    expect: `\u00a7\u00a7<${FIRST}> \u00a7\u00a7hello web`,
    why: "what players say is shown on the web",
    ask: having([FIRST], trial =>
      withSockets(trial, 1, async socket => {
        await trial.script.ask("player-say", { name: FIRST, text: "hello web" });
        const line = await socket.message(({ content }) => textOf(content).includes("hello web"));
        return line === undefined ? "it does not come" : textOf(line.content);
      }),
    ),
  },
  {
    id: "game-from-web",
    expect: "heard once",
    why: "lines from the web are shown in the game, and not sent back as lines of the game",
    ask: having([FIRST], trial =>
      withSockets(trial, 2, async (one, other) => {
        one.send({ type: "CHAT", content: "line for the game" });
        await other.message(({ content }) => content === "line for the game");
        await sleep(2_000);
        const refused = one.received.find(({ type }) => type === "EXCEPTION");
        if (refused !== undefined) return `refused: ${textOf(refused.content)}`;
        const all = [...one.received, ...other.received];
        const count = all.filter(({ content }) => textOf(content).includes("line for the game")).length;
        return count === 1 ? "heard once" : `heard ${count} times`;
      }),
    ),
  },
  {
    id: "game-link",
    expect: "202 verification_sent, 200 pending",
    why: "browsers are linked to players by asking them in the game",
    ask: having([FIRST], async trial => {
      await row(trial, FIRST);
      const { cookie } = await call(trial, "/initialize");
      const asked = await call(trial, "/link-player", { body: { username: FIRST }, cookie });
      return `${words(asked)}, ${words(await call(trial, "/linked-player", { cookie }))}`;
    }),
  },
  {
    id: "reload-connects",
    expect: "connected, properties kept",
    why: "operators type reload after they have changed a pack",
    async ask(trial) {
      await set(trial, "prove:reload", "kept");
      const from = trial.console.count;
      trial.console.type("reload");
      if ((await trial.console.line(READY, 15_000, from)) === undefined)
        return "the script is not loaded again";
      const state = await connects(trial, from);
      return `${state}, properties ${(await value(trial, "prove:reload")) === "kept" ? "kept" : "lost"}`;
    },
  },
  {
    id: "stop-kept",
    expect: "allowlist kept, property of the end kept",
    why: "the pack stores figures of players when the server stops",
    async ask(trial) {
      if (!(await isListed(trial))) await ask(trial, "list-add", { name: NAME });
      await set(trial, "prove:before", "stop");
      const begun = performance.now();
      await trial.restart("stop");
      const took = seconds(performance.now() - begun);
      const isKept = (await value(trial, "prove:shutdown")) === "stop";
      return `allowlist ${(await isListed(trial)) ? "kept" : "lost"}, property of the end ${isKept ? "kept" : "lost"}; after ${took}`;
    },
  },
  {
    id: "kill-kept",
    expect: "allowlist kept, property kept, connected",
    why: "after a crash at most the last half minute may be lost",
    async ask(trial) {
      if (!(await isListed(trial))) await ask(trial, "list-add", { name: NAME });
      await set(trial, "prove:early", "early");
      await sleep(SAVE_MS);
      await trial.restart("kill");
      const list = (await isListed(trial)) ? "kept" : "lost";
      const property = (await value(trial, "prove:early")) === "early" ? "kept" : "lost";
      return `allowlist ${list}, property ${property}, ${await connects(trial, 0)}`;
    },
  },
]);
