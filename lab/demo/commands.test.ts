import { afterEach, describe, expect, it } from "@jest/globals";
import { eventually } from "../../test/helpers/eventually.ts";
import type { Player } from "../simulator/simulator.ts";
import type { DemoGame } from "./game.ts";
import { perform } from "./panel/commands.ts";
import { worldView } from "./panel/views.ts";
import { quietGame } from "./testing/stage.ts";

let game: DemoGame;
afterEach(() => game?.stop());

const player = (name: string): Player => {
  const found = game.world?.find(name);
  if (!found) throw new Error(`${name} is not online`);
  return found;
};

describe("the commands", () => {
  it("let players join and leave, and reject names and messages that the game would reject", async () => {
    game = await quietGame("Steve");
    expect(await perform({ do: "join", name: "  Zuri  " }, game)).toBeUndefined();
    expect(await perform({ do: "join", name: "Zuri" }, game)).toBe("online_already");
    for (const name of ["", "   ", "x".repeat(33), "a\u202eb", "a\nb", "a\u200bb"])
      expect(await perform({ do: "join", name }, game)).toBe("bad_name");
    for (const text of ["", "  ", "a\nb", "x".repeat(513)])
      expect(await perform({ do: "say", name: "Steve", text }, game)).toBe("bad_text");
    expect(await perform({ do: "leave", name: "Steve" }, game)).toBeUndefined();
    expect(await perform({ do: "leave", name: "Steve" }, game)).toBe("not_online");
    expect(worldView(game).players.map(({ name }) => name)).toEqual(["Zuri"]);
  });

  it("let one player kill another in a fight, and reject an impossible fight", async () => {
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

  it("slow the world down, even while it is stopped, and stop and start it with its players", async () => {
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
});
