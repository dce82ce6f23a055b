import { otherServers } from "../bds/other-server.ts";
import type { BridgeStatus } from "../shared/status.ts";
import { type Finding, note, ok, problem, skipped } from "./finding.ts";
import type { Target } from "./target.ts";

/** Whether the pack calls the world as the server does: it cannot know the name by itself. */
export function checkWorldName({ server, around, setup }: Target, value: unknown): Finding {
  const id = "world-name";
  const { levelName, world } = server;
  if (around.files.kindOf(world.levelDat) !== "file")
    return skipped(id, `${id} in variables.json: the world has to be there first`);
  if (value === levelName) return ok(id, `variables.json calls the world ${levelName}, too`);
  if (value === undefined)
    return note(id, `variables.json has no ${id}: log and /bridge:status cannot name the world: ${setup}`);
  const what = `variables.json: ${id} is ${JSON.stringify(value)}, and level-name in ${server.propertiesFile} is ${levelName}`;
  return problem(id, what, setup);
}

/** Whether the game server that reports to the sidecar is the one of this folder. */
export function checkConnectedWorld(
  game: BridgeStatus["game"],
  isReporting: boolean,
  target: Target | undefined,
  ago: (then: number) => string,
): Finding[] {
  const id = "connected-world";
  const name = game?.world?.name || undefined;
  if (game === undefined || name === undefined) return [];
  if (!isReporting) return [note(id, `the world ${name} was connected last, and reports no more`)];
  const own = target?.server.levelName;
  const connected = `the world ${name} (for ${ago(game.connectedAt)})`;
  if (own === undefined || own === name) return [ok(id, `the sidecar is connected with ${connected}`)];
  const what = `the sidecar is connected with ${connected}, and the world of this server is ${own}`;
  const mend = `give each world a sidecar of its own, see "One sidecar per world" in docs/troubleshooting.md`;
  return [problem(id, what, mend)];
}

/** Names the other servers that have been given the same sidecar. */
export function checkOtherServers({ server, around, module, side }: Target): Finding[] {
  if (side === undefined) return [];
  const { configFile, config, token } = side;
  const asked = { configFile, storage: config.storage.folder, token };
  return otherServers(server.root, asked, module, around.files).map(({ root, world }) =>
    note(
      "other-server",
      `the server ${root} with the world ${world} has the token of this sidecar, too: each world needs a sidecar of its own`,
    ),
  );
}
