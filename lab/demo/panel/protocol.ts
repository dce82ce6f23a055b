/** A player as the panel draws them. Texts of the game are in the colour encoding of `/chat`; see `segments`. */
export interface PlayerView {
  name: string;
  /** as the public service tells it */
  uuid: string;
  /** blocks east and south of the middle of the map, rounded to a tenth */
  x: number;
  z: number;
  /** half hearts, and how many are full health */
  health: number;
  maxHealth: number;
  dead: boolean;
  /** another screen is open, so that no form can be shown */
  busy: boolean;
  /** in a fight at the moment */
  fighting: boolean;
  form?: FormView;
}

/** An open form. */
export interface FormView {
  /** names this form of this player until it is gone */
  number: number;
  /** drawn as a chest of three rows of nine, else as a list of buttons */
  isChest: boolean;
  title: string;
  body: string;
  /** by index; in a chest these are the slots, and most are empty */
  buttons: ButtonView[];
}

export interface ButtonView {
  text: string;
  icon?: Icon;
}

export const ICONS = {
  "textures/items/paper": "paper",
  "textures/blocks/wool_colored_green": "green-wool",
  "textures/blocks/wool_colored_lime": "lime-wool",
  "textures/blocks/wool_colored_red": "red-wool",
} as const;
export type Icon = (typeof ICONS)[keyof typeof ICONS];

/** Whether the game server runs; `changing` while it starts or stops. */
export type Power = "on" | "off" | "changing";

export interface WorldView {
  power: Power;
  /** ticks per second that the world is set to */
  tps: number;
  players: PlayerView[];
}

/** A line of the game's chat. `text` is in the colour encoding of `/chat`. */
export interface ChatLineView {
  /** grows by one with each line */
  number: number;
  text: string;
  /** only this player saw it */
  to?: string;
}

/** One of several sidecars. */
export interface SidecarView {
  name: string;
  isUp: boolean;
  /** requests and sockets of the website that it has begun to answer, and requests of the pack */
  served: number;
  fromPack: number;
  /** the newest of the website, newest first: method, path and status */
  last: string[];
  /** the pack waits there for something to do */
  hasPoll: boolean;
}

/** Several sidecars that do the work of one. */
export interface Fleet {
  views(): SidecarView[];
  /** Ends one as a crash does; it comes back after some seconds. False when there is none of this name, or it is down. */
  kill(name: string): boolean;
}

/** What the web half shows. Body of `GET /panel.json`. */
export interface PanelData {
  /** address of the sidecar without a slash at the end; missing when the demo plays a server of somebody else's sidecar */
  service?: string;
  /** pages of the cookbook: file names and titles */
  cookbook: { file: string; title: string }[];
}

/** How long the website is without its connections when the plug is pulled, in milliseconds. */
export const UNPLUGGED_MS = 10_000;

/** Why a command was not carried out. */
export const FAULTS = [
  "bad_command",
  "server_off",
  "server_changing",
  "bad_name",
  "bad_text",
  "online_already",
  "not_allowed",
  "world_full",
  "not_online",
  "dead",
  "no_opponent",
  "fights_already",
  "form_gone",
  "sidecar_down",
] as const;
export type Fault = (typeof FAULTS)[number];

/**
 * What the server sends over `/world`; `sidecars` where there are several. `answer` goes to whoever gave the command with that
 * `id`.
 */
export type FromServer =
  | { is: "world"; world: WorldView }
  | { is: "chat"; lines: ChatLineView[] }
  | { is: "sidecars"; sidecars: SidecarView[] }
  | { is: "answer"; id: number; fault?: Fault };

/** Slowest and fastest world, in ticks per second. */
export const MIN_TPS = 0.5;
export const MAX_TPS = 20;
export const NAME_LENGTH = 32;
export const TEXT_LENGTH = 512;
/** Players that may be online at once. */
export const MAX_PLAYERS = 30;
/** How far the map goes from its middle, in blocks. */
export const MAP_X = 48;
export const MAP_Z = 27;
