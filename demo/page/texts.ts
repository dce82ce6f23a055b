import { type Fault, MAX_PLAYERS, NAME_LENGTH, TEXT_LENGTH } from "../panel/protocol.ts";
import type { Command } from "../panel/read-command.ts";

/** Every text of the panel. */
export const texts = {
  title: "Web Bridge demo",
  tagline:
    "A game and its website in one window. Ask for Steve under “Your player”, then answer on Steve’s screen.",
  taglineAlone: "The game server of a folder, simulated. Its website is elsewhere.",
  skip: "Skip to the website",
  halves: "Halves of the page",
  world: "World",
  web: "Web",
  map: "Map",
  mapOf: (count: number): string =>
    count === 1 ? "Map of the world, with 1 player" : `Map of the world, with ${count} players`,
  stop: "Stop the game server",
  start: "Start the game server",
  changing: "One moment…",
  stopped: "The game server is stopped",
  stoppedHint: "Its world is saved. Some 15 seconds later the website says that it is away.",
  lost: "The demo does not answer",
  lostHint: "It may have ended. This page tries again by itself.",
  connecting: "Connecting to the world…",
  speed: "Speed",
  ticks: (tps: number): string => `${tps} ${tps === 1 ? "tick" : "ticks"} a second`,
  tps: (tps: number): string => `${tps.toFixed(1)} tps`,
  joinName: "Name of a new player",
  join: "Join",
  chat: "Game chat",
  chatLog: "Lines of the game chat",
  chatEmpty: "Nothing was said yet.",
  onlyFor: (name: string): string => `to ${name}`,
  speaker: "Who speaks",
  line: "What is said",
  lineHint: "Say something in the game, in colour with §a",
  say: "Say",
  players: "Players",
  nobody: "Nobody is online. Let somebody join.",
  nobodyStopped: "Nobody is online while the game server is stopped. Whoever was comes back with it.",
  health: (health: number, max: number): string => `health ${health} of ${max}`,
  isDead: "dead",
  isBusy: "another screen is open",
  isAsked: "is asked",
  isFighting: "fights",
  sayAs: (name: string): string => `Say something as ${name}`,
  speak: "Say…",
  fight: "Fight…",
  fightAs: (name: string): string => `Let ${name} fight`,
  fightWhom: (name: string): string => `Whom does ${name} attack?`,
  noOther: "Nobody else is here.",
  die: "Die",
  dieAs: (name: string): string => `Let ${name} die`,
  busy: "Busy",
  busyAs: (name: string): string => `Let ${name} be busy`,
  busyHint: "Opens another screen, such as an inventory. A link request then has to wait.",
  leave: "Leave",
  leaveAs: (name: string): string => `Let ${name} leave`,
  toForm: "Answer",
  toFormOf: (name: string): string => `Answer as ${name}`,
  screenOf: (name: string): string => `Screen of ${name}`,
  screens: "Players who are asked",
  close: "Close without an answer",
  slots: "Slots of the chest",
  formHint: "Esc closes it. It opens again until it is answered.",
  greenWool: (text: string): string => `Green wool: ${text}`,
  redWool: (text: string): string => `Red wool: ${text}`,
  asked: (name: string): string => `${name} is shown a question.`,
  pages: "Pages",
  console: "Web console",
  address: "Address of the page",
  unplug: "Pull the plug for 10 s",
  unplugHint:
    "The website loses its connections. Say something meanwhile: it shows what it missed, each line once.",
  unplugged: (seconds: number): string => `Without a connection for ${seconds} s`,
  openAlone: "Open in a tab of its own",
  noWeb:
    "The website belongs to the sidecar of this server's folder. Open it at the address that its log names.",
};

/** `name`: of the player whom the command named. */
const FAULTS: Record<Fault, string | ((name: string, command: Command) => string)> = {
  bad_command: "The demo could not do that.",
  too_fast: "Too much at once. Wait a moment.",
  server_off: "The game server is stopped. Start it first.",
  server_changing: "The game server is just starting or stopping.",
  bad_name: `A name has 1 to ${NAME_LENGTH} characters, and none that nobody can see.`,
  bad_text: `A line has 1 to ${TEXT_LENGTH} characters.`,
  online_already: name => `${name} is online already.`,
  not_allowed: name => `${name} may not join: the name is not on the allow list.`,
  world_full: `The world is full: ${MAX_PLAYERS} players are online.`,
  not_online: (name, command) =>
    `${name}${command.do === "fight" ? ` or ${command.other}` : ""} is not online any more.`,
  dead: (name, command) => (command.do === "fight" ? "The dead do not fight." : `${name} is dead already.`),
  no_opponent: "Nobody fights themselves.",
  fights_already: name => `${name} is in a fight already.`,
  form_gone: name => `The question that ${name} was shown is gone.`,
};

/** Why a command was not carried out, in a sentence. */
export function explain(fault: Fault, command: Command): string {
  const text = FAULTS[fault];
  return typeof text === "string" ? text : text("name" in command ? command.name.trim() : "", command);
}
