import { beforeEach, describe, expect, it } from "@jest/globals";
import type { GameMessage, StopMessage } from "../cli/launch-channel.ts";
import { RecordingLog } from "../test/helpers/log.ts";
import { createLaunchMessages } from "./launch.ts";

let log: RecordingLog;
let stops: number;
let launch: ReturnType<typeof createLaunchMessages>;
beforeEach(() => {
  log = new RecordingLog();
  stops = 0;
  launch = createLaunchMessages({ servers: ["main", "lobby"], log, stop: () => stops++ });
});

const receive = (message: GameMessage | StopMessage): void => launch.receive(message);
const games = () => ({ main: launch.gameOf("main"), lobby: launch.gameOf("lobby") });

describe("the messages of launch", () => {
  it("say which process the game server is, the first one or by its name", () => {
    receive({ type: "game", server: null, pid: 7 });
    expect(games()).toMatchObject({ main: { pid: 7 }, lobby: undefined });
    receive({ type: "game", server: "lobby", pid: 8 });
    expect(games()).toMatchObject({ main: undefined, lobby: { pid: 8 } });
    receive({ type: "game", server: "lobby" });
    expect(games()).toMatchObject({ main: undefined, lobby: { pid: undefined } });
  });

  it("leave every game server without a process until the first one", () => {
    expect(games()).toEqual({ main: {}, lobby: {} });
  });

  it("that name an unknown game server are ignored, with one warning that has the known names", () => {
    receive({ type: "game", server: "lobbi", pid: 7 });
    receive({ type: "game", server: "lobbi" });
    expect(games()).toEqual({ main: undefined, lobby: undefined });
    expect(log.lines).toEqual([
      {
        level: "warn",
        fields: { server: "lobbi", servers: ["main", "lobby"] },
        message: expect.stringContaining("--as"),
      },
    ]);
  });

  it("ask for a stop", () => {
    receive({ type: "stop" });
    expect(stops).toBe(1);
  });

  it.each([
    undefined,
    null,
    "stop",
    [],
    {},
    { type: "restart" },
    { type: "game" },
    { type: "game", server: 7 },
    { type: "game", server: null, pid: 0 },
    { type: "game", server: null, pid: "7" },
  ])("are ignored in another form: %j", message => {
    launch.receive(message);
    expect([stops, log.lines, games()]).toEqual([0, [], { main: {}, lobby: {} }]);
  });
});
