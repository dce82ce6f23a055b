// Sends events of the game to a Discord channel, and messages from there to the game. Needs Node 22.18 or later and
// the client: save /client.js of your service next to this file. The bot needs the "Message Content Intent" of Discord's
// developer portal, and may view the channel, send messages and read its history.
import { setTimeout as sleep } from "node:timers/promises";
import { createChat, createEvents, segments } from "./client.js";

const { SERVICE = "http://localhost:8080", DISCORD = "https://discord.com/api/v10" } = process.env;
const messages = `${DISCORD}/channels/${process.env.CHANNEL}/messages`;

/** Calls Discord, and retries while it is busy. */
async function discord(query, body) {
  for (;;) {
    const headers = { Authorization: `Bot ${process.env.BOT_TOKEN}`, "Content-Type": "application/json" };
    const init = { headers, signal: AbortSignal.timeout(10_000), ...(body && { method: "POST", body }) };
    const answer = await fetch(messages + query, init).catch(() => undefined);
    if (answer?.ok) return answer.json();
    if (answer && answer.status < 500 && answer.status !== 429) throw new Error(`Discord: ${answer.status}`);
    await sleep(1_000 * Number(answer?.headers.get("Retry-After") ?? 5));
  }
}

/** Text of players without format, links and mentions for Discord. */
const plain = text =>
  segments(text).reduce((all, part) => all + part.text.replace(/[^\p{L}\p{N}\s]/gu, "\\$&"), "");
const WORDS = {
  chat: ({ from, content }) => `${from === "web" ? "(web) " : ""}${plain(content)}`,
  join: ({ player }) => `*${plain(player.name)} joined*`,
  leave: ({ player }) => `*${plain(player.name)} left*`,
  death: ({ player, killer }) => `*${plain(player.name)} died${killer ? ` by ${plain(killer.name)}` : ""}*`,
  server: ({ state }) => `*The game server is ${state}*`,
};

const [toDiscord, said] = [[], []];
createEvents({
  url: `${SERVICE}/events`,
  onEvent(event) {
    const own = event.from === "web" ? said.indexOf(event.content) : -1;
    if (own >= 0) said.splice(own, 1);
    else toDiscord.push(WORDS[event.event](event));
  },
});
const chat = createChat({ url: `${SERVICE.replace(/^http/, "ws")}/chat`, onLine: () => undefined });

let [{ id: after } = { id: "0" }] = await discord("?limit=1");
for (;;) {
  const content = toDiscord.splice(0, 10).join("\n").slice(0, 2_000);
  if (content) await discord("", JSON.stringify({ content, allowed_mentions: { parse: [] } }));
  for (const { id, author, content } of (await discord(`?limit=100&after=${after}`)).reverse()) {
    after = id;
    const text = `${author.username}: ${content}`.slice(0, 512);
    if (!author.bot && content && chat.say(text)) said.push(text);
  }
  await sleep(2_000);
}
