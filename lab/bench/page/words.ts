/** What the page says of each row besides its figures, in plain words, by the parts of the page in its order. */
const MEANINGS = {
  anchors: {
    "http-anchors":
      "Where the sidecar stands among servers that are well known. Express is what it is built on, and what a bridge of one's own would most often be built with",
    "poll-400": "How long players wait for what visitors say, and what the game server does for it all day",
  },
  game: {
    "script-time": "What of the 50 ms of a tick is the bridge's, with a chat that is busier than most",
    "idle-memory-script":
      "Whether a server that runs for weeks keeps what the script has used: it should be flat",
    "idle-requests": "What the game does for the bridge on a server that is empty, or asleep",
    "chat-requests":
      "How often the game has to send something while people talk; each request is work in a tick",
    "pack-size":
      "What the game loads when it starts. Whoever wants to know what runs in the world can read it",
  },
  delay: {
    "web-to-game": "One tick is the least: the game shows nothing in between",
    "game-to-web": "How far a page is behind the game",
    "game-to-events": "The same for a website or a bot that reads the events",
    whitelist: "The game is asked, and has read its list back, before this is answered",
    "whitelist-reads": "Admins who open the list at the same moment cost the game one read together",
    "link-player": "From the button on a page until the form is on the player's way",
    start: "How long pages have nobody to ask when the sidecar is restarted",
    "start-known": "Whether a server with a long past waits longer for its sidecar",
    "start-sign-in":
      "What it takes of the machine that other sites can ask who somebody is. Without that none of it is loaded",
  },
  sidecar: {
    "http-status": "How many pages may poll: 1 would be the least that Node can do, with nothing behind it",
    "http-players": "The same for the list of players, the largest answer that pages poll",
    "known-pages": "What a page of everybody who has been here costs, however many they are",
    "known-report": "What it costs to remember those who are online",
    "sign-in": "What it costs that a player signs in to another site, all in all",
    "tls-status-nginx": "What visitors cost who come over https: most of it is the proxy's",
    "tls-status-caddy": "The same with the other proxy that there is a recipe for",
    "fan-out": "What a line of chat costs for each page that is open",
    burst: "The same where many players speak in the same moment",
    connections: "How fast everybody is back who was cut off at the same moment, as after a restart",
    messages:
      "How many lines the sidecar itself could take; `chat-lines-per-second` and the others let far fewer pass",
    "idle-memory": "What a page that is open and quiet keeps of the machine",
    resident: "What the sidecar keeps of the machine when nobody is there",
    servers: "What a network of game servers costs behind one sidecar, and whether they hold each other up",
    "event-fan-out": "What an event costs for each website or bot that reads along",
    "event-memory": "What a website or bot that reads along keeps of the machine",
  },
  floods: {
    "floods-requests-ahead": "Requests that are refused for their rate cost something too",
    "floods-deep-pipelines": "Requests that pile up behind each other on one connection",
    "floods-one-byte-chunks": "Bodies that cost much to read and say nothing",
    "floods-event-lists": "The longest answers of the API",
    "floods-unread-answers": "Answers that nobody takes must not fill the memory",
    "floods-catching-up": "Many readers who come back after a break, over and over",
    "floods-resets": "Connections that come and go are the cheapest trouble to make",
    "floods-idle": "Each connection has to be accepted, one after the other",
    "floods-late-bodies": "What is sent after the answer has to be taken off the connection, too",
    "floods-chat-lines": "Lines over the rate are read and refused",
  },
};

/** The parts of the page, in its order. */
export const PARTS = Object.keys(MEANINGS);

/** What a row means for the owner of a server, by its name. */
export const WORDS: Readonly<Record<string, { part: string; means: string }>> = Object.fromEntries(
  Object.entries(MEANINGS).flatMap(([part, rows]) =>
    Object.entries(rows).map(([name, means]) => [name, { part, means }]),
  ),
);
