import { afterEach, describe, expect, it } from "@jest/globals";
import { ManualClock } from "../../../../test/helpers/clock.ts";
import { type OtherServer, startOtherServer } from "../../../../test/helpers/receiver.ts";
import { createAskGame } from "./ask-game.ts";

describe("asking the game server of this machine", () => {
  let server: OtherServer;
  afterEach(() => server.close());

  it("takes at most a second", async () => {
    const clock = new ManualClock();
    let onRequest: () => void = () => undefined;
    const requested = new Promise<void>(resolve => {
      onRequest = resolve;
    });
    server = await startOtherServer(() => onRequest());
    const answer = createAskGame(server.port, clock)?.();
    await requested;
    clock.advance(1_000);
    expect(await answer).toBeUndefined();
  });
});
