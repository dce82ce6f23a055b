/** The port of a game server whose address names none. */
const DEFAULT_PORT = "19132";

/** Host and port of an address that players join by, such as `play.example.com:19132` or `[2001:db8::1]`. */
export function partsOf(address: string): { host: string; port: string } {
  const [, host = address, port = DEFAULT_PORT] = /^(.*?)(?::(\d+))?$/.exec(address) ?? [];
  return { host, port };
}

/**
 * The link that adds a game server to the list in Minecraft. The game splits the text at `|`, so the name has none, and no
 * characters that cannot be seen.
 */
export function joinLink(name: string, address: string): string {
  const { host, port } = partsOf(address);
  const plainName = name
    .replace(/[|\p{C}\p{Zl}\p{Zp}]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return `minecraft://?addExternalServer=${encodeURIComponent(plainName)}|${host}:${port}`;
}
