import { expect } from "@jest/globals";
import { ROOT } from "../../test/package/packages.ts";
import { launch, onLinux } from "../launch/testing/launched.ts";
import { doctorSystem } from "./system.ts";

onLinux.it("recognises a game server that launch has started", async () => {
  const launched = launch({ game: ["say ready"] });
  await launched.prints("ready");
  const { isUnderLaunch } = doctorSystem(ROOT);
  expect(isUnderLaunch(await launched.pid("game"))).toBe(true);
  expect(isUnderLaunch(process.pid)).toBe(false);
});
