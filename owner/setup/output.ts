import { statSync } from "node:fs";
import { resolve } from "node:path";
import { inside, realFolder } from "../../bds/safe-paths.ts";
import { nearestFolder } from "../../bds/system.ts";
import { userName } from "../../bds/users.ts";
import { type Commands, configOption, quoted } from "../../cli/commands.ts";
import { BUSY, codeOf, isErrno, messageOf, orElse, pathOf } from "../../cli/errno.ts";
import { commandsBy, sidecarCommands, startBoth, startLinked } from "../../cli/run-by.ts";
import type { Plan } from "./change.ts";
import { draftPath } from "./disk.ts";
import type { Outcome } from "./options.ts";
import type { Transfer } from "./transfer.ts";

/** The question for the pack. */
export const achievementsQuestion = (hasUsedExperiments: boolean): string =>
  `All features, or keep achievements?

  a  all features: turns on the experiment "Beta APIs", which permanently turns
     off achievements in this world. You start the game server as you like.
  k  keep achievements: nothing in the world's settings changes. Your website
     cannot show the game's chat: players send it a message with /bridge:say.
     You always start the game server with launch (docs/launch.md), which
     connects it.
${
  hasUsedExperiments
    ? `
An experiment has been on in this world: its achievements are gone already.
`
    : ""
}
You can change this later with --keep-achievements or --all-features. Once they
are off, achievements do not come back.`;

/** The question for the form of link requests. */
export const FORMS = `How should players see link requests?

  On the web console (your server's web page), visitors can say which player
  they are, to chat under that name. That player then gets this question in
  the game, and accepts or declines:

  p  plain form                       c  chest
  +----------------------------+      +-------------------------------+
  |     Link your browser?     |      |      Link your browser?       |
  | A website asks to be       |      |  [ ][ ][ ][ ][P][ ][ ][ ][ ]  |
  | linked to you. ...         |      |  [ ][ ][G][ ][ ][ ][R][ ][ ]  |
  | [G        Accept         ] |      |  [ ][ ][ ][ ][ ][ ][ ][ ][ ]  |
  | [R       Decline         ] |      |                               |
  +----------------------------+      +-------------------------------+
  Players install nothing.            Every player has to take a resource
                                      pack to join.
  G: green wool, R: red wool, P: a paper with the code that the browser shows

You can change this later with --chest-form or --no-chest-form.`;

/** The question for the list of known players. */
export const KNOWN = `Show everyone a list of all past players?

  Yes: everyone can see on the web console who has played here: name, first
  and last visit, number of visits, playtime, deaths and kills.
  No:  only people to whom you give a key can see it.
  In the game, players can type /bridge:hide to leave the list, and
  /bridge:forget to erase their statistics.

You can change this later with --known-players everybody, key or off.`;

/** The question if other worlds have the pack, but the one of `level-name` does not. */
export const worldQuestion = (levelName: string, others: readonly string[]): string =>
  `Is "${levelName}" the world that you play?

  The add-on is already in ${others.map(other => `worlds/${other}`).join(", ")}, and level-name in
  server.properties is "${levelName}". If that name is mistyped, the game has
  made a new, empty world, and setup would install the add-on there.`;

/** The lines that show a plan. */
export const planLines = ({ items, notes = [] }: Plan): string[] => [
  ...items.flatMap(({ place, lines }) => [`  ${place}`, ...lines.map(line => `      ${line}`)]),
  ...notes.map(line => `note: ${line}`),
];

/** What the owner of a copy has to do next. */
export function copyLines(
  outcome: Outcome,
  { upload, delete: removed }: Transfer,
  isUndone: boolean,
  config: string,
  commands: Commands,
): string[] {
  const { server, url, keepsAchievements } = outcome;
  const list = (what: string, names: readonly string[]): string[][] =>
    names.length === 0 ? [] : [[what, ...names.map(name => `  ${name}`)]];
  const isSidecarHere = inside(realFolder(server), resolve(config)) === undefined;
  const own = isSidecarHere ? configOption(config, commands) : "";
  const steps = [
    ...list("upload these to the same places in the server's folder on the host, over the old ones:", upload),
    ...list("delete these on the host:", removed),
    ...(isSidecarHere && !isUndone ? [[sidecarStep(outcome, true, config, commands)]] : []),
    isUndone
      ? ["start the game server on the host"]
      : [
          `start the game server on the host${keepsAchievements ? " with the startup command" : ""} (docs/panels.md); its console then shows these two lines:`,
          "  [Scripting] Plugin Discovered [Web Bridge ...]",
          `  [web bridge] connected to the sidecar at ${url}`,
        ],
  ];
  const undo = `${commands.setup} --copy ${quoted(server)}${own} --undo`;
  return [
    "Next:",
    ...steps.flatMap(([first, ...rest], place) => [
      `  ${place + 1}. ${first}`,
      ...rest.map(line => `     ${line}`),
    ]),
    ...(isUndone ? [] : [`To undo all of this, download these files again, and run:  ${undo}`]),
  ];
}

/**
 * What the owner has to do next.
 * @param isStarting whether `launch` has called setup, and starts the game server and the sidecar now
 */
