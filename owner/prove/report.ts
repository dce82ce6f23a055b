import type { Kind, Run } from "./probe.ts";

/** What a probe has come to, as a report holds it. */
export interface Answer {
  readonly id: string;
  readonly kind: Kind;
  readonly assumes: string;
  readonly how: string;
  readonly run: Run;
  readonly state: "held" | "broken" | "skipped";
  /** what was seen, or why it was not asked */
  readonly said: string;
  /** how long it took, in milliseconds */
  readonly ms: number;
}

/** A report as `proof-<game version>-<platform>.json` holds it. It names no machine, folder, address, token or player. */
export interface Report {
  readonly format: 1;
  /** when the trial began, in UTC, to the minute: `2026-11-23T23:10Z` */
  readonly at: string;
  readonly product: string;
  readonly game: {
    readonly version: string;
    readonly platform: "linux" | "windows";
    /** it was no game but the stand-in for one, which proves nothing of a real server */
    readonly simulated?: true;
  };
  /** versions of everything else that took part, by name: node, libraries of the sidecar, script modules as the game loaded them */
  readonly versions: Readonly<Record<string, string>>;
  readonly transport: "nethernet" | "raknet";
  readonly options: { readonly online: boolean; readonly withMe: boolean; readonly long: boolean };
  /** how long the whole took, in seconds */
  readonly seconds: number;
  readonly answers: readonly Answer[];
}
