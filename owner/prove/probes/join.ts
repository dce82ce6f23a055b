import type { Result } from "../../../shared/result.ts";
import { askJoin, type Join } from "../../bds/join.ts";
import { readProperties } from "../../bds/properties.ts";
import type { Seen, Trial } from "../probe.ts";
import { FIRST, withPlayers } from "./players-of.ts";
import { broken, judge, probesOf, skipped, until } from "./say.ts";

const ASK_MS = 5_000;

/** What the game tells of itself at its port; a reason why it is not asked; or what is wrong with its answer. */
/** `hidden`: also where it is not to tell anything. */
async function told(trial: Trial, hidden = false): Promise<Result<Join> | { why: string }> {
  const properties = readProperties(trial.read("server.properties") ?? "");
  if (trial.console.lines.some(line => /^IPv4 supported, port:/.test(line)))
    return { why: "this server uses RakNet" };
  if (properties.get("enable-lan-visibility") === "false" && !hidden)
    return { why: "it tells nothing of itself where it is not to be seen in the local network" };
  const port = Number(properties.get("server-port") ?? "19132");
  const host = properties.get("server-ip") || "127.0.0.1";
  return askJoin(port, AbortSignal.timeout(ASK_MS), host);
}

/** Asks, and says of the answer what there is to say. */
async function judged(trial: Trial, say: (join: Join) => Seen): Promise<Seen> {
  const answer = await told(trial);
  if ("why" in answer) return skipped(answer.why);
  if ("fault" in answer) return broken(answer.fault);
  if (answer.value.isEmpty) return broken("an empty answer");
  return say(answer.value);
}

/** The version that the console has told, without the number of the build. */
const versionIn = ({ console }: Trial): string =>
  console.lines.flatMap(line => /^Version:? (\d+\.\d+\.\d+)/.exec(line)?.[1] ?? []).at(-1) ?? "";

export const joinProbes = probesOf("plain", [
  {
    id: "join-answer",
    kind: "promise",
    assumes:
      "GET /v1/join at the game's port is answered, with nothing where the server is not to be seen in the local network",
    how: "asked at the port of server.properties",
    rows: [],
    async ask(trial) {
      const isHidden =
        readProperties(trial.read("server.properties") ?? "").get("enable-lan-visibility") === "false";
      const answer = await told(trial, true);
      if ("why" in answer) return skipped(answer.why);
      if ("fault" in answer) return broken(answer.fault);
      const isEmpty = answer.value.isEmpty === true;
      return judge(
        isEmpty === isHidden,
        `${isEmpty ? "an empty answer" : "an answer"}, and it is ${isHidden ? "not " : ""}to be seen`,
      );
    },
  },
  {
    id: "join-fields",
    kind: "promise",
    assumes: "GET /v1/join at the game's port tells name, version, protocol, players and most players",
    how: "asked at the port of server.properties",
    rows: [],
    ask: trial =>
      judged(trial, join => {
        const lacks = (["name", "version", "protocol", "players", "maxPlayers"] as const).filter(
          key => join[key] === undefined,
        );
        return judge(lacks.length === 0, lacks.length === 0 ? "all of them" : `without ${lacks.join(", ")}`);
      }),
  },
  {
    id: "join-version",
    kind: "promise",
    assumes: "the version of /v1/join is the one that the console tells",
    how: "both are compared in their first three numbers",
    rows: [],
    ask: trial =>
      judged(trial, ({ version = "" }) =>
        judge(
          version !== "" && version.startsWith(versionIn(trial)),
          `${version || "none"}, the console says ${versionIn(trial) || "none"}`,
        ),
      ),
  },
  {
    id: "join-most",
    kind: "promise",
    assumes: "the most players of /v1/join are those of server.properties",
    how: "both are compared",
    rows: [],
    ask: trial =>
      judged(trial, ({ maxPlayers }) => {
        const most = Number(readProperties(trial.read("server.properties") ?? "").get("max-players") ?? 10);
        return judge(maxPlayers === most, `${String(maxPlayers)}, and ${most} in the file`);
      }),
  },
  {
    id: "join-often",
    kind: "promise",
    assumes: "/v1/join may be asked ten times in a row",
    how: "it is asked so, and each answer read",
    rows: [],
    async ask(trial) {
      for (let turn = 0; turn < 10; turn++) {
        const answer = await told(trial, true);
        if ("why" in answer) return skipped(answer.why);
        if ("fault" in answer) return broken(`at the ${turn + 1}th time: ${answer.fault}`);
      }
      return judge(true, "answered each time");
    },
  },
]);

export const joinPlayerProbes = probesOf("probes", [
  {
    id: "join-counts",
    kind: "inference",
    assumes: "/v1/join counts simulated players",
    how: "asked while one is there",
    rows: [],
    ask: trial =>
      withPlayers(trial, [FIRST], async () => {
        let last = await judged(trial, ({ players }) => judge(players === 1, `${String(players)} players`));
        await until(trial, ASK_MS, async () => {
          if (last.state !== "broken") return true;
          last = await judged(trial, ({ players }) => judge(players === 1, `${String(players)} players`));
          return undefined;
        });
        return last;
      }),
  },
]);
