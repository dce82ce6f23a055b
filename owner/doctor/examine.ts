import { resolve } from "node:path";
import { quoted } from "../../cli/commands.ts";
import { CHECKS } from "./checks.ts";
import { type Finding, isProblem, note, ok, type Verdict } from "./finding.ts";
import { setupCommand } from "./fixes.ts";
import { isSeveral, sameTokens } from "./game-servers.ts";
import { isServer, openTarget, rootOf } from "./open-target.ts";
import { attempt, type Check, type CheckResult, runChecks, type Verdicts } from "./run-checks.ts";
import { type ReadSidecar, readSidecar } from "./sidecar-config.ts";
import type { DoctorOptions, DoctorSystem, Target } from "./target.ts";

interface ServerResults {
  results: CheckResult[];
  /** undefined: its folder cannot be used */
  target: Target | undefined;
}

/** Runs all checks of one game server and its sidecar; findings are in the order in which to fix them. */
export async function examine(options: DoctorOptions, system: DoctorSystem): Promise<Finding[]> {
  const { results, target } = await examined(options, system);
  const findings = results.map(({ finding }) => finding);
  return withProve(findings, target, system);
}

async function examined(given: DoctorOptions, system: DoctorSystem): Promise<ServerResults> {
  const options = { ...given, server: rootOf(given, system) };
  const first = "fix the server's folder first, then run doctor again";
  const setup = isServer(options, system) ? { command: setupCommand(options, system) } : { text: first };
  const of = { options, system };
  const config = await attempt(async () => readSidecar(options, system, setup), "sidecar", of);
  const read: ReadSidecar =
    "state" in config ? { sidecar: undefined, config: [config], hosts: [], tokens: [] } : config;
  const opened = await attempt(() => openTarget(options, system, read.sidecar), "server", of);
  const target = "server" in opened ? opened : undefined;
  const folder = "server" in opened ? ok(`${options.server} is a server folder`) : opened;
  const found = (id: string, of: Check["of"], verdicts: Verdicts): Check => ({
    id,
    of,
    needs: [],
    run: () => verdicts,
  });
  const table = [
    found("server-folder", "server", folder),
    found("config", "sidecar", read.config),
    found("hosts", "sidecar", read.hosts),
    found("token-file", "sidecar", read.tokens),
    ...CHECKS,
  ];
  const sidecar = target?.sidecar ?? read.sidecar;
  return { results: await runChecks(table, { ...of, sidecar, target }), target };
}

/** Adds the advice to test a copy of the server, if nothing is wrong. */
function withProve(findings: Finding[], target: Target | undefined, { programs }: DoctorSystem): Finding[] {
  if (target === undefined || findings.some(isProblem)) return findings;
  const command = `${programs.prove} --server ${quoted(target.server.root)}`;
  const what = `to test the add-on with this version of the game on a copy of your server, run: ${command}`;
  return [...findings, { id: "prove", ...note(what) }];
}

/** The findings of one game server, or of the sidecar that all share. */
export interface Section {
  /** folder of the server; undefined: it is the sidecar */
  server: string | undefined;
  /** its name in the sidecar's configuration; undefined: it is the only one, or not known */
  as: string | undefined;
  findings: Finding[];
}

/**
 * Runs all checks of several game servers: the findings of each, then those of their sidecar, each once.
 * @param servers folders, or the programs in them
 */
export async function examineSeveral(
  servers: readonly string[],
  options: Omit<DoctorOptions, "server">,
  system: DoctorSystem,
): Promise<Section[]> {
  const sections: Section[] = [];
  const targets: Target[] = [];
  const shared: Finding[] = [];
  // One after another: the sidecar gets the requests of one at a time.
  for (const server of new Set(servers.map(server => resolve(server)))) {
    const { results, target } = await examined({ ...options, server }, system);
    const findingsOf = (wanted: Check["of"]): Finding[] =>
      results.flatMap(({ of, finding }) => (of === wanted ? [finding] : []));
    const sidecar = target?.sidecar;
    const as = sidecar !== undefined && isSeveral(sidecar) ? sidecar.name : undefined;
    sections.push({ server, as, findings: findingsOf("server") });
    if (target !== undefined) targets.push(target);
    shared.push(...findingsOf("sidecar").filter(one => !shared.some(({ what }) => what === one.what)));
  }
  const withId = (verdict: Verdict): Finding => ({ id: "same-token", ...verdict });
  const findings = [...sameTokens(targets, options.config, system).map(withId), ...shared];
  const isFine = !sections.some(section => section.findings.some(isProblem));
  const last = isFine ? withProve(findings, targets[0], system) : findings;
  return [...sections, { server: undefined, as: undefined, findings: last }];
}
