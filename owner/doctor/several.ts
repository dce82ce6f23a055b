import { resolve } from "node:path";
import { freeName } from "../bds/free-name.ts";
import { packToken } from "../bds/other-server.ts";
import { type Report, report } from "./examine.ts";
import { type Finding, problem } from "./finding.ts";
import { PROVED } from "./game.ts";
import { holderOf, isSeveral, namesOf } from "./own-entry.ts";
import { type Asked, type Surroundings, setupCommand, type Target } from "./target.ts";

/** What is said of one thing: of a game server, or of the sidecar that they have in common. */
export interface Part {
  /** folder of the server; undefined: it is the sidecar */
  server: string | undefined;
  /** what the sidecar calls it; undefined: it has that one alone, or that is not known */
  as: string | undefined;
  findings: Finding[];
}

/**
 * Looks at several game servers with their sidecar: what is said of each, and then what is said of the sidecar, each once.
 * @param servers folders, or the programs in them; one that is named twice is looked at once
 */
export async function examineSeveral(
  servers: readonly string[],
  asked: Omit<Asked, "server">,
  around: Surroundings,
): Promise<Part[]> {
  const folders = [...new Set(servers.map(server => resolve(server)))];
  const looked: { server: string; report: Report }[] = [];
  // One after another: each asks the sidecar, and is asked by nobody else meanwhile.
  for (const server of folders) looked.push({ server, report: await report({ ...asked, server }, around) });
  const shared = sameTokens(
    looked.flatMap(({ report }) => report.target ?? []),
    asked,
    around,
  );
  const parts = looked.map(({ server, report: { findings, ofSidecar, target } }) => ({
    server,
    as: target?.side && isSeveral(target.side) ? target.side.name : undefined,
    findings: findings.filter(each => !ofSidecar.has(each) && each.id !== PROVED),
  }));
  const common = looked.flatMap(({ report: { ofSidecar } }) => [...ofSidecar]);
  const once = common.filter(
    (each, place) => common.findIndex(({ id, what }) => id === each.id && what === each.what) === place,
  );
  const proved = looked.flatMap(({ report }) => report.findings).filter(({ id }) => id === PROVED);
  const ofAll = [...shared, ...once, ...proved.slice(0, 1)];
  return [...parts, { server: undefined, as: undefined, findings: ofAll }];
}

/** Names the folders whose packs have one token. */
function sameTokens(
  targets: readonly Target[],
  { config }: Pick<Asked, "config">,
  around: Surroundings,
): Finding[] {
  const held = targets.map(target => ({
    target,
    token: packToken(target.server.root, target.module, around.files),
  }));
  return held.flatMap(({ target, token }, place) => {
    const before = held.slice(0, place).find(each => each.token === token && token !== undefined);
    if (before === undefined) return [];
    const { side } = target;
    const name = side && holderOf(side, token);
    const of = name === undefined ? "one token" : `the token of ${name}`;
    const what = `${before.target.server.root} and ${target.server.root} have ${of}: of two such game servers only one can be connected`;
    // One that was set up by another name is to have that one's token.
    const strayed = [before.target, target].find(each => name !== undefined && each.side?.name !== name);
    const { root, levelName } = (strayed ?? target).server;
    const as = strayed?.side?.name ?? freeName(levelName, new Set(side === undefined ? [] : namesOf(side)));
    return [problem("same-token", what, `${setupCommand({ server: root, config }, around)} --as ${as}`)];
  });
}
