import { readdirSync } from "node:fs";
import { afterEach, describe, expect, it } from "@jest/globals";
import { refusedUpgrade } from "../helpers/chat-socket.ts";
import { type Answer, ask } from "../helpers/client.ts";
import { startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";
import { prose, text } from "./pages.ts";

const PAGE = "docs/troubleshooting.md";

/** The lines below a heading, up to the next one. */
const section = (heading: string): string =>
  prose(PAGE)
    .split(/^## /m)
    .find(part => part.startsWith(`${heading}\n`)) ?? "";

/** Quoted texts of a section, each as the stretches between what differs. */
const quoted = (heading: string): string[][] =>
  [...section(heading).matchAll(/“((?:[^“”]|“…”)+)”/g)].map(([, inner = ""]) => inner.split("…"));

const inOrder = (source: string, stretches: string[]): boolean => {
  let at = 0;
  for (const stretch of stretches) {
    const found = source.indexOf(stretch, at);
    if (found < 0) return false;
    at = found + stretch.length;
  }
  return true;
};

describe("the symptoms", () => {
  it("quote the log of the sidecar word for word", () => {
    const lines = [...text(PAGE).matchAll(/The sidecar's log: `([^`]+)`/g)].map(([, line]) => line ?? "");
    const files = [
      ...[
        "app/game-servers.ts",
        "app/pack-session.ts",
        "http/bridge.ts",
        "http/stranger-log.ts",
        "main.ts",
        "process/probe.ts",
      ],
      "webhooks/hook.ts",
    ];
    const sources = files.map(file => text(`sidecar/${file}`)).join();
    expect(lines).toHaveLength(12);
    for (const line of lines) expect(sources).toContain(`"${line}"`);
  });

  it("quote the web console word for word", () => {
    const quotes = quoted("The web console");
    expect(quotes.length).toBeGreaterThan(6);
    for (const stretches of quotes)
      expect([stretches.join(), inOrder(text("web/languages/en_US.json"), stretches)]).toEqual([
        stretches.join(),
        true,
      ]);
  });

  it("quote the files of the cookbook word for word", () => {
    const files = readdirSync(new URL("../../docs/cookbook/", import.meta.url))
      .filter(name => name.endsWith(".html"))
      .map(name => text(`docs/cookbook/${name}`));
    const quotes = quoted("Your own pages").map(stretches => stretches.join("…"));
    expect(quotes).toHaveLength(2);
    for (const quote of quotes)
      expect([quote, files.some(file => file.includes(`"${quote}"`))]).toEqual([quote, true]);
  });
});

describe("a proxy with TLS", () => {
  let side: TestSidecar;
  afterEach(() => side.stop());

  /** What the proxy of the recipes sends for a browser at this address. */
  const forwarded = (address = "203.0.113.1"): Record<string, string> => ({
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Host": "bridge.example.com",
    "X-Forwarded-For": address,
  });
  const OWN = { Origin: "https://bridge.example.com" };
  const get = (path: string, headers: Record<string, string>, method = "GET"): Promise<Answer> =>
    ask(side.base, path, { method, headers });

  it("lets figures through and neither linking nor chat while it is not trusted", async () => {
    side = await startTestSidecar();
    expect((await get("/history", forwarded())).status).toBe(200);
    const linking = await get("/link-player", { ...forwarded(), ...OWN }, "POST");
    expect([linking.status, linking.json]).toEqual([403, { error: "origin_not_allowed" }]);
    const chat = await refusedUpgrade(`${side.base}/chat`, { ...forwarded(), ...OWN });
    expect(chat.status).toBe(403);
    await side.stop();
    side = await startTestSidecar({ env: { WEB_BRIDGE_MODULES_API_TRUST_PROXY: "loopback" } });
    expect((await get("/link-player", { ...forwarded(), ...OWN }, "POST")).status).toBe(401);
  });

  it("makes one visitor of all while it is not trusted", async () => {
    const LIMIT = { WEB_BRIDGE_MODULES_API_LIMITS_REQUESTS_PER_MINUTE: "3" };
    const statuses = async (): Promise<number[]> => {
      const answers = [1, 2, 3, 4].map(each => get("/healthz", forwarded(`203.0.113.${each}`)));
      return (await Promise.all(answers)).map(({ status }) => status).sort();
    };
    side = await startTestSidecar({ env: LIMIT });
    expect(await statuses()).toEqual([200, 200, 200, 429]);
    await side.stop();
    side = await startTestSidecar({ env: { ...LIMIT, WEB_BRIDGE_MODULES_API_TRUST_PROXY: "loopback" } });
    expect(await statuses()).toEqual([200, 200, 200, 200]);
  });
});
