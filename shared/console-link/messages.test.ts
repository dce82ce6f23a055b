import { expect, test } from "@jest/globals";
import { readFromLaunch, readFromPack, writeFromLaunch, writeFromPack } from "./messages.ts";

test.each([
  { is: "ready" },
  { is: "request", id: 1, path: "/bridge/poll", timeoutSeconds: 25, body: '{"a":"b c"}' },
  { is: "task", id: 2, task: { do: "kick", name: "A B", reason: "x" } },
] as const)("$is of the pack is read as it was written", message => {
  expect(readFromPack(writeFromPack(message))).toEqual(message);
});

test.each([
  { is: "answer", id: 1, status: 200, body: '{"a":"ü  c"}' },
  { is: "failed", id: 2, why: "Timeout" },
  { is: "result", id: 3, value: ["a"] },
  { is: "players", players: [{ name: "A, xuid: 1", persistentId: "00AA" }, { name: "B" }] },
  { is: "settings", url: "http://127.0.0.1:8081", world: "World" },
] as const)("$is of launch is read as it was written", message => {
  expect(readFromLaunch(writeFromLaunch(message))).toEqual(message);
});
