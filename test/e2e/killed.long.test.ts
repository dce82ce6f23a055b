import { afterEach, describe, expect, it } from "@jest/globals";
import { type RealtimeDriver, runRealtime } from "../../lab/simulator/realtime.ts";
import { createSimulator, type Player, type Simulator } from "../../lab/simulator/simulator.ts";
import { PACK } from "../helpers/bridge.ts";
import { ACCEPT, DECLINE } from "../helpers/browser.ts";
import { ask, newSession } from "../helpers/client.ts";
import { ownProcess } from "../helpers/own-process.ts";
import { eventually } from "../helpers/runner.ts";
import { TOKEN } from "../helpers/sidecar.ts";

const own = ownProcess();
let game: Simulator;
let driver: RealtimeDriver;
let steve: Player;

/** Starts the sidecar, and a game that runs five times as fast as real ones do. */
async function begin(env: Record<string, string> = {}): Promise<void> {
  await own.start(env);
  game = await createSimulator({
    pack: PACK,
    variables: { "bridge-url": own.urls.bridge },
    secrets: { "bridge-token": TOKEN },
  });
  driver = runRealtime(game, { tps: 100 });
  steve = game.world.join("Steve");
  await eventually(async () => expect((await ask(own.urls.public, "/players")).text).toContain("Steve"));
}

afterEach(async () => {
  await driver.stop();
  game.dispose();
});

/** The cookie of a new browser that has asked for Steve, once he sees the form. */
async function asked(): Promise<string> {
  const { cookie, userId } = await newSession(own.urls.public);
  const options = { cookie, body: { username: "Steve" } };
  expect((await ask(own.urls.public, "/link-player", options)).status).toBe(202);
  await eventually(() => expect(steve.form?.body).toContain(userId.slice(0, 8)));
  return cookie;
}

const reaches = (cookie: string, status: string): Promise<unknown> =>
  eventually(async () => {
    const { json } = await ask(own.urls.public, "/linked-player", { cookie });
    expect(json).toMatchObject({ status });
  });

describe("a sidecar that is killed", () => {
  it("knows every link again, and an answer that was given while it was dead", async () => {
    await begin();
    const accepted = await asked();
    steve.answer(ACCEPT);
    await reaches(accepted, "accepted");
    const declined = await asked();
    steve.answer(DECLINE);
    await reaches(declined, "declined");
    const pending = await asked();

    await own.sidecar.kill();
    steve.answer(ACCEPT);
    await game.until(() => steve.form === undefined);
    await own.sidecar.start();

    await reaches(pending, "accepted");
    await reaches(accepted, "accepted");
    await reaches(declined, "declined");
    expect(steve.formsShown).toBe(3);
  });
});
