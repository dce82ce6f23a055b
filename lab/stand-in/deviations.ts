import type { Quirks } from "../simulator/quirks.ts";
import type { Refusals } from "../simulator/server-scripts.ts";

/** How a stand-in differs from the game that it replaces. */
export interface StandInBehaviour {
  readonly quirks?: Quirks;
  /** missing members of the script API */
  readonly omit?: readonly string[];
  /** commands that another pack has already registered */
  readonly takenCommands?: readonly string[];
  readonly refuses?: Refusals;
  /** Whether changes of the allowlist are written to allowlist.json. Default: yes. */
  readonly keepsList?: boolean;
  /** Seconds after each start until it crashes. */
  readonly crashSeconds?: number;
}

/** A way in which a game may differ from what the bridge expects. */
export interface Deviation {
  /** what the stand-in does */
  readonly does: string;
  /** a probe of `npm run prove` that detects it */
  readonly found: string;
  readonly course: StandInBehaviour;
}

/** By name, for the file `deviation.txt` beside the stand-in's program. */
export const DEVIATIONS = {
  "long-poll-cut": {
    does: "the connection of a request breaks after 10 s without a response",
    found: "net-long-poll",
    course: { quirks: { http: { cutSeconds: 10 } } },
  },
  "whole-addresses": {
    does: "an entry of allowed_uris allows one address, not those that start with it",
    found: "net-prefix",
    course: { quirks: { http: { wholeUris: true } } },
  },
  "no-persistent-id": {
    does: "players have no persistentId",
    found: "player-persistent-id",
    course: { omit: ["Player.persistentId"] },
  },
  "silent-chat": {
    does: "chat events can be subscribed to but are never fired",
    found: "chat-events",
    course: { quirks: { script: { isSilent: true } } },
  },
  "forms-refused": {
    does: "forms are rejected",
    found: "form-shown",
    course: { quirks: { script: { refusesForms: true } } },
  },
  "list-unwritten": {
    does: "changes of the allowlist are not written to allowlist.json",
    found: "web-whitelist",
    course: { keepsList: false },
  },
  "no-beta-apis": {
    does: "the Beta APIs are off, though the world has them on",
    found: "module-versions",
    course: { refuses: { betaApis: true } },
  },
  "no-beta-selector": {
    does: "a manifest may have version 1.0.0-beta of a module, but not beta",
    found: "pack-connects",
    course: { refuses: { selector: true } },
  },
  "no-gametest": {
    does: "the game has no module with simulated players",
    found: "player-join",
    course: { refuses: { missing: ["@minecraft/server-gametest"] } },
  },
  "command-taken": {
    does: "another pack has the command bridge:status",
    found: "start-commands",
    course: { takenCommands: ["bridge:status"] },
  },
  "lost-on-kill": {
    does: "the world is saved only when the server is stopped",
    found: "kill-kept",
    course: { quirks: { savesLate: true } },
  },
  "slow-console": {
    does: "the console runs one typed command in four ticks",
    found: "console-commands-per-tick",
    course: { quirks: { console: { commandsPerTick: 0.25 } } },
  },
  "short-commands": {
    does: "typed commands of more than 256 characters are dropped",
    found: "console-command-length",
    course: { quirks: { console: { longestCommand: 256 } } },
  },
  "no-owner-commands": {
    does: "custom commands of the permission level Owner cannot be run from the console",
    found: "console-command",
    course: { quirks: { console: { noOwner: true } } },
  },
  "no-blank-lines": {
    does: "no blank line comes after a line of a script",
    found: "console-line",
    course: { quirks: { console: { noBlankLines: true } } },
  },
  crashes: {
    does: "the server crashes after 15 s",
    found: "stays-up",
    course: { crashSeconds: 15 },
  },
} satisfies Readonly<Record<string, Deviation>>;

export type DeviationName = keyof typeof DEVIATIONS;

/** @throws if there is no such deviation */
export function deviationOf(name: string): DeviationName {
  if (Object.hasOwn(DEVIATIONS, name)) return name as DeviationName;
  throw new Error(`there is no deviation ${name}: expected one of ${Object.keys(DEVIATIONS).join(", ")}`);
}
