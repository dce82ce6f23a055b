import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { plainLine } from "../../bds/game-console.ts";
import { messageOf } from "../../cli/errno.ts";
import { freePort } from "../../cli/free-port.ts";
import { createClient } from "../../client/index.ts";
import { systemClock } from "../../sidecar/platform/clock.ts";
import { createLaunchedGame, type LaunchedGame } from "../console-link/launched-game.ts";
import { built, PACK, SIDECAR, STABLE_PACK } from "../scale/built.ts";
import { whole } from "../scale/whole.ts";
import { runCommand } from "../simulator/commands.ts";
import { createServerFolderSimulator } from "../simulator/server-folder.ts";
import { createSimulator, type SavedWorld, type Simulator } from "../simulator/simulator.ts";
import { type ExampleSite, openExampleSite } from "./example-site.ts";
import { hasRedis, NO_REDIS, startDemoFleet } from "./fleet.ts";
import { DemoGame, type DemoGameOptions } from "./game.ts";
import { intro } from "./intro.ts";
import { rememberIn } from "./known.ts";
import { createNarrator } from "./narrate.ts";
import { letTravel, networkOf, type Place } from "./network.ts";
import { DEFAULT_PANEL_PORT, DEFAULT_PORT, readDemoOptions, settingsOf, USAGE } from "./options.ts";
import type { Fleet } from "./panel/protocol.ts";
import { openPanel, type Panel } from "./panel/server.ts";
import { openPlug } from "./plug.ts";
import { type DemoSidecar, startDemoSidecar } from "./sidecar.ts";

const EXAMPLE_SITE_PORT = 8091;
const LAST_PORT = 65_535;
const READY_TIMEOUT_MS = 30_000;
/** A second signal after this many milliseconds ends the demo immediately; an earlier one is a duplicate of the first. */
const DUPLICATE_SIGNAL_MS = 1_000;

const interactive = process.stdin.isTTY === true;
const say = (line: string): void => console.log(line);

async function main(): Promise<void> {
  const options = readDemoOptions(process.argv.slice(2));
  if (options === undefined) return console.log(USAGE);
  const { server, count, servers, isConsole, development } = options;
  if (count !== undefined && !hasRedis()) throw new Error(NO_REDIS);
  const panel = await onPort(options.panelPort, DEFAULT_PANEL_PORT, "--panel-port", async port => {
    try {
      return await openPanel(port);
    } catch (error) {
      throw new Error(`--panel-port ${port}: this port is in use, or not allowed`, { cause: error });
    }
  });
  const { others, env } = networkOf(servers);
  // The sidecar has to know the addresses of the panel and of the example site, so these listen first.
  const site = server === undefined ? await openSomewhere() : undefined;
  const settings = (service: string) => ({
    ...env,
    WEB_BRIDGE_SIGN_IN_ENABLED: "true",
    WEB_BRIDGE_SIGN_IN_ISSUER: service,
    ...settingsOf(development, panel.origin, site ? [site.client] : []),
  });
  const sidecar =
    server === undefined ? await openService(options.port, panel.origin, count, settings) : undefined;
  const game = new DemoGame({
    ...(sidecar ? packOf(sidecar, isConsole, say) : { create: saved => openFolder(server ?? "", saved) }),
    answersForms: () => !interactive && panel.pages === 0,
    onTick: createNarrator(say, interactive),
    say,
  });
  await game.start();
  const network = sidecar ? others.map(place => openPlace(place, sidecar, isConsole)) : [];
  const games = [game, ...network];
  // The printed commands name this player.
  const [guide = "Steve"] = game.world?.players.map(({ name }) => name) ?? [];
  endWith(
    games,
    [panel, ...(site ? [site] : [])],
    sidecar,
    network.length > 0 ? letTravel(games, guide) : undefined,
  );
  for (const [i, one] of network.entries()) {
    await one.start();
    for (const name of others[i]?.players ?? []) one.join(name);
  }
  const plug = sidecar && (await openPlug(sidecar.publicUrl));
  panel.show({
    game,
    ...(plug ? { service: plug.origin, unplug: plug.pull } : {}),
    ...(sidecar?.fleet ? { fleet: sidecar.fleet } : {}),
    places: {
      page: built("tools/panel"),
      client: built("client"),
      cookbook: built("../docs/cookbook"),
    },
    say,
  });
  if (sidecar !== undefined) {
    await ready(sidecar, servers);
    site?.open(sidecar.publicUrl);
    const urls = {
      ...{ panel: panel.origin, exampleSite: site?.origin, development },
      ...{ player: guide, interactive, servers: others.map(({ name }) => name), isConsole },
    };
    for (const line of intro(sidecar, urls)) say(line);
  } else {
    say(`Panel: ${panel.origin}/ (shows only the game; your sidecar prints the address of the web console)`);
    if (interactive) say("Type help for a list of commands. Ctrl+C ends the demo.");
  }
  listen(game);
}

/** A game server that the panel does not show. Nobody can answer its forms, so its players do it automatically. */
function openPlace({ name, token }: Place, sidecar: DemoSidecar, isConsole: boolean): DemoGame {
  const tell = (line: string): void => say(`[${name}] ${line}`);
  return new DemoGame({
    ...packOf({ ...sidecar, token }, isConsole, tell),
    answersForms: () => true,
    castSize: 0,
    onTick: createNarrator(tell, false),
    say: tell,
  });
}

