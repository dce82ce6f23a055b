import { resolve } from "node:path";
import { isLoopbackHost } from "../../bds/address.ts";
import { configOption } from "../../cli/commands.ts";
import { isWeak, unusedWarning } from "../../sidecar/config/warnings.ts";
import { note, ok, problem, skipped, type Verdict } from "./finding.ts";
import { configCommand } from "./fixes.ts";
import type { Context } from "./run-checks.ts";
import type { CheckedSidecar, DoctorSystem } from "./target.ts";

/** Room that a disk should have left, in bytes. */
const LEAST_FREE = 200 * 1024 * 1024;
const MEGABYTE = 1024 * 1024;

/** Whether the sidecar has the same ports at each start. */
export function checkFixedPorts(
  { config: { modules, bridge }, ...sidecar }: CheckedSidecar,
  system: DoctorSystem,
): Verdict[] {
  const ports = [
    { key: "modules.api.port", value: modules.api.port, usual: "8080" },
    { key: "bridge.port", value: bridge.port, usual: "8081" },
  ];
  return ports.map(({ key, value, usual }) => {
    if (value !== 0) return ok(`${key} is ${value}`);
    const fix = { command: configCommand(sidecar, system, "set", key, usual) };
    return problem(`${key} is 0: it would be another one at each start`, fix);
  });
}

/** What may be meant so in the configuration, and is worth knowing. */
export function checkNotes(sidecar: CheckedSidecar, system: DoctorSystem): Verdict[] {
  const { modules, signIn } = sidecar.config;
  const { api } = modules;
  const command = (...words: string[]): string => configCommand(sidecar, system, ...words);
  const unused = unusedWarning(sidecar.config);
  const findings = unused === undefined ? [] : [note(unused)];
  if (isLoopbackHost(api.host) && api.hosts.length === 0 && !api.trustProxy) {
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
  return [...findings, checkKey(sidecar, system)];
}

function checkKey(sidecar: CheckedSidecar, system: DoctorSystem): Verdict {
  const { adminApiKey, adminKeys } = sidecar.config.modules.api;
  if (adminApiKey === "" && adminKeys.length === 0)
    return note("modules.api.admin-api-key is blank: the whitelist cannot be changed from the web");
  if (!isWeak(adminApiKey)) return ok("there is a key for the whitelist");
  const other = `${system.programs.key} <name> --write${configOption(sidecar.configFile, system.programs)}`;
  const remove = configCommand(sidecar, system, "remove", "modules.api.admin-api-key");
  return note(`modules.api.admin-api-key could be guessed: make another key: ${other}, then: ${remove}`);
}

/** Whether the disks of server and sidecar have room. */
export function checkDisks({ asked, system, sidecar }: Context): Verdict[] {
  const folders = [resolve(asked.server), ...(sidecar === undefined ? [] : [sidecar.config.storage.folder])];
  const free = folders.flatMap(folder => {
    const bytes = system.freeBytes(folder);
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
