import { describe, expect, it } from "@jest/globals";
import { DEVIATIONS, type DeviationName, type Given } from "../../lab/stand-in/deviations.ts";
import { NO_SERVICES } from "../../owner/bds/console-lines.ts";
import { findServers } from "../../sidecar/process/find.ts";
import { type Asked, asked } from "./facts.ts";
import { makeFolder, start } from "./process.ts";

const fact = (name: string) => (game: Asked) => game.fact(name);
const typed = (line: string, pattern: RegExp) => (game: Asked) => game.typed(line, pattern);
const LIFE = "join, spawn, before chat everybody, chat, health, die, leave";
const BRIDGE = /registered|^Unknown command/;
const UNKNOWN = /Please check that|^No such/;

/** What a stand-in is asked, what it answers without any deviation, and with this one. */
const ROWS: readonly [
  given: Given,
  ask: (game: Asked) => Promise<string> | string,
  usual: string,
  with_: string,
][] = [
  [{ name: "long-poll-cut", seconds: 1 }, fact("held"), "200 4", "InternalHttpRequestError 104"],
  ["one-request", fact("two"), "200 2, 200 1", "200 1, 200 1"],
  ["small-bodies", fact("body"), "200 1", "RequestBodyTooLargeError"],
  ["small-answers", fact("answer"), "200 100000", "InternalHttpRequestError 90"],
  ["no-error-codes", fact("refused"), "InternalHttpRequestError 111", "InternalHttpRequestError"],
  ["no-timeouts", fact("timeout"), "InternalHttpRequestError 110", "200 4"],
  ["whole-addresses", fact("address"), "200 1", "UriNotAllowedError"],
  ["no-persistent-id", fact("id"), "string same", "undefined same"],
  ["new-persistent-id", fact("id"), "string same", "string other"],
  ["no-health", fact("life"), LIFE, LIFE.replace(" health,", "")],
  ["no-chat-events", fact("life"), LIFE, "join, spawn, health, die, leave"],
  ["chat-only-after", fact("life"), LIFE, "join, spawn, chat, health, die, leave"],
  ["silent-chat", fact("life"), LIFE, "join, spawn, health, die, leave"],
  ["empty-targets", fact("life"), LIFE, LIFE.replace("everybody", "0")],
  ["spawn-before-join", fact("life"), LIFE, LIFE.replace("join, spawn", "spawn, join")],
  ["death-after-leave", fact("life"), LIFE, LIFE.replace("die, leave", "leave, die")],
  ["forms-refused", fact("form"), "open", "FormRejectError"],
  [
    "list-quiet",
    fact("listTwice"),
    "done AllowListModificationError done AllowListModificationError",
    "done done done done",
  ],
  ["list-without-blanks", fact("listBlank"), "done", "AllowListModificationError"],
  ["command-taken", typed("bridge:status", BRIDGE), "registered", "Unknown command: bridge:status."],
  ["small-properties", fact("property"), "done", "ArgumentOutOfBoundsError"],
  ["half-speed", fact("rate"), "twenty", "fewer"],
  ["content-cut", fact("line"), "l".repeat(400), "l".repeat(100)],
  ["other-unknown-command", typed("fly", UNKNOWN), "Unknown command: fly. Please", "No such command: fly"],
  ["no-join", game => game.join(), "Dedicated Server 1.26.60", "it answers 404"],
  ["port-taken", game => game.join(), "Dedicated Server 1.26.60", "ECONNREFUSED"],
  [
    "list-unwritten",
    async game => {
      await game.fact("listBlank");
      return String(game.file("allowlist.json").includes("Two Words"));
    },
    "true",
    "false",
  ],
  [
    "no-shutdown-event",
    async game => {
      game.server.type("stop");
      await game.server.ended;
      return String(game.lines.some(line => line.includes("shutdown")));
    },
    "true",
    "false",
  ],
  [
    "world-load-again",
    game => afterReload(game),
    "1 loaded, events heard anew",
    "2 loaded, events heard anew",
  ],
  ["reload-survived", game => afterReload(game), "1 loaded, events heard anew", "1 loaded, none heard anew"],
];

/** How often the world was loaded for the script, and whether it is another one. */
async function afterReload(game: Asked): Promise<string> {
  const before = await game.fact("life");
  game.server.type("reload");
  const heard = (await game.fact("line")).length > 0 && before !== "";
  const { length } = game.lines.filter(line => line.endsWith("loaded"));
  const isAnew = game.lines.some(line => line.includes("have been reloaded")) || length > 1;
  return `${length} loaded, ${heard && isAnew ? "events" : "none"} heard anew`;
}

