import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { freePort } from "../../cli/free-port.ts";
import { FakePack, row } from "../helpers/fake-pack.ts";
import { newFolder } from "../helpers/folder.ts";
import { needs } from "../helpers/needs.ts";
import {
  caddyWith,
  makeCertificate,
  NGINX,
  nginxRecipe,
  type Place,
  recipe,
  replaced,
} from "../helpers/recipes.ts";
import { startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";
import { Front, findProgram } from "./front.ts";

// Own connections: an application behind a proxy.

const openssl = findProgram(["openssl"], "version");
const APPLICATION = "127.0.0.1:3000";

type Guard = (program: string | undefined, place: Place, application: string) => string[];

/** The recipe of nginx including the part for protected pages. */
const guardedByNginx: Guard = (program, place, application) => {
  const command = nginxRecipe(program, place);
  const [path, server] = [join(place.folder, "forward.conf"), join(place.folder, "server.conf")];
  writeFileSync(path, replaced(recipe("nginx/web-bridge-forward.conf"), [[APPLICATION, application]]));
  const text = readFileSync(server, "utf8");
  const at = text.lastIndexOf("    location / {");
  writeFileSync(server, `${text.slice(0, at)}    include ${path};\n\n${text.slice(at)}`);
  return command;
};

const guardedByCaddy: Guard = (program, place, application) =>
  caddyWith("caddy/Caddyfile.forward", program, place, [[APPLICATION, application]]);

/** Headers that the application behind the proxy gets about a visitor. */
function summary({ url, method, headers }: IncomingMessage, body: string): string {
  const of = (wanted: string): string =>
    Object.entries(headers)
      .flatMap(([name, value]) => (name.replaceAll("_", "-") === wanted ? [value] : []))
      .join();
  return JSON.stringify([method, url, of("x-player-uuid"), of("x-player-name"), body]);
}

describe.each([
  { name: "nginx", program: findProgram(NGINX, "-v"), guard: guardedByNginx },
  { name: "caddy", program: findProgram(["caddy"], "version"), guard: guardedByCaddy },
])("pages for players behind $name", ({ name, program, guard }) => {
  needs(`${name} and openssl`, program !== undefined && openssl !== undefined).describe(
    "as in the recipe",
    () => {
      let sidecar: TestSidecar;
      let pack: FakePack;
      let front: Front;
      let application: Server;
      let cookie: string;
      const { player } = row("Stève 1");
      /** Forged headers of a visitor. */
      const claimed = {
        ...{ "X-Player-Uuid": "somebody", "X-Player-Name": "Herobrine" },
        // Many frameworks treat these headers as the same.
        ...{ X_Player_Uuid: "somebody", "X-Player_Uuid": "somebody", "X_Player-Name": "Herobrine" },
      };

      beforeAll(async () => {
        const folder = newFolder("forward-");
        application = createServer((req, res) => {
          let body = "";
          req.on("data", part => {
            body += part;
          });
          req.on("end", () => res.end(summary(req, body)));
        });
        await new Promise<void>(resolve => application.listen(0, "127.0.0.1", resolve));
        const env = { WEB_BRIDGE_MODULES_API_TRUST_PROXY: "loopback" };
        sidecar = await startTestSidecar({ env });
        pack = new FakePack(sidecar.bridge);
        await pack.connect();
        await pack.snapshot(player.name);
        const [certificate, port] = [makeCertificate(folder), await freePort()];
        const place = { folder, certificate, sidecar: new URL(sidecar.base).host, port };
        const behind = `127.0.0.1:${(application.address() as AddressInfo).port}`;
        front = await Front.start(guard(program, place, behind), folder, certificate.cert, port);
        const { headers } = await front.ask("/initialize");
        cookie = headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
      });
      afterAll(async () => {
        await front?.stop();
        await sidecar?.stop();
        application?.close();
      });

      const ask = async (path: string, headers: Record<string, string> = {}, body?: string) => {
        const answer = await front.ask(path, { Cookie: cookie, ...claimed, ...headers }, body);
        return [answer.status, answer.text];
      };

      it("are shown to linked players only, and are reloaded once for visitors from another site", async () => {
        expect(await ask("/members/")).toEqual([401, expect.stringContaining("Link this browser")]);
        const first = await front.ask("/members/", { "Sec-Fetch-Site": "cross-site" });
        expect([first.status, first.text]).toEqual([401, expect.stringContaining('http-equiv="refresh"')]);
        expect(first.headers["content-type"]).toMatch(/^text\/html; charset=utf-8$/);
        expect(first.headers["cache-control"]).toBe("no-store");
        expect((await ask("/members/", { "Sec-Fetch-Site": "none" }))[1]).not.toContain("refresh");
      });

      it("get the player of a linked browser, regardless of the browser's own headers", async () => {
        const asking = front.ask(
          "/link-player",
          { Cookie: cookie, "Content-Type": "application/json" },
          JSON.stringify({ username: player.name }),
        );
        const { id } = await pack.carryOut("done", { player });
        expect((await asking).status).toBe(202);
        await pack.report({ is: "answered", request: id, accepted: true });
        const answer = await front.ask("/session", { Cookie: cookie });
        const { uuid } = JSON.parse(answer.text).player;
        const known = [uuid, "St%C3%A8ve%201"];
        expect(await ask("/members/a?b=c")).toEqual([
          200,
          JSON.stringify(["GET", "/members/a?b=c", ...known, ""]),
        ]);
        const sent = { Origin: "https://elsewhere.example", "Content-Type": "text/plain" };
        expect(await ask("/members/a", sent, "text")).toEqual([
          200,
          JSON.stringify(["POST", "/members/a", ...known, "text"]),
        ]);
      });

      it("get no player on public pages, and the internal path is not accessible from outside", async () => {
        for (const path of ["/members/public/a", "/members/public/a%20b%C3%A9.html?to=..%2f..;"])
          expect(await ask(path)).toEqual([200, JSON.stringify(["GET", path, "", "", ""])]);
        expect((await ask("/members%2fvip"))[0]).toBe(400);
        for (const path of ["/session/forward", "/session/forward?", "//session/forward"])
          expect((await ask(path))[0]).toBe(404);
      });

      it.each([
        "vip/..%2fpublic/x",
        "vip/%2e%2e%2fpublic/x",
        "public/..%2Fvip/x",
        "public/%2E./vip",
        "public/..\\vip",
        "public/%252e%252e%252fvip",
        "public/%c0%ae%c0%ae/vip",
        "public/x;/../vip",
        "public/%u002e./vip",
        "..;/vip",
        // URL parsers drop tabs and line breaks after decoding.
        "public/.%09./vip",
        "public/.%0D./vip",
      ])("cannot be reached by another path: %s", async path => {
        expect((await ask(`/members/${path}`))[0]).toBe(400);
        expect((await ask(`/members/${path}?a=b`))[0]).toBe(400);
      });
    },
  );
});
