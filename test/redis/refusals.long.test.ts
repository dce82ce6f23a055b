import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { type RedisOptions, type RedisServer, startRedisServer } from "../../lab/scale/redis-server.ts";
import type { SharedState } from "../../sidecar/kernel/shared.ts";
import type { RedisSettings } from "../../sidecar/kernel/storage/redis/client.ts";
import { openRedis } from "../../sidecar/kernel/storage/redis/open.ts";
import { systemClock } from "../../sidecar/platform/clock.ts";
import { makeCertificate } from "../deploy/front.ts";
import { RecordingLog } from "../helpers/log.ts";
import { needs } from "../helpers/needs.ts";
import { hasRedis } from "../helpers/redis.ts";
import { createEnds } from "../helpers/redis-sides.ts";
import { TOKEN } from "../helpers/sidecar.ts";

// Own connections: is an old Redis.

const SECRET = "pass-word-of-redis";
const ends = createEnds();

async function started(options: RedisOptions = {}): Promise<RedisServer> {
  const server = await startRedisServer(options);
  ends(() => server.stop());
  return server;
}

interface Of extends Partial<RedisSettings> {
  log?: RecordingLog;
  token?: string;
}

async function opened(
  url: string,
  { log = new RecordingLog(), token = TOKEN, ...settings }: Of = {},
): Promise<SharedState> {
  const shared = await openRedis({
    settings: { url, prefix: "web-bridge", sentinel: "", ca: "", ...settings },
    machine: systemClock,
    log,
    streams: [],
    token,
    self: { name: `${Math.random()}`, version: "1", settings: "" },
    migrate: async () => undefined,
  });
  ends(() => shared.close());
  return shared;
}

/** The last log line of a sidecar. */
const refusal = (url: string, of?: Of): Promise<string> =>
  opened(url, of).then(
    () => "it has begun",
    (error: Error) => error.message,
  );

