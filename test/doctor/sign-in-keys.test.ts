import { appendFileSync, chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { findRedisServer } from "../../lab/scale/redis-server.ts";
import { type Finding, isProblem } from "../../owner/doctor/finding.ts";
import { renewSecrets } from "../../sidecar/app/sign-in-secrets.ts";
import { systemClock } from "../../sidecar/clock.ts";
import { openRedis } from "../../sidecar/redis/open.ts";
import { SIGN_IN_SECRETS, signInSecrets } from "../../sidecar/store/sign-in-secrets.ts";
import { startRecipeRedis } from "../deploy/recipe-redis.ts";
import { needs } from "../helpers/runner.ts";
import { Fixture } from "./fixture.ts";
import { follow } from "./mends.ts";

const fixture = new Fixture();
beforeAll(async () => {
  await fixture.make();
  await fixture.setUp();
  const signIn = { enabled: true, issuer: fixture.base, clients: [] };
  appendFileSync(fixture.config, `sign-in: ${JSON.stringify(signIn)}\n`);
  await fixture.restartSidecar();
});
afterAll(() => fixture.remove());

const keys = (): Promise<Finding | undefined> => fixture.find("sign-in-keys");

describe("the keys of sign-ins", () => {
  const folder = dirname(fixture.tokenFile);
  const file = join(folder, SIGN_IN_SECRETS);
  afterEach(() => rmSync(file, { force: true }));

  it("are made at a start", async () => {
    expect(await keys()).toMatchObject({ state: "ok", what: expect.stringContaining("are made when") });
  });

  it("can be read as they were written", async () => {
    await renewSecrets(signInSecrets(folder), Date.now());
    expect(await keys()).toMatchObject({ state: "ok", what: "the keys of sign-ins can be read" });
  });

  it.each(["{", "[]", '{"signing":[],"cookies":[]}', "\0\0"])(
    "that are damaged (%j) are named",
    async text => {
      writeFileSync(file, text, { mode: 0o600 });
      expect(await keys()).toMatchObject({
        state: "problem",
        what: `${file}: the keys of sign-ins are damaged: the sidecar does not start with them`,
        mend: expect.stringMatching(/^delete it, and others are made: .*, then: npm start/),
      });
    },
  );

  it("that others may read are named, and nothing of them is shown", async () => {
    await renewSecrets(signInSecrets(folder), Date.now());
    chmodSync(file, 0o644);
    const findings = await fixture.doctor();
    const found = await keys();
    expect(found).toMatchObject({
      state: "problem",
      what: expect.stringContaining("others may read it (mode 644)"),
    });
    const { cookies, signing } = JSON.parse(readFileSync(file, "utf8"));
    for (const secret of [cookies[0], signing[0].jwk.d])
      expect(JSON.stringify(findings)).not.toContain(secret);
    await follow(fixture, "", found && isProblem(found) ? found.mend : "");
    expect((await keys())?.state).toBe("ok");
  });
});

needs("redis-server", findRedisServer() !== undefined).it(
  "are looked at in Redis, where they lie there",
  async () => {
    const { server, url } = await startRecipeRedis();
    const alone = readFileSync(fixture.config, "utf8");
    appendFileSync(fixture.config, `storage: {kind: redis, url: "${url}"}\n`);
    const shared = await openRedis({
      settings: { url, prefix: "web-bridge", sentinel: "", ca: "" },
      machine: systemClock,
      log: fixture.log,
      bounds: { entries: 10, forMs: 1_000 },
      token: "token-of-this-bridge-012345",
      self: { name: "one", version: "1", settings: "1" },
    });
    try {
      expect(await keys()).toMatchObject({ state: "ok", what: expect.stringContaining("are made when") });
      await renewSecrets(shared.signIn, Date.now());
      expect(await keys()).toMatchObject({ state: "ok", what: "the keys of sign-ins can be read" });
      await shared.signIn.replaceSecrets(await shared.signIn.secrets(), "damaged");
      expect(await keys()).toEqual({
        ...{ id: "sign-in-keys", state: "problem" },
        what: "{web-bridge}:sign-in-secrets in Redis: the keys of sign-ins are damaged: the sidecar does not start with them",
        mend: expect.stringContaining("redis-cli DEL"),
      });
    } finally {
      await shared.close();
      await server.stop();
      writeFileSync(fixture.config, alone);
    }
  },
);
