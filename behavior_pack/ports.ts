import type { PlayerRef } from "../shared/actions.ts";
import type { LinkForm } from "../shared/frames.ts";
import type { Result } from "../shared/result.ts";

/** Wall time and game time. */
export interface Clock {
  /** wall time in milliseconds since 1970 */
  now(): number;
  /** ticks of the game since it started */
  tick(): number;
}

/** Logs a line on the console of the game server. */
export type Say = (line: string, level?: "warn" | "info") => void;

/** Answer to an HTTP request, with any status. */
export interface HttpAnswer {
  status: number;
  body: string;
}

/** The address of the sidecar, as the settings were when it was read. */
export interface Endpoint {
  readonly url: string;
  /** name of the world in the settings, if set */
  readonly world?: string | undefined;
  /** Sends a body to a path; `timeoutSeconds` is enforced by the game. May throw or reject with anything. */
  post(path: string, body: string, timeoutSeconds: number): Promise<HttpAnswer>;
}

/** The game's HTTP client and its settings. */
export interface HttpClient {
  /** what an owner does when the sidecar rejects the token */
  readonly tokenHint: string;
  /** Reads the settings. A fault says what is wrong and what to do; undefined: `launch` has not given them yet. */
  open(): Result<Endpoint> | undefined;
  /** Cancels every open request. Never throws. */
  cancelAll(): void;
}

/** An answer that the game may give later: undefined until it is there. Throws if the game refuses. */
export type Poll<T> = () => T | undefined;

/** Players of the game. `P` is the game's own object of a player. */
export interface Players<P> {
  /** All online players, in the order of the game; undefined if the game cannot list them. Never throws. */
  list(): P[] | undefined;
  /** `Player.id`, undefined when it cannot be read. Never throws. */
  id(player: P): string | undefined;
  /** The player's identity, undefined when it cannot be read. Never throws. */
  refer(player: P): PlayerRef | undefined;
  /** The player's name, undefined when it cannot be read. Never throws. */
  name(player: P): string | undefined;
  /** Language of the player's client, such as `de_DE`; undefined when it cannot be read. Never throws. */
  locale(player: P): string | undefined;
  /** Health, rounded; 0 without a health component. Throws when the player is gone. */
  health(player: P): number;
  /** Shows a line to one player, literally. Throws when the player is gone. */
  tell(player: P, text: string): void;
  /** Shows a line to everybody, literally. May throw. */
  broadcast(text: string): void;
  /** Kicks a player and shows them the reason, literally. May throw, as its answer may, if the game rejects it. */
  kick(player: P, reason: string | undefined): Poll<true>;
}

/** Properties of the world. Both calls may throw. */
export interface Store {
  read(key: string): unknown;
  write(key: string, value: string): void;
}

/** The allowlist of the server. Every call may throw. A reading begins with the call. */
export interface AllowList {
  names(): Poll<string[]>;
  holds(name: string): Poll<boolean>;
  /** Number of entries with exactly this name. */
  count(name: string): Poll<number>;
  /** Whether there is an entry with exactly this name, as of at most half a second before the call. */
  lists(name: string): Poll<boolean>;
  add(name: string): Poll<true>;
  /** Removes an entry with this name. */
  remove(name: string): Poll<true>;
}

/** How a form that was shown ended. */
export type FormEnd = "accepted" | "declined" | "busy" | "closed" | "quit" | "failed";

export interface FormView {
  look: LinkForm;
  title: string;
  body: string;
  accept: string;
  decline: string;
  /** characters of the browser, on the paper in the chest */
  browser: string;
}

/** A form with a field for a text. */
export interface TextFormView {
  title: string;
  /** label of the field */
  field: string;
  send: string;
}

export interface Forms<P> {
  /** Shows a form; `ended` is called at most once, and may never be called. Never throws. */
  show(player: P, view: FormView, ended: (end: FormEnd) => void): void;
  /** Shows a form with a field, as `show` does. The text is empty unless the form was accepted. */
  ask(player: P, view: TextFormView, ended: (end: FormEnd, text: string) => void): void;
  /** Closes all forms of the player. Never throws. */
  close(player: P): void;
}
