import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fetchJoinInfo } from "../../bds/join-info.ts";
import { Skipped, type TestEnvironment } from "../probe.ts";
import { fieldsOf, listOf, numberOf, parsed, probesAt, seconds, textOf, until } from "../values.ts";
import { call, callUntil, words } from "../web-client.ts";

const ANSWER_MS = 5_000;
const FRESH_MS = 30_000;
const NAME = "Prove Listed";

/** Types a command, and waits for a matching line. */
async function typed({ console }: TestEnvironment, command: string, pattern: RegExp): Promise<string> {
  const from = console.count;
  console.type(command);
  if ((await console.line(pattern, ANSWER_MS, from)) !== undefined) return "answered";
  return `the console says: ${console.lines(from).slice(0, 2).join(" | ") || "nothing"}`;
}

function namesInFile({ folder }: TestEnvironment): unknown[] {
  const text = readFileSync(join(folder, "allowlist.json"), "utf8");
  return listOf(parsed(text)).map(entry => fieldsOf(entry).name);
}

/** Adds a name to the allowlist from the website, and removes it. */
export async function changeWhitelist(env: TestEnvironment): Promise<string> {
  const use = (method: string) => call(env, "/whitelist", { method, body: { playerName: NAME }, key: true });
  const isListed = async () => listOf((await call(env, "/whitelist", { key: true })).json).includes(NAME);
  const file = () => namesInFile(env).includes(NAME);
  const added = await use("POST");
  const has = await isListed();
  const isWritten = await until(ANSWER_MS, () => file() || undefined);
  const removed = await use("DELETE");
  const isGone = (await until(ANSWER_MS, () => !file() || undefined)) && !(await isListed());
  return [
    has ? "listed" : `not listed (${words(added)})`,
    isWritten ? "in allowlist.json" : "not in allowlist.json",
    isGone ? "removed" : `not removed (${words(removed)})`,
  ].join(", ");
}

/** What the pack lacks, by its lines on the console. */
function lacking({ console }: TestEnvironment, pattern: RegExp): string {
  const found = console.lines().flatMap(line => pattern.exec(line)?.[1] ?? []);
  return found.length === 0 ? "nothing is missing" : `missing: ${found.join(", ")}`;
}

/** Probes of the pack as its owner gets it. */
export const packProbes = probesAt("pack", [
  {
    id: "start-offers",
    expect: "nothing is missing",
    why: "where the game lacks a feature, that part of the bridge is off",
    ask: async env => lacking(env, /this version of the game does not offer ([\w.]+)/),
  },
  {
    id: "start-commands",
    expect: "nothing is missing",
    why: "players and operators use the pack's commands",
    ask: async env => lacking(env, /there is no (\/bridge:\w+): the game rejected it/),
  },
  {
    id: "command-status",
    expect: "answered",
    why: "owners check with it on the console whether the bridge is connected",
    ask: env => typed(env, "bridge:status", /Connected to|Not connected \(/),
  },
  {
    id: "join-answer",
    expect: "answered",
    why: "doctor and sidecar ask the game's port for version and players",
    async ask(env) {
      if (env.console.lines().some(line => /^IPv4 supported, port: .*: /.test(line)))
        throw new Skipped("this server uses RakNet");
      const answer = await fetchJoinInfo(env.gamePort, AbortSignal.timeout(ANSWER_MS));
      return "fault" in answer ? answer.fault : "answered";
    },
  },
  {
    id: "web-status",
    expect: "Online, 0 players",
    why: "the page shows whether the server is online",
    async ask(env) {
      const last = await callUntil(env, "/status", FRESH_MS, ({ json }) => numberOf(fieldsOf(json).tps) > 15);
      const { status, tps, onlinePlayerCount } = fieldsOf(last.json);
      if (last.status !== 200) return words(last);
      return `${textOf(status)}, ${String(onlinePlayerCount)} players; ${numberOf(tps).toFixed(1)} ticks a second`;
    },
  },
  {
    id: "web-whitelist",
    expect: "listed, in allowlist.json, removed",
    why: "the allowlist is managed from the website, and has to survive a restart",
    ask: changeWhitelist,
  },
  {
    id: "web-restart",
    expect: "away, online",
    why: "the feed reports when the server goes offline and returns",
    async ask(env) {
      const states = async (): Promise<string[]> =>
        listOf((await call(env, "/events?format=json&types=server")).json).map(event =>
          textOf(fieldsOf(event).state),
        );
      const before = (await states()).length;
      const begun = performance.now();
      await env.restart("stop");
      await until(FRESH_MS, async () => (await states()).slice(before).includes("online") || undefined);
      const came = (await states()).slice(before);
      return `${came.join(", ")}; after ${seconds(performance.now() - begun)}`;
    },
  },
]);
