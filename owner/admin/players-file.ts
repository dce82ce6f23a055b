import { closeSync, existsSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { type KnownPlayer, type KnownPlayerData, MAX_STAYS } from "../../shared/public/known-players.ts";
import type { KnownStore } from "../../sidecar/features/known-players/records.ts";
import { playerOf, visitsOf } from "../../sidecar/features/known-players/rules/known-list.ts";
import {
  figuresOf,
  isListed,
  isPresent,
  type KnownRecord,
} from "../../sidecar/features/known-players/rules/known-players.ts";

interface Figures {
  playtimeSeconds: number;
  deaths: number;
  playerKills: number;
}

/** All that is stored of a player. */
interface ExportedPlayer extends KnownPlayer {
  hidden: boolean;
  forgotten: boolean;
  /** by name */
  servers: Record<string, Figures>;
  stays: Stays;
  persistentId: string;
}

/** Newest first. */
type Stays = NonNullable<KnownPlayerData["stays"]>;

/** @param first name of the first game server */
function exported(uuid: string, record: KnownRecord, stays: Stays, first: string): ExportedPlayer {
  const servers = Object.entries(record.servers).map(([name, figures]) => {
    const [deaths = 0, playerKills = 0, playtimeSeconds = 0] = figuresOf({
      ...record,
      servers: { name: figures },
    });
    return [name || first, { playtimeSeconds, deaths, playerKills }] as const;
  });
  const isForgotten = record.visits === 0;
  return {
    ...playerOf(uuid, record, isPresent(record)),
    hidden: !isForgotten && !isListed(record),
    forgotten: isForgotten,
    servers: Object.fromEntries(servers),
    stays,
    persistentId: record.persistentId ?? "",
  };
}

/** The beginning of a file, each player in it, and its end. */
interface Format {
  begin: string;
  player(player: ExportedPlayer, isFirst: boolean): string;
  end: string;
}

const JSON_TEXT: Format = {
  begin: '{"players":[',
  player: (player, isFirst) => `${isFirst ? "" : ","}\n${JSON.stringify(player)}`,
  end: "\n]}\n",
};

const EOL = "\r\n";

/** Spreadsheets interpret a text that begins like this as a formula. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/** A cell, never a formula. */
function cell(value: string | number | boolean): string {
  if (typeof value !== "string") return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const moment = (ms: number): string => new Date(ms).toISOString();
const row = (cells: readonly (string | number | boolean)[]): string => `${cells.map(cell).join(",")}${EOL}`;

const COLUMNS: Record<string, (player: ExportedPlayer) => string | number | boolean> = {
  name: ({ name }) => name,
  uuid: ({ uuid }) => uuid,
  online: ({ online }) => online,
  hidden: ({ hidden }) => hidden,
  forgotten: ({ forgotten }) => forgotten,
  firstSeen: ({ firstSeen }) => moment(firstSeen),
  lastSeen: ({ lastSeen }) => moment(lastSeen),
  visits: ({ visits }) => visits,
  playtimeSeconds: ({ playtimeSeconds }) => playtimeSeconds,
  deaths: ({ deaths }) => deaths,
  playerKills: ({ playerKills }) => playerKills,
  stays: ({ stays }) =>
    stays.map(({ from, to }) => `${moment(from)}/${to === null ? ".." : moment(to)}`).join(" "),
  persistentId: ({ persistentId }) => persistentId,
};

const CSV_TEXT: Format = {
  // Without it spreadsheets read names in the encoding of the machine.
  begin: `\ufeff${row(Object.keys(COLUMNS))}`,
  player: player => row(Object.values(COLUMNS).map(cellOf => cellOf(player))),
  end: "",
};

/** A file that appears only once it is complete. */
export interface Draft {
  /** Writes all players. Resolves with their number. */
  write(store: KnownStore): Promise<number>;
  drop(): void;
}

/**
 * Starts a file that only its owner can read; undefined: it exists.
 * @param first name of the first game server
 * @throws the system's error
 */
export function beginFile(file: string, first: string): Draft | undefined {
  if (existsSync(file)) return undefined;
  const draft = `${file}.part`;
  rmSync(draft, { force: true });
  const to = openSync(draft, "wx", 0o600);
  const { begin, player, end } = /\.csv$/i.test(file) ? CSV_TEXT : JSON_TEXT;
  return {
    async write(store) {
      let written = 0;
      writeFileSync(to, begin);
      for await (const slice of store.all()) {
        const players = await Promise.all(
          slice.map(async ([uuid, record]) => {
            const stays = visitsOf(record, await store.visits(uuid, MAX_STAYS), () => true);
            return exported(uuid, record, stays, first);
          }),
        );
        writeFileSync(to, players.map((each, i) => player(each, written + i === 0)).join(""));
        written += players.length;
      }
      writeFileSync(to, end);
      renameSync(draft, file);
      return written;
    },
    drop() {
      closeSync(to);
      rmSync(draft, { force: true });
    },
  };
}
