/** Names of members, separated by blanks. */
const of = (owner: string, names: string): string[] => names.split(" ").map(name => `${owner}.${name}`);

/**
 * What the game has for packs with the Beta APIs only, from 1.26.40 to 1.26.60: members that are simulated or declared here,
 * and whole modules.
 */
export const BETA_MEMBERS = [
  ...["@minecraft/server-admin", "@minecraft/server-gametest", "@minecraft/server-net"],
  "Entity.target",
  ...of("Player", "chatDisplayName chatMessagePrefix chatNamePrefix chatNameSuffix eatItem getPing"),
  ...of("Player", "getSplitScreenSlot persistentId postClientMessage stopAllSounds stopSound"),
  "SystemBeforeEvents.watchdogTerminate",
  ...of("World", "allowCheats broadcastClientMessage"),
  ...of("WorldAfterEvents", "chatSend messageReceive packSettingChange playerUseNameTag"),
  ...of("WorldBeforeEvents", "chatSend playerPlaceBlock"),
];
