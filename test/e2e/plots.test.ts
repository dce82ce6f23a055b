import { afterEach, expect, it } from "@jest/globals";
import type { HistoryMeans } from "../../client/types.ts";
import { TestBridge } from "../helpers/bridge.ts";
import { FIGURES } from "../helpers/sidecar.ts";

let bridge: TestBridge;
afterEach(() => bridge.stop());

const points = async (span: string): Promise<HistoryMeans["points"]> =>
  ((await bridge.ask(`/history?for=${span}`)).json as HistoryMeans).points;
const online = (): Promise<number | null | undefined> =>
  points("365d").then(all => all.at(-1)?.onlinePlayerCount);

it("the plots of longer spans have what the game told, the same from every sidecar", async () => {
  bridge = await TestBridge.start(["Steve", "Alex"], { yaml: "modules.api.metrics-refresh-interval: 1s" });
  await bridge.until(async () => (await online()) === 2);
  bridge.player("Alex").leave();
  await bridge.until(async () => ((await online()) ?? 2) < 2);
  await bridge.stopGame();
  const { memoryUsedMB, cpuUsage } = FIGURES;
  for (const span of ["1d", "7d", "30d", "365d"])
    await bridge.until(async () => {
      const [told, ...others] = [await points(span), await points(span), await points(span)];
      expect(told?.at(-1)).toMatchObject({ tps: expect.any(Number), memoryUsedMB, cpuUsage, peakPlayers: 2 });
      return others.every(other => JSON.stringify(other) === JSON.stringify(told));
    });
});
