/** How many game servers the sidecar of a test is for. */
export const SERVERS = Number(process.env.TEST_SERVERS ?? 1);

/** The one that a test has, where there are several. */
export const SECOND = "second";

/** Those beside it. */
export const [FIRST, THIRD] = [
  { name: "main", token: "test-token-of-the-first-0123456789" },
  { name: "third", token: "test-token-of-the-third-0123456789" },
] as const;
export const BUSY = [FIRST, THIRD];

/** The environment of a sidecar for them all, where the pack of a test has this token; none for one alone. */
export const severalServers = (token: string): Record<string, string> =>
  SERVERS === 1
    ? {}
    : {
        WEB_BRIDGE_BRIDGE_TOKEN: FIRST.token,
        WEB_BRIDGE_SERVERS: JSON.stringify([{ name: SECOND, token }, THIRD]),
      };

/** What was told of the second, as it is told of one alone. */
export function withoutServer<T>(event: T): T {
  if (SERVERS === 1 || typeof event !== "object" || event === null || !("server" in event)) return event;
  const { server, ...rest } = event;
  return (server === SECOND ? rest : event) as T;
}
