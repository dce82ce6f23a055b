import { afterEach, describe, expect, it } from "@jest/globals";
import type { Quirks } from "../../lab/simulator/quirks.ts";
import type { Probe, Run, Seen } from "../../owner/prove/probe.ts";
import { probes } from "../../owner/prove/probes/all.ts";
import { type Bend, MemoryTrial } from "./memory-trial.ts";

let trial: MemoryTrial | undefined;
afterEach(async () => {
  await trial?.stop();
  trial = undefined;
});

function probeOf(id: string, run: Run = "probes"): Probe {
  const probe = probes.find(each => each.id === id && each.run === run);
  if (probe === undefined) throw new Error(`there is no probe ${id}`);
  return probe;
}

const quirks = (of: Quirks): Bend => ({ game: { quirks: of } });
const omit = (...members: string[]): Bend => ({ game: { omit: members } });
const cut =
  (pattern: RegExp, to?: string) =>
  (line: string): string | undefined => {
    if (!pattern.test(line)) return line;
    return to === undefined ? undefined : line.replace(pattern, to);
  };
const lines = (pattern: RegExp, to?: string): Bend => ({ line: cut(pattern, to) });

/** Each way in which a game may be another one than is assumed, with the probes that have to say so. */
const BENDS: [what: string, bend: Bend, run: Run, says: readonly string[]][] = [
  ["a long poll is cut after 10 s", quirks({ http: { cutSeconds: 10 } }), "probes", ["net-long-poll"]],
  [
    "one request at a time",
    quirks({ http: { oneAtATime: true } }),
    "probes",
    ["net-two-at-once", "net-three-at-once"],
  ],
  ["small bodies", quirks({ http: { mostSent: 65_536 } }), "probes", ["net-body-allowed"]],
  ["large answers fail", quirks({ http: { mostReceived: 65_536 } }), "probes", ["net-answer-size"]],
  [
    "errors without a code",
    quirks({ http: { withoutCode: true } }),
    "probes",
    ["net-refused", "net-refused-code", "net-timeout-code"],
  ],
  ["timeouts that count for nothing", quirks({ http: { withoutTimeouts: true } }), "probes", ["net-timeout"]],
  ["addresses that are compared as a whole", quirks({ http: { wholeUris: true } }), "probes", ["net-prefix"]],
  ["no persistentId", omit("Player.persistentId"), "probes", ["player-persistent-id", "player-pfid"]],
  [
    "a persistentId that changes",
    quirks({ changesIds: true }),
    "probes",
    ["player-persistent-id-again", "game-uuid"],
  ],
  [
    "no simulated players",
    omit("@minecraft/server-gametest.spawnSimulatedPlayer"),
    "probes",
    ["players-offered"],
  ],
  ["no changes of health", omit("WorldAfterEvents.entityHealthChanged"), "probes", ["player-order"]],
  [
    "no events of chat",
    omit("WorldBeforeEvents.chatSend", "WorldAfterEvents.chatSend"),
    "probes",
    ["engine-heard", "chat-events", "game-chat"],
  ],
  [
    "no event before a line is sent",
    omit("WorldBeforeEvents.chatSend"),
    "probes",
    ["engine-heard", "chat-events", "chat-cancelled"],
  ],
  [
    "events of chat that never come",
    quirks({ script: { isSilent: true } }),
    "probes",
    ["chat-events", "game-chat"],
  ],
  ["empty targets", quirks({ script: { emptyTargets: true } }), "probes", ["chat-targets"]],
  ["playerSpawn before playerJoin", quirks({ script: { late: { join: 8 } } }), "probes", ["player-join"]],
  ["deaths told late", quirks({ script: { late: { die: "leave" } } }), "probes", ["player-die"]],
  ["forms that are refused", quirks({ script: { refusesForms: true } }), "probes", ["form-shown"]],
  [
    "a list that takes a name twice in silence",
    quirks({ list: { isQuiet: true } }),
    "probes",
    ["list-add-again", "list-remove-again"],
  ],
  ["a list without blanks", quirks({ list: { withoutBlanks: true } }), "probes", ["list-blank"]],
  ["a file of the list that is not written", { read: () => "[]" }, "probes", ["list-file"]],
  ["a file of the list that is not written, by the web", { read: () => "[]" }, "plain", ["web-whitelist"]],
  [
    "a command that another pack has",
    { game: { takenCommands: ["bridge:status"] } },
    "plain",
    ["start-commands"],
  ],
  ["small properties", quirks({ script: { propertyBytes: 1_000 } }), "probes", ["store-text"]],
  ["no shutdown event", quirks({ endsUntold: true }), "probes", ["stop-shutdown"]],
  [
    "a world that is saved when it is stopped only",
    { game: { saveEveryTicks: Number.MAX_SAFE_INTEGER } },
    "probes",
    ["kill-properties"],
  ],
  [
    "scripts that do not reach the console",
    { properties: { "content-log-console-output-enabled": "false" } },
    "plain",
    ["start-content-log", "start-connects"],
  ],
  ["long lines that are cut", lines(/^(.{200}).*$/s, "$1"), "probes", ["engine-long-line"]],
  [
    "another word for having started",
    lines(/^Server started\.$/, "Server is up."),
    "plain",
    ["start-listening"],
  ],
  ["other words for who comes", lines(/^Player connected: /, "Came: "), "probes", ["player-lines"]],
  [
    "other words for an unknown command",
    lines(/^Unknown command: .*$/, "No such command"),
    "plain",
    ["command-unknown"],
  ],
  ["other words at the end", lines(/^Quit correctly$/, "Bye"), "probes", ["stop-lines"]],
  ["an order of the header that is turned", lines(/^Starting Server$/), "plain", ["start-header"]],
  ["experiments called otherwise", lines(/gtst/, "beta"), "plain", ["start-experiments"]],
  ["a module that is missing", { game: { omit: ["@minecraft/server-net"] } }, "plain", ["start-connects"]],
  [
    "no allowlist",
    omit("@minecraft/server-admin.dedicatedServer"),
    "plain",
    ["start-offers", "web-whitelist"],
  ],
  [
    "a port that tells otherwise",
    { join: told => ({ title: told.name, build: told.version }) },
    "plain",
    ["join-fields", "join-version"],
  ],
  ["a port that tells nothing", { join: () => undefined }, "plain", ["join-answer"]],
  ["a port that counts nobody", { join: told => ({ ...told, players: 0 }) }, "probes", ["join-counts"]],
];

