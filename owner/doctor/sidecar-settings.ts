import { resolve } from "node:path";
import { isOfLoopback } from "../../bds/address.ts";
import { configOption } from "../../cli/commands.ts";
import { isWeak, unusedWarning } from "../../sidecar/config/warnings.ts";
import { note, ok, problem, skipped, type Verdict } from "./finding.ts";
import { configCommand } from "./fixes.ts";
import type { Context } from "./run-checks.ts";
import type { Side, Surroundings } from "./target.ts";

/** Room that a disk should have left, in bytes. */
const LEAST_FREE = 200 * 1024 * 1024;
const MEGABYTE = 1024 * 1024;

/** Whether the sidecar has the same ports at each start. */
export function checkFixedPorts(
  { config: { modules, bridge }, ...side }: Side,
  around: Surroundings,
): Verdict[] {
  const ports = [
    { key: "modules.api.port", value: modules.api.port, usual: "8080" },
    { key: "bridge.port", value: bridge.port, usual: "8081" },
  ];
  return ports.map(({ key, value, usual }) => {
    if (value !== 0) return ok(`${key} is ${value}`);
    const fix = { command: configCommand(side, around, "set", key, usual) };
    return problem(`${key} is 0: it would be another one at each start`, fix);
  });
}

/** What may be meant so in the configuration, and is worth knowing. */
export function checkNotes(side: Side, around: Surroundings): Verdict[] {
  const { modules, signIn } = side.config;
  const { api } = modules;
  const command = (...words: string[]): string => configCommand(side, around, ...words);
  const unused = unusedWarning(side.config);
  const findings = unused === undefined ? [] : [note(unused)];
  if (isOfLoopback(api.host) && api.hosts.length === 0 && !api.trustProxy) {
    const add = command("add", "modules.api.hosts", "-");
    const what = `modules.api.host is ${api.host}: browsers are answered by 127.0.0.1 and localhost only; for another name: ${add}`;
    findings.push(note(what));
  }
  const addresses = [...api.corsOrigins, ...(signIn.enabled ? [signIn.issuer] : [])];
  if (api.trustProxy === false && addresses.some(address => address.startsWith("https://"))) {
    const set = command("set", "modules.api.trust-proxy", "loopback");
    const what = `modules.api.trust-proxy is false: behind a proxy with TLS on this machine cookies are not marked Secure, until: ${set}`;
    findings.push(note(what));
  }
  return [...findings, checkKey(side, around)];
}

function checkKey(side: Side, around: Surroundings): Verdict {
  const { adminApiKey, adminKeys } = side.config.modules.api;
  if (adminApiKey === "" && adminKeys.length === 0)
    return note("modules.api.admin-api-key is blank: the whitelist cannot be changed from the web");
  if (!isWeak(adminApiKey)) return ok("there is a key for the whitelist");
  const other = `${around.programs.key} <name> --write${configOption(side.configFile, around.programs)}`;
  const remove = configCommand(side, around, "remove", "modules.api.admin-api-key");
  return note(`modules.api.admin-api-key could be guessed: make another key: ${other}, then: ${remove}`);
}

/** Whether the disks of server and sidecar have room. */
export function checkDisks({ asked, around, side }: Context): Verdict[] {
  const folders = [resolve(asked.server), ...(side === undefined ? [] : [side.config.storage.folder])];
  const free = folders.flatMap(folder => {
    const bytes = around.freeBytes(folder);
    return bytes === undefined ? [] : [{ folder, bytes }];
  });
  const low = free.find(({ bytes }) => bytes < LEAST_FREE);
  if (low !== undefined) {
    const text = `free at least ${LEAST_FREE / MEGABYTE} MB there`;
    return [problem(`${low.folder}: ${Math.floor(low.bytes / MEGABYTE)} MB are free`, { text })];
  }
  if (free.length === 0) return [skipped("room on the disk: the system does not say")];
  return [ok("there is room on the disk")];
}
