import { afterEach, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { DemoGame } from "../../lab/demo/game.ts";
import { explain } from "../../lab/demo/page/texts.ts";
import { perform } from "../../lab/demo/panel/commands.ts";
import { FAULTS } from "../../lab/demo/panel/protocol.ts";
import { type Command, readCommand } from "../../lab/demo/panel/read-command.ts";
import { worldView } from "../../lab/demo/panel/views.ts";
import type { Player } from "../../lab/simulator/simulator.ts";
import { eventually } from "../helpers/runner.ts";
import { quietGame } from "./stage.ts";

let game: DemoGame;
afterEach(() => game?.stop());

const player = (name: string): Player => {
  const found = game.world?.find(name);
  if (!found) throw new Error(`${name} is not online`);
  return found;
};

describe("a command", () => {
  it.each([
    '{"id":1,"do":"join","name":"Zuri"}',
    '{"id":1,"do":"lag","tps":0.5}',
    '{"id":1,"do":"power","on":false}',
    '{"id":1,"do":"answer","name":"Steve","form":3,"button":11}',
  ])("is read from %s", message => {
    expect(readCommand(message)).toMatchObject({ id: 1, command: JSON.parse(message) });
  });

  it.each([
    "",
    "null",
    "[]",
    '"join"',
    '{"id":1}',
    '{"id":1,"do":"toString"}',
    '{"id":1,"do":"join"}',
    '{"id":1,"do":"lag","tps":0.4}',
    '{"id":1,"do":"lag","tps":21}',
    '{"id":1,"do":"lag","tps":"20"}',
    '{"id":1,"do":"power","on":1}',
    '{"id":1,"do":"answer","name":"Steve","form":1,"button":-1}',
  ])("is not read from %s", message => {
    expect(readCommand(message).command).toBeUndefined();
  });

  it("keeps its number where it has one, and is never a fault of the reader", () => {
    expect(readCommand('{"id":7,"do":"fly"}')).toEqual({ id: 7 });
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), message => {
        expect(readCommand(message).id).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe("the commands", () => {
  it("bring players in and take them out", async () => {
    game = await quietGame("Steve");
    expect(await perform({ do: "join", name: "  Zuri  " }, game)).toBeUndefined();
    expect(await perform({ do: "join", name: "Zuri" }, game)).toBe("online_already");
    for (const name of ["", "   ", "x".repeat(33), "a\u202eb", "a\nb", "a\u200bb"])
      expect(await perform({ do: "join", name }, game)).toBe("bad_name");
    expect(await perform({ do: "leave", name: "Steve" }, game)).toBeUndefined();
    expect(await perform({ do: "leave", name: "Steve" }, game)).toBe("not_online");
    expect(worldView(game).players.map(({ name }) => name)).toEqual(["Zuri"]);
  });

  it("have players speak, and refuse lines that the game would not take", async () => {
    game = await quietGame("Steve", "Alex");
    expect(await perform({ do: "say", name: "Steve", text: " hello " }, game)).toBeUndefined();
    for (const text of ["", "  ", "a\nb", "x".repeat(513)])
      expect(await perform({ do: "say", name: "Steve", text }, game)).toBe("bad_text");
    await eventually(() => expect(player("Alex").chat).toContain("<Steve> hello"));
  });

  it("have one player kill another in a fight, and refuse a fight that cannot be", async () => {
    game = await quietGame("Steve", "Alex");
    const fight = (name: string, other: string) => perform({ do: "fight", name, other }, game);
    expect(await fight("Steve", "Steve")).toBe("no_opponent");
    expect(await fight("Steve", "Zuri")).toBe("not_online");
    expect(await fight("Steve", "Alex")).toBeUndefined();
    expect(await fight("Steve", "Alex")).toBe("fights_already");
    expect(worldView(game).players.map(({ fighting }) => fighting)).toEqual([true, true]);
    await eventually(() => expect(player("Alex").dead).toBe(true));
    expect(player("Alex").killedBy).toBe("Steve");
    expect(await fight("Steve", "Alex")).toBe("dead");
    expect(await perform({ do: "die", name: "Alex" }, game)).toBe("dead");
    expect(await perform({ do: "die", name: "Steve" }, game)).toBeUndefined();
    await eventually(() => expect(player("Alex").dead).toBe(false));
  });

  it("answer or close the form that is shown, and none that is gone", async () => {
    game = await quietGame("Steve");
    const steve = player("Steve");
    const content = {
      kind: "action",
      title: "t",
      body: "",
      buttons: ["a", "b"],
      icons: [],
      labels: [],
    } as const;
    const show = (): boolean => steve.show({ id: 1, ...content });
    show();
    const press = (form: number, button: number) =>
      perform({ do: "answer", name: "Steve", form, button }, game);
    expect(await press(1, 2)).toBe("bad_command");
    expect(await press(2, 0)).toBe("form_gone");
    expect(await press(1, 0)).toBeUndefined();
    expect(await press(1, 0)).toBe("form_gone");
    show();
    expect(await perform({ do: "close", name: "Steve", form: 1 }, game)).toBe("form_gone");
    expect(await perform({ do: "close", name: "Steve", form: 2 }, game)).toBeUndefined();
    expect(await perform({ do: "busy", name: "Steve", on: true }, game)).toBeUndefined();
    expect(show()).toBe(false);
  });

  it("make the world lag, also while it is stopped, and stop and start it with whoever was there", async () => {
    game = await quietGame("Steve", "Ari Vale");
    game.world?.dynamicProperties.set("kept", 1);
    expect(await perform({ do: "lag", tps: 2 }, game)).toBeUndefined();
    const stopping = perform({ do: "power", on: false }, game);
    expect(game.power).toBe("changing");
    expect(await perform({ do: "power", on: true }, game)).toBe("server_changing");
    expect(await perform({ do: "leave", name: "Steve" }, game)).toBe("server_changing");
    expect(await stopping).toBeUndefined();
    expect(worldView(game)).toEqual({ power: "off", tps: 2, players: [] });
    expect(await perform({ do: "join", name: "Zuri" }, game)).toBe("server_off");
    expect(await perform({ do: "lag", tps: 10 }, game)).toBeUndefined();
    expect(await perform({ do: "power", on: true }, game)).toBeUndefined();
    expect(worldView(game)).toMatchObject({ power: "on", tps: 10 });
    expect(worldView(game).players.map(({ name }) => name)).toEqual(["Steve", "Ari Vale"]);
    expect(game.world?.dynamicProperties.get("kept")).toBe(1);
  });

  it("have a sentence for each fault", () => {
    const commands: Command[] = [
      { do: "fight", name: "Steve", other: "Alex" },
      { do: "die", name: "Steve" },
    ];
    for (const fault of FAULTS)
      for (const command of commands) expect(explain(fault, command)).toMatch(/^\S.*\.$/);
  });
});
