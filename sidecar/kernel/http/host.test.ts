import { request } from "node:http";
import { describe, expect, it } from "@jest/globals";
import { refusedUpgrade } from "../../../test/helpers/chat-socket.ts";
import { contractOf } from "../../../test/helpers/contract.ts";
import { serving } from "../../../test/helpers/serving.ts";
import { TOKEN } from "../../../test/helpers/sidecar.ts";

// Own connections: checks.

const side = serving();

/** Sends a request with any `Host`, which `fetch` does not allow. */
function askAs(host: string, url: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const asking = request(url, { headers: { ...headers, Host: host } }, response => {
      let text = "";
      response.setEncoding("utf8").on("data", part => {
        text += part;
      });
      response.on("end", () => {
        const status = response.statusCode ?? 0;
        const header = (name: string) => response.headers[name.toLowerCase()]?.toString() ?? null;
        const { pathname } = new URL(url);
        if (url.startsWith(side.base))
          contractOf(url).answer({ method: "GET", path: pathname, status, header, text });
        resolve({ status, text });
      });
    });
    asking.on("error", reject).end();
  });
}

const REFUSED = { status: 421, text: expect.stringMatching(/^{"error":"host_not_allowed",/) };

describe("the public listener", () => {
  it.each([
    ["on all addresses", { WEB_BRIDGE_MODULES_API_HOST: "0.0.0.0" }],
    ["behind a proxy that is believed", { WEB_BRIDGE_MODULES_API_TRUST_PROXY: "loopback" }],
  ])("%s accepts any host name unless some are listed", async (_where, env) => {
    await side.start({ env });
    expect((await askAs("whatever.example:99", `${side.base}/healthz`)).status).toBe(200);
  });

  it.each(["127.0.0.1", "LOCALHOST", "0:0:0:0:0:0:0:1"])(
    "on %s accepts only loopback names, with any port, if no others are listed",
    async host => {
      await side.start({ env: { WEB_BRIDGE_MODULES_API_HOST: host } });
      const { address, family, port } = side.sidecar.publicAddress;
      expect(address).toBe(host.startsWith("0:") ? "::1" : "127.0.0.1");
      const url = `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
      for (const name of ["localhost", "localhost:18080", "127.0.0.1", "[::1]:8080", "LOCALHOST.:1"])
        expect((await askAs(name, `${url}/healthz`)).status).toBe(200);
      for (const name of ["evil.example", `evil.example:${port}`, "127.0.0.1.evil.example"])
        for (const path of ["/status", "/events", "/initialize"])
          expect(await askAs(name, url + path)).toEqual(REFUSED);
    },
  );

  it("accepts the listed names with any port and loopback names, and no others", async () => {
    await side.start({
      env: { WEB_BRIDGE_MODULES_API_HOSTS: "Bridge.example.com, 2001:db8:0::1, Bücher.example." },
    });
    const names = [
      ...["bridge.example.com", "BRIDGE.example.com.:443", "[2001:db8::1]:80", "[2001:DB8:0:0::1]"],
      ...["xn--bcher-kva.example:80", "localhost", "[::1]", "[::ffff:127.0.0.1]"],
    ];
    for (const name of names) expect((await askAs(name, `${side.base}/servers`)).status).toBe(200);
    for (const name of ["evil.example", "bridge.example.com.evil.example", "127.0.0.1.evil.example", "[x"])
      for (const path of ["/status", "/healthz/", "/nothing"])
        expect(await askAs(name, side.base + path)).toEqual(REFUSED);
    const refused = await refusedUpgrade(`${side.base}/chat`, { Host: "evil.example" });
    expect([refused.status, refused.body]).toEqual([421, REFUSED.text]);
    expect((await side.ask("/healthz")).status).toBe(200);
  });

  it("accepts its own address too; the address of all interfaces is no name", async () => {
    const hosts = { WEB_BRIDGE_MODULES_API_HOSTS: "bridge.example.com" };
    // The long form is not a loopback name.
    const own = "0:0:0:0:0:0:0:1";
    await side.start({ env: { ...hosts, WEB_BRIDGE_MODULES_API_HOST: own } });
    const url = `${side.base.replace("127.0.0.1", "[::1]")}/servers`;
    expect((await askAs(`[${own}]:80`, url)).status).toBe(200);
    expect((await askAs("evil.example", url)).status).toBe(421);
    for (const any of ["0.0.0.0", "::"]) {
      await side.start({ env: { ...hosts, WEB_BRIDGE_MODULES_API_HOST: any } });
      for (const name of ["0.0.0.0", "[::]:80"])
        expect(await askAs(name, `${side.base}/servers`)).toEqual(REFUSED);
    }
  });

  it("uses the host name that a trusted proxy sends", async () => {
    await side.api("trust-proxy: true, hosts: [bridge.example.com]");
    const forwarded = (name: string) => ({ "X-Forwarded-Host": name });
    const url = `${side.base}/servers`;
    expect((await askAs("inner", url, forwarded("bridge.example.com"))).status).toBe(200);
    expect(await askAs("bridge.example.com", url, forwarded("evil.example"))).toEqual(REFUSED);
  });
});

describe("health", () => {
  it.each(["hosts: [bridge.example.com]", "host: 127.0.0.1"])(
    "responds for any host name, while other paths return 421, logged once a minute: %s",
    async api => {
      await side.api(api);
      for (const host of ["10.1.2.3:8080", "evil.example"]) {
        expect((await askAs(host, `${side.base}/healthz`)).status).toBe(200);
        expect((await askAs(host, `${side.base}/healthz?from=probe`)).status).toBe(200);
        expect((await askAs(host, `${side.base}/readyz`)).status).toBe(503);
        expect(await askAs(host, `${side.base}/status`)).toEqual(REFUSED);
      }
      expect((await askAs("[x", `${side.base}/healthz`, { Origin: "http://evil.example" })).status).toBe(403);
      await refusedUpgrade(`${side.base}/chat`, { Host: "evil.example" });
      side.clock.advance(60_000);
      await askAs("evil\u00a7.example", `${side.base}/status`);
      const fields = { requestId: expect.any(String), address: "127.0.0.1" };
      expect(side.log.of("warn").filter(({ message }) => message.includes("modules.api.hosts"))).toEqual([
        expect.objectContaining({ fields: { ...fields, host: "10.1.2.3:8080" } }),
        expect.objectContaining({ fields: { ...fields, host: "evil?.example", leftOut: 2 } }),
      ]);
    },
  );
});

describe("the own origin", () => {
  const [PLAY, NAME] = ["https://play.example.com", "play.example.com"];
  const by = (proto: string): Record<string, string> => ({ "X-Forwarded-Proto": proto });
  const forwarded = (said: string): Record<string, string> => ({ Forwarded: said });
  const V6 = "http://[2001:db8::1]:8080";

  /** For a request and an upgrade. */
  async function statuses(host: string, origin: string, headers: Record<string, string>) {
    const sent = { ...headers, Origin: origin };
    const request = (await askAs(host, `${side.base}/initialize`, sent)).status;
    const upgrade = await refusedUpgrade(`${side.base}/chat`, { ...sent, Host: host }).then(
      ({ status }) => status,
      () => 101,
    );
    return [request, upgrade];
  }

  it.each<[string, string, string, Record<string, string>?]>([
    ["a scheme of WebSockets", NAME, PLAY, by("wss")],
    ["a scheme of WebSockets without TLS", NAME, "http://play.example.com", by("ws")],
    ["another case, and a list", NAME, PLAY, by("WSS, http")],
    ["another case of the scheme", NAME, PLAY, by("HTTPS,http")],
    ["no header of the proxy", NAME, "http://play.example.com"],
    ["the port of http", `${NAME}:80`, "http://play.example.com", by("http")],
    ["the port of https", `${NAME}:443`, PLAY, by("https")],
    ["a client that writes the port", NAME, `${PLAY}:443`, by("https")],
    ["a port without digits", `${NAME}:`, PLAY, by("https")],
    ["another case of the name", "PLAY.example.COM", PLAY, by("https")],
    ["a dot at the end of the host", `${NAME}.`, PLAY, by("https")],
    ["a dot at the end of the origin", NAME, `${PLAY}.`, by("https")],
    ["a dot at the end of both, and a port", `${NAME}.:8443`, `${PLAY}.:8443`, by("https")],
    ["a long IPv6 address", "[2001:0DB8:0:0:0:0:0:1]:8080", V6],
    ["a name in another script", "b\xc3\xbccher.example", "http://xn--bcher-kva.example"],
    ["X-Forwarded-Host", "inner", PLAY, { ...by("https"), "X-Forwarded-Host": `${NAME}:443, inner` }],
    [
      "Forwarded",
      "inner",
      PLAY,
      forwarded(`for=192.0.2.1;host=${NAME};proto=https, for=10.0.0.1;host=inner`),
    ],
    ["Forwarded in quotes", "inner", V6, forwarded('For="[::1]:1"; Host="[2001:db8::1]:8080"; Proto=http')],
    ["Forwarded without a host", NAME, PLAY, forwarded("proto=https;by=unix")],
    ["Forwarded beside X-Forwarded", NAME, PLAY, { ...by("https"), ...forwarded("proto=http") }],
  ])("is the one of the browser: %s", async (_what, host, origin, headers = {}) => {
    await side.api("trust-proxy: loopback");
    expect(await statuses(host, origin, headers)).toEqual([200, 101]);
  });

  it.each<[string, string, string, Record<string, string>?]>([
    [
      "another port by X-Forwarded-Port",
      NAME,
      `${PLAY}:8443`,
      { ...by("https"), "X-Forwarded-Port": "8443" },
    ],
    ["the port of the other scheme", `${NAME}:443`, "http://play.example.com"],
    ["another scheme", NAME, PLAY, by("ws")],
    ["an unknown scheme", NAME, PLAY, by("ftp")],
    ["a user in the host", `user@${NAME}`, "http://play.example.com"],
    ["a user in the origin", NAME, "http://user@play.example.com"],
    ["a path in the origin", NAME, "http://play.example.com/"],
    ["an escape in the host", "play%2Eexample.com", "http://play.example.com"],
    ["neither of them an origin", "[x", "http://[x"],
    ["a dot more", `${NAME}..`, "http://play.example.com"],
    ["a later part of Forwarded", "inner", PLAY, forwarded(`for=192.0.2.1, host=${NAME};proto=https`)],
    ["a part of a quoted text", "inner", PLAY, forwarded(`for=";host=${NAME};proto=https"`)],
  ])("is rejected if it is only similar: %s", async (_what, host, origin, headers = {}) => {
    await side.api("trust-proxy: loopback");
    expect(await statuses(host, origin, headers)).toEqual([403, 403]);
  });

  it("is logged beside the rejected one, for an upgrade too", async () => {
    await side.api("trust-proxy: loopback");
    await statuses(NAME, `${PLAY}:8443`, { ...by("https"), "X-Forwarded-Port": "8443" });
    const fields = { requestId: expect.any(String), origin: `${PLAY}:8443`, own: PLAY };
    const message = "Rejected a request of an origin that is not listed";
    expect(side.log.of("warn")).toEqual(
      ["/initialize", "/chat"].map(path => expect.objectContaining({ message, fields: { ...fields, path } })),
    );
  });
});

describe("the bridge listener on loopback", () => {
  it("[HTTP-5] accepts only loopback names, with the token too", async () => {
    await side.start();
    const token = { Authorization: TOKEN };
    for (const name of ["localhost", "localhost:1", "127.0.0.1:8081", "[::1]:8081"])
      expect((await askAs(name, `${side.bridge}/metrics`)).status).toBe(200);
    for (const name of ["evil.example", "evil.example:8081", "127.0.0.1.evil.example"])
      for (const headers of [{}, token])
        expect(await askAs(name, `${side.bridge}/metrics`, headers)).toEqual({
          status: 421,
          text: '{"error":"host_not_allowed"}',
        });
    expect(await askAs("evil.example", `${side.bridge}/bridge/poll`, token)).toEqual({
      status: 421,
      text: '{"error":"host_not_allowed"}',
    });
    expect(side.log.of("warn").at(-1)).toMatchObject({
      message: "Rejected a bridge request: its Host is not a name of this machine",
      fields: { host: "evil.example" },
    });
    for (let i = 0; i < 30; i++) await askAs("evil.example", `${side.bridge}/metrics`);
    expect(side.log.of("warn")).toHaveLength(20);
  });
});

describe("the bridge listener on all addresses", () => {
  it("accepts the pack by any name, and serves metrics without the token only by loopback names", async () => {
    await side.start({ env: { WEB_BRIDGE_BRIDGE_HOST: "0.0.0.0" } });
    const url = `${side.bridge}/metrics`;
    expect((await askAs("sidecar:8081", url, { Authorization: TOKEN })).status).toBe(200);
    expect((await askAs("evil.example", url)).status).toBe(401);
    expect((await askAs("127.0.0.1", url)).status).toBe(200);
  });
});
