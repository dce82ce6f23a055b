import { join } from "node:path";
import type { BuiltPack } from "../../bds/built-pack.ts";
import { isFault } from "../../bds/fault.ts";
import { type ServerFolder, scriptFolder, similarWorld, worldsIn } from "../../bds/folder.ts";
import { parseJson, valueAt } from "../../bds/json-text.ts";
import { enableBetaApis, readLevelDat } from "../../bds/level-dat.ts";
import { lacksOnlyLevelDat, readableLevelCopy } from "../../bds/level-dat-copy.ts";
import { keepsAchievements, scriptModuleOf } from "../../bds/manifest.ts";
import { type Pins, readPins } from "../../bds/module-versions.ts";
import { otherWorldsWith } from "../../bds/other-worlds.ts";
import { readProperties, setProperties } from "../../bds/properties.ts";
import { mergePermissions, mergeValues, readValues } from "../../bds/script-config.ts";
import { withoutSlashes } from "../../shared/address.ts";
import { PATHS } from "../../shared/frames.ts";
import { MAX_BODY_BYTES, MAX_REQUESTS_IN_FLIGHT } from "../../shared/limits.ts";
import type { Environment } from "../../sidecar/config/environment.ts";
import { achievementNotes } from "./achievements.ts";
import { type Plan, type PlanPart, planPart, Refusal } from "./change.ts";
import { planChestForm } from "./chest-form.ts";
import { KNOWN_SHOW, type KnownShow, LINK_FORM } from "./choices.ts";
import type { Disk } from "./disk.ts";
import type { Journal } from "./journal.ts";
import { isListed, planList } from "./pack-lists.ts";
import { planPack } from "./packs.ts";
import { namesOf, readServerInfo, type ServerInfo } from "./server-info.ts";
import type { SetupSidecar } from "./sidecar.ts";
import { planSidecarSettings } from "./sidecar-settings.ts";
import { changeBytes, changeText, displayPath, readText } from "./text-files.ts";
import { warningsFor } from "./warnings.ts";

interface SetupWishes {
  server: ServerFolder;
  /** the pack of the owner's choice; undefined: it was not built */
  behavior: BuiltPack | undefined;
  resource: BuiltPack | undefined;
  sidecar: SetupSidecar;
  /** whether players are asked in the chest form, which needs the resource pack; undefined: no change */
  chestForm: boolean | undefined;
  /** who can read the list of known players; undefined: no change */
  knownPlayers: KnownShow | undefined;
  /** value of `--module-versions`; undefined: no change */
  moduleVersions: string | undefined;
  /** whether the world is copied first */
  isBackedUp: boolean;
  /** whether the folder is a copy, whose server is on another machine */
  isCopy: boolean;
  /** about the ports of a new configuration of the sidecar */
  portNote: string | undefined;
  env: Environment;
  /** of earlier runs */
  journal: Journal | undefined;
}

interface SetupPlan extends Plan {
  /** other worlds that have the pack, if the one of `level-name` does not have it yet: that name may be mistyped */
  otherWorlds: string[];
}

/** All changes that connect the server with its sidecar; none if it is set up. Throws `Refusal`. */
export function makePlan(wanted: SetupWishes, disk: Disk): SetupPlan {
  const { server, behavior, sidecar } = wanted;
  if (disk.kindOf(server.world.levelDat) !== "file") throw noWorld(server, disk);
  const script = behavior && scriptModuleOf(behavior.manifest);
  if (behavior === undefined || script === undefined)
    throw new Refusal(
      "there is no behavior pack beside this program: in a clone run npm run build, else unpack the archive again",
    );
  const pins = chosenPins(wanted.moduleVersions, behavior);
  const form = planChestForm(wanted, disk);
  const chosen = { [LINK_FORM]: form.linkForm, [KNOWN_SHOW]: wanted.knownPlayers };
  const filled = wanted.journal && filledBefore(wanted.journal, sidecar.as);
  const serverInfo = readServerInfo(server, disk, filled);
  const settings = planSidecarSettings(sidecar, { chosen, serverInfo, filled }, disk);
  const isStable = keepsAchievements(behavior.manifest);
  // A server that starts in between finds packs before the lists that name them.
  const parts = [
    planPack(behavior, server, disk, pins),
    ...form.first,
    settings.planPart,
    ...(isStable ? [] : planScript(scriptFolder(server.root, script.uuid), sidecar, server.levelName, disk)),
    planProperties(server, { "content-log-console-output-enabled": "true", ...form.properties }, disk),
    ...(isStable ? [] : [planLevel(server, wanted, disk)]),
    planList(behavior, server, disk),
    ...form.last,
  ];
  const { manifest } = behavior;
  const otherWorlds = isListed(behavior, server, disk) ? [] : otherWorldsWith(server, manifest.uuid, disk);
  const items = parts.flatMap(({ item }) => (item === undefined ? [] : [item]));
  return {
    changes: parts.flatMap(({ changes }) => changes),
    items: items.map(({ place, lines }) => ({ place: displayPath(server.root, place), lines })),
    filled: settings.filled,
    notes: [
      ...otherWorlds.map(other => otherWorldNote(server, other)),
      ...(isStable ? achievementNotes(server, wanted.journal, disk) : []),
      ...warningsFor(wanted, behavior, disk),
    ],
    otherWorlds,
  };
}