/** Stops everything, once: on a signal, when the output is closed, or when the sidecar has ended. */
function endWith(
  games: readonly DemoGame[],
  sites: readonly Pick<Panel, "close">[],
  sidecar: DemoSidecar | undefined,
  endTravel: (() => void) | undefined,
): void {
  let endingSince: number | undefined;
  const end = async (code: number): Promise<void> => {
    if (endingSince !== undefined) {
      if (Date.now() - endingSince > DUPLICATE_SIGNAL_MS) process.exit(code);
      return;
    }
    endingSince = Date.now();
    endTravel?.();
    for (const site of sites) await site.close();
    for (const game of games) await game.stop();
    await sidecar?.stop();
    process.exit(code);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void end(0));
  // The reader of the output has gone, as in a pipe to `head`.
  process.stdout.on("error", () => void end(0));
  void sidecar?.ended.then(code => {
    if (endingSince !== undefined) return;
    say(`The sidecar ended with exit code ${code}`);
    void end(1);
  });
}

type PackOptions = Pick<DemoGameOptions, "create" | "saysByCommand" | "onStop">;

/** A pack of this build: with all features, or the one that keeps achievements, with what `launch` does for it. */
function packOf({ bridgeUrl, token }: DemoSidecar, isConsole: boolean, tell: typeof say): PackOptions {
  if (!isConsole)
    return {
      create: saved =>
        createSimulator({
          pack: PACK,
          variables: { "bridge-url": bridgeUrl },
          secrets: { "bridge-token": token },
          ...(saved ? { saved } : {}),
          log: (_level, line) => tell(`[console] ${line}`),
        }),
    };
  let launched: LaunchedGame | undefined;
  return {
    async create(saved) {
      launched = await createLaunchedGame({
        pack: STABLE_PACK,
        bridge: { url: bridgeUrl, token },
        clock: systemClock,
        print(text) {
          for (const line of text.split("\n")) if (line !== "") tell(`[console] ${plainLine(line)}`);
        },
        ...(saved ? { saved } : {}),
      });
      return launched.simulator;
    },
    saysByCommand: true,
    onStop: () => launched?.end(),
  };
}

/** The world and the pack of a server folder. The pack connects to the sidecar that the folder names. */
async function openFolder(folder: string, earlier: SavedWorld | undefined): Promise<Simulator> {
  const manifest: { header: { uuid: string } } = JSON.parse(
    readFileSync(built("behavior_pack/manifest.json"), "utf8"),
  );
  const { simulator, started } = await createServerFolderSimulator(folder, {
    pack: manifest.header.uuid,
    stdout: say,
    ...(earlier ? { earlier } : {}),
  });
  if (started === undefined)
    say(`The pack was not started. To see why: npm run doctor -- --server ${JSON.stringify(folder)}`);
  return simulator;
}

/** One sidecar, or several with a balancer in front. */
const openService = (
  given: string | undefined,
  panel: string,
  count: number | undefined,
  settings: (service: string) => Record<string, string>,
): Promise<DemoSidecar & { fleet?: Fleet }> =>
  onPort<DemoSidecar & { fleet?: Fleet }>(given, DEFAULT_PORT, "--port", async (wanted, isFirst) => {
    const program = SIDECAR;
    const hear = isFirst ? () => undefined : say;
    // Sign-in needs the address of the service before the service starts.
    const port = wanted === 0 ? await freePort() : wanted;
    const env = settings(`http://127.0.0.1:${port}`);
    if (count !== undefined) return startDemoFleet({ program, count, port, panel, env, say: hear });
    const token = randomBytes(24).toString("base64url");
    const ports = { public: port, bridge: 0 };
    return startDemoSidecar({ program, ports, panel, token, env, prepare: rememberIn, say: hear });
  });

/** Opens the example site on its usual port, or on any free one. */
const openSomewhere = (): Promise<ExampleSite> =>
  openExampleSite(EXAMPLE_SITE_PORT).catch(() => openExampleSite(0));

/** Opens something on the port of an option, or else on the usual one, or on any free one when that is in use. */
async function onPort<T>(
  given: string | undefined,
  usual: number,
  option: string,
  open: (port: number, isFirst: boolean) => Promise<T>,
): Promise<T> {
  if (given !== undefined) return open(whole(option, given, 0, LAST_PORT), false);
  try {
    return await open(usual, true);
  } catch {
    say(
      `Port ${usual} is in use: the demo uses another one. To choose one: npm run demo -- ${option} <number>`,
    );
    return open(0, false);
  }
}

/** Waits until this many game servers have reported. */
async function ready({ publicUrl }: DemoSidecar, servers: number): Promise<void> {
  const client = createClient({ base: publicUrl });
  const deadline = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    const read = await client.readiness();
    const online = read.ok ? read.value.servers.filter(({ state }) => state === "online") : [];
    if (online.length === servers) return;
    if (Date.now() > deadline) throw new Error("The pack did not connect to the sidecar");
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}

/** Runs the commands that are typed. */
function listen(game: DemoGame): void {
  createInterface({ input: process.stdin }).on("line", line => {
    const { world } = game;
    const answer = world
      ? runCommand(line, {
          world,
          lag: tps => game.lag(tps),
          say: (player, text) => game.say(player, text),
        })
      : "The game server is stopped. Start it in the panel.";
    if (answer !== "") say(answer);
  });
}

main().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exit(1);
});
