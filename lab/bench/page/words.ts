/** The parts of the page, in its order. */
export const PARTS = ["anchors", "game", "delay", "sidecar", "strangers"] as const;
export type Part = (typeof PARTS)[number];

interface Words {
  part: Part;
  /** what the row means for the owner of a server */
  means: string;
}

/** What the page says of each row besides its figures, in plain words. */
export const WORDS: Readonly<Record<string, Words>> = {
  "http-anchors": {
    part: "anchors",
    means:
      "Where the sidecar stands among servers that are well known. Express is what it is built on, and what a bridge of one's own would most often be built with",
  },
  "poll-400": {
    part: "anchors",
    means: "How long players wait for what visitors say, and what the game server does for it all day",
  },
  "script-time": {
    part: "game",
    means: "What of the 50 ms of a tick is the bridge's, with a chat that is busier than most",
  },
  "idle-memory-script": {
    part: "game",
    means: "Whether a server that runs for weeks keeps what the script has used: it should be flat",
  },
  "idle-requests": {
    part: "game",
    means: "What the game does for the bridge on a server that is empty, or asleep",
  },
  "chat-requests": {
    part: "game",
    means: "How often the game has to send something while people talk; each request is work in a tick",
  },
  "pack-size": {
    part: "game",
    means: "What the game loads when it starts. Whoever wants to know what runs in the world can read it",
  },
  "web-to-game": { part: "delay", means: "One tick is the least: the game shows nothing in between" },
  "game-to-web": { part: "delay", means: "How far a page is behind the game" },
  "game-to-events": { part: "delay", means: "The same for a website or a bot that reads the events" },
  whitelist: {
    part: "delay",
    means: "The game is asked, and has read its list back, before this is answered",
  },
  "whitelist-reads": {
    part: "delay",
    means: "Admins who open the list at the same moment cost the game one read together",
  },
  "link-player": { part: "delay", means: "From the button on a page until the form is on the player's way" },
  start: { part: "delay", means: "How long pages have nobody to ask when the sidecar is restarted" },
  "http-status": {
    part: "sidecar",
    means: "How many pages may poll: 1 would be the least that Node can do, with nothing behind it",
  },
  "http-players": {
    part: "sidecar",
    means: "The same for the list of players, the largest answer that pages poll",
  },
  "tls-status-nginx": {
    part: "sidecar",
    means: "What visitors cost who come over https: most of it is the proxy's",
  },
  "tls-status-caddy": { part: "sidecar", means: "The same with the other proxy that there is a recipe for" },
  "fan-out": { part: "sidecar", means: "What a line of chat costs for each page that is open" },
  burst: { part: "sidecar", means: "The same where many players speak in the same moment" },
  connections: {
    part: "sidecar",
    means: "How fast everybody is back who was cut off at the same moment, as after a restart",
  },
  messages: {
    part: "sidecar",
    means:
      "How many lines the sidecar itself could take; `chat-lines-per-second` and the others let far fewer pass",
  },
  "idle-memory": { part: "sidecar", means: "What a page that is open and quiet keeps of the machine" },
  resident: { part: "sidecar", means: "What the sidecar keeps of the machine when nobody is there" },
  "event-fan-out": { part: "sidecar", means: "What an event costs for each website or bot that reads along" },
  "event-memory": { part: "sidecar", means: "What a website or bot that reads along keeps of the machine" },
  "strangers-lists": { part: "strangers", means: "Lists cost by their length: most of these are refused" },
  "strangers-lists-unread": { part: "strangers", means: "What nobody reads is not made any further" },
  "strangers-lists-gzip": {
    part: "strangers",
    means: "Compressing takes a processor, beside the one that answers",
  },
  "strangers-streams": { part: "strangers", means: "A crowd that comes back after a break, over and over" },
  "strangers-chat": {
    part: "strangers",
    means: "Two lines a second get through; the others are read and refused",
  },
  "strangers-links": {
    part: "strangers",
    means: "Two a second get through, and ten a minute to each player",
  },
  "strangers-over-rate": {
    part: "strangers",
    means: "Whoever is over the rate is refused, which costs something too",
  },
  "strangers-idle": { part: "strangers", means: "Each connection has to be taken, one after the other" },
  "strangers-snapshots-unread": {
    part: "strangers",
    means: "The answers that pages poll, which no rate counts",
  },
  "strangers-resets": {
    part: "strangers",
    means: "Connections that come and go are the cheapest trouble to make",
  },
  "strangers-files-unread": { part: "strangers", means: "The largest answers that everybody may have" },
  "strangers-six-unread": {
    part: "strangers",
    means: "Together they leave more unread than all may: those who leave most are ended",
  },
  "strangers-together": { part: "strangers", means: "More connections than one address may have, too" },
  "strangers-over-rate-redis": {
    part: "strangers",
    means: "Each request that is counted asks Redis, many of them at a time",
  },
};
