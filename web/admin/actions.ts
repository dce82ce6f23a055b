export type Action = "kick" | "ban" | "mute" | "unmute";

/** Target of an action: a player, a browser by the label of its messages, or both. */
export interface Target {
  name: string;
  uuid?: string | undefined;
  label?: string | undefined;
}

/** What the visitor may do; `ban`: where. */
interface Allowed {
  readonly kick: boolean;
  readonly mute: boolean;
  readonly ban: readonly string[];
}

/**
 * Actions on a target. Only players who are online can be kicked, and only browsers of a known label muted.
 * @param online uuids of the players on the chosen game server
 */
export function actionsOf(
  allowed: Allowed | undefined,
  online: ReadonlySet<string>,
  { uuid, label }: Target,
): Action[] {
  if (!allowed) return [];
  const isOnline = uuid !== undefined && online.has(uuid);
  return [
    ...(allowed.kick && isOnline ? (["kick"] as const) : []),
    ...(allowed.ban.length > 0 && uuid !== undefined ? (["ban"] as const) : []),
    ...(allowed.mute && label !== undefined ? (["mute", "unmute"] as const) : []),
  ];
}