export function nextLines(
  outcome: Outcome,
  config: string,
  commands: Commands,
  isStarting = false,
): string[] {
  const { server, url, plan, runBy, keepsAchievements } = outcome;
  const own = configOption(config, commands);
  const isConfigChanged = plan.changes.some(({ kind }) => kind === "yaml");
  const { setup, doctor } = commandsBy(runBy, commands);
  // With Docker Compose the command of the doctor has these options.
  const isComposed = runBy?.kind === "compose";
  const look = isComposed ? doctor : `${doctor} --server ${quoted(server)}${own}`;
  const undo = `${setup} --server ${quoted(server)}${isConfigChanged || isComposed ? own : ""} --undo`;
  const connected = [
    "       [Scripting] Plugin Discovered [Web Bridge ...]",
    `       [web bridge] connected to the sidecar at ${url}`,
  ];
  const steps = isStarting
    ? [
        [
          `the game server starts now${keepsAchievements ? " (always start it this way)" : ""}; its console then shows these two lines:`,
          ...connected,
        ],
      ]
    : startSteps(outcome, connected, isConfigChanged, config, commands);
  return [
    "Next:",
    ...[...steps, [`if they don't appear:  ${look}`]].flatMap(([first, ...more], i) => [
      `  ${i + 1}. ${first}`,
      ...more,
    ]),
    `To undo all of this:  ${undo}`,
  ];
}

/** How to start the sidecar and the game server, as steps of one or more lines. */
function startSteps(
  outcome: Outcome,
  connected: readonly string[],
  isConfigChanged: boolean,
  config: string,
  commands: Commands,
): string[][] {
  const { server, runBy, place, keepsAchievements } = outcome;
  const { start } = sidecarCommands(runBy, commands, config);
  const shows = "its console then shows these two lines:";
  const launch = startBoth(server, commands, config);
  const mayLaunch = runBy === undefined || runBy.kind === "launch";
  if (place === "together" && mayLaunch) {
    return [
      [
        `start the game server and the sidecar${keepsAchievements ? ", always with this command" : ""}:  ${launch}`,
        `     ${shows}`,
        ...connected,
        ...(runBy === undefined && !keepsAchievements
          ? [`     (to run the sidecar by itself instead, start or restart it:  ${start})`]
          : []),
      ],
    ];
  }
  const sidecar = sidecarStep(outcome, isConfigChanged, config, commands);
  const as = typeof place === "object" ? place.as : undefined;
  const alone = startLinked(server, { as, isSidecarElsewhere: true }, commands, config);
  const game = (): string[] => {
    // What runs the sidecar may be what runs `launch`.
    if (keepsAchievements && !mayLaunch)
      return [
        "if that has not started the game server, start it with launch (docs/achievements.md)" +
          (runBy.kind === "compose" ? "" : `:  ${alone}`),
        `     ${shows}`,
      ];
    if (keepsAchievements) return [`start the game server:  ${alone}`, `     ${shows}`];
    if (as !== undefined && mayLaunch)
      return [`start the game server:  ${alone}`, `     (or as you did before); ${shows}`];
    return [`start the game server; ${shows}`];
  };
  return [[sidecar], [...game(), ...connected]];
}

/** How to start a sidecar that does not start with the game server. */
function sidecarStep({ place, runBy }: Outcome, mayRun: boolean, config: string, commands: Commands): string {
  const { start, restart } = sidecarCommands(runBy, commands, config);
  if (runBy !== undefined) return `restart the sidecar:  ${restart}`;
  if (place === "remote") return "start (or restart) the sidecar on its own machine (docs/remote-sidecar.md)";
  return `start${mayRun ? " (or restart)" : ""} the sidecar, and leave it running:  ${start}`;
}

/** An error of the system in words that help. */
export function inWords(error: unknown): string {
  const path = pathOf(error)?.replace(draftPath(""), "");
  if (path === undefined) return REASONS[codeOf(error) ?? ""] ?? messageOf(error);
  if (isErrno(error, "EACCES", "EPERM")) return `${path}: ${deniedWords(path)}`;
  return `${path}: ${REASONS[codeOf(error) ?? ""] ?? messageOf(error)}`;
}

/** Who owns a path that this user cannot use, if that can be found out. */
function deniedWords(path: string): string {
  const uid = orElse(() => statSync(nearestFolder(path)).uid, undefined);
  const denied = "this user may not read or change it: run setup as";
  if (uid === undefined) return `${denied} the user the server runs as`;
  if (uid === process.geteuid?.()) return "its permissions lock out its own user: fix them with chmod u+rwX";
  const owner = userName(uid) ?? `user ${uid}`;
  return `it belongs to ${owner}, and ${denied} ${owner}`;
}

const REASONS: Record<string, string> = {
  EROFS: "the disk is read-only: make it writable and run setup again",
  ENOSPC: "the disk is full: free some space and run setup again",
  EDQUOT: "the disk quota is used up: free some space and run setup again",
  EBUSY: `${BUSY}, and run setup again`,
  ELOOP: "its symbolic links form a circle: fix them",
  ENOENT: "the symbolic link there is broken: fix or delete it",
  ENOTDIR: "a file is where a folder is expected: move it elsewhere",
  EISDIR: "a folder is where a file is expected: move it elsewhere",
  ENAMETOOLONG: "its name is too long",
};
