import { type Probe, Skipped, type TestEnvironment, type ToolResult } from "../probe.ts";
import { READY } from "../script-client.ts";
import { isAnswering } from "../sidecar-process.ts";
import { ask, fieldsOf, listOf, parsed, textOf, until } from "../values.ts";

/** How long the pack may take to connect, and the script to load, after the start, in milliseconds. */
export const LOAD_MS = 60_000;
/** How long a script may take to run after the console has refused one. */
const REFUSED_MS = 3_000;

/** How a game refuses a script. A script whose modules are newer in the game is "promoted", and runs. */
const REFUSED =
  /\[Scripting\].*Plugin \[.*\] - (?!promoted )|depends on unknown module|requesting dependency on beta APIs/;

/** Whether something becomes true in time; a rejected script gets less time. */
export async function comes(
  { console }: TestEnvironment,
  find: () => Promise<true | undefined> | true | undefined,
): Promise<boolean> {
  const isRefused = (): boolean => console.lines().some(line => REFUSED.test(line));
  const first = await until(LOAD_MS, async () => (await find()) ?? (isRefused() || undefined));
  return first !== undefined && (await until(isRefused() ? REFUSED_MS : 0, find)) === true;
}

/** What the console says of a script that does not run. */
export function whyNot({ console }: TestEnvironment): string {
  const lines = console.lines();
  const said = lines.filter(line => /\[Scripting\]|ERROR|not found/i.test(line));
  return (said.length > 0 ? said : lines).slice(-3).join(" | ") || "the console is empty";
}

export const lastOf = ({ code, lines }: ToolResult): string =>
  `exit code ${code ?? "unknown"}: ${lines.slice(-4).join(" | ")}`;

/** Sets the copy up with these options, starts it, and waits for the pack. */
async function connect(env: TestEnvironment, ...options: string[]): Promise<string> {
  await env.stop();
  if (options.length > 0) {
    const result = await env.setUp(...options);
    if (result.code !== 0) return `setup fails with ${lastOf(result)}`;
  }
  await env.startSidecar();
  await env.start();
  if (!(await comes(env, () => isAnswering(`${env.web.url}/readyz`)))) return `not connected: ${whyNot(env)}`;
  env.levels.add("pack");
  return "connected";
}

export const firstSteps: readonly Probe[] = [
  {
    id: "first-start",
    expect: "started",
    why: "without it nothing works",
    async ask(env) {
      await env.start();
      await env.stop();
      env.keepWorld();
      env.levels.add("world");
      return "started";
    },
  },
  {
    id: "setup",
    needs: "world",
    expect: "done",
    why: "it installs the pack in the server",
    async ask(env) {
      const result = await env.setUp();
      if (result.code !== 0) return lastOf(result);
      env.levels.add("installed");
      return "done";
    },
  },
  {
    id: "pack-connects",
    needs: "installed",
    expect: "connected",
    why: "the pack has to load, to read its settings and to reach the sidecar",
    ask: env => connect(env),
  },
  {
    id: "module-versions",
    needs: "installed",
    expect: "connected",
    why: "setup --module-versions 1.0.0-beta has to help where a game refuses the versions of the pack",
    async ask(env) {
      if (env.levels.has("pack")) throw new Skipped("not needed: the pack loads without changes");
      return connect(env, "--module-versions", "1.0.0-beta");
    },
  },
  {
    id: "doctor",
    needs: "pack",
    expect: "no problem",
    why: "the doctor has to understand this game's files and the response of its port",
    async ask(env) {
      const result = await env.examine();
      const problems = listOf(parsed(result.lines.join("\n")))
        .map(fieldsOf)
        // Another game server on this machine has nothing to do with this game.
        .filter(({ ok, id }) => ok === false && id !== "other-game")
        .map(({ id, what }) => `${textOf(id)}: ${textOf(what)}`);
      if (problems.length > 0) return problems.join(" | ");
      return result.code === 2 ? lastOf(result) : "no problem";
    },
  },
];

export const middleSteps: readonly Probe[] = [
  {
    id: "stop",
    needs: "pack",
    expect: "stopped",
    why: "a server that does not stop while the pack is connected must be killed, and loses the latest changes",
    ask: async env => ((await env.stop()) ? "stopped" : "killed after 20 s"),
  },
  {
    id: "setup-undo",
    needs: "installed",
    expect: "undone",
    why: "setup --undo has to work after the game has written its files",
    async ask(env) {
      await env.stop();
      const result = await env.setUp("--undo");
      return result.code === 0 ? "undone" : lastOf(result);
    },
  },
  {
    id: "probes-load",
    needs: "installed",
    expect: "loaded",
    why: "the other probes run in the script",
    async ask(env) {
      await env.stop();
      await env.setUp();
      await env.startSidecar();
      let last = "";
      for (const gametest of ["1.0.0-beta", "beta", undefined]) {
        env.putProbes(gametest);
        await env.start();
        const has = (): true | undefined => env.console.lines().some(line => READY.test(line)) || undefined;
        if (await comes(env, has)) {
          await ask(env, "wait-ticks", { ticks: 1 }, LOAD_MS);
          env.levels.add("script");
          return gametest === undefined ? "loaded; without simulated players" : "loaded";
        }
        last = whyNot(env);
        await env.stop();
      }
      return `not loaded: ${last}`;
    },
  },
];

export const lastSteps: readonly Probe[] = [
  {
    id: "stays-up",
    needs: "world",
    expect: "until it was stopped",
    why: "a server that crashes with the pack cannot be used",
    async ask(env) {
      await env.stop();
      return env.crash ?? "until it was stopped";
    },
  },
];
