import { describe, expect, it } from "@jest/globals";
import { actionsOf } from "./actions.ts";

const ALL = {
  scopes: ["players:kick", "chat:mute"],
  ban: ["all"],
  mutes: [{ label: "qrstvwxy" }],
} as const;
const ONLINE = new Set(["steve"]);

describe("a moderator is offered", () => {
  it.each([
    [
      "all of it for the line of a linked player who is online",
      { uuid: "steve", label: "kxwtmhzr" },
      ALL,
      "kick ban mute",
    ],
    ["no kick for a player who is offline", { uuid: "alex" }, ALL, "ban"],
    ["a mute alone for a browser without a link", { label: "kxwtmhzr" }, ALL, "mute"],
    ["an unmute instead for a browser that is muted", { label: "qrstvwxy" }, ALL, "unmute"],
    ["nothing for a line whose author is not known", {}, ALL, ""],
    [
      "nothing that is not allowed",
      { uuid: "steve", label: "kxwtmhzr" },
      { ...ALL, scopes: ["chat:mute"] as const, ban: [] },
      "mute",
    ],
    ["nothing before it is known what is allowed", { uuid: "steve" }, undefined, ""],
  ])("%s", (_, target, permissions, expected) => {
    expect(actionsOf(permissions, ONLINE, { name: "Steve", ...target }).join(" ")).toBe(expected);
  });
});