const otherWorldNote = ({ propertiesFile, levelName }: ServerFolder, other: string): string =>
  `worlds/${other} has the add-on already, and level-name in ${propertiesFile} is ${levelName}: if you play ${other}, set level-name=${other} and run setup again`;

/** Values that earlier runs have filled in; under another name, only those for all game servers. */
function filledBefore({ filled = {}, as }: Journal, now: string | undefined): ServerInfo {
  return as === now ? filled : namesOf(filled);
}

function chosenPins(written: string | undefined, { manifest }: BuiltPack): Pins | undefined {
  if (written === undefined) return undefined;
  if (keepsAchievements(manifest))
    throw new Refusal(
      "--module-versions: is for the pack with all features: the one that keeps achievements asks for stable versions only",
    );
  const read = readPins(written, manifest);
  if (isFault(read)) throw new Refusal(`--module-versions: ${read.fault}`);
  return read.pins;
}

function noWorld(server: ServerFolder, disk: Disk): Refusal {
  const { root, world, levelName, propertiesFile } = server;
  if (lacksOnlyLevelDat(server, disk)) {
    const copy = readableLevelCopy(server, disk);
    const from = copy === undefined ? "take it from a backup of the world" : `copy ${copy} to it`;
    return new Refusal(
      `${world.levelDat}: is missing, but the rest of the world is there: ${from}, and run setup again`,
    );
  }
  const others = worldsIn(root, disk);
  const make = `start the server once, stop it with "stop", and run setup again`;
  if (others.length === 0) return new Refusal(`${world.folder}: there is no world yet: ${make}`);
  const why = `${propertiesFile}: level-name: there is no world "${levelName}": worlds has only ${others.join(", ")}`;
  const suggestion = similarWorld(levelName, others);
  if (suggestion !== undefined)
    return new Refusal(`${why}: set level-name=${suggestion} and run setup again`);
  return new Refusal(`${why}: if level-name is mistyped, correct it; for a new world, ${make}`);
}

/** The pack's name for the world, which the game does not report. */
const WORLD_NAME = "world-name";

