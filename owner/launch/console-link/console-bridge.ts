import { randomBytes } from "node:crypto";
import { codeOf, messageOf } from "../../../cli/errno.ts";
import type { ConsolePlayer, FromLaunch, FromPack } from "../../../shared/console-link/messages.ts";
import { PATHS } from "../../../shared/frames.ts";
import type { Result } from "../../../shared/result.ts";
import type { Clock } from "../../../sidecar/platform/clock.ts";
import type { Forwarder } from "./forwarder.ts";
import { createGameLines } from "./game-lines.ts";
import { createConsoleLink } from "./link.ts";
import { createOutputFilter } from "./output-filter.ts";
import { createConsolePlayers } from "./players.ts";
import type { BridgeTarget } from "./target.ts";
import { createConsoleTasks } from "./tasks.ts";
import { createTypedWords } from "./typed-words.ts";

/** How long to wait until the settings are read again where they could not be used, in milliseconds. */
const READ_AGAIN_MS = 2_000;

/** How often the same fault of the settings is found before it is said: at a first start the sidecar makes its token. */
const FAULTS_BEFORE_SAID = 3;

/** How long the pack may take to connect after the start of the game server, in milliseconds. */
const ANSWER_MS = 30_000;

/** How long from the start of its program, where its lines may be held back, in milliseconds. */
const ANSWER_WITHOUT_TERMINAL_MS = 90_000;

const UNAUTHORIZED = 401;

interface ConsoleBridgeDeps {
  clock: Clock;
  /** 20 hexadecimal digits that cannot be guessed; default: random bytes */
  random?(): string;
  /** Types a line on the game's console, with its end. */
  type(line: string): void;
  /** Reads where requests go now. */
  target(): Promise<Result<BridgeTarget>>;
  /** whether the game has a terminal for its output; default: yes */
  hasTerminal?: boolean;
  /**
   * Why no pack has connected, and what to do, in one line; undefined: none is expected. `isRejected`: whether the game has rejected
   * the command of the link. Default: none is ever expected.
   */
  whyNoAnswer?(isRejected: boolean): Promise<string | undefined>;
  /** Prints a line for the owner. */
  say(line: string): void;
}

/**
 * The end of the console link at `launch`: takes what the game prints, types commands for the pack, and passes its requests to the
 * sidecar.
 */
export function createConsoleBridge(deps: ConsoleBridgeDeps) {
  const {
    clock,
    random = () => randomBytes(10).toString("hex"),
    type,
    target,
    hasTerminal = true,
    whyNoAnswer,
    say,
  } = deps;
  const typedWords = createTypedWords();
  const linesOf = createGameLines();
  const players = createConsolePlayers(sendSoon);
  const tasks = createConsoleTasks({ clock, type });
  const link = createConsoleLink({
    clock,
    random,
    type(line) {
      typedWords.add(line);
      type(line);
    },
    received,
  });
  let forwarder: Forwarder | undefined;
  const newlyKnown: ConsolePlayer[] = [];
  let isStopped = false;
  /** counts the runs of the pack */
  let run = 0;
  let present: BridgeTarget | undefined;
  let fault = { words: "", times: 0 };
  let isRejectionSaid = false;
  let isNoAnswerSaid = false;

  const filter = createOutputFilter({
    take(raw) {
      const line = linesOf(raw);
      if (line.by === "script") return line.isFirst && link.takeLine(line.text);
      players.take(line);
      if (line.isFirst && line.text === "Server started.") clock.after(ANSWER_MS, sayWhyNoAnswer);
      return tasks.take(line) || typedWords.isRejected(line.text);
    },
    isSecret: link.isSecret,
    isAwaited: tasks.isAwaiting,
  });

  if (!hasTerminal) clock.after(ANSWER_WITHOUT_TERMINAL_MS, sayWhyNoAnswer);

  async function sayWhyNoAnswer(): Promise<void> {
    if (isNoAnswerSaid || isStopped || link.isOpen()) return;
    isNoAnswerSaid = true;
    const why = await whyNoAnswer?.(typedWords.hasRejected()).catch(messageOf);
    if (why !== undefined) say(`The add-on does not answer on the console: ${why}`);
  }

  /** Sends players who become known together in one message: the game may take one command a tick. */
  function sendSoon(player: ConsolePlayer): void {
    if (newlyKnown.length === 0)
      clock.soon(() => link.send({ is: "players", players: newlyKnown.splice(0) }));
    newlyKnown.push(player);
  }

  function received(message: FromPack, reply: (answer: FromLaunch) => void): void {
    if (message.is === "ready") begin();
    else if (message.is === "request") {
      const { id } = message;
      forward(message, reply).catch((error: unknown) =>
        reply({ is: "failed", id, why: codeOf(error) ?? "ConnectionFailed" }),
      );
    } else {
      const { id, task } = message;
      tasks.run(task, result =>
        reply(
          "fault" in result
            ? { is: "failed", id, why: result.fault }
            : { is: "result", id, value: result.value },
        ),
      );
    }
  }

  /** A run of the pack has begun. */
  function begin(): void {
    run++;
    present = undefined;
    forwarder?.cancelAll();
    players.repeat();
    void readSettings(run);
  }

  /** Reads the settings, and sends them to the pack if they are not the ones that it has. */
  async function readSettings(of: number): Promise<void> {
    // The game does not pay for a file that cannot be read.
    const read = await target().catch(
      (error: unknown): Result<BridgeTarget> => ({ fault: messageOf(error) }),
    );
    if (of !== run || isStopped) return;
    if ("fault" in read) {
      fault = { words: read.fault, times: read.fault === fault.words ? fault.times + 1 : 1 };
      if (fault.times === FAULTS_BEFORE_SAID)
        say(`The add-on cannot be connected to the sidecar: ${read.fault}. Trying again until it works`);
      if (present === undefined) clock.after(READ_AGAIN_MS, () => void readSettings(of));
      return;
    }
    fault = { words: "", times: 0 };
    const { url, world } = read.value;
    if (url !== present?.url || world !== present.world) link.send({ is: "settings", url, world });
    present = read.value;
  }

  async function forward(
    { id, path, body, timeoutSeconds }: Extract<FromPack, { is: "request" }>,
    reply: (answer: FromLaunch) => void,
  ): Promise<void> {
    const of = run;
    // The token may be another one since the last hello.
    if (path === PATHS.hello) await readSettings(of);
    const { createForwarder } = await import("./forwarder.ts");
    if (of !== run || isStopped || present === undefined) return;
    forwarder ??= createForwarder(clock);
    const { url } = present;
    const result = await forwarder.send(present, { path, body, timeoutSeconds });
    if ("fault" in result) return reply({ is: "failed", id, why: result.fault });
    if (result.value.status !== UNAUTHORIZED) isRejectionSaid = false;
    else if (!isRejectionSaid) {
      isRejectionSaid = true;
      say(
        `The sidecar at ${url} rejected the bridge token: start this with the configuration of that sidecar (--config), and with its name for this game server (--as)`,
      );
    }
    reply({ is: "answer", id, ...result.value });
  }

  return {
    /** Takes output of the game, and returns what is to be printed now. */
    push: filter.push,
    /** Whether an unfinished line waits for its end. */
    isHolding: filter.isHolding,
    /** The unfinished line, to be printed now. */
    flush: filter.flush,
    /** Takes the complete lines that the owner types. */
    typed: tasks.typed,
    /** whether a pack has used this link */
    isOpen: link.isOpen,
    stop() {
      isStopped = true;
      link.stop();
      tasks.stop();
      forwarder?.stop();
    },
  };
}
