import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { checkServerIdentity, connect as connectTls, type PeerCertificate } from "node:tls";
import { RedisClient as AnyRedisClient } from "@redis/client";
import { messageOf, reasonOf } from "../../../../cli/errno.ts";
import type { Config } from "../../../config/settings.ts";
import { type Timers, within } from "./awake.ts";
import { RedisRefusal } from "./faults.ts";
import { pairsOf, textOf, textsOf } from "./script.ts";

/** How long it may take to connect, in milliseconds. */
const CONNECT_MS = 1_500;
/** How long Redis may leave a connection without an answer, in milliseconds. */
export const SILENT_MS = 1_000;
export const NO_ANSWER = "no answer within a second";
const DEFAULT_PORT = 6379;
const SENTINEL_PORT = 26_379;
const OLDEST_MAJOR = 7;
const SPOKEN = { RESP: 2 } as const;
/** `createClient` would make a class with all commands of Redis for each connection, half a megabyte of it. */
const createClient = AnyRedisClient.factory(SPOKEN);

export type RedisClient = ReturnType<typeof connectionTo>;

export interface RedisAddress {
  host: string;
  port: number;
}

type StorageSettings = Config["storage"];

export type RedisSettings = Pick<StorageSettings, "url" | "prefix" | "sentinel" | "ca"> &
  Partial<Pick<StorageSettings, "clientCert" | "clientKey" | "sentinelUser" | "sentinelPassword">>;

/** Who connects: user and password, of which each may be blank. */
type Login = Pick<URL, "username" | "password">;

export const addressesOf = (url: string): URL[] => url.split(",").map(each => new URL(each.trim()));

const placeOf = ({ hostname, port }: URL): RedisAddress => ({
  host: hostname.replace(/^\[|\]$/g, ""),
  port: port === "" ? DEFAULT_PORT : Number(port),
});

/** An address without user and password. */
export const shown = ({ host, port }: RedisAddress): string =>
  `${host.includes(":") ? `[${host}]` : host}:${port}`;

function readPem(key: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new RedisRefusal("certificate", `${key}: ${path}: cannot be read: ${reasonOf(error)}`);
  }
}

/** How TLS is spoken with a server of the service at `address`: what it shows, and which names its certificate may have. */
function tlsOptions(
  { ca, clientCert = "", clientKey = "" }: RedisSettings,
  address: URL,
  { host }: RedisAddress,
) {
  const own = placeOf(address).host;
  const name = [host, own].find(each => isIP(each) === 0);
  return {
    tls: true as const,
    ...(ca !== "" && { ca: readPem("storage.ca", ca) }),
    ...(clientCert !== "" && { cert: readPem("storage.client-cert", clientCert) }),
    ...(clientKey !== "" && { key: readPem("storage.client-key", clientKey) }),
    ...(name !== undefined && { servername: name }),
    // Sentinel and clusters tell names or IP addresses; few certificates have an IP address.
    checkServerIdentity: (_servername: string, certificate: PeerCertificate): Error | undefined => {
      const wrong = checkServerIdentity(host, certificate);
      return wrong && isIP(host) > 0 && host !== own ? checkServerIdentity(own, certificate) : wrong;
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
    // What a connection that was lost leaves undone is for whoever asked to do again, or not.
    disableOfflineQueue: true,
    disableClientInfo: true,
    // For the factory alone, it would be the language of the commands and not that of the connection.
    ...SPOKEN,
  });
  // Whoever waits for an answer hears of it.
  client.on("error", () => undefined);
  return client;
}

async function connect(clock: Timers, ...args: Parameters<typeof connectionTo>): Promise<RedisClient> {
  const client = connectionTo(...args);
  try {
    await soon(clock, client.connect(), CONNECT_MS);
    return client;
  } catch (error) {
    close(client);
    throw error;
  }
}

/** @throws when there is no answer in time */
const soon = <T>(clock: Timers, answer: Promise<T>, ms = SILENT_MS): Promise<T> =>
  within(clock, ms, answer, () => {
    throw new Error(NO_ANSWER);
  });

export function close(client: RedisClient): void {
  if (client.isOpen) client.destroy();
}

/** A connected server, and what another connection to it is made from. */
export interface RedisServer {
  client: RedisClient;
  place: RedisAddress;
  another(): Promise<RedisClient>;
}

/**
 * Connects to the server that takes changes: one of the addresses, what Sentinel says of them, or the shard of a cluster that
 * holds the keys.
 * @throws RedisRefusal where another try is in vain, or what the last address has failed with
 */
