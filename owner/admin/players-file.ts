import { closeSync, existsSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { MOST_STAYS } from "../../shared/public/known.ts";
import type { KnownStore } from "../../sidecar/features/known-players/records.ts";
import { playerOf, visitsOf } from "../../sidecar/features/known-players/rules/known-list.ts";
import {
  figuresOf,
  isListed,
  isPresent,
  type KnownRecord,
} from "../../sidecar/features/known-players/rules/known-players.ts";

type Exported = ReturnType<typeof exported>;

type Stays = ReturnType<typeof visitsOf>;

/**
 * The stored figures of a player.
 * @param first name of the first game server
 */
function exported(uuid: string, record: KnownRecord, stays: Stays, first: string) {
  const servers = Object.entries(record.servers).map(([name, told]) => {
    const [deaths = 0, playerKills = 0, playtimeSeconds = 0] = figuresOf({
      ...record,
      servers: { name: told },
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

/** The begin of a file, each player in it, and its end. */
interface Format {
  begin: string;
  player(player: Exported, isFirst: boolean): string;
  end: string;
}

const JSON_TEXT: Format = {
  begin: '{"players":[',
  player: (player, isFirst) => `${isFirst ? "" : ","}\n${JSON.stringify(player)}`,
  end: "\n]}\n",
};

const EOL = "\r\n";

/** Spreadsheets take a text that begins so for a formula. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/** A cell, never a formula. */
function cell(value: string | number | boolean): string {
  if (typeof value !== "string") return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const moment = (ms: number): string => new Date(ms).toISOString();
const row = (cells: readonly (string | number | boolean)[]): string => `${cells.map(cell).join(",")}${EOL}`;

const COLUMNS = [
  ...["name", "uuid", "online", "hidden", "forgotten", "firstSeen", "lastSeen", "visits"],
  ...["playtimeSeconds", "deaths", "playerKills", "stays", "persistentId"],
];

const CSV_TEXT: Format = {
  // Without it spreadsheets read names in the encoding of the machine.
  begin: `\ufeff${row(COLUMNS)}`,
  player: ({ firstSeen, lastSeen, stays, ...rest }) =>
    row([
      ...[
        rest.name,
        rest.uuid,
        rest.online,
        rest.hidden,
        rest.forgotten,
        moment(firstSeen),
        moment(lastSeen),
      ],
      ...[rest.visits, rest.playtimeSeconds, rest.deaths, rest.playerKills],
      stays.map(({ from, to }) => `${moment(from)}/${to === null ? ".." : moment(to)}`).join(" "),
      rest.persistentId,
    ]),
  end: "",
};

/** A file that appears when it is complete. */
export interface Draft {
  /** Writes all players. Resolves with their number. */
  write(store: KnownStore): Promise<number>;
  drop(): void;
}

/**
 * Begins a file for its owner alone; undefined: it exists.
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
            const stays = visitsOf(record, await store.stays(uuid, MOST_STAYS), () => true);
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
