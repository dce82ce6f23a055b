import { describe, expect, it } from "@jest/globals";
import { refusedUpgrade } from "../helpers/chat-socket.ts";
import { serving } from "../helpers/serving.ts";
import { STEVE } from "./feeding.ts";

const side = serving();
const { pack } = side;
const start = (mode: string): Promise<void> =>
  side.api(`chat: {web: ${mode}}`, ["Steve"], {
    webFiles: [{ path: "index.html", content: Buffer.from("<!doctype html><title>x</title>") }],
  });
/** An operator sets the mode, and is told. */
async function set(mode: "everybody" | "linked" | "read-only" | "off"): Promise<void> {
  await pack.report({ is: "webchat", by: STEVE, mode });
  expect((await pack.carryOut("done")).body).toMatchObject({ do: "tell", player: STEVE });
}
const modeOfConsole = async (): Promise<unknown> =>
  ((await side.ask("/console.json")).json as { webChat: unknown }).webChat;

describe("the mode off", () => {
  it.each(["off", "false"])("refuses every upgrade with 404, written as %s", async mode => {
    await start(mode);
    const { status, body } = await refusedUpgrade(`${side.base}/chat`);
    expect([status, JSON.parse(body)]).toEqual([404, { error: "not_found" }]);
    expect(await modeOfConsole()).toBe("off");
  });

  it("closes the open sockets with 1001 when it begins, and none that come after it has ended, as the console is told", async () => {
    await start("everybody");
    const [one, two] = [await side.socket(), await side.socket()];
    await set("off");
    expect(await Promise.all([one.closed, two.closed])).toEqual([1001, 1001]);
    expect((await refusedUpgrade(`${side.base}/chat`)).status).toBe(404);
    await set("everybody");
    expect(await modeOfConsole()).toBe("everybody");
    const three = await side.socket();
    side.clock.advance(5_000);
    expect(await three.settled()).toEqual([]);
  });
});
