import { beforeEach, describe, expect, it } from "@jest/globals";
import { UNLIMITED } from "../../lab/scale/unlimited.ts";
import { checkedFetch } from "../helpers/client.ts";
import { eventually } from "../helpers/eventually.ts";
import { resetMany, stagesOf, upgrade } from "../helpers/flood.ts";
import { TOKEN } from "../helpers/sidecar.ts";
import { ownProcess } from "../helpers/sidecar-process.ts";

// Own connections: asks the bridge listener for figures; the service is asked with checks.

const portOf = (url: string): number => Number(new URL(url).port);

describe("clients that reset their connections", () => {
  const own = ownProcess();
  // Some of the requests arrive whole, more of them than an address may ask in a minute.
  beforeEach(() => own.start(UNLIMITED));

  const isUp = async (): Promise<void> => {
    expect((await checkedFetch(`${own.urls.public}/healthz`)).status).toBe(200);
    const figures = async () => (await fetch(`${own.urls.bridge}/metrics`)).text();
    await eventually(async () => expect(await figures()).toContain("web_bridge_websocket_clients 0\n"));
  };

  it("right after an upgrade of the chat do not end the sidecar", async () => {
    await resetMany(portOf(own.urls.public), { upgrade: upgrade("/chat", "Host: localhost") }, 900);
    await isUp();
  });

  it("at any stage of a connection do not end the sidecar, 10,000 on the public listener", async () => {
    await resetMany(portOf(own.urls.public), stagesOf("/chat", "/status", "Host: localhost"), 10_000);
    await isUp();
  });

  it("at any stage of a connection do not end the sidecar, 5,000 on the bridge listener", async () => {
    const stages = stagesOf("/chat", "/bridge/poll", "Host: localhost", `Authorization: ${TOKEN}`);
    await resetMany(portOf(own.urls.bridge), stages, 5_000);
    await isUp();
  });
});
