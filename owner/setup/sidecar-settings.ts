import { basename, dirname } from "node:path";
import { PRODUCT_VERSION } from "../../shared/version.ts";
import { marked, writtenBy } from "../../sidecar/config/default-file.ts";
import { readConfig } from "../../sidecar/config/read.ts";
import { SETTINGS_BY_PATH } from "../../sidecar/config/settings.ts";
import { type Change, type PlanPart, planPart, Refusal } from "./change.ts";
import { type Choices, setChoices } from "./choices.ts";
import type { Disk } from "./disk.ts";
import { newConfig } from "./free-ports.ts";
import { SERVERS, withEntry } from "./server-entries.ts";
import { INFO_KEYS, infoIn, infoToWrite, NAMES, namesOf, type ServerInfo, setInfo } from "./server-info.ts";
import type { SetupSidecar } from "./sidecar.ts";
import { changeText, readText } from "./text-files.ts";

interface SidecarChoices {
  chosen: Choices;
  /** from the server's folder */
  serverInfo: ServerInfo;
  /** from earlier runs */
  filled: ServerInfo | undefined;
}

/** Plans the changes of the sidecar's configuration. A missing one is created by `readSidecar`, so it only gets lines here. */
export function planSidecarSettings(
  {
    configFile,
    made: { text: fresh, portLines = [] } = newConfig(),
    as,
    isShared,
    isListOverridden,
  }: SetupSidecar,
  { chosen, serverInfo: all, filled = {} }: SidecarChoices,
  disk: Disk,
): { planPart: PlanPart; filled: ServerInfo } {
  const file = readText(configFile, disk);
  const isMissing = file.text === undefined;
  const present = file.text ?? fresh;
  const { text: listed, lines: choices } = setChoices(present, chosen, isShared);
  const isEntry = as !== undefined && !isListOverridden;
  const before = isEntry ? entered(listed, as, configFile) : listed;
  const serverInfo = as !== undefined && isListOverridden ? namesOf(all) : all;
  // A file that this user cannot change is no reason to fail over information for visitors.
  const due =
    isMissing || disk.takesFiles(dirname(file.path)) ? infoToWrite(before, serverInfo, filled, as) : {};
  const made = setInfo(before, due, as);
  const text = made === present ? made : marked(made);
  const [was, is] = [infoIn(before, as), infoIn(text, as)];
  const done = INFO_KEYS.filter(key => due[key] !== undefined && is[key] === due[key]);
  const meaning = (key: string): string =>
    key === NAMES && is[key] === "gamertag" ? " (allows names with spaces on the allowlist)" : "";
  const lines = [
    ...choices,
    ...(before === listed ? [] : [`${SERVERS}: ${as} is added, beside the first game server`]),
    ...done.map(
      key =>
        `${key}${as === undefined || key === NAMES ? "" : ` of ${as}`}: ${was[key] ?? (SETTINGS_BY_PATH.get(key)?.default || "(none)")} -> ${is[key]}${meaning(key)}`,
    ),
  ];
  if (isMissing) {
    const all = [...portLines, ...lines];
    const how = `new configuration of the sidecar, with the defaults${all.length > 0 ? " except:" : ""}`;
    return { planPart: { changes: [], item: { place: configFile, lines: [how, ...all] } }, filled };
  }
  const changes = changeText(file, { text }, "yaml", disk, 0o600);
  return {
    planPart: planPart(file.path, changes, () => [
      ...(isOfThisBuild(present) ? [] : [`the old file is kept as ${basename(beforeFile(file.path))}`]),
      ...lines,
    ]),
    filled: { ...filled, ...Object.fromEntries(done.map(key => [key, is[key]])) },
  };
}

const beforeFile = (path: string): string => `${path}.before-${PRODUCT_VERSION}`;

const isOfThisBuild = (text: string): boolean => writtenBy(text) === PRODUCT_VERSION;

/** Keeps a configuration that this version changes for the first time: the earlier version may not start with the new text. */
export function keepEarlierConfig(changes: readonly Change[], disk: Disk): void {
  for (const { kind, path, before, mode } of changes) {
    if (kind !== "yaml" || before === undefined || isOfThisBuild(Buffer.from(before).toString())) continue;
    if (disk.kindOf(beforeFile(path)) === undefined) disk.write(beforeFile(path), before, mode);
  }
}

/** The text with an entry for a game server. Throws `Refusal` when the sidecar would refuse it. */
function entered(text: string, as: string, configFile: string): string {
  const edited = withEntry(text, as);
  const read = "text" in edited ? readConfig(edited.text, {}, dirname(configFile)) : edited;
  const faults = "faults" in read ? read.faults : [];
  if ("faults" in edited || (faults.length > 0 && edited.text !== text))
    throw new Refusal(...faults.map(fault => `${configFile}: ${fault}`));
  return edited.text;
}
