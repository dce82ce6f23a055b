import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "@jest/globals";
import { DEVIATIONS, type Deviation, type DeviationName, type Given } from "../../lab/stand-in/deviations.ts";
import { makeStandIn } from "../../lab/stand-in/folder.ts";

const PROVE = fileURLToPath(new URL("../../dist/tools/prove.js", import.meta.url));
/** A trial that asks a part, on a busy machine. */
const PART_MS = 600_000;

/** Asked of the pack as it is, beside what deviations are for: quick ones of each kind. Rates depend on the machine. */
const PLAIN = [
  ...["start-header", "start-modules", "start-connects", "start-commands", "start-offers", "start-listening"],
  ...["command-list", "command-unknown", "command-status", "join-often", "web-ready", "original-untouched"],
];
/** And of its script. */
const SAMPLE = [
  ...PLAIN,
  ...["engine-present", "engine-heard", "reload-commands", "stop-list", "store-text", "form-shown"],
  ...["net-answer", "net-two-at-once", "net-refused", "net-refused-code", "net-timeout", "net-prefix"],
  ...["net-body-facts", "net-body-allowed", "net-answer-size", "game-cancelled"],
  ...["list-add", "list-add-again", "list-remove-again", "list-blank", "list-file"],
  ...["player-join", "player-persistent-id", "player-lines", "player-order", "chat-events", "chat-targets"],
];

interface Group {
  readonly given: readonly Given[];
  /** asked besides what is to notice these */
  readonly beside: readonly string[];
}

/** Each has deviations that do not touch each other. Those that keep the script from loading, or end the game, are alone. */
const GROUPS: readonly Group[] = [
  {
    beside: SAMPLE,
    given: [
      ...(["no-chat-events", "no-error-codes", "no-persistent-id", "small-bodies", "list-quiet"] as const),
      ...(["list-unwritten", "lost-on-kill", "world-load-again", "other-unknown-command"] as const),
    ],
  },
  {
    beside: SAMPLE,
    given: [
      ...(["chat-only-after", "no-timeouts", "small-answers", "new-persistent-id"] as const),
      ...(["spawn-before-join", "list-without-blanks", "no-shutdown-event", "reload-survived"] as const),
      // Noticed by nothing: the product does without what it tells.
      "other-join",
    ],
  },
  {
    beside: SAMPLE,
    given: [
      ...(["silent-chat", "whole-addresses", "death-after-leave"] as const),
      ...(["small-properties", "command-taken", "forms-refused"] as const),
    ],
  },
  {
    beside: SAMPLE,
    given: [
      ...(["empty-targets", "no-health", "long-poll-cut", "half-speed"] as const),
      ...(["other-connected", "content-cut"] as const),
    ],
  },
  // With this one each probe takes long.
  { beside: ["engine-present", "command-list"], given: ["one-request"] },
  { beside: PLAIN, given: ["slow-start", "other-started", "other-process", "no-join"] },
  { beside: ["command-list", "start-header"], given: ["slow-console"] },
  // What a script says is waited for, each time for half a minute.
  { beside: ["start-header", "command-list"], given: ["port-taken", "content-hidden"] },
  { beside: PLAIN, given: ["no-beta-selector", "no-gametest"] },
  { beside: PLAIN, given: ["no-server-net"] },
  { beside: PLAIN, given: ["no-server-admin"] },
  { beside: PLAIN, given: ["no-server-ui"] },
  { beside: PLAIN, given: ["no-beta-apis"] },
  // These end while the script is asked.
  { beside: ["engine-present", "net-long-poll"], given: [{ name: "stops-offline", seconds: 6 }] },
  { beside: ["engine-present", "net-long-poll"], given: [{ name: "crashes", seconds: 6 }] },
];

interface Told {
  readonly answers: readonly { readonly id: string; readonly kind: string; readonly state: string }[];
}

/** In front of a command: as if the machine had no other game. The first process is one that waits for those left behind. */
const ALONE = [
  ...["unshare", "--net", "--pid", "--fork", "--mount-proc", "--kill-child", "--"],
  ...["sh", "-c", 'ip link set lo up && { "$0" "$@"; exit $?; }'],
];
const alone =
  process.getuid?.() === 0 && spawnSync("unshare", [...ALONE.slice(1), "true"]).status === 0 ? ALONE : [];

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Runs the command on a stand-in; what it found broken. It ends with 1 for promises alone. */
async function brokenOf(given: readonly Given[], only: readonly string[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "deviations-"));
  folders.push(folder);
  const [server, out, work] = ["server", "out", "work"].map(name => join(folder, name));
  for (const made of [out, work]) if (made !== undefined) mkdirSync(made);
  await makeStandIn(server ?? "", given);
  const paths = ["--server", server ?? "", "--out", out ?? "", "--work", work ?? ""];
  const [program = "", ...words] = [
    ...[...alone, process.execPath, PROVE, ...paths],
    ...["--yes", "--json", "--only", only.join(",")],
  ];
  const { printed, code } = await new Promise<{ printed: string; code: number | null }>(resolve => {
    const child = spawn(program, words, { stdio: ["ignore", "pipe", "ignore"] });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    child.on("close", code => resolve({ printed: text, code }));
  });
  const { answers }: Told = JSON.parse(printed);
  const broken = answers.filter(({ state }) => state === "broken");
  expect(code).toBe(broken.some(({ kind }) => kind === "promise") ? 1 : 0);
  return broken.map(({ id }) => id).sort();
}

const nameOf = (given: Given): DeviationName => (typeof given === "string" ? given : given.name);
const noticedBy = (name: DeviationName): readonly string[] => DEVIATIONS[name].noticed;

describe("a trial of a game that is otherwise", () => {
  it.each(GROUPS.map(group => [group.given.map(nameOf).join(", "), group] as const))(
    "names what breaks where %s, and nothing else",
    async (_, { given, beside }) => {
      const noticed = [...new Set(given.map(nameOf).flatMap(noticedBy))].sort();
      expect(await brokenOf(given, [...new Set([...beside, ...noticed])])).toEqual(noticed);
    },
    PART_MS,
  );

  it("is there for each of them once, and for at least thirty that are noticed", () => {
    const all: [string, Deviation][] = Object.entries(DEVIATIONS);
    const noticed = all.filter(([, each]) => each.noticed.length > 0).map(([name]) => name);
    const grouped = GROUPS.flatMap(({ given }) => given.map(nameOf));
    expect(grouped.toSorted()).toEqual(all.map(([name]) => name).sort());
    expect(noticed.length).toBeGreaterThanOrEqual(30);
  });

  it("has groups in which none is noticed by what another is noticed by", () => {
    const shared = GROUPS.flatMap(({ given }) => {
      const ids = given.map(nameOf).flatMap(noticedBy);
      return ids.filter((id, place) => ids.indexOf(id) !== place);
    });
    expect(shared).toEqual([]);
  });
});
