import { type Fault, MAX_PLAYERS, NAME_LENGTH, TEXT_LENGTH } from "../panel/protocol.ts";
import type { Command } from "../panel/read-command.ts";

/** All texts of the panel. */
export const texts = {
  title: "Web Bridge demo",
  tagline:
    "A game and its website in one window. Ask for Steve under “Your player”, then answer on Steve’s screen.",
  taglineAlone: "The simulated game server of a folder. Its website runs separately.",
  skip: "Skip to the website",
  world: "World",
  web: "Web",
  map: "Map",
  mapOf: (count: number): string =>
    count === 1 ? "Map of the world, with 1 player" : `Map of the world, with ${count} players`,
  stop: "Stop the game server",
  start: "Start the game server",
  changing: "One moment…",
  stopped: "The game server is stopped",
  stoppedHint: "Its world is saved. After about 15 seconds the website shows it as offline.",
  lost: "Can't reach the demo",
  lostHint: "It may have ended. This page will reconnect automatically.",
  connecting: "Connecting to the world…",
  speed: "Speed",
  ticks: (tps: number): string => `${tps} ${tps === 1 ? "tick" : "ticks"} a second`,
  tps: (tps: number): string => `${tps.toFixed(1)} tps`,
  joinName: "Name of a new player",
  join: "Join",
  chat: "Game chat",
  chatLog: "Game chat messages",
  chatEmpty: "No messages yet.",
  onlyFor: (name: string): string => `to ${name}`,
  speaker: "Player",
  line: "Message",
  lineHint: "Say something in the game, in colour with §a",
  say: "Say",
  players: "Players",
  nobody: "No players online. Let one join.",
  nobodyStopped: "No players are online while the game server is stopped. They return when it starts.",
  health: (health: number, max: number): string => `health ${health} of ${max}`,
  isDead: "dead",
  isBusy: "another screen is open",
  hasForm: "has a request",
  isFighting: "in a fight",
  sayAs: (name: string): string => `Say something as ${name}`,
  speak: "Say…",
  fight: "Fight…",
  fightAs: (name: string): string => `Let ${name} fight`,
  fightWhom: (name: string): string => `Whom does ${name} attack?`,
  noOther: "No other players.",
  die: "Die",
  dieAs: (name: string): string => `Let ${name} die`,
  busy: "Busy",
  busyAs: (name: string): string => `Let ${name} be busy`,
  busyHint: "Opens another screen, such as an inventory. Link requests then have to wait.",
  leave: "Leave",
  leaveAs: (name: string): string => `Let ${name} leave`,
  toForm: "Answer",
  toFormOf: (name: string): string => `Answer as ${name}`,
  screenOf: (name: string): string => `Screen of ${name}`,
  close: "Close without an answer",
  slots: "Slots of the chest",
  formHint: "Esc closes it. It opens again until it is answered.",
  greenWool: (text: string): string => `Green wool: ${text}`,
  redWool: (text: string): string => `Red wool: ${text}`,
  hasRequest: (name: string): string => `${name} has a request.`,
  pages: "Pages",
  console: "Web console",
  address: "Address of the page",
  unplug: "Pull the plug for 10 s",
  unplugHint:
    "Disconnects the website. Send messages in the meantime: it then shows each missed message once.",
  unplugged: (seconds: number): string => `Without a connection for ${seconds} s`,
  openAlone: "Open in a new tab",
  sidecars: "Sidecars",
  sidecar: (name: string): string => `Sidecar ${name}`,
  isDown: "Down for a moment",
  served: (web: number, pack: number): string => `Web ${web}, game ${pack}`,
  hasPoll: "poll",
  pollHint: "The game waits for actions here",
  kill: "Kill",
  killOne: (name: string): string => `Kill sidecar ${name}`,
  killHint: "Kills its process. The others continue; it starts again after 3 seconds.",
  noWeb:
    "The website belongs to the sidecar of this server folder. Its address is in the log of that sidecar.",
};

/** `name`: the player of the command. */
const FAULTS: Record<Fault, string | ((name: string, command: Command) => string)> = {
  bad_command: "The demo could not do this.",
  server_off: "The game server is stopped. Start it first.",
  server_changing: "The game server is starting or stopping.",
  bad_name: `A name has 1 to ${NAME_LENGTH} characters, no invisible ones.`,
  bad_text: `A message has 1 to ${TEXT_LENGTH} characters.`,
  online_already: name => `${name} is already online.`,
  not_allowed: name => `${name} cannot join: the name is not on the allowlist.`,
  world_full: `The world is full: ${MAX_PLAYERS} players are online.`,
  not_online: (name, command) =>
    `${name}${command.do === "fight" ? ` or ${command.other}` : ""} is no longer online.`,
  dead: (name, command) =>
    command.do === "fight" ? "Dead players cannot fight." : `${name} is already dead.`,
  no_opponent: "Players cannot fight themselves.",
  fights_already: name => `${name} is already in a fight.`,
  sidecar_down: "This sidecar is already down.",
  form_gone: name => `The form of ${name} is already closed.`,
};

/** Why a command was not carried out, in a sentence. */
export function explain(fault: Fault, command: Command): string {
  const text = FAULTS[fault];
  return typeof text === "string" ? text : text("name" in command ? command.name.trim() : "", command);
}
