import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Cast } from "../simulator/cast.ts";
import { runCommand } from "../simulator/commands.ts";
import { type RealtimeDriver, runRealtime } from "../simulator/realtime.ts";
import { createServerFolderSimulator } from "../simulator/server-folder.ts";
import { createSimulator, type Player, type Simulator } from "../simulator/simulator.ts";
import { intro } from "./intro.ts";
import { type DemoSidecar, startDemoSidecar } from "./sidecar.ts";

const DEFAULT_PORT = 8080;
const READY_TIMEOUT_MS = 30_000;
const built = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

const interactive = process.stdin.isTTY === true;
const say = (line: string): void => console.log(line);

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { port: { type: "string" }, server: { type: "string" } } });
  const sidecar =
    values.server === undefined
      ? await openSidecar(values.port === undefined ? undefined : Number(values.port))
      : undefined;
  const simulator = sidecar === undefined ? await openFolder(values.server ?? "") : await openGame(sidecar);
  const cast = new Cast(simulator.world, { forms: interactive ? "leave" : "accept", seed: Date.now() });
  if (sidecar === undefined) enterAsAllowed(cast);
  else cast.enter();
  const world = runRealtime(simulator, {
    onTick: () => {
      narrate(simulator);
      cast.act();
    },
  });

  let ending = false;
  const end = async (code: number): Promise<void> => {
    if (ending) process.exit(code);
    ending = true;
    await world.stop();
    await simulator.stop();
    await sidecar?.stop();
    process.exit(code);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void end(0));
  void sidecar?.ended.then(code => {
    if (ending) return;
    say(`the sidecar ended with code ${code}`);
    void end(1);
  });

  if (sidecar !== undefined) {
    await ready(sidecar);
    for (const line of intro(sidecar, cast.members[0]?.name ?? "Steve", interactive)) say(line);
  }
  if (sidecar === undefined && interactive) say("Type help for what can be typed here. Ctrl+C ends it.");
  listen(simulator, world);
}

/** The pack of this build in a world of its own. */
const openGame = ({ bridgeUrl, token }: DemoSidecar): Promise<Simulator> =>
  createSimulator({
    pack: built("behavior_pack/scripts/main.js"),
    variables: { "bridge-url": bridgeUrl },
    secrets: { "bridge-token": token },
    log: (_level, line) => say(`[console] ${line}`),
  });

/** What a server in this folder would run; its pack talks to the sidecar that the folder names. */
async function openFolder(folder: string): Promise<Simulator> {
  const manifest: { header: { uuid: string } } = JSON.parse(
    readFileSync(built("behavior_pack/manifest.json"), "utf8"),
  );
  const { simulator, started } = await createServerFolderSimulator(folder, {
    pack: manifest.header.uuid,
    stdout: say,
  });
  if (started === undefined)
    say(`the pack was not started: npm run doctor -- --server ${JSON.stringify(folder)} says why`);
  return simulator;
}

/** Brings the players in whom the allow list of the folder lets in. */
function enterAsAllowed(cast: Cast): void {
  try {
    cast.enter();
  } catch (error) {
    say(`${error instanceof Error ? error.message : error}: no more players join`);
  }
}

/** The sidecar on the usual port, or on any free one when that is taken and nobody asked for it. */
async function openSidecar(port: number | undefined): Promise<DemoSidecar> {
  const program = built("sidecar/main.js");
  if (port !== undefined) return startDemoSidecar(program, port, say);
  try {
    return await startDemoSidecar(program, DEFAULT_PORT, () => undefined);
  } catch {
    say(
      `port ${DEFAULT_PORT} is taken: the demo takes another one (npm run demo -- --port <number> names one)`,
    );
    return startDemoSidecar(program, 0, say);
  }
}

/** Waits until the pack has connected and reported. */
async function ready({ publicUrl }: DemoSidecar): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    const { ok } = await fetch(`${publicUrl}/readyz`);
    if (ok) return;
    if (Date.now() > deadline) throw new Error("the pack did not connect to the sidecar");
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}

const formsSeen = new WeakMap<Player, number>();

/** Prints what happened in the tick before: chat, and forms that a player was shown. */
function narrate({ world }: Simulator): void {
  const lines: string[] = [];
  for (let i = world.chat.length - 1; i >= 0 && world.chat[i]?.tick === world.tick; i--) {
    const line = world.chat[i];
    if (line) lines.unshift(line.to === undefined ? `[chat] ${line.text}` : `[to ${line.to}] ${line.text}`);
  }
  for (const line of lines) say(line.replace(/§./gu, ""));
  for (const player of world.players) {
    const before = formsSeen.get(player) ?? 0;
    formsSeen.set(player, player.formsShown);
    if (player.form && player.formsShown > before) {
      const text = [player.form.title, player.form.body].join(" | ").replaceAll("\n", " | ");
      say(
        `[form] ${player.name}: ${text}${interactive ? `  (accept ${player.name}, decline ${player.name})` : ""}`,
      );
    }
  }
}

/** Carries out what is typed. */
function listen(simulator: Simulator, driver: RealtimeDriver): void {
  const target = { world: simulator.world, lag: (tps: number) => driver.lag({ tps }) };
  createInterface({ input: process.stdin }).on("line", line => {
    const answer = runCommand(line, target);
    if (answer !== "") say(answer);
  });
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
