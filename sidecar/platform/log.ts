import { fstatSync } from "node:fs";
import { pino } from "pino";
import { prettyFactory } from "pino-pretty";
import { diskFault } from "../../cli/errno.ts";
import type { Config } from "../config/settings.ts";

/** Structured log: facts as fields, one short message. Fields never hold secrets, session ids or message texts. */
export type Log = Record<"debug" | "info" | "warn" | "error", (fields: object, message: string) => void>;

interface LogTarget {
  write(line: string): void;
  terminal: boolean;
  /** whether the output is a file, or the journal of systemd */
  isFileOrJournal: boolean;
  colours: boolean;
}

interface ChildLog extends Log {
  /** A log that adds these fields to each of its lines. */
  child(fields: object): ChildLog;
}

/** Names of fields that are never written. */
const SECRET = /^(.*token|.*secret|password|authorization|.*api-?key|(set-)?cookie|session(-?id)?)$/i;

const DEEPEST = 6;

/** For fields that pino-pretty puts in a special place, where they would not be escaped. */
const quoted = (value: unknown): string => JSON.stringify(value);

/** Characters that control a terminal, or break a line. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;
const CONTROL_OR_COLOUR = new RegExp(`\\u001b\\[\\d+m|${CONTROL.source}`, "gu");

const escaped = (text: string): string =>
  text.replace(CONTROL, each => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** A line for people without control characters, except colours. */
const ofOneLine = (text: string, colours: boolean): string =>
  colours
    ? text.trimEnd().replace(CONTROL_OR_COLOUR, each => (each.endsWith("m") ? each : escaped(each)))
    : escaped(text.trimEnd());

/**
 * The log: JSON lines, or lines for people. Each line is written before the call returns, so that none is lost when the process
 * ends.
 * @param place folder of the storage, for disk errors without a path
 */
export function createLog(
  { level, format }: Config["log"],
  target: LogTarget = standardOutput(),
  place?: string,
): ChildLog {
  const { terminal, isFileOrJournal, colours } = target;
  const pretty = format === "pretty" || (format === "auto" && (terminal || isFileOrJournal));
  const prettify = prettyFactory({
    colorize: terminal && colours,
    // On a terminal the date is known.
    translateTime: terminal ? "SYS:HH:MM:ss" : "SYS:yyyy-mm-dd HH:MM:ss",
    singleLine: true,
    // Their messages contain them.
    ignore: "listener,url",
    errorLikeObjectKeys: [],
    messageFormat: ({ msg }) => escaped(String(msg)),
    customPrettifiers: { name: quoted, pid: quoted, hostname: quoted, caller: quoted },
  });
  const forPeople = (line: string): string => `${ofOneLine(prettify(line) ?? line, terminal && colours)}\n`;
  const stream = { write: (line: string) => target.write(pretty ? forPeople(line) : line) };
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }) },
    },
    stream,
  );
  return withFields(logger, {}, place);
}

function withFields(logger: pino.Logger, always: object, place: string | undefined): ChildLog {
  const at =
    (level: "debug" | "info" | "warn" | "error") =>
    (fields: object, message: string): void => {
      if (!logger.isLevelEnabled(level)) return;
      const fault = "error" in fields ? diskFault(fields.error) : undefined;
      // Operators search for these words, and need no stack.
      const { words, code, path } = fault ?? {};
      const why = fault && { error: code, place: path ?? place };
      logger[level](
        safe({ ...always, ...fields, ...why }, 0) as object,
        words === undefined ? message : `${message}: ${words}`,
      );
    };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    child: fields => withFields(logger, { ...always, ...fields }, place),
  };
}

/** A copy for the log: without secrets, errors with their stack, cut at `DEEPEST`. */
function safe(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return typeof value === "bigint" ? String(value) : value;
  if (depth >= DEEPEST) return "...";
  if (Array.isArray(value)) return value.map(each => safe(each, depth + 1));
  if (value instanceof Error) {
    const { name, message, stack, cause } = value;
    return { ...safeEntries(value, depth), name, message, stack, cause: safe(cause, depth + 1) };
  }
  return safeEntries(value, depth);
}

function safeEntries(value: object, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([key, value]) => [
      key,
      SECRET.test(key) ? "(hidden)" : safe(value, depth + 1),
    ]),
  );
}

function standardOutput(): LogTarget {
  const out = pino.destination({ dest: 1, sync: true });
  // If the reader of the log closes it, the service keeps running.
  out.on("error", () => {});
  const terminal = process.stdout.isTTY === true;
  const colours = terminal && process.stdout.hasColors();
  return {
    write: line => void out.write(line),
    terminal,
    isFileOrJournal: writesToFileOrJournal(process.env),
    colours,
  };
}

/** Whether the standard output is a file, or the journal of systemd. */
function writesToFileOrJournal({ JOURNAL_STREAM }: NodeJS.ProcessEnv): boolean {
  try {
    const out = fstatSync(1);
    return out.isFile() || JOURNAL_STREAM === `${out.dev}:${out.ino}`;
  } catch {
    return false;
  }
}
