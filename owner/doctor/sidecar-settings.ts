import { resolve } from "node:path";
import { isLoopbackHost } from "../../bds/address.ts";
import { configOption } from "../../cli/commands.ts";
import { MODERATOR_SCOPES } from "../../shared/public/words.ts";
import { isWeak, unusedWarning } from "../../sidecar/config/warnings.ts";
import { note, ok, problem, type Verdict } from "./finding.ts";
import { configCommand } from "./fixes.ts";
import type { Context } from "./run-checks.ts";
import type { CheckedSidecar } from "./target.ts";

const MEGABYTE = 1024 * 1024;
/** Least free space of a disk, in bytes. */
const MIN_FREE_BYTES = 200 * MEGABYTE;

/** Whether the sidecar's ports are fixed. */
export function checkFixedPorts(sidecar: CheckedSidecar): Verdict[] {
  const { modules, bridge } = sidecar.config;
  const ports = [
    { key: "modules.api.port", value: modules.api.port, usual: "8080" },
    { key: "bridge.port", value: bridge.port, usual: "8081" },
  ];
  return ports.map(({ key, value, usual }) =>
    value === 0
      ? problem(`${key} is 0: the port would change at each start`, {
          command: configCommand(sidecar, "set", key, usual),
        })
      : ok(`${key} is ${value}`),
  );
}

/** Settings that may be intended, but are worth knowing. */
export function checkNotes(sidecar: CheckedSidecar): (Verdict | undefined)[] {
  const { modules, signIn } = sidecar.config;
  const { api } = modules;
  const unused = unusedWarning(sidecar.config);
  const findings = unused === undefined ? [] : [note(unused)];
  if (isLoopbackHost(api.host) && api.hosts.length === 0 && !api.trustProxy) {
    const add = configCommand(sidecar, "add", "modules.api.hosts", "-");
    const what = `modules.api.host is ${api.host}: it answers to 127.0.0.1 and localhost only; to add another name: ${add}`;
    findings.push(note(what));
  }
  const addresses = [...api.corsOrigins, ...(signIn.enabled ? [signIn.issuer] : [])];
  if (api.trustProxy === false && addresses.some(address => address.startsWith("https://"))) {
    const set = configCommand(sidecar, "set", "modules.api.trust-proxy", "loopback");
    const what = `modules.api.trust-proxy is false: behind a TLS proxy on this machine, cookies are not marked Secure; to change that: ${set}`;
    findings.push(note(what));
  }
  return [...findings, checkKey(sidecar)];
}

function checkKey(sidecar: CheckedSidecar): Verdict {
  const { configFile, config, system } = sidecar;
  const { adminApiKey, adminKeys } = config.modules.api;
  const { key } = system.programs;
  const write = `--write${configOption(configFile, system.programs)}`;
  if (adminApiKey === "" && adminKeys.length === 0) {
    const make = `${key} <name> --scopes ${MODERATOR_SCOPES.join(",")} ${write}`;
    return note(`there is no key yet, so nobody can kick or ban on the web console. To make one: ${make}`);
  }
  if (!isWeak(adminApiKey)) return ok("there is a key for the web console");
  const remove = configCommand(sidecar, "remove", "modules.api.admin-api-key");
  return note(
    `modules.api.admin-api-key could be guessed: make another key: ${key} <name> ${write}, then: ${remove}`,
  );
}

export function checkDisks({ options, system, sidecar }: Context): Verdict {
  const folders = [
    resolve(options.server),
    ...(sidecar === undefined ? [] : [sidecar.config.storage.folder]),
  ];
  const free = folders.map(folder => ({ folder, bytes: system.freeBytes(folder) }));
  for (const { folder, bytes = MIN_FREE_BYTES } of free)
    if (bytes < MIN_FREE_BYTES)
      return problem(
        `${folder}: ${Math.floor(bytes / MEGABYTE)} MB are free`,
        `free at least ${MIN_FREE_BYTES / MEGABYTE} MB there`,
      );
  return free.every(({ bytes }) => bytes === undefined)
    ? note("free disk space is not known: the system does not report it")
    : ok("there is enough free disk space");
}