describe("a deviation of the stand-in", () => {
  it.each(ROWS.map(row => [typeof row[0] === "string" ? row[0] : row[0].name, row] as const))(
    "%s is what it says, and nothing without it",
    async (_, [given, ask, usual, otherwise]) => {
      expect(await ask(await asked())).toContain(usual);
      const seen = await ask(await asked(given));
      expect(seen).toContain(otherwise);
      if (!otherwise.includes(usual)) expect(seen).not.toContain(usual);
    },
  );
});

/** What is looked at otherwise: below, and in the tests of the simulator. */
const ELSEWHERE: DeviationName[] = [];
/** Has a row of its own from here on. */
const own = (name: DeviationName, what: string, test: () => Promise<void>): void => {
  ELSEWHERE.push(name);
  it(`${name}: ${what}`, test);
};

describe("a deviation of the stand-in, looked at from outside", () => {
  const lineOf = async (given: Given, pattern: RegExp): Promise<boolean> =>
    (await asked(given)).lines.some(line => pattern.test(line));

  for (const name of ["server-net", "server-admin", "server-ui"] as const)
    own(`no-${name}`, "no script loads that needs it", async () => {
      expect(await lineOf(`no-${name}`, new RegExp(`unknown module \\[@minecraft/${name} - `))).toBe(true);
      expect((await asked()).lines.some(line => line.includes("unknown module"))).toBe(false);
    });
  own("no-beta-apis", "no script loads that needs them", async () => {
    expect(await lineOf("no-beta-apis", /but the Beta APIs experiment is not enabled/)).toBe(true);
  });
  own("no-beta-selector", "no script loads that says beta", async () => {
    expect(await lineOf("no-beta-selector", /unknown module \[@minecraft\/server-net - beta\]/)).toBe(true);
  });
  own("no-gametest", "a script has nobody to spawn", async () => {
    const game = await asked("no-gametest");
    expect(await game.typed("scriptevent fact:id", /TypeError/)).toContain("not a function");
  });
  own("content-hidden", "nothing of a script is read", async () => {
    const game = await asked("content-hidden");
    await game.typed("scriptevent fact:line", /has been sent/);
    await game.typed("bridge:status", /registered/);
    expect(game.lines.some(line => line.includes("[Scripting]"))).toBe(false);
  });
  own("other-started", "the start is told of in other words", async () => {
    const { lines } = await asked("other-started");
    expect(lines).toContain("Server is up.");
    expect(lines).not.toContain("Server started.");
  });
  own("other-connected", "players are told of in other words", async () => {
    const game = await asked("other-connected");
    await game.fact("id");
    expect(game.lines).toEqual(
      expect.arrayContaining(["Come Back has connected ()", "Come Back has spawned"]),
    );
    expect(game.lines.some(line => line.startsWith("Player Spawned"))).toBe(false);
  });
  own("other-join", "nothing known is told at its port", async () => {
    expect(await (await asked("other-join")).join()).toBe("");
  });
  own("stops-offline", "it ends by itself", async () => {
    const game = await asked({ name: "stops-offline", seconds: 0.1 });
    expect(await game.server.ended).toBe(0);
    expect(game.lines).toEqual(expect.arrayContaining([NO_SERVICES, "Quit correctly"]));
  });
  own("crashes", "it ends as by a fault of its own", async () => {
    const server = start(await makeFolder([{ name: "crashes", seconds: 0.1 }]));
    expect(await server.ended).toBe("SIGSEGV");
    expect(server.lines).not.toContain("Quit correctly");
  });
  own("slow-start", "nothing is said until then where there is a world", async () => {
    const made = await makeFolder([{ name: "slow-start", seconds: 2 }]);
    const first = start(made);
    await first.line(/^Server started\.$/);
    await first.kill();
    const begun = performance.now();
    await start(made).line(/^Starting Server$/);
    expect(performance.now() - begun).toBeGreaterThan(2_000);
  });
  own("slow-console", "what is typed is answered later", async () => {
    const begun = performance.now();
    const server = start(await makeFolder([{ name: "slow-console", seconds: 1 }]));
    await server.line(/^Server started\.$/);
    server.type("stop");
    await server.line(/^Quit correctly$/);
    expect(performance.now() - begun).toBeGreaterThan(2_000);
  });
  own("other-process", "nobody finds it by its name", async () => {
    const made = await makeFolder(["other-process"]);
    const server = start(made);
    await server.line(/^Server started\.$/);
    expect(await findServers(made.folder)).not.toContain(server.pid);
  });

  it("is in this table or in that above, each of them once", () => {
    const rows = ROWS.map(([given]) => (typeof given === "string" ? given : given.name));
    // Of a world that is not saved, the simulator's own tests tell: it would take 20 s.
    const all = [...rows, ...ELSEWHERE, "lost-on-kill"];
    expect(all.sort()).toEqual(Object.keys(DEVIATIONS).sort());
    expect(all.length).toBeGreaterThanOrEqual(34);
  });
});