function planScript(folder: string, sidecar: SetupSidecar, world: string, disk: Disk): PlanPart[] {
  const [permissions, variables, secrets] = [
    readText(join(folder, "permissions.json"), disk),
    readText(join(folder, "variables.json"), disk),
    readText(join(folder, "secrets.json"), disk),
  ];
  const old = readValues(variables.text);
  const url = isFault(old) ? undefined : old.values["bridge-url"];
  const values = { "bridge-url": sidecar.url, [WORLD_NAME]: world };
  const oldWorld = isFault(old) ? undefined : old.values[WORLD_NAME];
  const oldUrl = typeof url === "string" ? withoutSlashes(url) : undefined;
  const merged = mergePermissions(permissions.text, {
    url: sidecar.url,
    oldUrl,
    paths: Object.values(PATHS),
    bodyBytes: MAX_BODY_BYTES,
    requests: MAX_REQUESTS_IN_FLIGHT,
  });
  const secret = readValues(secrets.text);
  const hadToken = !isFault(secret) && secret.values["bridge-token"] !== undefined;
  const otherToken = hadToken && secret.values["bridge-token"] !== sidecar.token;
  if (otherToken && sidecar.made !== undefined)
    throw new Refusal(
      `${sidecar.configFile}: does not exist, but the server already has the token of a sidecar: pass the configuration of that sidecar with --config, or remove bridge-token from ${secrets.path} to start over`,
    );
  // A token that does not exist yet counts as a change.
  const token = sidecar.token ?? "not made yet";
  return [
    planPart(permissions.path, changeText(permissions, merged, "json", disk), () =>
      permissionLines(permissions.text, isFault(merged) ? "" : merged.text),
    ),
    planPart(variables.path, changeText(variables, mergeValues(variables.text, values), "json", disk), () => [
      ...(oldUrl === sidecar.url
        ? []
        : [`bridge-url: ${withoutLogin(oldUrl ?? "(none)")} -> ${sidecar.url}`]),
      ...(oldWorld === world ? [] : [`${WORLD_NAME}: ${formatValue(oldWorld)} -> ${formatValue(world)}`]),
    ]),
    planPart(
      secrets.path,
      changeText(secrets, mergeValues(secrets.text, { "bridge-token": token }), "json", disk, 0o600),
      () => [
        `bridge-token: ${hadToken ? "(another)" : "(none)"} -> the sidecar's${sidecar.as === undefined ? "" : ` for ${sidecar.as}`} (hidden)`,
      ],
    ),
  ];
}

function permissionLines(before: string | undefined, after: string): string[] {
  const [was, is] = [readValues(before), parseJson(after)];
  if (isFault(was) || isFault(is)) return [];
  const net = ["module_permissions", "@minecraft/server-net"];
  const keys = ["allowed_uris", "force_tls", "max_body_bytes", "max_concurrent_requests"];
  return [["allowed_modules"], ...keys.map(key => [...net, key])].flatMap(path => {
    const [old, now] = [valueAt(was.values, path), valueAt(is.value, path)].map(formatValue);
    return old === now ? [] : [`${path.at(-1)}: ${old} -> ${now}`];
  });
}

const formatValue = (value: unknown): string =>
  value === undefined
    ? "(none)"
    : withoutLogin(Array.isArray(value) ? value.join(", ") : JSON.stringify(value));

/** Text without logins in addresses, which may hold passwords. */
const withoutLogin = (text: string): string => text.replace(/\/\/[^/\s]*@/g, "//(hidden)@");

function planProperties(
  { propertiesFile }: ServerFolder,
  values: Readonly<Record<string, string | undefined>>,
  disk: Disk,
): PlanPart {
  const file = readText(propertiesFile, disk);
  const text = file.text ?? "";
  const was = readProperties(text);
  return planPart(
    propertiesFile,
    changeText(file, { text: setProperties(text, values) }, "properties", disk),
    () =>
      Object.entries(values).flatMap(([key, value]) =>
        was.get(key) === value ? [] : [`${key}: ${was.get(key) ?? "(none)"} -> ${value ?? "(none)"}`],
      ),
  );
}

function planLevel(
  { world, levelName }: ServerFolder,
  { isBackedUp, isCopy }: Pick<SetupWishes, "isBackedUp" | "isCopy">,
  disk: Disk,
): PlanPart {
  const path = disk.realPath(world.levelDat);
  const before = disk.read(path) ?? new Uint8Array();
  const after = enableBetaApis(before);
  if (isFault(after)) throw new Refusal(`${world.levelDat}: ${after.fault}: nothing has been changed`);
  if (after.bytes === before) return { changes: [] };
  const checked = readLevelDat(after.bytes);
  if (isFault(checked) || !checked.betaApis)
    throw new Refusal(`${world.levelDat}: Beta APIs cannot be turned on in it`);
  return planPart(world.levelDat, [changeBytes(path, "level", before, after.bytes, disk)], () => [
    "Beta APIs experiment: off -> on",
    "this is permanent once the server has started, and turns off achievements in this world",
    isBackedUp
      ? "the world is backed up first"
      : `back up worlds/${levelName} first: ${isCopy ? "on the host" : "answer b below, or add --backup"}`,
  ]);
}
