import { isNativeError } from "node:util/types";
import type { Log } from "../../sidecar/platform/log.ts";

interface Line {
  level: "debug" | "info" | "warn" | "error";
  fields: object;
  message: string;
}

/** A log whose lines a test can read. */
export class RecordingLog implements Log {
  readonly lines: Line[] = [];
  readonly debug = this.#at("debug");
  readonly info = this.#at("info");
  readonly warn = this.#at("warn");
  readonly error = this.#at("error");

  /** all logged lines as one text, to search for what must not be there */
  get text(): string {
    return JSON.stringify(this.lines, (_key, value: unknown) =>
      isNativeError(value) ? `${value.stack}` : value,
    );
  }

  of(level: Line["level"]): Line[] {
    return this.lines.filter(line => line.level === level);
  }

  #at(level: Line["level"]) {
    return (fields: object, message: string): void => {
      this.lines.push({ level, fields, message });
    };
  }
}
