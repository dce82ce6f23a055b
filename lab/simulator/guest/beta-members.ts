/**
 * What the game has for packs with the Beta APIs only, from 1.26.40 to 1.26.60: members that are simulated or declared here,
 * and whole modules.
 */
export const BETA_MEMBERS = [
  "@minecraft/server-admin",
  "@minecraft/server-gametest",
  "@minecraft/server-net",
  "Entity.target",
  ...["chatDisplayName", "chatMessagePrefix", "chatNamePrefix", "chatNameSuffix"].map(
    name => `Player.${name}`,
  ),
  ...["eatItem", "getPing", "getSplitScreenSlot", "persistentId", "postClientMessage"].map(
    name => `Player.${name}`,
  ),
  ...["stopAllSounds", "stopSound"].map(name => `Player.${name}`),
  "SystemBeforeEvents.watchdogTerminate",
  ...["allowCheats", "broadcastClientMessage"].map(name => `World.${name}`),
  ...["chatSend", "messageReceive", "packSettingChange", "playerUseNameTag"].map(
    name => `WorldAfterEvents.${name}`,
  ),
  ...["chatSend", "playerPlaceBlock"].map(name => `WorldBeforeEvents.${name}`),
];
