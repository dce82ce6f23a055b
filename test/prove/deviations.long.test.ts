import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "@jest/globals";
import { DEVIATIONS, type Deviation, type Given } from "../../lab/stand-in/deviations.ts";
import { makeStandIn } from "../../lab/stand-in/folder.ts";

const PROVE = fileURLToPath(new URL("../../dist/tools/prove.js", import.meta.url));
/** A trial that asks a part, and one that asks all, on a busy machine. */
const PART_MS = 600_000;
const WHOLE_MS = 900_000;

/** Some of each kind, quick ones, that are asked beside those which a deviation is for. Rates depend on the machine. */
const SAMPLE = [
  ...["start-header", "start-modules", "start-connects", "start-commands", "start-offers"],
  ...["command-list", "command-unknown", "command-status", "engine-present", "engine-heard"],
  ...[
    "net-answer",
    "net-two-at-once",
    "net-refused-code",
    "net-timeout",
    "net-body-facts",
    "net-answer-size",
  ],
  ...["net-prefix", "list-add", "list-add-again", "list-remove-again", "list-blank", "list-file"],
  ...["store-text", "player-join", "player-persistent-id", "chat-events", "form-shown", "join-often"],
];

/** Long ones in a shorter form: it ends while the script is asked. */
const SHORTER: Readonly<Partial<Record<string, Given>>> = {
  "stops-offline": { name: "stops-offline", seconds: 6 },
  crashes: { name: "crashes", seconds: 6 },
};
/** What is said of the probe that was under way when a game ended. */
const UNDER_WAY = "the server ended before the script answered";
/** With these each probe takes long. */
const FEW: Readonly<Partial<Record<string, number>>> = {
  "slow-console": 8,
  "slow-start": 8,
  "one-request": 12,
};

interface Told {
  readonly answers: readonly {
    readonly id: string;
    readonly kind: string;
    readonly state: string;
    readonly said: string;
  }[];
}

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Runs the command on a stand-in; what it found broken, with what was said of it. It ends with 1 for promises alone. */
async function brokenOf(given: readonly Given[], only?: readonly string[]): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), "deviations-"));
  folders.push(folder);
  const [server, out, work] = ["server", "out", "work"].map(name => join(folder, name));
  for (const made of [out, work]) if (made !== undefined) mkdirSync(made);
  await makeStandIn(server ?? "", given);
  const paths = ["--server", server ?? "", "--out", out ?? "", "--work", work ?? ""];
  const args = [PROVE, ...paths, "--yes", "--json", ...(only ? ["--only", only.join(",")] : [])];
  const { printed, code } = await new Promise<{ printed: string; code: number | null }>(resolve => {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    child.on("close", code => resolve({ printed: text, code }));
  });
  const { answers }: Told = JSON.parse(printed);
  expect(code).toBe(answers.some(({ state, kind }) => state === "broken" && kind === "promise") ? 1 : 0);
  const broken = answers.filter(
    ({ id, state, said }) =>
      state === "broken" &&
      said !== UNDER_WAY &&
      // Another test may have a game of its own on this machine.
      !(id === "doctor" && said.startsWith("other-game: ")),
  );
  return Object.fromEntries(broken.map(({ id, said }) => [id, said]));
}

describe("a trial of a game that is otherwise", () => {
  const rows = Object.entries<Deviation>(DEVIATIONS).filter(([, { noticed }]) => noticed.length > 0);

  it.each(rows)(
    "names what breaks where %s, and nothing else",
    async (name, { noticed }) => {
      const given = SHORTER[name] ?? (name as Given);
      const broken = await brokenOf([given], [...new Set([...SAMPLE.slice(0, FEW[name]), ...noticed])]);
      expect(Object.keys(broken).sort()).toEqual([...noticed].sort());
    },
    PART_MS,
  );

  it("is there for at least thirty of them", () => {
    expect(rows.length).toBeGreaterThanOrEqual(30);
  });
});

describe("a trial of a game that is as it is taken for", () => {
  it("finds nothing broken", async () => expect(await brokenOf([])).toEqual({}), WHOLE_MS);
});
