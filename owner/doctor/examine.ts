import { resolve } from "node:path";
import { quoted } from "../../cli/commands.ts";
import { CHECKS } from "./checks.ts";
import { type Finding, type Fix, isProblem, note, ok, type Verdict } from "./finding.ts";
import { setupCommand } from "./fixes.ts";
import { isSeveral, sameTokens } from "./game-servers.ts";
import { type Check, type CheckResult, runChecks, unreadable } from "./run-checks.ts";
import { type ReadSidecar, readSidecar } from "./sidecar-config.ts";
import type { CheckedSidecar, DoctorOptions, DoctorSystem, Target } from "./target.ts";
import { isServer, openTarget, rootOf } from "./world.ts";

interface Examined {
  results: CheckResult[];
  /** undefined: its folder cannot be used */
  target: Target | undefined;
}

/** Runs all checks of one game server and its sidecar; findings are in the order in which to fix them. Changes nothing. */
export async function examine(given: DoctorOptions, system: DoctorSystem): Promise<Finding[]> {
  const { results, target } = await examined(given, system);
  return withProve(
    results.map(({ finding }) => finding),
    target,
    system,
  );
}

async function examined(given: DoctorOptions, system: DoctorSystem): Promise<Examined> {
  const asked = { ...given, server: rootOf(given, system) };
  const first = "fix what is said of the server's folder first, and run doctor again";
  const setup = isServer(asked, system) ? { command: setupCommand(asked, system) } : { text: first };
  const of = { asked, system };
  const read = readConfig(of, setup);
  const opened = await openTarget(asked, system, read.sidecar).catch(error =>
    unreadable(error, "server", of),
  );
  const target = "server" in opened ? opened : undefined;
  const folder = "server" in opened ? ok(`${asked.server} is the folder of a server`) : opened;
  const found = (id: string, of: Check["of"], verdicts: readonly Verdict[]): Check => ({
    ...{ id, of, needs: [], run: () => verdicts },
  });
  const table = [
    found("server-folder", "server", [folder]),
    found("config", "sidecar", read.config),
    found("hosts", "sidecar", read.hosts),
    found("token-file", "sidecar", read.tokens),
    ...CHECKS,
  ];
  const sidecar = target?.sidecar ?? read.sidecar;
  return { results: await runChecks(table, { ...of, sidecar, target }), target };
}

function readConfig(of: { asked: DoctorOptions; system: DoctorSystem }, setup: Fix): ReadSidecar {
  try {
    return readSidecar(of.asked, of.system, setup);
  } catch (error) {
    return { sidecar: undefined, config: [unreadable(error, "sidecar", of)], hosts: [], tokens: [] };
  }
}

/** With the advice to test a copy of the server, where nothing is wrong. */
function withProve(findings: Finding[], target: Target | undefined, { programs }: DoctorSystem): Finding[] {
  if (target === undefined || findings.some(isProblem)) return findings;
  const command = `${programs.prove} --server ${quoted(target.server.root)}`;
  const what = `to test the bridge with this game, on a copy of the server: ${command}`;
  return [...findings, { id: "prove", ...note(what) }];
}

/** What is found of one game server, or of the sidecar that they share. */
export interface Section {
  /** folder of the server; undefined: it is the sidecar */
  server: string | undefined;
  /** its name in the sidecar's configuration; undefined: it has that one alone, or that is not known */
  as: string | undefined;
  findings: Finding[];
}

/**
 * Runs all checks of several game servers and their sidecar: what is found of each, and then of the sidecar, each once.
 * @param servers folders, or the programs in them; one that is named twice is checked once
 */
export async function examineSeveral(
  servers: readonly string[],
  asked: Omit<DoctorOptions, "server">,
  system: DoctorSystem,
): Promise<Section[]> {
  const folders = [...new Set(servers.map(server => resolve(server)))];
  const each: { server: string; found: Examined }[] = [];
  // One after another: the sidecar gets the requests of one at a time.
  for (const server of folders) each.push({ server, found: await examined({ ...asked, server }, system) });
  const findingsOf = ({ results }: Examined, of: Check["of"]): Finding[] =>
    results.flatMap(outcome => (outcome.of === of ? [outcome.finding] : []));
  const parts = each.map(({ server, found }) => ({
    server,
    as: nameOf(found.target?.sidecar),
    findings: findingsOf(found, "server"),
  }));
  const targets = each.flatMap(({ found }) => found.target ?? []);
  const same = sameTokens(targets, asked.config, system).map(verdict => ({ id: "same-token", ...verdict }));
  const shared = each.flatMap(({ found }) => findingsOf(found, "sidecar"));
  const once = shared.filter((one, place) => shared.findIndex(({ what }) => what === one.what) === place);
  const isFine = !parts.some(({ findings }) => findings.some(isProblem));
  const findings = [...same, ...once];
  const last = isFine ? withProve(findings, targets[0], system) : findings;
  return [...parts, { server: undefined, as: undefined, findings: last }];
}

const nameOf = (sidecar: CheckedSidecar | undefined): string | undefined =>
  sidecar !== undefined && isSeveral(sidecar) ? sidecar.name : undefined;
