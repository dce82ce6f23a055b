import { type Probe, Skipped, type ToolResult, type Trial } from "../probe.ts";
import { READY } from "../script-client.ts";
import { answers } from "../sidecar-process.ts";
import { ask, fieldsOf, listOf, parsed, textOf, until } from "../values.ts";

/** How long the pack may take to connect, and the script with the probes to load, after the server has started. */
const LOAD_MS = 60_000;
/** How long after a refusal the script may run all the same. */
const REFUSED_MS = 3_000;

/** What a game says of a script that it does not run; one whose modules it has in a newer version is "promoted", and runs. */
const REFUSED =
  /\[Scripting\].*Plugin \[.*\] - (?!promoted )|depends on unknown module|requesting dependency on beta APIs/;

/** Whether something comes true in time; it is soon given up where the console says that the script does not run. */
async function comes(
  { console }: Trial,
  find: () => Promise<true | undefined> | true | undefined,
): Promise<boolean> {
  const isRefused = (): boolean => console.lines().some(line => REFUSED.test(line));
  const first = await until(LOAD_MS, async () => (await find()) ?? (isRefused() || undefined));
  return first !== undefined && (await until(isRefused() ? REFUSED_MS : 0, find)) === true;
}

/** What the console says where a script does not run. */
function whyNot({ console }: Trial): string {
  const lines = console.lines();
  const said = lines.filter(line => /\[Scripting\]|ERROR|not found/i.test(line));
  return (said.length > 0 ? said : lines).slice(-3).join(" | ") || "the console says nothing";
}

const lastOf = ({ code, lines }: ToolResult): string =>
  `exit code ${code ?? "unknown"}: ${lines.slice(-4).join(" | ")}`;

/** Sets the copy up with these options, starts it, and says what has come of the pack. */
async function connect(trial: Trial, ...options: string[]): Promise<string> {
  await trial.stop();
  if (options.length > 0) {
    const result = await trial.setUp(...options);
    if (result.code !== 0) return `setup fails with ${lastOf(result)}`;
  }
  await trial.startSidecar();
  await trial.start();
  if (!(await comes(trial, () => answers(`${trial.web.url}/readyz`))))
    return `not connected: ${whyNot(trial)}`;
  trial.levels.add("pack");
  return "connected";
}

export const firstSteps: readonly Probe[] = [
  {
    id: "first-start",
    expect: "started",
    why: "without it nothing works",
    async ask(trial) {
      await trial.start();
      await trial.stop();
      trial.levels.add("world");
      return "started";
    },
  },
  {
    id: "setup",
    needs: "world",
    expect: "done",
    why: "the pack is put into the server by it",
    async ask(trial) {
      const result = await trial.setUp();
      if (result.code !== 0) return lastOf(result);
      trial.levels.add("installed");
      return "done";
    },
  },
  {
    id: "pack-connects",
    needs: "installed",
    expect: "connected",
    why: "the pack has to load, to read its settings and to reach the sidecar",
    ask: trial => connect(trial),
  },
  {
    id: "module-versions",
    needs: "installed",
    expect: "connected",
    why: "setup --module-versions 1.0.0-beta has to help where a game refuses the versions of the pack",
    async ask(trial) {
      if (trial.levels.has("pack")) throw new Skipped("not needed: the pack loads as it comes");
      return connect(trial, "--module-versions", "1.0.0-beta");
    },
  },
  {
    id: "doctor",
    needs: "pack",
    expect: "no problem",
    why: "the doctor has to understand what this game writes into its folder and answers at its port",
    async ask(trial) {
      const result = await trial.examine();
      const problems = listOf(parsed(result.lines.join("\n")))
        .map(fieldsOf)
        // That another game server needs the same port is not a matter of this game.
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
    why: "a server that does not end with the pack connected has to be killed, and loses what players did",
    ask: async trial => ((await trial.stop()) ? "stopped" : "killed after 20 s"),
  },
  {
    id: "setup-undo",
    needs: "installed",
    expect: "undone",
    why: "setup --undo has to work after the game has written its files",
    async ask(trial) {
      await trial.stop();
      const result = await trial.setUp("--undo");
      return result.code === 0 ? "undone" : lastOf(result);
    },
  },
  {
    id: "probes-load",
    needs: "installed",
    expect: "loaded",
    why: "what only a script in the game can tell is asked by it",
    async ask(trial) {
      await trial.stop();
      await trial.setUp();
      await trial.startSidecar();
      let last = "";
      for (const gametest of ["1.0.0-beta", "beta", undefined]) {
        trial.putProbes(gametest);
        await trial.start();
        const has = (): true | undefined => trial.console.lines().some(line => READY.test(line)) || undefined;
        if (await comes(trial, has)) {
          await ask(trial, "wait-ticks", { ticks: 1 }, LOAD_MS);
          trial.levels.add("script");
          return gametest === undefined ? "loaded; without simulated players" : "loaded";
        }
        last = whyNot(trial);
        await trial.stop();
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
    async ask(trial) {
      await trial.stop();
      return trial.crash ?? "until it was stopped";
    },
  },
];
