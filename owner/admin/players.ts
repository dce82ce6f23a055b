import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { EXIT, misused, readOptions } from "../../cli/arguments.ts";
import { messageOf, reasonOf } from "../../cli/errno.ts";
import { printable } from "../../cli/printable.ts";
import { choose, isTerminal } from "../../cli/prompt.ts";
import { readConfigFile } from "../../sidecar/config/load.ts";
import type { Config } from "../../sidecar/config/settings.ts";
import type { KnownStore } from "../../sidecar/features/known-players/records.ts";
import {
  forgetPlayer,
  hasHadName,
  type KnownRecord,
} from "../../sidecar/features/known-players/rules/known-players.ts";
import { type OpenKnownPlayers, openKnown } from "./open-known-players.ts";
import { commands, failed, OWN_OPTIONS, warnOfOtherConfig } from "./output.ts";
import { beginFile, type Draft } from "./players-file.ts";

const USAGE = `usage: ${commands.players} --export <file> [--config <file>]
       ${commands.players} --forget <name> [--uuid <uuid>] [--yes] [--config <file>]

Exports the list of past players, or erases the record of one. The sidecar may be running.

  --export <file>  write all players to a new file, hidden ones included: as JSON, or as CSV if its name ends with .csv
  --forget <name>  erase the figures and visits of the player with this name
  --uuid <uuid>    which one, if several have used that name
  --yes            erase without asking
  --config <file>  configuration of the sidecar (default: ${commands.home})
  --help           print this`;

type Player = readonly [uuid: string, record: KnownRecord];

/** Exit code: 0 done or nothing is stored, 1 something cannot be read or written or was not confirmed, 2 wrong usage. */
async function main(): Promise<number> {
  const parsed = readOptions(USAGE, () =>
    parseArgs({
      options: {
        ...OWN_OPTIONS,
        export: { type: "string" },
        forget: { type: "string" },
        uuid: { type: "string" },
        yes: { type: "boolean", default: false },
      },
    }),
  );
  if ("exit" in parsed) return parsed.exit;
  const { config: file, export: to, forget: name, uuid, yes } = parsed.values;
  if ((to === undefined) === (name === undefined))
    return misused("expected one of --export and --forget", USAGE);
  if (to === "" || name === "") return misused("expected a name that is not blank", USAGE);
  if (name === undefined && (uuid !== undefined || yes))
    return misused("--uuid and --yes go with --forget", USAGE);
  warnOfOtherConfig(file);
  const read = readConfigFile(file, process.env);
  if ("faults" in read) return failed(read.faults);
  const { config } = read;
  try {
    return to === undefined
      ? await used(config, store => forget(store, config, { name: name ?? "", uuid, yes }))
      : await written(to, config);
  } catch (error) {
    return failed([messageOf(error)]);
  }
}

async function used(config: Config, act: (store: KnownStore) => Promise<number>): Promise<number> {
  let opened: OpenKnownPlayers | undefined;
  try {
    opened = await openKnown(config, { warn: (_fields, message) => console.error(printable(message)) });
    if (opened.store) return await act(opened.store);
    console.log(printable(`no past players are stored in ${config.storage.folder}`));
    return EXIT.done;
  } finally {
    await opened?.close();
  }
}

async function written(to: string, config: Config): Promise<number> {
  const file = resolve(to);
  let draft: Draft | undefined;
  try {
    draft = beginFile(file, config.server.name);
  } catch (error) {
    return failed([`${file}: cannot be created: ${reasonOf(error)}`]);
  }
  if (draft === undefined) return failed([`${file}: already exists: choose a new file`]);
  try {
    return await used(config, async store => {
      const players = await draft.write(store);
      console.log(printable(`${file}: ${players} ${players === 1 ? "player" : "players"}`));
      return EXIT.done;
    });
  } finally {
    draft.drop();
  }
}

async function named(store: KnownStore, name: string, uuid: string | undefined): Promise<Player[]> {
  const found: Player[] = [];
  for await (const slice of store.all())
    found.push(
      ...slice.filter(
        ([each, record]) =>
          record.visits > 0 && hasHadName(record, name) && (uuid ?? each).toLowerCase() === each,
      ),
    );
  return found;
}

async function forget(
  store: KnownStore,
  { servers, modules }: Config,
  { name, uuid, yes }: { name: string; uuid: string | undefined; yes: boolean },
): Promise<number> {
  const found = await named(store, name, uuid);
  const [player, ...others] = found;
  if (player === undefined)
    return failed([
      `there is no past player named ${name}${uuid === undefined ? "" : ` with the uuid ${uuid}`}`,
    ]);
  if (others.length > 0) {
    return failed([
      `${found.length} players have used the name ${name}: add --uuid with the right one of these:`,
      ...found.map(each => `  ${describePlayer(each)}`),
    ]);
  }
  console.log(printable(describePlayer(player)));
  if (!yes && !isTerminal())
    return failed(["Nothing has been erased. Add --yes to erase without being asked."]);
  const question = "Erase the record of this player? This cannot be undone. [y/N] ";
  if (!yes && (await choose(question, ["no", "yes"])) !== "yes") return failed(["Nothing has been erased."]);
  const [id] = player;
  const at = Date.now();
  // The first game server is stored under an empty name.
  const names = ["", ...servers.map(each => each.name)];
  await store.change(
    [id],
    (_uuid, record) => ({ record: forgetPlayer(record, { servers: names, at }), forgets: true }),
    { most: modules.api.limits.knownPlayers },
  );
  for (const line of [
    "Erased. If the player is online, their deaths, kills and playtime start at zero as soon as the game server is informed.",
    "Not erased: browser links, and recent events, which expire.",
  ])
    console.log(line);
  return EXIT.done;
}

const TIME = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short" });

const describePlayer = ([uuid, { name, first, last, visits }]: Player): string =>
  `${name}  ${uuid}  first seen ${TIME.format(first)}, last seen ${TIME.format(last)}, ${visits} ${visits === 1 ? "visit" : "visits"}`;

process.exitCode = await main();
