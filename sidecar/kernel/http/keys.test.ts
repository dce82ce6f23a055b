import { describe, expect, it } from "@jest/globals";
import type { Scope } from "../../../shared/public/words.ts";
import type { Answer, Ask } from "../../../test/helpers/client.ts";
import { errorBody } from "../../../test/helpers/errors.ts";
import { bytesOf, serving } from "../../../test/helpers/serving.ts";
import { ADMIN_KEY, keyOf, keysOf } from "../../../test/helpers/sidecar.ts";
import type { AdminKey } from "../../config/admin-keys.ts";

const NO_ADMIN = { WEB_BRIDGE_MODULES_API_ADMIN_API_KEY: "" };
const HEADER = "X-Service-Api-Key";

const own = (name: string, scope: Scope, key?: string): AdminKey => ({
  ...{ servers: undefined, ...keyOf(name, [scope], undefined, key) },
});
const [READER, WRITER] = [own("reader", "whitelist:read"), own("writer", "whitelist:write")];

const side = serving();
const { pack } = side;
const start = (keys: readonly AdminKey[], env: Record<string, string> = {}): Promise<void> =>
  side.start({ env: { ...keysOf(...keys), ...env } }, []);

const asking = (key: string, more: Ask = {}) =>
  side.ask("/whitelist", { headers: { [HEADER]: key }, ...more });
/** The response to a request that the game handles. */
async function dealt(pending: Promise<Answer>): Promise<number> {
  await pack.carryOut("done");
  return (await pending).status;
}
const adding = (key: string, playerName = "Herobrine") => asking(key, { body: { playerName } });

describe("admin keys", () => {
  it("are all that is needed: 503 only if there is no key of either kind", async () => {
    await start([], NO_ADMIN);
    for (const answer of [await asking(""), await asking("x"), await adding("x")])
      expect([answer.status, answer.json]).toEqual([503, errorBody("admin_api_disabled")]);
    expect((await side.ask("/console.json")).json).toMatchObject({ whitelist: false });
    side.sidecar.setKeys([WRITER]);
    expect((await asking("")).status).toBe(401);
  });

  it.each([
    ["reads", READER],
    ["changes", WRITER],
  ])("let a page offer the whitelist while there is one that %s it", async (_, key) => {
    await start([], NO_ADMIN);
    side.sidecar.setKeys([key]);
    expect((await side.ask("/console.json")).json).toMatchObject({ whitelist: true });
  });

  it("are not accepted as their own digests, twice in a row, or in another case", async () => {
    await start([READER], NO_ADMIN);
    const own = "key of the reader";
    for (const value of [READER.sha256, `${own}, ${own}`, own.toUpperCase(), "reader"])
      expect((await asking(value)).status).toBe(401);
    expect((await side.ask("/whitelist", { headers: { Authorization: own } })).status).toBe(401);
    const twice = side.wire(bytesOf("GET /whitelist", `${HEADER}: ${own}`, `${HEADER}: ${own}`));
    await twice.until("HTTP/1.1 401 ");
  });

  it("have only the scopes for whitelist and links if they are in admin-api-key", async () => {
    await start([]);
    const admin = { headers: { [HEADER]: ADMIN_KEY } };
    for (const path of ["/bans", "/kick", "/announce"])
      expect((await side.ask(path, { ...admin, ...(path !== "/bans" && { body: "{" }) })).status).toBe(403);
    expect((await side.ask("/sessions/x", admin)).status).toBe(404);
  });

  it("may contain non-ASCII letters, as UTF-8 or Latin-1 bytes", async () => {
    await start(["clé d'Élodie", "キー"].map((key, i) => own(`odd ${i}`, "whitelist:read", key)));
    const bytes = (key: string): string => Buffer.from(key, "utf8").toString("latin1");
    for (const key of [bytes("clé d'Élodie"), "clé d'Élodie", bytes("キー")])
      expect(await dealt(asking(key))).toBe(200);
    expect((await asking(bytes("clé d'Elodie"))).status).toBe(401);
  });

  it("change immediately, also for a request whose body is not complete yet", async () => {
    await start([WRITER], NO_ADMIN);
    const headers = [`${HEADER}: key of the writer`, "Content-Type: application/json", "Content-Length: 26"];
    const slow = side.wire(`${bytesOf("POST /whitelist", ...headers)}{"playerName":`);
    // A later request gets its response: the first one has arrived as far as it can.
    expect((await asking("key of the writer")).status).toBe(403);
    await side.quiet();
    side.sidecar.setKeys([READER]);
    await slow.write('"Herobrine"}').until("HTTP/1.1 401 ");
    expect((await adding("key of the writer")).status).toBe(401);
    expect(await dealt(asking("key of the reader"))).toBe(200);
  });

  it("are logged by their names, and never by their values", async () => {
    await start([READER, WRITER]);
    await dealt(adding("key of the writer"));
    await adding("key of the reader");
    await asking("key of nobody");
    expect(side.log.text).toContain('"writer"');
    for (const secret of ["key of the", "key of nobody", ADMIN_KEY])
      expect(side.log.text).not.toContain(secret);
  });
});
