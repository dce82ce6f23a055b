import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { type OwnStore, StorageFull } from "../../sidecar/ports.ts";
import { TestBridge } from "../helpers/bridge.ts";
import { ACCEPT, Browser, formOf } from "../helpers/browser.ts";
import { createMemoryStore } from "../helpers/memory-store.ts";

/** A store on a disk that is full as long as a test says so. */
class FullStore {
  full = false;
  readonly store: OwnStore;

  constructor() {
    const kept = createMemoryStore();
    const check = (): void => {
      if (this.full) throw new StorageFull("no room");
    };
    this.store = {
      ...kept,
      async change(session, decide) {
        // What changes nothing is not written.
        const { answer, record } = decide(await kept.read(session));
        if (JSON.stringify(record) === JSON.stringify(await kept.read(session))) return answer;
        check();
        return kept.change(session, decide);
      },
      checkWritable: async () => check(),
    };
  }
}

let disk: FullStore;
let bridge: TestBridge;
let browser: Browser;
beforeEach(async () => {
  disk = new FullStore();
  const yaml = "modules.api.verification-timeout: 20s";
  bridge = await TestBridge.start(["Steve"], { yaml, store: disk.store });
  browser = await Browser.open(bridge);
});
afterEach(() => bridge.stop());

const reason = async (): Promise<unknown> => (await bridge.ask("/readyz")).json;
const FULL = { status: "unavailable", reason: "storage full" };

async function asked(): Promise<void> {
  await browser.link("Steve");
  await formOf(bridge, bridge.player("Steve"));
}

describe("an answer that the storage has no room for", () => {
  it("[FORM-12] waits, longer than its request too, while chat and figures go on", async () => {
    const socket = await bridge.socket();
    await asked();
    disk.full = true;
    bridge.player("Steve").answer(ACCEPT);
    await bridge.tick(20);
    bridge.player("Steve").say("still here");
    await bridge.until(() => socket.received.some(({ content }) => content.includes("still here")));
    await bridge.tick(600);
    expect((await bridge.ask("/status")).status).toBe(200);
    expect(await reason()).toMatchObject(FULL);
    expect(await browser.status()).toBe("pending");
    expect(bridge.player("Steve").form).toBeUndefined();
    const told = bridge.side?.log.of("error").filter(({ message }) => message.startsWith("storage full"));
    expect(told).toHaveLength(1);
    disk.full = false;
    await browser.reaches("accepted");
    expect(await reason()).toMatchObject({ status: "ready" });
  });
});
