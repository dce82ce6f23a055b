import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { checkServerIdentity, connect as connectTls, type PeerCertificate } from "node:tls";
import { RedisClient as AnyRedisClient } from "@redis/client";
import { messageOf, reasonOf } from "../../../../cli/errno.ts";
import type { Config } from "../../../config/settings.ts";
import { RedisRefusal } from "./faults.ts";
import { type Timers, within } from "./running-time.ts";
import { pairsOf, textOf, textsOf } from "./script.ts";

/** Connect timeout, in milliseconds. */
const CONNECT_MS = 1_500;
/** Answer timeout of a connection, in milliseconds. */
export const ANSWER_TIMEOUT_MS = 1_000;
export const NO_ANSWER = "no answer within a second";
const DEFAULT_PORT = 6379;
const SENTINEL_PORT = 26_379;
const MIN_MAJOR = 7;
const PROTOCOL = { RESP: 2 } as const;
/** `createClient` would create a class with all Redis commands for each connection, half a megabyte each. */
const createClient = AnyRedisClient.factory(PROTOCOL);

export type RedisClient = ReturnType<typeof connectionTo>;

interface RedisAddress {
  host: string;
  port: number;
}

type StorageSettings = Config["storage"];

export type RedisSettings = Pick<StorageSettings, "url" | "prefix" | "sentinel" | "ca"> &
  Partial<Pick<StorageSettings, "clientCert" | "clientKey" | "sentinelUser" | "sentinelPassword">>;

/** User and password; each may be blank. */
type Login = Pick<URL, "username" | "password">;

export const addressesOf = (url: string): URL[] => url.split(",").map(each => new URL(each.trim()));

const endpointOf = ({ hostname, port }: URL): RedisAddress => ({
  host: hostname.replace(/^\[|\]$/g, ""),
  port: port === "" ? DEFAULT_PORT : Number(port),
});

/** An address without user and password. */
export const formatAddress = ({ host, port }: RedisAddress): string =>
  `${host.includes(":") ? `[${host}]` : host}:${port}`;

function readPem(key: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new RedisRefusal("certificate", `${key}: ${path}: cannot be read: ${reasonOf(error)}`);
  }
}

/** TLS options for a server of the service at `address`: client certificate, and accepted names of the server's certificate. */
function tlsOptions(
  { ca, clientCert = "", clientKey = "" }: RedisSettings,
  address: URL,
  { host }: RedisAddress,
) {
  const ownHost = endpointOf(address).host;
  const name = [host, ownHost].find(each => isIP(each) === 0);
  return {
    tls: true as const,
    ...(ca !== "" && { ca: readPem("storage.ca", ca) }),
    ...(clientCert !== "" && { cert: readPem("storage.client-cert", clientCert) }),
    ...(clientKey !== "" && { key: readPem("storage.client-key", clientKey) }),
    ...(name !== undefined && { servername: name }),
    // Sentinel and clusters announce names or IP addresses; few certificates contain an IP address.
    checkServerIdentity: (_servername: string, certificate: PeerCertificate): Error | undefined => {
      const wrong = checkServerIdentity(host, certificate);
      return wrong && isIP(host) > 0 && host !== ownHost ? checkServerIdentity(ownHost, certificate) : wrong;
    },
  };
}

function connectionTo(settings: RedisSettings, address: URL, place: RedisAddress, login: Login = address) {
  const { protocol, pathname } = address;
  const { username, password } = login;
  const socket = { ...place, connectTimeout: CONNECT_MS, reconnectStrategy: false as const };
  const client = createClient({
    ...(username !== "" && { username: decodeURIComponent(username) }),
    ...(password !== "" && { password: decodeURIComponent(password) }),
    ...(pathname.length > 1 && { database: Number(pathname.slice(1)) }),
    socket: protocol === "rediss:" ? { ...socket, ...tlsOptions(settings, address, place) } : socket,
    // The caller decides whether to retry what a lost connection left undone.
    disableOfflineQueue: true,
    disableClientInfo: true,
    // Set only on the factory, it would apply to the commands and not to the connection.
    ...PROTOCOL,
  });
  // The pending call gets the error.
  client.on("error", () => undefined);
  return client;
}

