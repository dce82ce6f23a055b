import type { ErrorCode, Exception, LinkStatus, WhitelistNames } from "../client/index.ts";

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** Every text of the console. */
export const texts = {
  skip: "Skip to content",
  sections: "Sections",
  overview: "Overview",
  chat: "Chat",
  you: "Your player",
  whitelist: "Whitelist",
  administration: "Administration",
  loading: "Asking the server…",
  server: {
    online: "Online",
    away: "The game server is away",
    unreachable: "The service does not answer",
    loading: "Connecting",
  },
  awayHint: "It is not running, or it is not connected to this page. The figures come back by themselves.",
  unreachableHint: "The connection to this page's service is lost. It is tried again by itself.",
  lastSeen: (time: string): string => `Last report at ${time}.`,
  old: (time: string): string => `old, from ${time}`,
  none: "–",
  tps: "Ticks per second",
  tpsOf: "of 20",
  online: "Players online",
  memory: "Memory",
  memoryOf: (max: string): string => `of ${max}`,
  cpu: "Processor",
  cpuOf: "of the machine",
  /** what a figure is when it is beyond its limits: the game is slow, the machine busy */
  level: { tps: { warn: "slow", bad: "very slow" }, share: { warn: "high", bad: "high" } },
  hidden: {
    both: "Memory and processor cannot be seen from here.",
    memory: "Memory cannot be seen from here.",
    cpu: "The processor cannot be seen from here.",
  },
  lastHour: "Last hour",
  lastMinutes: (minutes: number): string => (minutes === 1 ? "Last minute" : `Last ${minutes} min`),
  plot: (name: string, range: string): string => `${name} over the last hour: ${range}`,
  plotRange: (low: string, high: string, now: string): string => `lowest ${low}, highest ${high}, now ${now}`,
  plotAt: (time: string, value: string): string => `${time}, ${value}`,
  plotEmpty: "nothing recorded yet",
  players: "Players",
  nobody: "Nobody is online.",
  playersAway: "Who is online is not known while the game server is away.",
  columns: {
    name: "Name",
    health: "Health",
    playerKills: "Kills",
    deaths: "Deaths",
    playtimeSeconds: "Playtime",
  },
  chatState: {
    connecting: "Connecting to the chat…",
    open: "Connected",
    closed: "Disconnected",
  },
  chatWaiting: (seconds: number): string => `Connection lost. Next attempt in ${seconds} s.`,
  retry: "Try now",
  chatEmpty: "Nothing was said lately.",
  chatLog: "Chat lines",
  message: "Message",
  messageHint: "Say something",
  send: "Send",
  left: (count: number): string => plural(count, "character left", "characters left"),
  tooLong: (count: number): string => `${plural(count, "character", "characters")} too many`,
  tooFast: "That was fast. Wait a moment before the next line.",
  sending: "Sending…",
  unsent: "Not sent",
  sendAgain: "Send again",
  from: { game: "", web: "Web", unproven: "Game?", own: "You" },
  fromHint: {
    game: "",
    own: "Written in this browser.",
    web: "Written in a browser.",
    unproven: "Looks like a line of the game. A browser can imitate that.",
  },
  webChat: {
    linked: "Only linked players may write here. ",
    "read-only": "Nobody may write here at the moment. You can read along.",
    off: "The chat is turned off at the moment.",
  },
  linkHere: "Link this browser",
  activityShown: "Joins, leaves and deaths",
  activity: { join: " joined", leave: " left", death: " died", killed: " was killed by " },
  serverIs: { online: "The game server is online", away: "The game server is away" },
  missed(ms: number): string {
    const minutes = Math.round(ms / 60_000);
    if (minutes >= 60) return `${plural(Math.round(minutes / 60), "hour was", "hours were")} missed`;
    if (minutes > 0) return `${plural(minutes, "minute was", "minutes were")} missed`;
    return "Something was missed";
  },
  newLines: (count: number): string => plural(count, "new line", "new lines"),
  unreadMark: "New",
  exception: {
    "bad message": "The service did not take the line: nothing of it can be shown in the game.",
    "rate limited": "Too many lines at once. The last one went nowhere.",
    "not allowed": "You may not write here at the moment. The last line went nowhere.",
    "server unavailable": "The game server is away: only other browsers have got the line.",
  } satisfies Record<Exception, string>,
  linkIntro:
    "Link this browser to your player. You are asked inside the game, so be online. Your lines in the chat carry your name here from then on.",
  states: {
    not_linked: "Not linked",
    pending: "Waiting for the player",
    accepted: "Linked",
    declined: "Declined",
  } satisfies Record<LinkStatus, string>,
  stateList: "How far the link is",
  playerName: "Player name",
  nameHint: "Exactly as in the game: capitals count.",
  offered: "Online now",
  didYouMean: (name: string): string => `Did you mean ${name}?`,
  linkedSince: "Linked since",
  givesName: "What you write in the chat carries this player's name on this page.",
  givesChat: "You may write in the chat: only linked players may at the moment.",
  nameMissing: "Type the name of the player first.",
  link: "Ask the player",
  again: "Ask again",
  asking: "Asking…",
  pendingFor: (name: string): string => `${name} sees a question in the game now.`,
  pendingAway: "The player is asked as soon as the game server is back.",
  pendingUnknown: "The player sees a question in the game now.",
  pendingCode: "It names this browser:",
  timeLeft: (time: string): string => `${time} left to answer`,
  timeUnknown: (time: string): string => `A request ends by itself after ${time}.`,
  declinedText: "The player declined, or did not answer in time. You may ask again.",
  acceptedAs: (name: string): string => `This browser is linked to ${name}.`,
  acceptedOffline: "This browser is linked. The player is not online at the moment.",
  unlink: "Unlink this browser",
  other: "Ask another player",
  otherHint: "As soon as another player is asked, the link of now is gone.",
  unlinked: "The link was removed.",
  linkedNow: "The player accepted. This browser is linked.",
  declinedNow: "The request was declined or ran out.",
  adminIntro: "For administrators. The key stays in the memory of this tab and is gone when you close it.",
  adminOff: "The whitelist is turned off: the configuration of the service has no admin key.",
  key: "Admin key",
  unlock: "Show the whitelist",
  forget: "Forget the key",
  listed: (count: number): string => plural(count, "name", "names"),
  emptyList: "No name is on the whitelist.",
  addName: "Name to add",
  addHint: {
    java: "1 to 16 letters, digits or _. Names with spaces are added on the game's console.",
    gamertag: "1 to 16 letters and digits, with single spaces between, as the gamertag is written.",
  } satisfies Record<WhitelistNames, string>,
  addMissing: "Type the name to add first.",
  add: "Add",
  added: (name: string): string => `${name} is on the whitelist.`,
  remove: "Remove",
  removeName: (name: string): string => `Remove ${name}`,
  removeQuestion: "Remove this name from the whitelist?",
  removeHint: "Who is not on it cannot join while the game has it turned on. Who is online stays.",
  keep: "Keep it",
  removed: (name: string): string => `${name} is off the whitelist.`,
  refresh: "Refresh",
  hours: (hours: number, minutes: number): string => `${hours} h ${minutes} min`,
  minutes: (minutes: number): string => `${minutes} min`,
  hearts: (health: number): string => `${health} of 20`,
};

