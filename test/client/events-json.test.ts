import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { createClient } from "../../client/index.ts";
import { checkedFetch } from "../helpers/client.ts";
import { row } from "../helpers/fake-pack.ts";
import { Feeding, said, short } from "../http/feeding.ts";

const side = new Feeding();
beforeEach(() => side.start());
afterEach(() => side.end());

it("the client reads what is kept, picked and bounded", async () => {
  await side.pack.snapshot();
  await side.pack.report(said("a"), said("b"), { is: "joined", row: row("Steve") }, said("c"));
  const client = createClient({ base: side.bridge.base, fetch: checkedFetch });
  const read = async (...query: Parameters<typeof client.events>): Promise<string[]> => {
    const answer = await client.events(...query);
    if (!answer.ok) return [answer.code];
    return short(answer.value.map(event => ({ event: event.event, data: event })));
  };
  expect(await read()).toEqual(["online", "a", "b", "+Steve", "c"]);
  expect(await read({ types: ["chat"], limit: 2 })).toEqual(["b", "c"]);
  expect(await read({ since: "0", limit: 2 })).toEqual(["online", "a"]);
  expect(await read({ since: "1-1", limit: 1 })).toEqual(["gap", "online"]);
  expect(await read({ limit: 0 })).toEqual(["invalid_query"]);
});
