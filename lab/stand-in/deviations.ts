import type { Course } from "./course.ts";

/** One way in which a game may be another one than the product takes it for. */
export interface Deviation {
  /** what the stand-in does then */
  readonly does: string;
  /** ids of the probes of the trial that notice it, and no others; none: it does without what is missing, or leaves it out */
  readonly noticed: readonly string[];
  /** how many seconds belong to it, where some do, unless others are given */
  readonly seconds?: number;
  readonly course: (seconds: number) => Course;
}

const always =
  (course: Course): Deviation["course"] =>
  () =>
    course;

/** What notices that no script loads. */
const NOT_LOADED = ["pack-connects", "module-versions", "probes-load", "start-modules", "start-connects"];

const missing = (module: string): Deviation => ({
  does: `the game has no module ${module}`,
  noticed: NOT_LOADED,
  course: always({ refuses: { missing: [module] } }),
});

/** The table of deviations, by their names in `deviations.json` beside the stand-in's program. */
export const DEVIATIONS = {
  // Requests.
  "long-poll-cut": {
    does: "the connection of a request breaks after 10 s without an answer",
    noticed: ["net-long-poll"],
    seconds: 10,
    course: cutSeconds => ({ quirks: { http: { cutSeconds } } }),
  },
  "one-request": {
    does: "a request waits until the one before it was answered",
    // A single request may be answered in time, or not: that depends on how long the pack's own is held by then.
    noticed: [
      ...["pack-connects", "module-versions", "start-connects"],
      ...["net-two-at-once", "net-three-at-once"],
    ],
    course: always({ quirks: { http: { oneAtATime: true } } }),
  },
  "small-bodies": {
    does: "a request's body may have 16 KB, whatever permissions.json says",
    noticed: ["net-body-facts", "net-body-allowed"],
    course: always({ quirks: { http: { mostSent: 16_384 } } }),
  },
  "small-answers": {
    does: "an answer of more than 64 KB comes as an error",
    noticed: ["net-answer-size"],
    course: always({ quirks: { http: { mostReceived: 65_536 } } }),
  },
  "no-error-codes": {
    does: "errors of the network have no code",
    noticed: ["net-timeout-code", "net-refused", "net-refused-code"],
    course: always({ quirks: { http: { withoutCode: true } } }),
  },
  "no-timeouts": {
    does: "the timeout of a request counts for nothing",
    noticed: ["net-timeout", "net-timeout-code"],
    course: always({ quirks: { http: { withoutTimeouts: true } } }),
  },
  "whole-addresses": {
    does: "an entry of allowed_uris allows one address, and none that begins so",
    noticed: ["net-prefix"],
    course: always({ quirks: { http: { wholeUris: true } } }),
  },

  // Players.
  "no-persistent-id": {
    does: "players have no persistentId",
    noticed: [
      "player-persistent-id",
      "player-persistent-id-again",
      "player-persistent-id-own",
      "player-pfid",
    ],
    course: always({ omit: ["Player.persistentId"] }),
  },
  "new-persistent-id": {
    does: "a player who comes back has another persistentId",
    noticed: ["player-persistent-id-again", "game-uuid"],
    course: always({ quirks: { changesIds: true } }),
  },
  "no-gametest": {
    does: "the game has no simulated players",
    noticed: ["players-offered"],
    course: always({ omit: ["@minecraft/server-gametest.spawnSimulatedPlayer"] }),
  },
  "no-health": {
    does: "changes of health raise no event",
    noticed: ["player-order"],
    course: always({ omit: ["WorldAfterEvents.entityHealthChanged"] }),
  },
  "no-chat-events": {
    does: "there is no event of chat",
    noticed: [
      "start-offers",
      "engine-heard",
      "chat-events",
      "chat-text",
      "chat-targets",
      "chat-cancelled",
      "chat-restricted",
      "chat-order",
      "game-chat",
      "game-cancelled",
    ],
    course: always({ omit: ["WorldBeforeEvents.chatSend", "WorldAfterEvents.chatSend"] }),
  },
  "chat-only-after": {
    does: "there is only the event after a line was sent",
    noticed: ["engine-heard", "chat-events", "chat-cancelled", "chat-restricted", "game-cancelled"],
    course: always({ omit: ["WorldBeforeEvents.chatSend"] }),
  },
  "silent-chat": {
    does: "events of chat can be subscribed to and never come",
    noticed: [
      ...["chat-events", "chat-text", "chat-targets", "chat-cancelled", "chat-restricted", "chat-order"],
      ...["game-chat", "game-cancelled"],
    ],
    course: always({ quirks: { script: { isSilent: true } } }),
  },
  "empty-targets": {
    does: "targets of chat is an empty list for everybody",
    noticed: ["chat-targets"],
    course: always({ quirks: { script: { emptyTargets: true } } }),
  },
  "spawn-before-join": {
    does: "playerSpawn comes before playerJoin",
    noticed: ["player-join"],
    course: always({ quirks: { script: { late: { join: 8 } } } }),
  },
  "death-after-leave": {
    does: "a death is told of when its player has left",
    noticed: ["player-die", "player-dead-health", "player-killed", "player-order", "game-events"],
    course: always({ quirks: { script: { late: { die: "leave" } } } }),
  },
  "forms-refused": {
    does: "showing a form is rejected",
    noticed: ["form-shown"],
    course: always({ quirks: { script: { refusesForms: true } } }),
  },

  // The allow list.
  "list-quiet": {
    does: "adding who is on the allow list and removing who is not throws nothing",
    noticed: ["list-add-again", "list-remove-again"],
    course: always({ quirks: { list: { isQuiet: true } } }),
  },
  "list-unwritten": {
    does: "changes of the allow list do not reach allowlist.json",
    noticed: ["list-file", "web-whitelist", "stop-list", "kill-list"],
    course: always({ leavesList: true }),
  },
  "list-without-blanks": {
    does: "the allow list takes no name with a blank in it",
    noticed: ["list-blank"],
    course: always({ quirks: { list: { withoutBlanks: true } } }),
  },

  // What a script may use.
  "no-server-net": missing("@minecraft/server-net"),
  "no-server-admin": missing("@minecraft/server-admin"),
  "no-server-ui": missing("@minecraft/server-ui"),
  "no-beta-apis": {
    does: "the Beta APIs count as off, though the world has them on",
    noticed: NOT_LOADED,
    course: always({ refuses: { betaApis: true } }),
  },
  "no-beta-selector": {
    does: "a manifest may say 1.0.0-beta of a module, and not beta",
    noticed: ["pack-connects", "start-modules"],
    course: always({ refuses: { selector: true } }),
  },
  "command-taken": {
    does: "another pack has the command bridge:status",
    noticed: ["start-commands", "command-status", "command-slash", "command-prompt", "reload-commands"],
    course: always({ takenCommands: ["bridge:status"] }),
  },

  // What is kept.
  "lost-on-kill": {
    does: "the world is saved when the server is stopped, and at no other time",
    noticed: ["kill-properties"],
    course: always({ quirks: { savesLate: true } }),
  },
  "small-properties": {
    does: "a dynamic property holds texts of at most 1,000 bytes",
    noticed: ["store-text"],
    course: always({ quirks: { script: { propertyBytes: 1_000 } } }),
  },
  "no-shutdown-event": {
    does: "the script is not told that the server stops",
    noticed: ["stop-shutdown", "stop-after"],
    course: always({ quirks: { endsUntold: true } }),
  },
  "world-load-again": {
    does: "worldLoad comes again with /reload",
    noticed: ["reload-startup"],
    course: always({ reload: "worldLoad" }),
  },
  "reload-survived": {
    does: "the script goes on over /reload as if nothing was",
    noticed: ["reload-startup", "reload-state", "reload-requests", "reload-connects"],
    course: always({ reload: "nothing" }),
  },

  // The console.
  "content-hidden": {
    does: "what scripts write does not reach the console",
    noticed: [
      ...["probes-load", "start-connects", "start-discovered"],
      ...["command-short", "command-enum", "command-quoted"],
    ],
    course: always({ hidesContent: true }),
  },
  "content-cut": {
    does: "a line of a script is cut after 200 characters",
    noticed: ["engine-long-line"],
    course: always({ contentLength: 200 }),
  },
  "slow-console": {
    does: "each line of the console comes 3 s late",
    noticed: ["command-prompt"],
    seconds: 3,
    course: lateSeconds => ({ lateSeconds }),
  },
  "other-started": {
    does: "the console says Server is up. in the place of Server started.",
    noticed: ["first-start", "start-listening"],
    course: always({ says: [[/^Server started\.$/, "Server is up."]] }),
  },
  "other-connected": {
    does: "the console tells of players who come and go in other words",
    noticed: ["player-lines"],
    course: always({
      says: [
        [/^Player connected: (.*), xuid: (.*)$/, "$1 has connected ($2)"],
        [/^Player Spawned: (.*) xuid: .*$/, "$1 has spawned"],
        [/^Player disconnected: (.*), xuid.*$/, "$1 has disconnected"],
      ],
    }),
  },
  "other-unknown-command": {
    does: "the console has other words for a command that nobody has registered",
    noticed: ["command-unknown"],
    course: always({ says: [[/^Unknown command: (.*?)\. Please.*$/, "No such command: $1"]] }),
  },

  // The process.
  "slow-start": {
    does: "a start with a world that is there takes a minute",
    noticed: ["start-time", "stop-start"],
    seconds: 61,
    course: startSeconds => ({ startSeconds }),
  },
  "port-taken": {
    does: "the TCP port of the game is somebody else's, of which the console says nothing",
    noticed: ["first-start", "doctor", "start-listening", "join-answer", "join-often"],
    course: always({ portIsTaken: true }),
  },
  "stops-offline": {
    does: "the server stops after 67 s, as it cannot reach Mojang's services",
    noticed: ["stays-up-probes"],
    seconds: 67,
    course: seconds => ({ ends: { how: "offline", seconds } }),
  },
  crashes: {
    does: "the server crashes after 40 s",
    noticed: ["stays-up-probes"],
    seconds: 40,
    course: seconds => ({ ends: { how: "crash", seconds } }),
  },
  "half-speed": {
    does: "the world ticks ten times a second",
    noticed: ["engine-rate"],
    course: always({ tps: 10 }),
  },
  "no-join": {
    does: "GET /v1/join is not found",
    noticed: ["doctor", "join-answer", "join-often"],
    course: always({ join: "missing" }),
  },
  "other-join": {
    does: "GET /v1/join names its fields otherwise",
    noticed: [],
    course: always({ join: "renamed" }),
  },
  "other-process": {
    does: "its process is not called bedrock_server",
    noticed: ["web-process"],
    // Who it is was decided before this program began: see the script that starts it.
    course: always({}),
  },
} satisfies Readonly<Record<string, Deviation>>;

export type DeviationName = keyof typeof DEVIATIONS;

/** How deviations are given: by name alone, or with other seconds than its own. */
export type Given = DeviationName | { readonly name: DeviationName; readonly seconds: number };

const isName = (name: unknown): name is DeviationName =>
  typeof name === "string" && Object.hasOwn(DEVIATIONS, name);

/** Deviations by their names. @throws where there is no such deviation */
export function givenIn(names: readonly string[]): Given[] {
  return names.map(name => {
    if (!isName(name)) throw new Error(`there is no deviation ${name}`);
    return name;
  });
}

/** The courses of what `deviations.json` holds. @throws where there is no such deviation */
export function coursesOf(given: unknown): Course[] {
  if (!Array.isArray(given)) throw new Error("deviations.json: expected a list of names");
  return given.map(one => {
    const { name, seconds }: { name?: unknown; seconds?: unknown } =
      typeof one === "object" && one !== null ? one : { name: one };
    if (!isName(name)) throw new Error(`deviations.json: there is no deviation ${JSON.stringify(name)}`);
    const found: Deviation = DEVIATIONS[name];
    return found.course(typeof seconds === "number" ? seconds : (found.seconds ?? 0));
  });
}