function again(seconds: number | undefined): string {
  if (seconds === undefined) return "Try again later.";
  const wait =
    seconds > 120
      ? plural(Math.ceil(seconds / 60), "minute", "minutes")
      : plural(seconds, "second", "seconds");
  return `Try again in ${wait}.`;
}

const UNEXPECTED = "The service answered something unexpected. Load this page again.";

const FAULTS: Record<ErrorCode, string | ((subject: string, retryAfter: number | undefined) => string)> = {
  player_offline: subject =>
    `Nobody called “${subject}” is online. Names are exact: capitals and spaces count.`,
  missing_username: texts.nameMissing,
  already_pending: "A request of this browser is open already. Answer it in the game, or wait until it ends.",
  not_linked: "There is no link to remove any more.",
  missing_session:
    "This browser does not keep the cookie that linking needs. Allow cookies for this site, and open it by itself, not inside another page.",
  invalid_name: subject => `“${subject}” cannot be added: below the field is said what a name may be.`,
  wrong_key: "This is not the admin key. It has been forgotten; type it again.",
  admin_api_disabled: texts.adminOff,
  server_unavailable: (_, retryAfter) => `The game server is away. ${again(retryAfter)}`,
  rate_limited: (_, retryAfter) => `Too many requests. ${again(retryAfter)}`,
  unexpected_result: "The game did not answer as expected. Try again; the log of the service says more.",
  origin_not_allowed:
    "The service takes this page for a foreign one. Its owner has to set trust-proxy or cors-origins.",
  forbidden: "This key is not for that. Use one with the scope that it needs.",
  too_many_connections: (_, retryAfter) => `The service is full. ${again(retryAfter)}`,
  unreachable: "The service does not answer. Check your connection and try again.",
  aborted: "This was not waited for. Try again.",
  bad_address: "The service does not answer at this address.",
  bad_request: UNEXPECTED,
  invalid_body: UNEXPECTED,
  invalid_query: UNEXPECTED,
  host_not_allowed: "The server does not answer to the name of this page's address.",
  not_found: UNEXPECTED,
  unknown_session: UNEXPECTED,
  not_whitelisted: subject => `“${subject}” is not on the whitelist any more.`,
  method_not_allowed: UNEXPECTED,
  upgrade_required: UNEXPECTED,
  unknown: UNEXPECTED,
};

/** What went wrong, in a sentence. `subject`: the name that was typed, where there was one. */
export function explain(code: ErrorCode, retryAfter?: number, subject = ""): string {
  const text = FAULTS[code];
  return typeof text === "string" ? text : text(subject, retryAfter);
}
