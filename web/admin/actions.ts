import type { AllowedHere } from "./permissions.ts";

export type Action = "kick" | "ban" | "mute" | "unmute";

/** Target of an action: a player, a browser by the label of its messages, or both. */
export interface Target {
  name: string;
  uuid?: string | undefined;
  label?: string | undefined;
}

/** What the visitor may do, and the browsers that are muted, as far as that is known. */
interface Allowed extends AllowedHere {
  readonly mutes: readonly { readonly label: string }[] | undefined;
}

/**
 * Actions on a target. Only players who are online can be kicked, and only browsers of a known label muted, or unmuted.
 * @param online uuids of the players on the chosen game server
 */
export function actionsOf(
  allowed: Allowed | undefined,
  online: ReadonlySet<string>,
  { uuid, label }: Target,
): Action[] {
  if (!allowed) return [];
  const { scopes, ban, mutes = [] } = allowed;
  const isOnline = uuid !== undefined && online.has(uuid);
  const isMuted = mutes.some(mute => mute.label === label);
  return [
    ...(scopes.includes("players:kick") && isOnline ? (["kick"] as const) : []),
    ...(ban.length > 0 && uuid !== undefined ? (["ban"] as const) : []),
    ...(scopes.includes("chat:mute") && label !== undefined ? ([isMuted ? "unmute" : "mute"] as const) : []),
  ];
}
