import { expect, it } from "@jest/globals";
import type { RedisServer } from "../../lab/scale/redis-server.ts";
import type { Fact } from "../../shared/facts.ts";
import { ChatSocket } from "../helpers/chat-socket.ts";
import { ask, newSession } from "../helpers/client.ts";
import { eventually } from "../helpers/eventually.ts";
import { row } from "../helpers/fake-pack.ts";
import { needs } from "../helpers/needs.ts";
import { hasRedis } from "../helpers/redis.ts";
import { createEnds, linkSteve, startRedisSide, startScene } from "../helpers/redis-sides.ts";

const ends = createEnds();
const said = (text: string): Fact => ({ is: "said", name: "Steve", text });

const LOST = "Redis has lost all stored data, such as links. See appendonly in docs/scaling.md";
const WAYS = [
  { how: "restarts empty", empty: (redis: RedisServer) => redis.restart({ empty: true }) },
  { how: "is emptied", empty: (redis: RedisServer) => redis.command("FLUSHALL") },
  {
    how: "is emptied, with its scripts",
    async empty(redis: RedisServer) {
      await redis.command("SCRIPT", "FLUSH");
      await redis.command("FLUSHALL");
    },
  },
];

needs("redis-server", hasRedis).describe("after Redis has lost all data", () => {
  it.each(WAYS)(
    "as it $how, links are gone, each sidecar logs it once, and everything else continues",
    async way => {
      const { redis, sides, pack } = await startScene(ends);
      const [one, two] = sides;
      const players = (await ask(one.base, "/players")).json;
      const { cookie } = await newSession(two.base);
      await linkSteve(pack, two.base, cookie);
      await pack.report({ is: "webchat", mode: "linked" }, said("before"));
      const sockets = await Promise.all(sides.map(({ base }) => ChatSocket.open(base, { Cookie: cookie })));
      ends(() => Promise.all(sockets.map(socket => socket.close())));

      await way.empty(redis);
      await eventually(() => {
        for (const { log } of sides)
          expect(log.of("error").filter(({ message }) => message === LOST)).toHaveLength(1);
      });
      await eventually(async () => {
        for (const { base } of sides)
          expect((await ask(base, "/linked-player", { cookie })).json).toEqual({ status: "not_linked" });
      });

      expect(await pack.report(said("lost"))).toMatchObject({ body: { error: "unknown_session" } });
      await pack.connect();
      pack.seq = 1;
      await pack.snapshot("Steve");
      // An operator's command gets a response, though scripts are gone.
      await pack.report(said("after"), { is: "webchat", by: row("Steve").player });
      expect(await pack.take()).toMatchObject([{ body: { do: "tell", values: { mode: "linked" } } }]);
      await eventually(() => {
        for (const { received } of sockets)
          expect(received.filter(({ type }) => type === "CHAT").map(({ content }) => content)).toEqual([
            expect.stringContaining("after"),
          ]);
      });
      await linkSteve(pack, two.base, cookie);
      const third = await startRedisSide({ url: redis.url });
      ends(() => third.stop());
      for (const { base } of [...sides, third]) {
        expect((await ask(base, "/players")).json).toEqual(players);
        expect((await ask(base, "/linked-player", { cookie })).json).toMatchObject({ status: "accepted" });
        // An operator's setting holds as long as the service runs.
        expect((await ask(base, "/console.json")).json).toMatchObject({ webChat: "linked" });
      }
      for (const [i, socket] of sockets.entries()) {
        socket.say(`from the website ${i}`);
        await eventually(async () =>
          expect(JSON.stringify(await pack.take())).toContain(`from the website ${i}`),
        );
      }
      for (const { log } of sides)
        expect(log.of("error").filter(({ message }) => message === LOST)).toHaveLength(1);
    },
  );
});
