// The rules that hold at the end of a run, as pure functions of the records. Times are milliseconds since the start of the run.

/** A broken rule, and when it was noticed. */
export interface Violation {
  at: number;
  what: string;
}

/** A message as it arrived. */
export interface ReceivedMessage {
  text: string;
  at: number;
}

/** A connection of a chat socket. */
export interface Connection {
  name: string;
  until: number;
  received: ReceivedMessage[];
  /** messages it has sent */
  said: ReceivedMessage[];
  /** when it got the error that a message did not reach the game */
  exceptions: number[];
}

export interface SaidLine extends ReceivedMessage {
  /** number of the run of the game */
  run: number;
}

/** A run of the game. */
export interface GameRun {
  number: number;
  /** undefined: it was still running at the end */
  endedAt: number | undefined;
  /** messages that its console reported as dropped */
  dropped: number;
}

export interface FeedReader {
  name: string;
  /** from the start of the feed, over all its connections */
  delivered: readonly { at: number; id: string; what: string }[];
  /** when it got a gap event */
  gaps: readonly number[];
}

export interface LinkStory {
  /** the first characters of the session, as in the form */
  browser: string;
  at: number;
  /** response to `POST /link-player`; undefined: none */
  status: number | undefined;
  pressed: "accepted" | "declined" | undefined;
  /** responses of the service a while later, and at the end; undefined: none */
  seen: string | undefined;
  final: string;
}

/** A name for the allowlist. */
export interface NameStory {
  name: string;
  at: number;
  status: number | undefined;
}

/** A message has a result after 10 s, and a sidecar may have been frozen for some seconds. */
const OUTCOME_MS = 18_000;

/** Changes that a file storage may lose on SIGKILL, including those in progress. */
const LOST_MS = 2_000;

/** Each message arrives at most once, in the order in which all were sent. */
export function judgeOrder(
  who: string,
  said: readonly string[],
  received: readonly ReceivedMessage[],
): Violation[] {
  const place = new Map(said.map((text, index) => [text, index]));
  const seen = new Set<string>();
  const violations: Violation[] = [];
  let last = -1;
  for (const { text, at } of received) {
    const index = place.get(text);
    if (index === undefined) violations.push({ at, what: `${who}: "${text}" was never sent` });
    else if (seen.has(text)) violations.push({ at, what: `${who}: "${text}" arrived twice` });
    else if (index < last) violations.push({ at, what: `${who}: "${text}" arrived after "${said[last]}"` });
    else last = index;
    seen.add(text);
  }
  return violations;
}

/** Each event reaches each subscriber once, in one order for all. An id always belongs to one event. No stored event is missing. */
export function judgeFeed(readers: readonly FeedReader[]): Violation[] {
  const events = new Map<string, string>();
  /** the next event, by the id of the previous one; the first event by an empty id */
  const next = new Map<string, string>();
  const violations: Violation[] = [];
  for (const { gaps, name, delivered } of readers) {
    for (const at of gaps) violations.push({ at, what: `${name}: a stored event is missing` });
    const seen = new Set<string>();
    let last = "";
    for (const { at, id, what } of delivered) {
      const [event, follower] = [events.get(id) ?? what, next.get(last) ?? id];
      if (seen.has(id)) violations.push({ at, what: `${name}: ${id} arrived twice` });
      else if (follower !== id)
        violations.push({ at, what: `${name}: ${id} arrived after "${last}", but ${follower} for others` });
      if (event !== what) violations.push({ at, what: `${name}: ${id} is ${what}, but ${event} for others` });
      events.set(id, event);
      next.set(last, follower);
      seen.add(id);
      last = id;
    }
  }
  return violations;
}

/**
 * Messages of the game are in the feed, once and in order. Missing may be the last ones of a run that has ended, those that the
 * console reported as dropped, and those sent shortly before the only sidecar was killed.
 */
