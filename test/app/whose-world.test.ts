import { expect, it } from "@jest/globals";
import { openHouse } from "./house.ts";

const [SURVIVAL, LOBBY] = [
  { id: "w1", name: "Survival" },
  { id: "w2", name: "Lobby" },
];
const yaml = 'servers: [{name: lobby, token: "a-token-of-the-second-0123456789"}]';

it("the log names both game servers where the pack of one has the token of another one", async () => {
  const { log, packs, anotherPack } = await openHouse({ yaml });
  const [survival, lobby] = packs;
  await survival?.connect("survival", { world: SURVIVAL });
  await lobby?.connect("lobby", { world: LOBBY });
  expect(log.of("warn")).toEqual([]);
  await anotherPack().connect("lobby again", { world: LOBBY });
  await expect(survival?.connect("survival", { world: SURVIVAL })).rejects.toThrow("session_replaced");
  expect(log.of("warn")).toMatchObject([
    {
      message: expect.stringContaining("another world is connected than before"),
      fields: { server: "main", world: LOBBY, worldOf: "lobby", before: SURVIVAL },
    },
    {
      message: expect.stringContaining("two game servers want this bridge"),
      fields: { server: "main", world: SURVIVAL, connected: LOBBY },
    },
  ]);
  await lobby?.connect("creative", { world: { id: "w3", name: "Creative" } });
  expect(log.of("warn").at(-1)?.fields).not.toHaveProperty("worldOf");
});
