import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqlite } from "../../cli/sqlite.ts";
import { TABLES, whyUnusable } from "../../sidecar/store/tables.ts";
import { type Finding, problem } from "./finding.ts";
import { readable } from "./readable.ts";
import { configCommand, type Side, type Surroundings } from "./target.ts";

/** Larger files are not looked at. */
const MOST_BYTES = 32 * 1024 * 1024;

/** What is in each file of the storage, and what is lost with it. */
const FILES = [
  { name: "links.db", newest: TABLES.links.length, lost: "players link again" },
  { name: "feed.db", newest: TABLES.feed.length, lost: "what happened before is forgotten" },
  { name: "players.db", newest: TABLES.players.length, lost: "who has been here is forgotten" },
  { name: "bans.db", newest: TABLES.bans.length, lost: "the game servers tell again who is banned" },
];

/**
 * Whether the files of a sidecar that does not run let it start.
 * @param start command that starts the sidecar
 */
export function checkStore(side: Side, around: Surroundings, start: string): Finding[] {
  const { config } = side;
  if (config.storage.kind !== "embedded") return [];
  const findings: Finding[] = [];
  for (const { name, newest, lost } of FILES) {
    const file = join(config.storage.folder, name);
    const read = readable("sidecar", () =>
      ["", "-wal"].map(end => ({ end, bytes: bytesOf(`${file}${end}`, around) })),
    );
    if ("finding" in read) findings.push(read.finding);
    else {
      const mends = {
        damaged: `put a backup of it in its place, or move it and ${name}-wal away (${lost})`,
        newer: "update the sidecar, which is older than what it has stored",
        foreign: `move it away, or: ${configCommand(side, around, "set", "storage.folder", "-")}, which reads another folder`,
      };
      const why = whyCopyUnusable(read, newest);
      const words = {
        damaged: "is damaged",
        newer: "is of a newer sidecar",
        foreign: "is another program's",
      };
      if (why !== undefined)
        findings.push(
          problem(
            `storage-${name.replace(".db", "")}`,
            `${file}: ${words[why]}: the sidecar does not start with it`,
            `${mends[why]}, then: ${start}`,
          ),
        );
    }
  }
  return findings;
}

function bytesOf(path: string, { files }: Surroundings): Uint8Array | undefined {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return size > MOST_BYTES ? undefined : files.read(path, MOST_BYTES);
}

/** A look at a copy: opening the file itself would leave others beside it. */
function whyCopyUnusable(
  parts: readonly { end: string; bytes: Uint8Array | undefined }[],
  newest: number,
): ReturnType<typeof whyUnusable> {
  if (parts[0]?.bytes === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "web-bridge-doctor-"));
  try {
    const copy = join(folder, "copy.db");
    for (const { end, bytes } of parts)
      if (bytes !== undefined) writeFileSync(`${copy}${end}`, bytes, { mode: 0o600 });
    const database = openSqlite(copy);
    try {
      return whyUnusable(database, newest);
    } finally {
      database.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
