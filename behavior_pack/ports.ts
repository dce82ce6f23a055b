import type { PlayerRef } from "../shared/actions.ts";
import type { LinkForm } from "../shared/frames.ts";
import type { Result } from "../shared/result.ts";

/** Time as the pack sees it. */
export interface Clock {
  /** wall time in milliseconds since 1970 */
  now(): number;
  /** ticks of the game since it started */
  tick(): number;
}

/** Puts a line on the console of the server: a warning, or good news. */
export type Say = (line: string, level?: "warn" | "info") => void;

/** Answer to an HTTP request, whatever its status. */
export interface HttpAnswer {
  status: number;
  body: string;
}

/** Where the sidecar is, by the settings of one moment. */
export interface Endpoint {
  readonly url: string;
  /** name of the world by these settings; undefined where they have none */
  readonly world?: string | undefined;
  /** Sends a body to a path; `timeoutSeconds` is enforced by the game. May throw or reject with anything. */
  post(path: string, body: string, timeoutSeconds: number): Promise<HttpAnswer>;
}

/** The game's HTTP client and its settings. */
export interface HttpClient {
  /** Reads the settings. A fault says what is wrong with them and what to do. */
  open(): Result<Endpoint>;
  /** Ends every open request. Never throws. */
  cancelAll(): void;
}

/** Players of the game. `P` is the game's own object of a player. */
export interface Players<P> {
  /** Everybody online, in the order of the game; undefined when the game does not say. Never throws. */
  list(): P[] | undefined;
  /** `Player.id`, undefined when it cannot be read. Never throws. */
  id(player: P): string | undefined;
  /** Who this is, undefined when it cannot be read. Never throws. */
  refer(player: P): PlayerRef | undefined;
  /** Language of the player's game, such as `de_DE`; undefined when it cannot be read. Never throws. */
  locale(player: P): string | undefined;
  /** Health, rounded; 0 without a health component. Throws when the player is gone. */
  health(player: P): number;
  /** Shows a line to one player, literally. Throws when the player is gone. */
  tell(player: P, text: string): void;
  /** Shows a line to everybody, literally. May throw. */
  broadcast(text: string): void;
  /** Kicks a player, who reads the reason, literally. Throws where the game refuses. */
  kick(player: P, reason: string | undefined): void;
}

/** Values that live as long as the world. Both may throw. */
export interface Store {
  read(key: string): unknown;
  write(key: string, value: string): void;
}

/** The allowlist of the server. All may throw. */
export interface AllowList {
  names(): string[];
  holds(name: string): boolean;
  /** Whether there is an entry of exactly this name, as of half a second ago at most. */
  lists(name: string): boolean;
  add(name: string): void;
  /** Removes an entry of this name. */
  remove(name: string): void;
}

/** How a form that was shown ended. */
export type FormEnd = "accepted" | "declined" | "busy" | "closed" | "quit" | "failed";

export interface FormView {
  look: LinkForm;
  title: string;
  body: string;
  accept: string;
  decline: string;
  /** which browser asks, on the paper in the chest */
  browser: string;
}

export interface Forms<P> {
  /** Shows a form; `ended` is called at most once, and maybe never. Never throws. */
  show(player: P, view: FormView, ended: (end: FormEnd) => void): void;
  /** Closes every form of the player. Never throws. */
  close(player: P): void;
}