describe("a game that is another one", () => {
  it.each(BENDS)("is told of: %s", async (_, bend, run, says) => {
    trial = await MemoryTrial.start(run, bend);
    const states: string[] = [];
    for (const id of says) {
      states.push(`${id} ${(await trial.ask(probeOf(id, run))).state}`);
    }
    expect(states).toEqual(says.map(id => `${id} broken`));
  });

  it("has more than thirty ways to be another one", () => {
    expect(BENDS.length).toBeGreaterThan(30);
  });
});

describe("the code of an error", () => {
  const CODES = ["net-refused-code", "net-timeout-code"];

  async function statesOn(platform: "linux" | "windows", bend: Bend): Promise<string[]> {
    trial = await MemoryTrial.start("probes", bend);
    trial.platform = platform;
    const states: string[] = [];
    for (const id of CODES) states.push((await trial.ask(probeOf(id))).state);
    return states;
  }
  const others: Bend = {
    answer: (_, value) => JSON.parse(JSON.stringify(value).replace(/"errorCode":\d+/g, '"errorCode":10061')),
  };

  it("may be another number on Windows, and not on Linux", async () => {
    expect(await statesOn("windows", others)).toEqual(["held", "held"]);
    await trial?.stop();
    expect(await statesOn("linux", others)).toEqual(["broken", "broken"]);
  });

  it("is missed on Windows, too", async () => {
    expect(await statesOn("windows", quirks({ http: { withoutCode: true } }))).toEqual(["broken", "broken"]);
  });
});

describe("a machine that is busy", () => {
  /** A world that ticks 14 times a second, as often as it is asked at first. */
  const busy = (times: number): Bend => {
    let asked = 0;
    return {
      answer(name, value, input) {
        if (name !== "pace" || JSON.stringify(input ?? {}).includes("anew")) return value;
        asked++;
        const pace = { ticks: 60, packMs: 6, mostMs: 1, firstAt: 0, firstTick: 0, lastTick: 60 };
        return { ...pace, lastAt: (60 / (asked > times ? 20 : 14)) * 1_000 };
      },
    };
  };
  const paceIn = async (bend: Bend): Promise<Seen> => {
    trial = await MemoryTrial.start("probes", bend);
    return trial.ask(probeOf("engine-rate"));
  };

  it("is measured once more after a pause, and held where it has come to rest", async () => {
    expect(await paceIn(busy(1))).toEqual({ state: "held", seen: "20.0 a second" });
  });

  it("is named as what may be behind a world that is slow both times", async () => {
    expect(await paceIn(busy(2))).toEqual({
      state: "broken",
      seen: "14.0 a second; a machine that is busy with other things does that too",
    });
  });
});
