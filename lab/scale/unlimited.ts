const RATES = ["MESSAGES", "CHAT_LINES", "LINK_REQUESTS"].flatMap(of => [`${of}_PER_SECOND`, `${of}_BURST`]);
const OF_MINUTES = ["REQUESTS", "LINK_REQUESTS"].map(of => `${of}_PER_MINUTE`);
const OF_ADDRESSES = ["MESSAGES", "LINK_REQUESTS"].map(of => `${of}_PER_MINUTE_PER_ADDRESS`);

/** Settings of a sidecar with limits that a benchmark from one address does not reach. */
export const UNLIMITED: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...[...OF_MINUTES, ...OF_ADDRESSES].map(name => [name, 10_000_000] as const),
    ...RATES.map(name => [name, 10_000] as const),
    ["LINK_REQUESTS_PER_MINUTE_PER_PLAYER", 1_000] as const,
  ].map(([name, value]) => [`WEB_BRIDGE_MODULES_API_LIMITS_${name}`, `${value}`]),
);
