/** A player in the panel. Texts of the game have the colour encoding of `/chat`; see `segments`. */
export interface PlayerView {
  name: string;
  /** as in the public API */
  uuid: string;
  /** blocks east and south of the middle of the map, to one decimal */
  x: number;
  z: number;
  /** half hearts, and the maximum */
  health: number;
  maxHealth: number;
  dead: boolean;
  /** another screen is open, so no form can be shown */
  busy: boolean;
  /** currently in a fight */
  fighting: boolean;
  form?: FormView;
}

/** An open form. */
export interface FormView {
  /** id of this form among those of the player */
  number: number;
  /** shown as a chest of three rows of nine, otherwise as a list of buttons */
  isChest: boolean;
  title: string;
  body: string;
  /** by index; in a chest these are the slots, most of them empty */
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

/** State of the game server; `changing` while it starts or stops. */
export type Power = "on" | "off" | "changing";

export interface WorldView {
  power: Power;
  /** target ticks per second */
  tps: number;
  players: PlayerView[];
}

/** A line of the game's chat. `text` is in the colour encoding of `/chat`. */
export interface ChatLineView {
  /** increases by one with each line */
  number: number;
  text: string;
  /** the only player who saw it; undefined: everyone */
  to?: string;
}

/** One of several sidecars. */
export interface SidecarView {
  name: string;
  isUp: boolean;
  /** requests and sockets of the website that it has started to handle, and requests of the pack */
  served: number;
  fromPack: number;
  /** the latest requests of the website, newest first: method, path and status */
  last: string[];
  /** whether the poll of the pack waits there */
  hasPoll: boolean;
}

/** Several sidecars that share the work. */
export interface Fleet {
  views(): SidecarView[];
  /** Kills a sidecar; it is started again after a few seconds. False if there is none with this name, or it is down. */
  kill(name: string): boolean;
}

/** Content of the web half. Body of `GET /panel.json`. */
export interface PanelData {
  /** address of the sidecar without a trailing slash; undefined with --server, which uses another sidecar */
  service?: string;
  /** pages of the cookbook: file names and titles */
  cookbook: { file: string; title: string }[];
}

/** How long the website stays disconnected, in milliseconds. */
export const UNPLUGGED_MS = 10_000;

/** Why a command was not run. */
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
 * Messages of the server on `/world`; `sidecars` if there are several. `answer` goes to the page that sent the command with this
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
/** Most players online at once. */
export const MAX_PLAYERS = 30;
/** Half the size of the map, in blocks. */
export const MAP_X = 48;
export const MAP_Z = 27;
