import { example, status } from "./example-forms.ts";

/** Examples of mutes and of the audit. */
export const MODERATION_EXAMPLES = {
  Permissions: {
    key: example("A key for one of several game servers", {
      scopes: ["players:kick", "bans:read", "bans:write"],
      servers: ["lobby"],
    }),
    all: example("A moderator without a key, on all game servers", {
      scopes: ["players:kick", "chat:mute"],
      servers: null,
    }),
  },
  Mutes: {
    two: example("One browser, and all without a session", [
      { label: "--------", until: 1_767_229_200_000 },
      { label: "kxwtmhzr", until: 1_767_312_000_000 },
    ]),
    none: example("No mutes", []),
  },
  MuteRequest: {
    hour: example("For an hour", { label: "kxwtmhzr" }),
    day: example("For a day", { label: "kxwtmhzr", for: "1d" }),
  },
  UnmuteRequest: { label: example("By the label in events", { label: "kxwtmhzr" }) },
  AuditEntries: {
    kick: example("A kick, and a ban by a player without a key", [
      {
        at: 1_767_225_660_000,
        key: "player:Steve",
        uuid: "25f6be79-78bb-5d2a-9d14-dde1a1ccd90a",
        address: "192.0.2.7",
        action: "ban.add",
        name: "Herobrine",
        reason: "Spam",
        outcome: "banned",
      },
      {
        at: 1_767_225_600_000,
        key: "panel",
        address: "192.0.2.1",
        action: "player.kick",
        name: "Herobrine",
        outcome: "kicked",
      },
    ]),
  },
  Muted: status("The browser is muted", "muted"),
  Unmuted: status("The browser is no longer muted", "unmuted"),
};
