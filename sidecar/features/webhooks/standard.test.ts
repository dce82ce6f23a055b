import { describe, expect, it } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import { type FeedEvent, STORED_EVENTS } from "../../../client/types.ts";
import { contractOf } from "../../../test/helpers/contract.ts";
import { WEBHOOKS } from "../docs/webhooks.ts";
import { standardFormat } from "./standard.ts";

const SECRET = `whsec_${Buffer.alloc(24, "key").toString("base64")}`;
const player = { name: "Steve", uuid: "25f6be79-78bb-5d2a-9d14-dde1a1ccd90a" };
const at = Date.UTC(2026, 0, 1, 12, 30, 15, 250);

const request = (event: FeedEvent, now = Date.now()) =>
  standardFormat("https://a.example/", SECRET).next([{ id: "1767225600000-7", event }], false, now);

describe("the description of webhooks", () => {
  const contract = contractOf("http://127.0.0.1:1");
  const misfit = (type: string, body: unknown): string | undefined =>
    contract.misfit({ $ref: `#/webhooks/${type}/post/requestBody/content/application~1json/schema` }, body);

  it("has every event type, with a valid example", () => {
    expect(Object.keys(WEBHOOKS)).toEqual([...STORED_EVENTS]);
    for (const [type, { post }] of Object.entries(WEBHOOKS)) {
      const { examples } = post.requestBody.content["application/json"];
      for (const { value } of Object.values(examples)) expect(misfit(type, value)).toBeUndefined();
      for (const { schema, example } of post.parameters)
        expect(contract.misfit(schema, example)).toBeUndefined();
    }
  });

  it.each<FeedEvent>([
    { event: "chat", at, from: "game", content: "§§<Steve> §§hello", player },
    { event: "chat", at, from: "web", content: "hi", player, label: "kxwtmhzr" },
    { event: "join", at, player },
    { event: "leave", at, player },
    { event: "death", at, player, killer: player },
    { event: "server", at, state: "away" },
  ])("fits the event that is sent: %#", event => {
    const { body, headers } = request(event);
    const { post } = WEBHOOKS[event.event];
    expect(misfit(event.event, JSON.parse(body))).toBeUndefined();
    for (const { name, schema } of post.parameters) {
      const value = schema.type === "integer" ? Number(headers[name]) : headers[name];
      expect([name, contract.misfit(schema, value)]).toEqual([name, undefined]);
    }
  });
});

describe("the standard format", () => {
  it.each<FeedEvent>([
    { event: "chat", at, from: "game", content: "§§<Steve> §§hello", player },
    { event: "chat", at, from: "web", content: 'é "quoted"\n\u2028 🎉' },
    { event: "death", at, player, killer: player },
    { event: "server", at, state: "away" },
  ])("passes the verifier of the specification's own package: %#", event => {
    const { body, headers, count } = request(event);
    const { event: type, ...data } = event;
    expect(new Webhook(SECRET).verify(body, headers)).toEqual({
      type,
      timestamp: "2026-01-01T12:30:15.250Z",
      data,
    });
    expect(count).toBe(1);
  });

  it("has the event's id, and the time of the attempt in seconds", () => {
    const { headers } = request({ event: "server", at, state: "online" }, 1_767_225_600_999);
    expect(headers).toMatchObject({ "webhook-id": "1767225600000-7", "webhook-timestamp": "1767225600" });
  });

  it("omits the socket that a message came from", () => {
    const event: FeedEvent = { event: "chat", at, from: "web", content: "hi" };
    const entry = { id: "1-1", event, except: "socket", withheld: true } as const;
    expect(
      JSON.parse(standardFormat("https://a.example/", SECRET).next([entry], false, at).body).data,
    ).toEqual({
      at,
      from: "web",
      content: "hi",
    });
  });
});