/** A server that claims to be this version of Redis. */
async function fakeRedis(version: string): Promise<string> {
  const server: Server = createServer(socket => {
    socket.on("error", () => undefined);
    socket.on("data", bytes => {
      if (bytes.includes("HELLO"))
        socket.write(
          `*6\r\n$7\r\nversion\r\n$${version.length}\r\n${version}\r\n$4\r\nmode\r\n$10\r\nstandalone\r\n$4\r\nrole\r\n$6\r\nmaster\r\n`,
        );
      else socket.write("+OK\r\n");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  ends(() => server.close());
  const address = server.address();
  return `redis://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

needs("redis-server", hasRedis).describe("a sidecar exits with one line that has the setting", () => {
  it("for a wrong password, without showing it", async () => {
    const server = await started({ settings: { requirepass: "another" } });
    const line = await refusal(`redis://:${SECRET}@127.0.0.1:${server.port}`);
    expect(line).toMatch(/^storage\.url: Redis rejected user and password \(WRONGPASS .*\)$/);
    expect(line).not.toContain(SECRET);
  });

  it("for an old Redis", async () => {
    expect(await refusal(await fakeRedis("6.2.14"))).toMatch(
      /^storage\.url: 127\.0\.0\.1:\d+ is Redis 6\.2\.14: expected Redis or Valkey 7\.0 or later$/,
    );
  });

  it.each([
    ["a command", "+@all -xadd ~*", "the user may not use XADD"],
    ["commands", "+@all -hset -xdel ~*", "the user may not use HSET, XDEL"],
    ["scripts", "+@all -evalsha ~*", "the Redis user lacks permissions (NOPERM"],
    ["the keys", "+@all ~other:*", "the Redis user lacks permissions (NOPERM"],
  ])("for a user that may not use %s", async (_what, rights, expected) => {
    const server = await started({ acl: ["user default off", `user bridge on >${SECRET} ${rights}`] });
    const line = await refusal(`redis://bridge:${SECRET}@127.0.0.1:${server.port}`);
    expect(line).toContain(`storage.url: ${expected}`);
    expect(line).toMatch(/: see docs\/scaling\.md$/);
    expect(line).not.toContain(SECRET);
  });

  describe("over TLS", () => {
    const folder = mkdtempSync(join(tmpdir(), "redis-tls-"));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    const certificate = (name: string, of: string) => {
      const own = join(folder, name);
      mkdirSync(own, { recursive: true });
      return makeCertificate(own, of);
    };

    it("for an untrusted certificate, and starts with its authority", async () => {
      const tls = certificate("own", "IP:127.0.0.1");
      const server = await started({ tls });
      expect(await refusal(server.url)).toMatch(
        /^storage\.url: the certificate of Redis is not trusted \(\w+\): name the file of its authority in storage\.ca$/,
      );
      const shared = await opened(server.url, { ca: tls.cert });
      expect(await shared.bridgeId()).toMatch(/^[0-9a-f-]{36}$/);
    });

    it("for a certificate with another name", async () => {
      const tls = certificate("named", "DNS:redis.example");
      expect(await refusal((await started({ tls })).url, { ca: tls.cert })).toBe(
        "storage.url: the certificate of Redis is for another name (ERR_TLS_CERT_ALTNAME_INVALID): expected the host in storage.url, or the one that Sentinel or the cluster announces",
      );
    });

    it("for a Redis that requires a client certificate, rejects it, or files that do not match, and starts with a valid one", async () => {
      const tls = certificate("asks", "IP:127.0.0.1");
      const strange = certificate("strange", "DNS:sidecar.example");
      const settings = { "tls-auth-clients": "yes", "tls-ca-cert-file": tls.cert };
      const { url } = await started({ tls, settings });
      const refused = (clientCert = "", clientKey = "") =>
        refusal(url, { ca: tls.cert, clientCert, clientKey });
      expect(await refused()).toMatch(
        /^storage\.client-cert: Redis requires a client certificate \(ERR_SSL_\w+\): set storage\.client-cert and /,
      );
      expect(await refused(strange.cert, strange.key)).toMatch(
        /^storage\.client-cert: Redis rejected the client certificate \(ERR_SSL_\w+\): expected one /,
      );
      expect(await refused(tls.cert, strange.key)).toMatch(
        /^storage\.client-key: the key does not belong to the certificate in storage\.client-cert \(/,
      );
      expect(await refused(tls.key, tls.key)).toMatch(/: expected a certificate and its key .* in PEM$/);
      expect(await refused(join(folder, "none"), tls.key)).toMatch(
        /^storage\.client-cert: .*none: cannot be read/,
      );
      const shared = await opened(url, { ca: tls.cert, clientCert: tls.cert, clientKey: tls.key });
      expect(await shared.bridgeId()).toMatch(/^[0-9a-f-]{36}$/);
    });

    it("for redis:// instead of rediss://, and the other way round", async () => {
      const tls = certificate("mixed", "IP:127.0.0.1");
      const [plain, secure] = [await started(), await started({ tls })];
      expect(await refusal(`redis://127.0.0.1:${secure.port}`)).toBe(
        `storage.url: 127.0.0.1:${secure.port} speaks TLS: write rediss://`,
      );
      expect(await refusal(`rediss://127.0.0.1:${plain.port}`)).toBe(
        `storage.url: 127.0.0.1:${plain.port} does not speak TLS: write redis://`,
      );
    });

    it("but starts if a Sentinel has a certificate for its own name, and Redis one for the announced address", async () => {
      const [ofRedis, ofSentinel] = [
        certificate("redis", "IP:127.0.0.1"),
        certificate("sentinel", "DNS:localhost"),
      ];
      const redis = await started({ tls: ofRedis });
      const settings = { [`sentinel monitor bridge 127.0.0.1 ${redis.port}`]: "1" };
      const sentinel = await started({ isSentinel: true, tls: ofSentinel, settings });
      const ca = join(folder, "both.pem");
      writeFileSync(ca, [ofRedis.cert, ofSentinel.cert].map(path => readFileSync(path, "utf8")).join(""));
      const url = `rediss://localhost:${sentinel.port}`;
      const shared = await opened(url, { ca, sentinel: "bridge" });
      expect(await shared.bridgeId()).toMatch(/^[0-9a-f-]{36}$/);
    });
  });

  it("for a Sentinel with its own password, and starts with it, or if there is none", async () => {
    const redis = await started({ settings: { requirepass: SECRET } });
    const monitor = { [`sentinel monitor bridge 127.0.0.1 ${redis.port}`]: "1" };
    const closed = await started({ isSentinel: true, settings: { ...monitor, requirepass: "of-sentinel" } });
    const open = await started({ isSentinel: true, settings: monitor });
    const at = (server: RedisServer) => `redis://:${SECRET}@127.0.0.1:${server.port}`;
    const rejected = `storage.sentinel-password: the Sentinel at 127.0.0.1:${closed.port} rejected user and password (`;
    for (const sentinelPassword of ["", "wrong"]) {
      const line = await refusal(at(closed), { sentinel: "bridge", sentinelPassword });
      expect(line).toContain(rejected);
      expect(line).not.toContain(SECRET);
    }
    await opened(at(closed), { sentinel: "bridge", sentinelPassword: "of-sentinel" });
    await opened(at(open), { sentinel: "bridge" });
  });

  it("for the sidecars of another bridge under the same prefix", async () => {
    const { url } = await started();
    await opened(url);
    expect(await refusal(url, { token: "another-token-of-a-bridge-0123456789" })).toBe(
      "storage.prefix: web-bridge: it is used by the sidecars of another bridge: use another prefix, or the same bridge.token",
    );
    await opened(url, { token: "another-token-of-a-bridge-0123456789", prefix: "other" });
  });

  it("for data of another version that it cannot read", async () => {
    const server = await started();
    await server.command("HSET", "{web-bridge}:meta", "format", "7");
    expect(await refusal(server.url)).toBe(
      "storage.prefix: web-bridge: its data has the format of another version (format 7, expected 3): update this sidecar, or use another prefix",
    );
  });
});
