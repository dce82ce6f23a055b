import { isIP } from "node:net";
import type { ServerFolder } from "../../bds/folder.ts";
import { isSince } from "../../bds/game-version.ts";
import { NETHERNET, networkOf } from "../../bds/network.ts";
import { ACCEPTING, EMPTY_LIST, GAMEPLAY, PLAYERS, TRANSPORT_ERROR, UNSAFE_LIST } from "./console-lines.ts";
import type { Write } from "./server-output.ts";
import type { ConsoleReport, LogLevel } from "./types.ts";

/** Log levels by `content-log-level`; without it, the simulator logs everything. */
const SHOWN: Record<string, readonly LogLevel[]> = { error: ["error"], warning: ["error", "warn"] };

const NOBODY = { name: "", xuid: "", persistentId: "" };

/** A line with values for its variable parts. */
function filled(line = "", ...values: string[]): string {
  return values.reduce((rest, value) => rest.replace("…", value), line);
}

/** Writes the lines about players and the end of the server. */
export const createReport =
  (write: Write): ConsoleReport =>
  (what, { name, xuid, persistentId } = NOBODY) => {
    const [connected, party, spawned, disconnected] = PLAYERS;
    const lines: Record<typeof what, string[]> = {
      connected: [filled(connected, name, xuid), filled(party, persistentId, "", "false")],
      spawned: [filled(spawned, name, xuid, persistentId)],
      disconnected: [filled(disconnected, name, xuid, persistentId)],
      stopping: ["Server stop requested.", "Stopping server..."],
      stopped: ["Quit correctly"],
    };
    for (const line of lines[what]) write("info", line);
  };

/** Writes a line of a script, or of a command; the console has no red text. */
export const writeContent = (write: Write, level: LogLevel, line: string): void =>
  write(level, line.replace(/^§c/, ""));

/** The lines that a dedicated server of this version writes to its console, depending on its properties. */
export function createServerConsole(server: ServerFolder, version: readonly number[], write: Write) {
  const { levelName, properties } = server;
  const of = (key: string, standard: string): string => properties.get(key) || standard;
  const isOn = (key: string): boolean => properties.get(key) === "true";
  const info = (lines: readonly string[]): void => {
    for (const line of lines) write("info", line);
  };
  const hasList = of("allow-list", "true") === "true";
  const minLevel = SHOWN[of("content-log-level", "")];

  return {
    /** A line of the content log, which can be hidden from the console. */
    content(level: LogLevel, line: string) {
      const isContent = line.startsWith("[Scripting]");
      if (!isContent || (isOn("content-log-console-output-enabled") && (minLevel?.includes(level) ?? true)))
        writeContent(write, level, line);
    },
    header() {
      info([
        "Starting Server",
        `Version: ${version.join(".")}`,
        ...["Session ID", "Build ID", "Branch", "Commit ID", "Configuration"].map(key => `${key}: simulated`),
        `Level Name: ${levelName}`,
        `Game mode: ${of("gamemode", "survival")}`,
        `Difficulty: ${of("difficulty", "easy")}`,
        ...(isOn("content-log-console-output-enabled") ? ["Content logging to console is enabled"] : []),
        ...(isOn("content-log-file-enabled") ? ["Content logging to disk is enabled"] : []),
      ]);
    },
    /** False: the server does not start, since players could use any name on the list. */
    mayStart(): boolean {
      const isRefused = hasList && properties.get("online-mode") === "false";
      if (isRefused) write("error", UNSAFE_LIST);
      return !isRefused;
    },
    /**
     * Prints the ports for players, and a warning about removed transports. `isEmpty`: the allowlist is empty;
     * `isOpen`: whether the ports were opened; the game prints nothing if not
     */
    listening(isEmpty: boolean, isOpen: boolean) {
      if (hasList && isEmpty) for (const line of EMPTY_LIST) write("warn", line);
      const { transport, port = "", host } = networkOf(server, version);
      if (transport === "nethernet") {
        const at = `${isIP(host) === 4 ? host : `[${host || "::"}]`}:${port}`;
        info(["Signed in to signaling service successfully", ...(isOpen ? [filled(ACCEPTING, at)] : [])]);
        return;
      }
      if (isSince(version, NETHERNET)) for (const line of TRANSPORT_ERROR) write("error", line);
      const [v4, v6] = GAMEPLAY;
      info([
        filled(v4, String(port), "Used for gameplay and LAN discovery"),
        filled(v6, of("server-portv6", "19133"), "Used for gameplay"),
      ]);
    },
    happened: createReport(write),
    started: () => info(["Server started."]),
  };
}
