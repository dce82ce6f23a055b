import { once } from "node:events";
import { get } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { codeOf, reasonOf } from "../../../cli/errno.ts";

/**
 * Accept queue: connections that wait to be accepted, if the system allows as many. Beyond it connections are dropped, and clients
 * retry after a second.
 */
const WAITING = 4_096;

const PORT_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: "this port is already in use: stop the other program, or choose another port",
  EACCES: "this user is not allowed to use this port: choose another one, from 1024 on",
};

/** Starts to listen. The error names the key to change. */
export async function listen(
  server: Server,
  key: string,
  { host, port }: { host: string; port: number },
): Promise<AddressInfo> {
  try {
    // Systems differ in the first address of this name.
    const at = /^localhost\.?$/i.test(host) ? "127.0.0.1" : host;
    await once(server.listen({ host: at, port, backlog: WAITING }), "listening");
  } catch (error) {
    const code = codeOf(error) ?? "";
    const fault = PORT_FAULTS[code];
    if (fault !== undefined) throw new Error(`${key}.port: ${port}: ${fault} (${code})`);
    throw new Error(`${key}.host: ${host}: expected an address of this machine (${reasonOf(error)})`);
  }
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error(`${key}: no TCP address`);
  return address;
}

/** Timeout of a health check, in milliseconds. */
const HEALTH_MS = 4_000;

/** Checks the health of the sidecar at this address; undefined: healthy, otherwise the reason. */
export function healthFault({ host, port }: { host: string; port: number }): Promise<string | undefined> {
  const reached = { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host;
  return new Promise(resolve => {
    const signal = AbortSignal.timeout(HEALTH_MS);
    get({ host: reached, port, path: "/healthz", agent: false, signal }, answer => {
      answer.resume();
      const { statusCode } = answer;
      resolve(statusCode === 200 ? undefined : `${reached}, port ${port}: answers ${statusCode}`);
    }).on("error", error => resolve(`${reached}, port ${port}: ${reasonOf(error)}`));
  });
}