async function connect(clock: Timers, ...args: Parameters<typeof connectionTo>): Promise<RedisClient> {
  const client = connectionTo(...args);
  try {
    await withTimeout(clock, client.connect(), CONNECT_MS);
    return client;
  } catch (error) {
    close(client);
    throw error;
  }
}

/** @throws if there is no answer in time */
const withTimeout = <T>(clock: Timers, answer: Promise<T>, ms = ANSWER_TIMEOUT_MS): Promise<T> =>
  within(clock, ms, answer, () => {
    throw new Error(NO_ANSWER);
  });

export function close(client: RedisClient): void {
  if (client.isOpen) client.destroy();
}

/** A connected server, and a way to open another connection to it. */
export interface RedisServer {
  client: RedisClient;
  place: RedisAddress;
  another(): Promise<RedisClient>;
}

/**
 * Connects to the server that accepts writes: one of the addresses, the master named by Sentinel, or the cluster shard with our keys.
 * @throws RedisRefusal if retrying is useless, else the error of the last address
 */
export async function findServer(settings: RedisSettings, clock: Timers): Promise<RedisServer> {
  let fault: unknown;
  for (const address of addressesOf(settings.url))
    try {
      return settings.sentinel === ""
        ? await serverAt(clock, settings, address, endpointOf(address))
        : await serverAt(clock, settings, address, await findMaster(clock, settings, address));
    } catch (error) {
      fault = error;
    }
  throw fault;
}

async function serverAt(
  clock: Timers,
  settings: RedisSettings,
  address: URL,
  place: RedisAddress,
  isShard = false,
): Promise<RedisServer> {
  const client = await connect(clock, settings, address, place);
  try {
    const about = new Map(pairsOf(listOfTexts(await withTimeout(clock, client.sendCommand(["HELLO"])))));
    checkVersion(about.get("version") ?? "", place);
    if (about.get("mode") === "sentinel")
      throw new RedisRefusal(
        "sentinel",
        `storage.url: ${formatAddress(place)} is a Sentinel: name the service in storage.sentinel`,
      );
    if (about.get("mode") === "cluster" && !isShard) {
      const shard = await withTimeout(clock, shardOf(client, settings.prefix, place));
      close(client);
      return serverAt(clock, settings, address, shard, true);
    }
    if (about.get("role") !== "master") throw new Error("READONLY it is a replica");
    return { client, place, another: () => connect(clock, settings, address, place) };
  } catch (error) {
    close(client);
    throw error;
  }
}

/** `HELLO` has numbers and a list among its values. */
const listOfTexts = (reply: unknown): string[] => (Array.isArray(reply) ? reply.map(String) : []);

function checkVersion(version: string, place: RedisAddress): void {
  if (Number.parseInt(version, 10) >= MIN_MAJOR) return;
  throw new RedisRefusal(
    "version",
    `storage.url: ${formatAddress(place)} is Redis ${version}: expected Redis or Valkey ${MIN_MAJOR}.0 or later`,
  );
}

/** The shard of a cluster that has the keys of the prefix. */
async function shardOf(client: RedisClient, prefix: string, { host }: RedisAddress): Promise<RedisAddress> {
  const slot = Number(await client.sendCommand(["CLUSTER", "KEYSLOT", `{${prefix}}`]));
  const ranges = await client.sendCommand(["CLUSTER", "SLOTS"]);
  for (const range of Array.isArray(ranges) ? ranges : []) {
    if (!Array.isArray(range) || slot < Number(range[0]) || slot > Number(range[1])) continue;
    const [at, port] = Array.isArray(range[2]) ? range[2] : [];
    // A shard without its own address in the reply is the one that replied.
    return { host: at === null || at === "" ? host : textOf(at), port: Number(port) };
  }
  throw new Error("CLUSTERDOWN no shard of the cluster holds the keys");
}

