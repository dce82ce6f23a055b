import { pino } from "pino";
import { prettyFactory } from "pino-pretty";
import type { Config } from "./config/settings.ts";
import type { Log } from "./ports.ts";

/** Where lines go. */
interface LogTarget {
  write(line: string): void;
  /** whether somebody reads along */
  terminal: boolean;
  /** whether that somebody likes colours */
  colours: boolean;
}

interface ChildLog extends Log {
  /** A log that adds these fields to each of its lines. */
  child(fields: object): ChildLog;
}

/** Fields that are never written, whoever passes them. */
const SECRET = /^(.*token|.*secret|password|authorization|.*api-?key|(set-)?cookie|session(-?id)?)$/i;

const DEEPEST = 6;

/** Some fields have a place of their own in a line for people, where they would not be escaped. */
const quoted = (value: unknown): string => JSON.stringify(value);

/**
 * The log: JSON lines, or lines for people. Each is written before the call returns, so that none is lost when the
 * process ends.
 */
export function createLog({ level, format }: Config["log"], target: LogTarget = standardOutput()): ChildLog {
  const pretty = format === "pretty" || (format === "auto" && target.terminal);
  const prettify = prettyFactory({
    colorize: target.colours,
    translateTime: "SYS:HH:MM:ss",
    singleLine: true,
    customPrettifiers: { name: quoted, pid: quoted, hostname: quoted, caller: quoted },
  });
  const stream = { write: (line: string) => target.write(pretty ? (prettify(line) ?? line) : line) };
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }) },
    },
    stream,
  );
  return withFields(logger, {});
}

function withFields(logger: pino.Logger, always: object): ChildLog {
  const at =
    (level: "debug" | "info" | "warn" | "error") =>
    (fields: object, message: string): void => {
      if (logger.isLevelEnabled(level)) logger[level](safe({ ...always, ...fields }, 0) as object, message);
    };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    child: fields => withFields(logger, { ...always, ...fields }),
  };
}

/** A copy that can be written: no secrets, errors with their stack, nothing without end. */
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
    Object.entries(value).map(([key, held]) => [key, SECRET.test(key) ? "(hidden)" : safe(held, depth + 1)]),
  );
}

function standardOutput(): LogTarget {
  const out = pino.destination({ dest: 1, sync: true });
  // Who reads the log may go away; the service stays.
  out.on("error", () => {});
  const terminal = process.stdout.isTTY === true;
  return { write: line => void out.write(line), terminal, colours: terminal && process.stdout.hasColors() };
}
