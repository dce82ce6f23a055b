import { checkJson } from "../../shared/guard.ts";
import { commonDigest } from "../../sidecar/config/written.ts";
import type { Client } from "../../sidecar/redis/client.ts";
import { type Finding, note, ok, problem, skipped } from "./finding.ts";
import { configCommand, type Side, type Surroundings } from "./target.ts";

/** A sidecar as it has entered itself. */
interface Entered {
  name: string;
  version: string;
  settings: string;
}

/** Who else uses the prefix of the configuration. */
export async function checkSharing(client: Client, side: Side, around: Surroundings): Promise<Finding[]> {
  const { config, configFile, token } = side;
  const { FORMAT, other, THERE_MS, tokenDigest } = await import("../../sidecar/redis/registry.ts");
  const { listOf, numberOf, pairsOf } = await import("../../sidecar/redis/reply.ts");
  const { prefix } = config.storage;
  const hash = async (name: string): Promise<ReadonlyMap<string, string>> =>
    new Map(pairsOf(await client.sendCommand(["HGETALL", `{${prefix}}:${name}`])));
  const id = "redis-prefix";
  const meta = await hash("meta");
  const another = `${configCommand(side, around, "set", "storage.prefix", "-")}, which reads another one`;
  const format = meta.get("format");
  if (format === undefined) return [ok(id, `nothing is stored under the prefix ${prefix} yet`)];
  if (format !== FORMAT) {
    const what = `another version of this product has stored what is under the prefix ${prefix} (format ${format}, expected ${FORMAT})`;
    return [problem(id, what, `update this sidecar, or: ${another}`)];
  }
  const now = numberOf(listOf(await client.sendCommand(["TIME"]))[0]) * 1000;
  const there = [...(await hash("sidecars")).values()].flatMap(each => {
    const known = checkJson(other, each);
    return "value" in known && now - known.value.at < THERE_MS ? [known.value] : [];
  });
  there.sort((one, two) => (one.name < two.name ? -1 : 1));
  if (token === undefined)
    return [skipped(id, "whether another bridge uses the prefix: the token is not known")];
  if (meta.get("token") !== tokenDigest(token)) {
    if (there.length === 0)
      return [
        note(
          id,
          `a bridge with another token was last under the prefix ${prefix}: the next sidecar takes it over`,
        ),
      ];
    const use = there.length === 1 ? "uses" : "use";
    const what = `${names(there)} of another bridge ${use} the prefix ${prefix}`;
    return [problem(id, what, `${another}, or give all of them the same bridge.token`)];
  }
  return [
    ok(id, `the prefix ${prefix} is this bridge's`),
    ...agreement(there, commonDigest(config, token, side.tokens), configFile),
  ];
}

const names = (there: readonly Entered[]): string =>
  `${there.length === 1 ? "the sidecar" : "the sidecars"} ${there.map(({ name }) => name).join(", ")}`;

/** Whether all that are there treat everybody alike. */
function agreement(there: readonly Entered[], own: string, configFile: string): Finding[] {
  const id = "redis-sidecars";
  if (there.length === 0) return [note(id, "no sidecar is connected to Redis at the moment")];
  const versions = new Set(there.map(({ version }) => version));
  const others = there.filter(({ settings }) => settings !== own);
  const findings: Finding[] = [];
  if (versions.size > 1) {
    const each = there.map(({ name, version }) => `${name} (${version})`).join(", ");
    findings.push(
      problem(id, `the sidecars are of different versions: ${each}`, "update all of them, one after another"),
    );
  }
  if (others.length > 0)
    findings.push(
      problem(
        id,
        `${names(others)} ${others.length === 1 ? "has" : "have"} other settings than ${configFile}`,
        "give all of them the same settings and variables, and restart them one after another",
      ),
    );
  if (findings.length > 0) return findings;
  return [
    ok(id, there.length === 1 ? `${names(there)} is connected` : `${names(there)} are connected, and agree`),
  ];
}