/** Logins to try on a Sentinel: its own, else that of Redis, else none. */
function sentinelLogins(
  { sentinelUser = "", sentinelPassword = "" }: RedisSettings,
  { username, password }: URL,
): Login[] {
  const none = { username: "", password: "" };
  if (sentinelPassword === "") return [{ username, password }, none];
  const encoded = [sentinelUser, sentinelPassword].map(encodeURIComponent);
  return [{ username: encoded[0] ?? "", password: encoded[1] ?? "" }];
}

const LOGIN_ERRORS = /without any password configured|WRONGPASS|NOAUTH/;

async function findMaster(clock: Timers, settings: RedisSettings, address: URL): Promise<RedisAddress> {
  const { host, port } = endpointOf(address);
  const place = { host, port: address.port === "" ? SENTINEL_PORT : port };
  const [first = address, other] = sentinelLogins(settings, address);
  const refused = (error: unknown): never => {
    const why = messageOf(error);
    if (/unknown command/.test(why))
      throw new RedisRefusal(
        "sentinel",
        `storage.sentinel: ${formatAddress(place)} is no Sentinel: leave it blank, or name the Sentinels in storage.url`,
      );
    if (!LOGIN_ERRORS.test(why)) throw error;
    throw new RedisRefusal(
      "sentinel",
      `storage.sentinel-password: the Sentinel at ${formatAddress(place)} rejected user and password (${why}): expected those of its requirepass or ACL, in storage.sentinel-user and storage.sentinel-password`,
    );
  };
  const client = await connect(clock, settings, address, place, first)
    .catch((error: unknown) => {
      if (other === undefined || !LOGIN_ERRORS.test(messageOf(error))) throw error;
      return connect(clock, settings, address, place, other);
    })
    .catch(refused);
  try {
    const found = await withTimeout(
      clock,
      client.sendCommand(["SENTINEL", "GET-MASTER-ADDR-BY-NAME", settings.sentinel]),
    ).catch(refused);
    if (found === null)
      throw new RedisRefusal(
        "sentinel",
        `storage.sentinel: ${settings.sentinel} is not known to ${formatAddress(place)}`,
      );
    const [masterHost = "", master = ""] = textsOf(found);
    return { host: masterHost, port: Number(master) };
  } finally {
    close(client);
  }
}

/**
 * Checks whether the servers speak the other one of `redis://` and `rediss://`: a wrong one shows only as a connection that ends or
 * stays silent. For a service that was never reached.
 */
export async function wrongProtocol({ url, sentinel }: RedisSettings): Promise<RedisRefusal | undefined> {
  for (const address of addressesOf(url)) {
    const { host, port } = endpointOf(address);
    const place = { host, port: sentinel !== "" && address.port === "" ? SENTINEL_PORT : port };
    if (address.protocol === "rediss:") {
      if (await answersPlainly(place))
        return new RedisRefusal(
          "protocol",
          `storage.url: ${formatAddress(place)} does not speak TLS: write redis://`,
        );
    } else if (await speaksTls(place))
      return new RedisRefusal("protocol", `storage.url: ${formatAddress(place)} speaks TLS: write rediss://`);
  }
  return undefined;
}

function answersPlainly(place: RedisAddress): Promise<boolean> {
  const socket = connectTcp(place, () => socket.write("PING\r\n"));
  return outcome(socket, "data");
}

// Only the handshake: nothing is sent to a server without a valid certificate.
const speaksTls = (place: RedisAddress): Promise<boolean> =>
  outcome(connectTls({ ...place, rejectUnauthorized: false }), "secureConnect");

/** Whether an event happens on a socket in time, before it ends. Ends the socket. */
async function outcome(socket: Socket, event: string): Promise<boolean> {
  try {
    await once(socket, event, { signal: AbortSignal.timeout(CONNECT_MS) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
