import { describe, expect, it } from "@jest/globals";
import { gameEnvironment } from "./game.ts";

describe("the environment of the game under launch", () => {
  const own = { PATH: "/bin", HOME: "/home/me", SHELL: "/bin/fish", WEB_BRIDGE_BRIDGE_TOKEN: "secret" };

  it("is the owner's, without settings and secrets of the bridge", () => {
    expect(gameEnvironment(own, "linux")).toEqual({
      ...{ PATH: "/bin", HOME: "/home/me", SHELL: "/bin/fish", LD_LIBRARY_PATH: "." },
    });
    expect(gameEnvironment({ Path: "C:\\Windows", WEB_BRIDGE_PORT: "1" }, "win32")).toEqual({
      Path: "C:\\Windows",
    });
  });

  it("has the owner's folders of libraries", () => {
    expect(gameEnvironment({ ...own, LD_LIBRARY_PATH: "/opt/lib" }, "linux")).toMatchObject({
      LD_LIBRARY_PATH: "/opt/lib",
    });
  });
});
