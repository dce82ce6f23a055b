import { request } from "node:http";
import { describe, expect, it } from "@jest/globals";
import { refusedUpgrade } from "../helpers/chat-socket.ts";
import { contractOf } from "../helpers/contract.ts";
import { serving } from "../helpers/serving.ts";
import { TOKEN } from "../helpers/sidecar.ts";

// Own connections: checks.

const side = serving();

/** Asks with a `Host` of one's own, which `fetch` does not do. */
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

const REFUSED = { status: 421, text: '{"error":"host_not_allowed"}' };

describe("the public listener", () => {
  it.each([
    ["on all addresses", { WEB_BRIDGE_MODULES_API_HOST: "0.0.0.0" }],
    ["behind a proxy that is believed", { WEB_BRIDGE_MODULES_API_TRUST_PROXY: "loopback" }],
  ])("%s answers to any name unless some are listed", async (_where, env) => {
    await side.start({ env });
    expect((await askAs("whatever.example:99", `${side.base}/healthz`)).status).toBe(200);
  });

  it.each(["127.0.0.1", "localhost", "0:0:0:0:0:0:0:1"])(
    "on %s answers to the names of loopback only, whatever the port, where no others are listed",
    async host => {
      await side.start({ env: { WEB_BRIDGE_MODULES_API_HOST: host } });
      const { address, family, port } = side.sidecar.publicAddress;
      const url = `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
      for (const name of ["localhost", "localhost:18080", "127.0.0.1", "[::1]:8080", "LOCALHOST.:1"])
        expect((await askAs(name, `${url}/healthz`)).status).toBe(200);
      for (const name of ["evil.example", `evil.example:${port}`, "127.0.0.1.evil.example"])
        for (const path of ["/status", "/events", "/initialize"])
          expect(await askAs(name, url + path)).toEqual(REFUSED);
    },
  );

  it("on loopback refuses a page whose own name leads there, which sends that name as its origin too", async () => {
    await side.start();
    const own = { Host: "evil.example", Origin: "http://evil.example" };
    expect(await askAs(own.Host, `${side.base}/linked-player`, own)).toEqual(REFUSED);
    const refused = await refusedUpgrade(`${side.base}/chat`, own);
    expect([refused.status, refused.body]).toEqual([421, REFUSED.text]);
  });

  it("answers to the listed names with any port, to those of loopback, and to no other", async () => {
    await side.start({
      env: { WEB_BRIDGE_MODULES_API_HOSTS: "Bridge.example.com, 2001:db8::1" },
    });
    const names = ["bridge.example.com", "BRIDGE.example.com.:443", "[2001:db8::1]:80", "localhost", "[::1]"];
    for (const name of names) expect((await askAs(name, `${side.base}/healthz`)).status).toBe(200);
    for (const name of ["evil.example", "bridge.example.com.evil.example", "127.0.0.1.evil.example", "[x"])
      for (const path of ["/status", "/healthz", "/nothing"])
        expect(await askAs(name, side.base + path)).toEqual(REFUSED);
    const refused = await refusedUpgrade(`${side.base}/chat`, { Host: "evil.example" });
    expect([refused.status, refused.body]).toEqual([421, REFUSED.text]);
    expect((await side.ask("/healthz")).status).toBe(200);
  });

  it("answers to its own address too, which is no name where it listens on all of them", async () => {
    const hosts = { WEB_BRIDGE_MODULES_API_HOSTS: "bridge.example.com" };
    // The long form is none of the names of loopback.
    const own = "0:0:0:0:0:0:0:1";
    await side.start({ env: { ...hosts, WEB_BRIDGE_MODULES_API_HOST: own } });
    const url = `${side.base.replace("127.0.0.1", "[::1]")}/healthz`;
    expect((await askAs(`[${own}]:80`, url)).status).toBe(200);
    expect((await askAs("evil.example", url)).status).toBe(421);
    for (const any of ["0.0.0.0", "::"]) {
      await side.start({ env: { ...hosts, WEB_BRIDGE_MODULES_API_HOST: any } });
      for (const name of ["0.0.0.0", "[::]:80"])
        expect(await askAs(name, `${side.base}/healthz`)).toEqual(REFUSED);
    }
  });

  it("takes the name that a believed proxy was called by", async () => {
    await side.api("trust-proxy: true, hosts: [bridge.example.com]");
    const forwarded = (name: string) => ({ "X-Forwarded-Host": name });
    const url = `${side.base}/healthz`;
    expect((await askAs("inner", url, forwarded("bridge.example.com"))).status).toBe(200);
    expect(await askAs("bridge.example.com", url, forwarded("evil.example"))).toEqual(REFUSED);
  });
});

describe("the bridge listener on loopback", () => {
  it("[HTTP-5] answers to the names of loopback only, with the token too", async () => {
    await side.start();
    const token = { Authorization: TOKEN };
    for (const name of ["localhost", "localhost:1", "127.0.0.1:8081", "[::1]:8081"])
      expect((await askAs(name, `${side.bridge}/metrics`)).status).toBe(200);
    for (const name of ["evil.example", "evil.example:8081", "127.0.0.1.evil.example"])
      for (const headers of [{}, token])
        expect(await askAs(name, `${side.bridge}/metrics`, headers)).toEqual(REFUSED);
    expect(await askAs("evil.example", `${side.bridge}/bridge/poll`, token)).toEqual(REFUSED);
    expect(side.log.of("warn").at(-1)).toMatchObject({
      message: "refused a bridge request by a name that is not the machine's own",
      fields: { host: "evil.example" },
    });
    for (let i = 0; i < 30; i++) await askAs("evil.example", `${side.bridge}/metrics`);
    expect(side.log.of("warn")).toHaveLength(20);
  });
});

describe("the bridge listener on all addresses", () => {
  it("answers the pack by any name, and its figures without the token only by those of loopback", async () => {
    await side.start({ env: { WEB_BRIDGE_BRIDGE_HOST: "0.0.0.0" } });
    const url = `${side.bridge}/metrics`;
    expect((await askAs("sidecar:8081", url, { Authorization: TOKEN })).status).toBe(200);
    expect((await askAs("evil.example", url)).status).toBe(401);
    expect((await askAs("127.0.0.1", url)).status).toBe(200);
  });
});
