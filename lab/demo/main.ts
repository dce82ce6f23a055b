import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { messageOf } from "../../cli/errno.ts";
import { freePort } from "../../cli/free-port.ts";
import { createClient } from "../../client/index.ts";
import { built, PACK, SIDECAR } from "../scale/built.ts";
import { whole } from "../scale/whole.ts";
import { runCommand } from "../simulator/commands.ts";
import { createServerFolderSimulator } from "../simulator/server-folder.ts";
import { createSimulator, type SavedWorld, type Simulator } from "../simulator/simulator.ts";
import { hasRedis, NO_REDIS, startDemoFleet } from "./fleet.ts";
import { DemoGame } from "./game.ts";
import { intro } from "./intro.ts";
import { rememberIn } from "./known.ts";
import { createNarrator } from "./narrate.ts";
import { letTravel, MOST_SERVERS, networkOf, type Place } from "./network.ts";
import type { Fleet } from "./panel/protocol.ts";
import { openPanel, type Panel } from "./panel/server.ts";
import { openPlug } from "./plug.ts";
import { type DemoSidecar, startDemoSidecar } from "./sidecar.ts";
import { openTeaHouse, type TeaHouse } from "./tea-house.ts";

const DEFAULT_PORT = 8080;
const DEFAULT_PANEL_PORT = 8090;
const TEA_HOUSE_PORT = 8091;
const MOST_SIDECARS = 5;
const USAGE = `usage: npm run demo -- [--port <number>] [--panel-port <number>] [--server <folder>] [--sidecars <number>]
                       [--servers <number>]

  --port <number>        port of the website (${DEFAULT_PORT}, or any free one when that is taken)
  --panel-port <number>  port of the panel (${DEFAULT_PANEL_PORT}, or any free one when that is taken)
  --server <folder>      plays the game server of this folder; the website belongs to the sidecar that it names
  --sidecars <number>    1 to ${MOST_SIDECARS} sidecars in the place of one, with a Redis and a balancer: any of them may be killed
  --servers <number>     1 to ${MOST_SERVERS} game servers behind one sidecar, with players who go from one to another`;

const LAST_PORT = 65_535;
const READY_TIMEOUT_MS = 30_000;
/** A second signal is that of somebody who has waited for so long; before, it is the first one that came twice. */
const IMPATIENT_MS = 1_000;

const interactive = process.stdin.isTTY === true;
const say = (line: string): void => console.log(line);

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: "string" },
      "panel-port": { type: "string" },
      server: { type: "string" },
      sidecars: { type: "string" },
      servers: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(USAGE);
  const count =
    values.sidecars === undefined ? undefined : whole("--sidecars", values.sidecars, 1, MOST_SIDECARS);
  const servers = values.servers === undefined ? 1 : whole("--servers", values.servers, 1, MOST_SERVERS);
  if (values.servers !== undefined && (count ?? values.server) !== undefined)
    throw new Error("--servers: they are behind one sidecar, which is the demo's own");
  if (count !== undefined && values.server !== undefined)
    throw new Error("--sidecars: the sidecar of --server is somebody else's");
  if (count !== undefined && !hasRedis()) throw new Error(NO_REDIS);
  const panel = await onPort(values["panel-port"], DEFAULT_PANEL_PORT, "--panel-port", async port => {
    try {
      return await openPanel(port);
    } catch (error) {
      throw new Error(`--panel-port ${port}: expected a port that is free and may be used`, { cause: error });
    }
  });
  const { others, env } = networkOf(servers);
  // The sidecar has to know the origins of the panel and of the tea house, so that they listen first.
  const teaHouse = values.server === undefined ? await openSomewhere() : undefined;
  const settings = (service: string) => ({ ...env, ...teaHouse?.settingsFor(service) });
  const sidecar =
    values.server === undefined ? await openService(values.port, panel.origin, count, settings) : undefined;
  const game = new DemoGame({
    create: saved => (sidecar ? openGame(sidecar, saved) : openFolder(values.server ?? "", saved)),
    answersForms: () => !interactive && panel.pages === 0,
    onTick: createNarrator(say, interactive),
    say,
  });
  await game.start();
  const network = sidecar ? others.map(place => openPlace(place, sidecar)) : [];
  const games = [game, ...network];
  // Whoever follows what is printed finds this one where it says.
  const [guide = "Steve"] = game.world?.players.map(({ name }) => name) ?? [];
  endWith(
    games,
    [panel, ...(teaHouse ? [teaHouse] : [])],
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
    teaHouse?.open(sidecar.publicUrl);
    const names = others.map(({ name }) => name);
    for (const line of intro(sidecar, [panel.origin, teaHouse?.origin], guide, interactive, names)) say(line);
  } else {
    say(
      `Panel: ${panel.origin}/ (the world alone: the website belongs to the sidecar that the folder names)`,
    );
    if (interactive) say("Type help for what can be typed here. Ctrl+C ends it.");
  }
  listen(game);
}

