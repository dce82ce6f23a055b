import { describe, expect, it } from "@jest/globals";
import { configFrom, faultsFrom } from "../../test/helpers/config.ts";

const KEY = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz";
const DISCORD = "https://discord.com/api/webhooks/123/secret-of-discord";

const faults = (list: unknown) => faultsFrom(JSON.stringify({ webhooks: list }));
const webhooks = (list: unknown) => configFrom(JSON.stringify({ webhooks: list })).webhooks;

describe("webhooks", () => {
  it("are empty by default", () => {
    expect(webhooks(null)).toEqual([]);
    expect(webhooks([])).toEqual([]);
  });

  it("need an address and a secret, and have defaults for the rest", () => {
    expect(webhooks([{ url: "https://a.example/x?y=1#z", secret: KEY, events: null }])).toEqual([
      {
        url: "https://a.example/x?y=1",
        secret: KEY,
        format: "standard",
        events: ["chat", "join", "leave", "death", "server"],
        allowPrivate: false,
      },
    ]);
  });

  it("need no secret for Discord", () => {
    expect(webhooks([{ url: DISCORD, format: "discord", events: ["server", "chat"] }])).toEqual([
      { url: DISCORD, format: "discord", events: ["chat", "server"], allowPrivate: false, secret: undefined },
    ]);
  });

  it("can use http if private addresses are allowed", () => {
    const [hook] = webhooks([{ url: "http://10.0.0.5:8000/", secret: KEY, "allow-private": true }]);
    expect(hook).toMatchObject({ url: "http://10.0.0.5:8000/", allowPrivate: true });
  });

  it.each([
    [
      `[{"url": "${DISCORD}", "secret": "${KEY}"`,
      ": a string: expected a list (in the environment: JSON) of at most 50 objects with url, events, format, secret, allow-private: it is not valid JSON",
    ],
    [`[{"url": "${DISCORD}", "secret": "secret"}]`, "[0].secret: (hidden): expected whsec_ and base64"],
  ])("name an invalid variable, and show no part of it: %#", (text, fault) => {
    const [line = ""] = faultsFrom("", { WEB_BRIDGE_WEBHOOKS: text });
    expect(line).toContain(`WEB_BRIDGE_WEBHOOKS (webhooks)${fault}`);
    expect(line).not.toMatch(/api\/webhooks|secret-of|"secret"/);
  });

  it.each<[unknown, string]>([
    [
      "https://a.example/path-with-secret",
      ": a string: expected a list (in the environment: JSON) of at most 50",
    ],
    [
      { url: DISCORD, format: "discord" },
      ': an object: expected a list (in the environment: JSON) of at most 50 objects with url, events, format, secret, allow-private: write it in [ ], or "- " before its first key',
    ],
    ...[
      "channels/1/path-with-secret",
      "api/webhooks/1",
      "api/webhooks/1/secret-of-discord/slack",
      `api/webhooks/1/\${X}`,
    ].map((path): [unknown, string] => [
      [{ url: `https://discord.com/${path}`, format: "discord" }],
      '[0].url: https://discord.com: expected what "Copy Webhook URL" gives in Discord: https://discord.com/api/',
    ]),
    [Array(51).fill({ url: DISCORD, format: "discord" }), ": a list: expected a list"],
    [
      ["https://a.example/path-with-secret"],
      "[0]: a string: expected an object with url, events, format, secret, ",
    ],
    [[[]], "[0]: a list: expected an object with "],
    [[null], "[0]: nothing: expected an object with "],
    [[{ secret: KEY }], "[0].url: missing: expected an address such as https://example.com/path"],
    [[{ url: 1, secret: KEY }], "[0].url: (hidden): expected an address"],
    [[{ url: "not an address", secret: KEY }], "[0].url: (hidden): expected an address"],
    [[{ url: "ftp://a.example/x", secret: KEY }], "[0].url: ftp://a.example: expected an address"],
    [
      [{ url: "https://me:pass@a.example/x", secret: KEY }],
      "[0].url: https://a.example: expected an address",
    ],
    [
      [{ url: `https://a.example/${"x".repeat(2048)}`, secret: KEY }],
      "[0].url: https://a.example: expected an",
    ],
    [
      [{ url: "http://a.example/x", secret: KEY }],
      "[0].url: http://a.example: expected https://, or allow-private",
    ],
    [
      [{ url: DISCORD }],
      "[0].secret: missing: expected whsec_ and base64 of 24 to 64 bytes, or format: discord",
    ],
    [[{ url: DISCORD, format: "slack" }], '[0].format: "slack": expected one of standard, discord'],
    [[{ url: DISCORD, format: "discord", events: [] }], "[0].events: []: expected a list of at least one of"],
    [[{ url: DISCORD, format: "discord", events: "chat" }], '[0].events: "chat": expected a list'],
    [[{ url: DISCORD, format: "discord", events: ["status"] }], '[0].events: ["status"]: expected a list'],
    [[{ url: DISCORD, format: "discord", "allow-private": 1 }], "[0].allow-private: 1: expected true"],
    [
      [{ "url:https://a.example/path-with-secret": null, url: DISCORD, format: "discord" }],
      "[0]: not a valid key",
    ],
    [
      [{ url: DISCORD, format: "discord", whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz: null }],
      "[0]: not a valid key",
    ],
    [[{ url: DISCORD, format: "discord", sekret: KEY }], "[0]: sekret: unknown key: did you mean secret?"],
  ])("name the path of an error and show no secret: %#", (list, fault) => {
    const [line = "", ...more] = faults(list);
    expect([line.slice(0, `webhooks${fault}`.length), more]).toEqual([`webhooks${fault}`, []]);
    expect(line).not.toMatch(/path-with-secret|secret-of-discord|pass@|MDEy/);
  });

  it.each(["whsec_", "whsec_MDEy", "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz", `${KEY}!`, `${KEY}=`, ` ${KEY}`])(
    "refuse the secret %j",
    secret => {
      expect(faults([{ url: DISCORD, secret }])).toEqual([
        "webhooks[0].secret: (hidden): expected whsec_ and base64 of 24 to 64 bytes",
      ]);
    },
  );

  it("reject a repeated address, however it is written", () => {
    const list = [
      { url: "https://a.example/x", secret: KEY },
      { url: DISCORD, format: "discord" },
      { url: "HTTPS://A.example:443/x#y", secret: KEY },
    ];
    expect(faults(list)).toEqual([
      "webhooks[2].url: https://a.example: expected a value other than that of [0]",
    ]);
  });
});