export function judgeGameLines(
  lines: readonly SaidLine[],
  runs: readonly GameRun[],
  feed: readonly string[],
  kills: readonly number[],
): Violation[] {
  const isThere = new Set(feed);
  const order = judgeOrder(
    "the feed",
    lines.map(({ text }) => text),
    feed.map(text => ({ text, at: 0 })),
  );
  const missing = runs.flatMap(({ number, endedAt, dropped }) => {
    const own = lines.filter(({ run }) => run === number);
    const last = own.findLastIndex(({ text }) => isThere.has(text));
    return own
      .slice(0, endedAt === undefined ? own.length : last + 1)
      .filter(({ text, at }) => !isThere.has(text) && !kills.some(kill => at <= kill && at > kill - LOST_MS))
      .slice(dropped)
      .map(({ at, text }) => ({ at, what: `"${text}" is not in the feed and was not reported as dropped` }));
  });
  return [...order, ...missing];
}

/** A connection gets messages of the game once and in order, without gaps compared to the feed. */
export function judgeConnection(
  { name, received }: Pick<Connection, "name" | "received">,
  said: readonly string[],
  feed: readonly string[],
): Violation[] {
  const violations = judgeOrder(name, said, received);
  const [own, first, last] = [new Set(received.map(({ text }) => text)), received[0], received.at(-1)];
  if (violations.length > 0 || !first || !last) return violations;
  return feed
    .slice(feed.indexOf(first.text) + 1, Math.max(0, feed.indexOf(last.text)))
    .filter(text => !own.has(text))
    .map(text => ({ at: first.at, what: `${name}: "${text}" did not arrive` }));
}

/**
 * Messages of the website reach the game at most once, in the order of their sender. A message that did not reach it got an
 * EXCEPTION, unless its connection ended before that was due.
 */
export function judgeWebLines(
  { name, said, exceptions, until }: Connection,
  displayed: readonly ReceivedMessage[],
): Violation[] {
  const own = displayed.filter(({ text }) => text.startsWith(`${name} `));
  const inGame = new Set(own.map(({ text }) => text));
  const violations = judgeOrder(
    "the game",
    said.map(({ text }) => text),
    own,
  );
  let next = 0;
  for (const { at, text } of said) {
    if (inGame.has(text)) continue;
    while ((exceptions[next] ?? at) < at) next++;
    if (exceptions[next] !== undefined) next++;
    else if (until > at + OUTCOME_MS)
      violations.push({ at, what: `${name}: "${text}" did not reach the game, without an EXCEPTION` });
  }
  return violations;
}

/** A link is in the state of the player's answer: accepted only then, until it is removed, and never left pending. */
export function judgeLinks(stories: readonly LinkStory[]): Violation[] {
  return stories.flatMap(({ at, browser, status, pressed, seen, final }) => {
    const wrong = (what: string): Violation[] => [
      {
        at,
        what: `browser ${browser}: got ${status}, the player pressed ${pressed ?? "nothing"}: ${what}`,
      },
    ];
    if (final === "accepted" && pressed !== "accepted") return wrong("accepted all the same");
    if (final === "pending" || final === "no answer") return wrong(`${final} at the end`);
    if (seen === "accepted" && final !== "accepted") return wrong(`accepted, and then ${final}`);
    if (status === 202 && final === "not_linked") return wrong("forgotten");
    return [];
  });
}

/** A name is added at most once, and is on the list if the service said so. */
export function judgeNames(
  names: readonly NameStory[],
  tries: ReadonlyMap<string, number>,
  listed: readonly string[],
): Violation[] {
  return names.flatMap(({ name, at, status }) => {
    const [tried, times] = [tries.get(name) ?? 0, listed.filter(each => each === name).length];
    if (tried > 1) return [{ at, what: `${name}: the game got it ${tried} times` }];
    if (times > 1) return [{ at, what: `${name}: is on the list ${times} times` }];
    if (status === 202 && times === 0) return [{ at, what: `${name}: got 202 and is not listed` }];
    return [];
  });
}