/** A game server beside the one of the panel: nobody sees its forms, so that its players answer them by themselves. */
function openPlace({ name, token }: Place, sidecar: DemoSidecar): DemoGame {
  const tell = (line: string): void => say(`[${name}] ${line}`);
  return new DemoGame({
    create: saved => openGame({ ...sidecar, token }, saved, tell),
    answersForms: () => true,
    castSize: 0,
    onTick: createNarrator(tell, false),
    say: tell,
  });
}

/** Ends everything, once, when somebody asks for it or the sidecar is gone. */
function endWith(
  games: readonly DemoGame[],
  sites: readonly Pick<Panel, "close">[],
  sidecar: DemoSidecar | undefined,
  endTravel: (() => void) | undefined,
): void {
  let endingSince: number | undefined;
  const end = async (code: number): Promise<void> => {
    if (endingSince !== undefined) {
      if (Date.now() - endingSince > IMPATIENT_MS) process.exit(code);
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
  void sidecar?.ended.then(code => {
    if (endingSince !== undefined) return;
    say(`the sidecar ended with code ${code}`);
    void end(1);
  });
}

/** The pack of this build in a world of its own. */
const openGame = (
  { bridgeUrl, token }: DemoSidecar,
  saved: SavedWorld | undefined,
  tell = say,
): Promise<Simulator> =>
  createSimulator({
    pack: PACK,
    variables: { "bridge-url": bridgeUrl },
    secrets: { "bridge-token": token },
    ...(saved ? { saved } : {}),
    log: (_level, line) => tell(`[console] ${line}`),
  });

/** What a server in this folder would run; its pack talks to the sidecar that the folder names. */
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
    say(`the pack was not started: npm run doctor -- --server ${JSON.stringify(folder)} says why`);
  return simulator;
}

/** One sidecar, or several in its place. */
const openService = (
  asked: string | undefined,
  panel: string,
  count: number | undefined,
  settings: (service: string) => Record<string, string>,
): Promise<DemoSidecar & { fleet?: Fleet }> =>
  onPort<DemoSidecar & { fleet?: Fleet }>(asked, DEFAULT_PORT, "--port", async (wanted, isFirst) => {
    const program = SIDECAR;
    const hear = isFirst ? () => undefined : say;
    // Whoever signs in has to be told beforehand where the service is.
    const port = wanted === 0 ? await freePort() : wanted;
    const env = settings(`http://127.0.0.1:${port}`);
    if (count !== undefined) return startDemoFleet({ program, count, port, panel, env, say: hear });
    const token = randomBytes(24).toString("base64url");
    const ports = { public: port, bridge: 0 };
    return startDemoSidecar({ program, ports, panel, token, env, prepare: rememberIn, say: hear });
  });

/** Opens the tea house on its usual port, or on any free one. */
const openSomewhere = (): Promise<TeaHouse> => openTeaHouse(TEA_HOUSE_PORT).catch(() => openTeaHouse(0));

/** Opens something on the port that was asked for, or else on the usual one, or on any free one when that is taken. */
async function onPort<T>(
  asked: string | undefined,
  usual: number,
  option: string,
  open: (port: number, isFirst: boolean) => Promise<T>,
): Promise<T> {
  if (asked !== undefined) return open(whole(option, asked, 0, LAST_PORT), false);
  try {
    return await open(usual, true);
  } catch {
    say(`port ${usual} is taken: the demo takes another one (npm run demo -- ${option} <number> names one)`);
    return open(0, false);
  }
}

/** Waits until the packs of so many game servers have connected and reported. */
async function ready({ publicUrl }: DemoSidecar, servers: number): Promise<void> {
  const client = createClient({ base: publicUrl });
  const deadline = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    const told = await client.readiness();
    const there = told.ok ? told.value.servers.filter(({ state }) => state === "online") : [];
    if (there.length === servers) return;
    if (Date.now() > deadline) throw new Error("the pack did not connect to the sidecar");
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}

/** Carries out what is typed. */
function listen(game: DemoGame): void {
  createInterface({ input: process.stdin }).on("line", line => {
    const { world } = game;
    const answer = world
      ? runCommand(line, { world, lag: tps => game.lag(tps) })
      : "the game server is stopped: the panel starts it again";
    if (answer !== "") say(answer);
  });
}

main().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exit(1);
});
