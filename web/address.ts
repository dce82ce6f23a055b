/** Names a game server in the address of the page. */
const SERVER = "server";

/** The game server that the address of the page names, which may not be there. */
export const namedServer = (): string | null => new URLSearchParams(location.search).get(SERVER);

/** Has the address of the page name a game server, without loading the page anew. */
export function nameServer(name: string): void {
  const address = new URL(location.href);
  address.searchParams.set(SERVER, name);
  history.replaceState(history.state, "", address);
}
