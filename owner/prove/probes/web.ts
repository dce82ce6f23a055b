import { serversHere } from "../../bds/running.ts";
import { systemSigns } from "../../bds/system.ts";
import {
  BUSY,
  judge,
  KEEPS_UP,
  listOf,
  numberOf,
  probesOf,
  recordOf,
  skipped,
  textOf,
  until,
} from "./say.ts";
import { type Answered, call, calledUntil, session, withSockets, words } from "./web-of.ts";

const FRESH_MS = 30_000;
/** With fewer ticks a second the world is waited for. */
const SLOW_TPS = 15;
/** Figures of the process come with the refreshes, every 5 s. */
const PROCESS_MS = 16_000;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;

export const webProbes = probesOf("plain", [
  {
    id: "web-status",
    kind: "promise",
    assumes: "GET /status says Online, with ticks a second, no players, and all six fields",
    how: "asked until it answers 200 and the world has caught up with its start",
    rows: [],
    async ask(trial) {
      const hasCaughtUp = ({ status, json }: Answered): boolean =>
        status === 200 && numberOf(recordOf(json).tps) > SLOW_TPS;
      const answered =
        (await calledUntil(trial, "/status", FRESH_MS, hasCaughtUp)) ?? (await call(trial, "/status"));
      if (answered.status !== 200) return judge(false, words(answered));
      const { status, tps, onlinePlayerCount, ...rest } = recordOf(answered.json);
      const has = ["memoryUsedMB", "memoryMaxMB", "cpuUsage"].every(key => typeof rest[key] === "number");
      const isSo =
        status === "Online" && numberOf(tps) > 0 && numberOf(tps) <= 20 && onlinePlayerCount === 0 && has;
      return judge(
        isSo,
        `${textOf(status)}, ${numberOf(tps).toFixed(1)} ticks a second, ${String(onlinePlayerCount)} players${has ? "" : ", without all fields"}${numberOf(tps) < KEEPS_UP ? `; ${BUSY}` : ""}`,
      );
    },
  },
  {
    id: "web-process",
    kind: "promise",
    assumes:
      "the sidecar finds the process of the game, and tells its memory and its share of the processors",
    how: "GET /status is asked until it has them",
    rows: [],
    async ask(trial) {
      const found = await calledUntil(trial, "/status", PROCESS_MS, ({ json }) => {
        const { memoryUsedMB, cpuUsage } = recordOf(json);
        return numberOf(memoryUsedMB) > 0 && numberOf(cpuUsage) >= 0;
      });
      if (found === undefined && serversHere(systemSigns).length > 1)
        return skipped("another game server runs on this machine, and the sidecar cannot tell them apart");
      const { memoryUsedMB, memoryMaxMB, cpuUsage } = recordOf(
        (found ?? (await call(trial, "/status"))).json,
      );
      const isSo =
        found !== undefined && numberOf(memoryMaxMB) >= numberOf(memoryUsedMB) && numberOf(cpuUsage) <= 100;
      return judge(isSo, `${String(memoryUsedMB)} of ${String(memoryMaxMB)} MB, ${String(cpuUsage)} %`);
    },
  },
  {
    id: "web-players",
    kind: "promise",
    assumes: "GET /players is an empty list while nobody is there",
    how: "asked until it answers 200",
    rows: [],
    async ask(trial) {
      const answered = await calledUntil(trial, "/players", FRESH_MS, ({ status }) => status === 200);
      return judge(
        answered?.text === "[]",
        answered === undefined ? "it does not answer 200" : `${listOf(answered.json).length} players`,
      );
    },
  },
  {
    id: "web-ready",
    kind: "promise",
    assumes: "GET /readyz answers 200 while the game reports, and GET /healthz always",
    how: "both are asked",
    rows: [],
    async ask(trial) {
      const ready = await calledUntil(trial, "/readyz", FRESH_MS, ({ status }) => status === 200);
      const health = await call(trial, "/healthz");
      return judge(
        ready !== undefined && health.status === 200,
        `${ready === undefined ? "not ready" : "ready"}, ${health.status}`,
      );
    },
  },
  {
    id: "web-initialize",
    kind: "promise",
    assumes: "GET /initialize makes a session with a cookie for this service alone, and knows it again",
    how: "asked without a cookie, and then with the one that came",
    rows: [],
    async ask(trial) {
      const fresh = await call(trial, "/initialize");
      const set = fresh.headers.get("set-cookie") ?? "";
      const { status, userId } = recordOf(fresh.json);
      const again = recordOf((await call(trial, "/initialize", { cookie: set.split(";")[0] ?? "" })).json);
      const attributes = ["Path=/", "HttpOnly", "SameSite=Strict", "Max-Age="].filter(
        each => !set.includes(each),
      );
      const isSo =
        status === "new" &&
        UUID.test(textOf(userId)) &&
        again.status === "existing" &&
        again.userId === userId &&
        attributes.length === 0;
      return judge(
        isSo,
        `${textOf(status)}, then ${textOf(again.status)}${attributes.length === 0 ? "" : `, without ${attributes.join(", ")}`}`,
      );
    },
  },
  {
    id: "web-link-refused",
    kind: "promise",
    assumes:
      "a request to link is refused with 401 without a session, 400 without a body or a name, and 422 for who is not there",
    how: "four calls of POST /link-player",
    rows: [],
    async ask(trial) {
      await calledUntil(trial, "/status", FRESH_MS, ({ status }) => status === 200);
      const cookie = await session(trial);
      const said = [
        words(await call(trial, "/link-player", { body: { username: "nobody" } })),
        words(await call(trial, "/link-player", { body: "no json", cookie })),
        words(await call(trial, "/link-player", { body: { username: " " }, cookie })),
        words(await call(trial, "/link-player", { body: { username: "nobody" }, cookie })),
      ].join(", ");
      return judge(
        said === "401 missing_session, 400 invalid_body, 400 missing_username, 422 player_offline",
        said,
      );
    },
  },
  {
    id: "web-not-linked",
    kind: "promise",
    assumes: "a session without a link is not_linked, and has nothing to unlink",
    how: "GET /linked-player and POST /unlink-player with a new session, and without one",
    rows: [],
    async ask(trial) {
      const cookie = await session(trial);
      const said = [
        words(await call(trial, "/linked-player")),
        words(await call(trial, "/linked-player", { cookie })),
        words(await call(trial, "/unlink-player", { method: "POST", cookie })),
      ].join(", ");
      return judge(said === "401 missing_session, 200 not_linked, 400 not_linked", said);
    },
  },
  {
    id: "web-chat",
    kind: "promise",
    assumes: "a socket is greeted, a PING answered with PONG, and what is no message with EXCEPTION",
    how: "a WebSocket of /chat",
    rows: [],
    ask: trial =>
      withSockets(trial, 1, async socket => {
        socket.send({ type: "PING", content: "" });
        const pong = await socket.message(({ type }) => type === "PONG");
        socket.send("no message");
        const exception = await socket.message(({ type }) => type === "EXCEPTION");
        const [first] = socket.received;
        const isSo =
          first?.content === "Connection successful." &&
          pong?.content === "heartbeat pong" &&
          exception?.content === "bad message";
        return judge(
          isSo,
          `${pong === undefined ? "no PONG" : "PONG"}, ${exception === undefined ? "no EXCEPTION" : "EXCEPTION"}`,
        );
      }),
  },
  {
    id: "web-chat-echo",
    kind: "promise",
    assumes: "a line from the web is echoed to the other sockets, and the game takes it",
    how: "two WebSockets, of which one says something",
    rows: ["@minecraft/server / `world.sendMessage`, `Player.sendMessage`"],
    async ask(trial) {
      await calledUntil(trial, "/status", FRESH_MS, ({ status }) => status === 200);
      return withSockets(trial, 2, async (one, other) => {
        one.send({ type: "CHAT", content: "hello of the trial" });
        const echo = await other?.message(
          ({ type, content }) => type === "CHAT" && content === "hello of the trial",
        );
        const refused = one.received.find(({ type }) => type === "EXCEPTION");
        const isSo = echo !== undefined && refused === undefined;
        return judge(
          isSo,
          `${echo === undefined ? "not echoed" : "echoed"}${refused === undefined ? "" : `, ${textOf(refused.content)}`}`,
        );
      });
    },
  },
  {
    id: "web-events",
    kind: "promise",
    assumes: "the feed holds a line of the web and says that the game is online",
    how: "a line is said in a WebSocket, and GET /events is asked for what is kept",
    rows: [],
    ask: trial =>
      withSockets(trial, 1, async socket => {
        socket.send({ type: "CHAT", content: "line of the feed" });
        const kept = await until(trial, 10_000, async () => {
          const events = listOf((await call(trial, "/events?format=json")).json).map(recordOf);
          const line = events.find(
            ({ event, content }) => event === "chat" && content === "line of the feed",
          );
          const online = events.find(({ event, state }) => event === "server" && state === "online");
          return line && online ? { line } : undefined;
        });
        return judge(
          kept?.line.from === "web",
          kept === undefined ? "one of both is not in it" : `from ${textOf(kept.line.from)}`,
        );
      }),
  },
  {
    id: "web-server",
    kind: "promise",
    assumes: "GET /server tells the version of the game and how many players it takes",
    how: "asked until it has both",
    rows: [],
    async ask(trial) {
      const found = await calledUntil(trial, "/server", 5_000, ({ json }) => {
        const { version, maxPlayers } = recordOf(json);
        return typeof version === "string" && typeof maxPlayers === "number";
      });
      const { version, maxPlayers } = recordOf((found ?? (await call(trial, "/server"))).json);
      return judge(found !== undefined, `version ${String(version)}, ${String(maxPlayers)} players`);
    },
  },
  {
    id: "web-restart",
    kind: "promise",
    assumes:
      "after the game was stopped and started the feed has away and online, and GET /status says Online",
    how: "the server is stopped and started, and GET /events asked",
    rows: [],
    async ask(trial) {
      const states = async (): Promise<unknown[]> =>
        listOf((await call(trial, "/events?format=json&types=server")).json).map(
          event => recordOf(event).state,
        );
      const before = (await states()).length;
      await trial.restart("stop");
      const came = await until(trial, 45_000, async () => {
        const all = (await states()).slice(before);
        return all.includes("away") && all.at(-1) === "online" ? all : undefined;
      });
      const status = await calledUntil(trial, "/status", FRESH_MS, each => each.status === 200);
      const said = (came ?? (await states()).slice(before)).map(String).join(", ");
      return judge(
        came !== undefined && status !== undefined,
        `${said || "neither"}; ${status === undefined ? "not online" : "online"}`,
      );
    },
  },
]);
