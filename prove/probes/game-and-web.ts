import { setTimeout as sleep } from "node:timers/promises";
import type { Fields, TestEnvironment } from "../probe.ts";
import { READY } from "../script-client.ts";
import { ask, fieldsOf, listOf, numberOf, probesAt, seconds, textOf } from "../values.ts";
import { type ApiResponse, call, callUntil, withSockets, words } from "../web-client.ts";
import { FIRST, SECOND, withPlayers } from "./players.ts";

/** Reports of players come every few seconds. */
const REPORT_MS = 30_000;
const CONNECT_MS = 45_000;
/** The game saves a running world within this time. */
const SAVE_MS = 25_000;
const CONNECTED = /\[web bridge\] connected to the sidecar at /;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const NAME = "Prove Kept";

const rowIn = ({ json }: ApiResponse, name: string): Fields | undefined =>
  listOf(json)
    .map(fieldsOf)
    .find(row => row.name === name);

/** The player on the website, once it matches. */
async function row(env: TestEnvironment, name: string, fits = (_: Fields): boolean => true): Promise<Fields> {
  const last = await callUntil(env, "/players", REPORT_MS, response => {
    const found = rowIn(response, name);
    return found !== undefined && fits(found);
  });
  return rowIn(last, name) ?? {};
}

const value = async (env: TestEnvironment, key: string): Promise<unknown> =>
  (await ask(env, "get", { key })).value;
const set = (env: TestEnvironment, key: string, to: string): Promise<unknown> =>
  env.script.ask("set", { key, value: to });
const isListed = async (env: TestEnvironment): Promise<boolean> =>
  (await ask(env, "list-contains", { name: NAME })).value === true;
const connects = async ({ console }: TestEnvironment, from: number): Promise<string> =>
  (await console.line(CONNECTED, CONNECT_MS, from)) === undefined ? "not connected" : "connected";

/** From the game to the website and back, and what survives a restart. These come last: they end the server. */
export const gameAndWebProbes = probesAt("script", [
  {
    id: "game-player",
    expect: "listed, with a uuid, health 20",
    why: "the page lists the players who are online",
    ask: withPlayers([FIRST], async env => {
      const { name, uuid, health } = await row(env, FIRST);
      if (name === undefined) return "not listed";
      return `listed, ${UUID.test(textOf(uuid)) ? "with a uuid" : "without a uuid"}, health ${String(health)}`;
    }),
  },
  {
    id: "game-kill",
    expect: "1 death, 1 kill",
    why: "deaths and kills are counted for each player",
    ask: withPlayers([FIRST, SECOND], async env => {
      const [deaths, kills] = [(await row(env, FIRST)).deaths, (await row(env, SECOND)).playerKills];
      await env.script.ask("player-strike", { name: FIRST, by: SECOND }, 60_000);
      const more = (now: unknown, before: unknown): number => numberOf(now) - numberOf(before);
      const victim = await row(env, FIRST, each => more(each.deaths, deaths) > 0);
      const killer = await row(env, SECOND, each => more(each.playerKills, kills) > 0);
      return `${more(victim.deaths, deaths)} death, ${more(killer.playerKills, kills)} kill`;
    }),
  },
  {
    id: "game-chat",
    expect: `\u00a7\u00a7<${FIRST}> \u00a7\u00a7hello web`,
    why: "the chat of the game is shown on the website",
    ask: withPlayers([FIRST], env =>
      withSockets(env, 1, async socket => {
        await env.script.ask("player-say", { name: FIRST, text: "hello web" });
        const line = await socket.message(({ content }) => textOf(content).includes("hello web"));
        return line === undefined ? "no message arrived" : textOf(line.content);
      }),
    ),
  },
  {
    id: "game-from-web",
    expect: "received once",
    why: "messages from the website are shown in the game, and not sent back as messages of the game",
    ask: withPlayers([FIRST], env =>
      withSockets(env, 2, async (one, other) => {
        one.send({ type: "CHAT", content: "line for the game" });
        await other.message(({ content }) => content === "line for the game");
        await sleep(2_000);
        const refused = one.received.find(({ type }) => type === "EXCEPTION");
        if (refused !== undefined) return `refused: ${textOf(refused.content)}`;
        const all = [...one.received, ...other.received];
        const count = all.filter(({ content }) => textOf(content).includes("line for the game")).length;
        return count === 1 ? "received once" : `received ${count} times`;
      }),
    ),
  },
  {
    id: "game-link",
    expect: "202 verification_sent, 200 pending",
    why: "players confirm links of browsers in the game",
    ask: withPlayers([FIRST], async env => {
      await row(env, FIRST);
      const { cookie } = await call(env, "/initialize");
      const requested = await call(env, "/link-player", { body: { username: FIRST }, cookie });
      return `${words(requested)}, ${words(await call(env, "/linked-player", { cookie }))}`;
    }),
  },
  {
    id: "reload-connects",
    expect: "connected, properties kept",
    why: "operators type reload after they have changed a pack",
    async ask(env) {
      await set(env, "prove:reload", "kept");
      const from = env.console.count;
      env.console.type("reload");
      if ((await env.console.line(READY, 15_000, from)) === undefined)
        return "the script is not loaded again";
      const state = await connects(env, from);
      return `${state}, properties ${(await value(env, "prove:reload")) === "kept" ? "kept" : "lost"}`;
    },
  },
  {
    id: "stop-kept",
    expect: "allowlist kept, property of the end kept",
    why: "the pack stores figures of players when the server stops",
    async ask(env) {
      if (!(await isListed(env))) await ask(env, "list-add", { name: NAME });
      await set(env, "prove:before", "stop");
      const begun = performance.now();
      await env.restart("stop");
      const took = seconds(performance.now() - begun);
      const isStored = (await value(env, "prove:shutdown")) === "stop";
      return `allowlist ${(await isListed(env)) ? "kept" : "lost"}, property of the end ${isStored ? "kept" : "lost"}; after ${took}`;
    },
  },
  {
    id: "kill-kept",
    expect: "allowlist kept, property kept, connected",
    why: "after a crash at most the last half minute may be lost",
    async ask(env) {
      if (!(await isListed(env))) await ask(env, "list-add", { name: NAME });
      await set(env, "prove:early", "early");
      await sleep(SAVE_MS);
      await env.restart("kill");
      const list = (await isListed(env)) ? "kept" : "lost";
      const property = (await value(env, "prove:early")) === "early" ? "kept" : "lost";
      return `allowlist ${list}, property ${property}, ${await connects(env, 0)}`;
    },
  },
]);
