import { describe, expect, it } from "@jest/globals";
import { actionsOf } from "./actions.ts";

const ALL = { kick: true, announce: true, mute: true, ban: ["all"] } as const;
const ONLINE = new Set(["steve"]);

describe("a moderator is offered", () => {
  it.each([
    [
      "all of it for the line of a linked player who is online",
      { uuid: "steve", label: "kxwtmhzr" },
      ALL,
      "kick ban mute unmute",
    ],
    ["no kick for a player who is offline", { uuid: "alex" }, ALL, "ban"],
    ["mutes alone for a browser without a link", { label: "kxwtmhzr" }, ALL, "mute unmute"],
    ["nothing for a line whose author is not known", {}, ALL, ""],
    [
      "nothing that is not allowed",
      { uuid: "steve", label: "kxwtmhzr" },
      { ...ALL, kick: false, ban: [] },
      "mute unmute",
    ],
    ["nothing before it is known what is allowed", { uuid: "steve" }, undefined, ""],
  ])("%s", (_, target, permissions, expected) => {
    expect(actionsOf(permissions, ONLINE, { name: "Steve", ...target }).join(" ")).toBe(expected);
  });
});