export async function findServer(settings: RedisSettings, clock: Timers): Promise<RedisServer> {
  let fault: unknown;
  for (const address of addressesOf(settings.url))
    try {
      return settings.sentinel === ""
        ? await serverAt(clock, settings, address, placeOf(address))
        : await serverAt(clock, settings, address, await askSentinel(clock, settings, address));
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
    const about = new Map(pairsOf(listOfTexts(await soon(clock, client.sendCommand(["HELLO"])))));
    checkVersion(about.get("version") ?? "", place);
    if (about.get("mode") === "sentinel")
      throw new RedisRefusal(
        "sentinel",
        `storage.url: ${shown(place)} is a Sentinel: name the service in storage.sentinel`,
      );
    if (about.get("mode") === "cluster" && !isShard) {
      const shard = await soon(clock, shardOf(client, settings.prefix, place));
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
  if (Number.parseInt(version, 10) >= OLDEST_MAJOR) return;
  throw new RedisRefusal(
    "version",
    `storage.url: ${shown(place)} is Redis ${version}: expected Redis or Valkey ${OLDEST_MAJOR}.0 or later`,
  );
}

/** Where the keys of the prefix are in a cluster. */
async function shardOf(client: RedisClient, prefix: string, { host }: RedisAddress): Promise<RedisAddress> {
  const slot = Number(await client.sendCommand(["CLUSTER", "KEYSLOT", `{${prefix}}`]));
  const ranges = await client.sendCommand(["CLUSTER", "SLOTS"]);
  for (const range of Array.isArray(ranges) ? ranges : []) {
    if (!Array.isArray(range) || slot < Number(range[0]) || slot > Number(range[1])) continue;
    const [at, port] = Array.isArray(range[2]) ? range[2] : [];
    // A shard that does not know its own address is the one that was asked.
    return { host: at === null || at === "" ? host : textOf(at), port: Number(port) };
  }
  throw new Error("CLUSTERDOWN no shard of the cluster holds the keys");
}

/** What the Sentinels take: a login of their own, else that of Redis, else none. */
function sentinelLogins(
  { sentinelUser = "", sentinelPassword = "" }: RedisSettings,
  { username, password }: URL,
): Login[] {
  const none = { username: "", password: "" };
  if (sentinelPassword === "") return [{ username, password }, none];
  const encoded = [sentinelUser, sentinelPassword].map(encodeURIComponent);
  return [{ username: encoded[0] ?? "", password: encoded[1] ?? "" }];
}

const OF_LOGINS = /without any password configured|WRONGPASS|NOAUTH/;

async function askSentinel(clock: Timers, settings: RedisSettings, address: URL): Promise<RedisAddress> {
  const { host, port } = placeOf(address);
  const place = { host, port: address.port === "" ? SENTINEL_PORT : port };
  const [first = address, other] = sentinelLogins(settings, address);
  const refused = (error: unknown): never => {
    const why = messageOf(error);
    if (/unknown command/.test(why))
      throw new RedisRefusal(
        "sentinel",
        `storage.sentinel: ${shown(place)} is no Sentinel: leave it blank, or name the Sentinels in storage.url`,
      );
    if (!OF_LOGINS.test(why)) throw error;
    throw new RedisRefusal(
      "sentinel",
      `storage.sentinel-password: the Sentinel at ${shown(place)} rejected user and password (${why}): expected those of its requirepass or ACL, in storage.sentinel-user and storage.sentinel-password`,
    );
  };
  const client = await connect(clock, settings, address, place, first)
    .catch((error: unknown) => {
      if (other === undefined || !OF_LOGINS.test(messageOf(error))) throw error;
      return connect(clock, settings, address, place, other);
    })
    .catch(refused);
  try {
    const found = await soon(
      clock,
      client.sendCommand(["SENTINEL", "GET-MASTER-ADDR-BY-NAME", settings.sentinel]),
    ).catch(refused);
    if (found === null)
      throw new RedisRefusal(
        "sentinel",
        `storage.sentinel: ${settings.sentinel} is not known to ${shown(place)}`,
      );
    const [told = "", master = ""] = textsOf(found);
    return { host: told, port: Number(master) };
  } finally {
    close(client);
  }
}

/**
 * Whether the servers at the addresses speak the other of `redis://` and `rediss://`, which shows only as a connection that ends or
 * stays silent. For a service that was never reached.
 */
export async function wrongProtocol({ url, sentinel }: RedisSettings): Promise<RedisRefusal | undefined> {
  for (const address of addressesOf(url)) {
    const { host, port } = placeOf(address);
    const place = { host, port: sentinel !== "" && address.port === "" ? SENTINEL_PORT : port };
    if (address.protocol === "rediss:") {
      if (await answersPlainly(place))
        return new RedisRefusal(
          "protocol",
          `storage.url: ${shown(place)} does not speak TLS: write redis://`,
        );
    } else if (await speaksTls(place))
      return new RedisRefusal("protocol", `storage.url: ${shown(place)} speaks TLS: write rediss://`);
  }
  return undefined;
}

function answersPlainly(place: RedisAddress): Promise<boolean> {
  const socket = connectTcp(place, () => socket.write("PING\r\n"));
  return outcome(socket, "data");
}

// Only the handshake: nothing is sent to who has shown no certificate.
const speaksTls = (place: RedisAddress): Promise<boolean> =>
  outcome(connectTls({ ...place, rejectUnauthorized: false }), "secureConnect");

/** Whether this happens to a socket before it ends, and in time; ends it. */
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
