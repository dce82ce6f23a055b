import type { Client, ErrorCode, Result, ServiceSettings } from "../client/index.ts";

/** What a key may do beside the whitelist. */
export interface Moderates {
  kick: boolean;
  announce: boolean;
}

const NOTHING: Moderates = { kick: false, announce: false };

/** What a key may do there. Nothing is done by asking: what names nobody and says nothing is refused, for that or for the key. */
export async function moderates(
  client: Client,
  { moderation }: ServiceSettings,
  key: string,
): Promise<Moderates> {
  if (!moderation) return NOTHING;
  const [kick, announce] = await Promise.all([client.kick(key, ""), client.announce(key, "")]);
  return { kick: failsWith(kick, "invalid_name"), announce: failsWith(announce, "invalid_body") };
}

const failsWith = (answer: Result<unknown>, code: ErrorCode): boolean => !answer.ok && answer.code === code;
