import { beforeEach, describe, expect, it } from "@jest/globals";
import { UNLIMITED } from "../../lab/scale/unlimited.ts";
import { checkedFetch } from "../helpers/client.ts";
import { eventually } from "../helpers/eventually.ts";
import { resetMany, stagesOf, upgrade } from "../helpers/flood.ts";
import { TOKEN } from "../helpers/sidecar.ts";
import { ownProcess } from "../helpers/sidecar-process.ts";

// Own connections: reads figures of the bridge listener; calls of the service are checked.

const portOf = (url: string): number => Number(new URL(url).port);

describe("clients that reset their connections", () => {
  const own = ownProcess();
  // Some of the requests arrive completely, more than the rate limit of an address.
  beforeEach(() => own.start(UNLIMITED));

  const isUp = async (): Promise<void> => {
    expect((await checkedFetch(`${own.urls.public}/healthz`)).status).toBe(200);
    const figures = async () => (await fetch(`${own.urls.bridge}/metrics`)).text();
    await eventually(async () => expect(await figures()).toContain("web_bridge_websocket_clients 0\n"));
  };

  it("right after an upgrade of the chat do not crash the sidecar", async () => {
    await resetMany(portOf(own.urls.public), { upgrade: upgrade("/chat", "Host: localhost") }, 900);
    await isUp();
  });

  it("at any stage of a connection do not crash the sidecar, 10,000 on the public listener", async () => {
    await resetMany(portOf(own.urls.public), stagesOf("/chat", "/status", "Host: localhost"), 10_000);
    await isUp();
  });

  it("at any stage of a connection do not crash the sidecar, 5,000 on the bridge listener", async () => {
    const stages = stagesOf("/chat", "/bridge/poll", "Host: localhost", `Authorization: ${TOKEN}`);
    await resetMany(portOf(own.urls.bridge), stages, 5_000);
    await isUp();
  });
});
