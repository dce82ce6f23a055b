import { example, status } from "./example-forms.ts";

/** Examples of mutes and of the audit. */
export const MODERATION_EXAMPLES = {
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
