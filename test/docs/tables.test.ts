import { describe, expect, it } from "@jest/globals";
import { LAN_PORT } from "../../bds/network.ts";
import { EXIT } from "../../cli/arguments.ts";
import { createClient } from "../../client/index.ts";
import * as lines from "../../lab/simulator/console-lines.ts";
import { askLine } from "../../shared/console-link/frames.ts";
import { MAX_FORMS_PER_PLAYER } from "../../shared/limits.ts";
import { defaultConfigFile } from "../../sidecar/config/default-file.ts";
import { MESSAGES } from "../../sidecar/config/messages.ts";
import { readConfig } from "../../sidecar/config/read.ts";
import { SETTINGS, SETTINGS_BY_PATH } from "../../sidecar/config/settings.ts";
import { STREAM_EVENTS } from "../../sidecar/features/feed/description.ts";
import { DEFAULT_LIMIT, MAX_EVENTS } from "../../sidecar/features/feed/stream/query.ts";
import { MAX_FORMS_OF_ADDRESS } from "../../sidecar/features/linking/rules/player-requests.ts";
import { ERRORS } from "../../sidecar/kernel/http/errors.ts";
import { configLines, configShown, textsAfter } from "./config-lines.ts";
import { consoleLines } from "./console-lines.ts";
import { blocks, code, table, text } from "./pages.ts";

// Blocks of docs/every-setting.md: the-file text, every-key yaml
// Blocks of docs/settings.md: change-a-setting sh, who-may-chat-from-the-website sh, what-is-kept sh
// Blocks of docs/settings.md: several-sidecars sh, new-releases sh
// Blocks of docs/websites-and-tls.md: tls sh

describe("the table of settings", () => {
  const rows = table("docs/every-setting.md", "settings");

  it("has every key in the order of the file, and no other", () => {
    expect(rows.map(([key]) => code(key)[0])).toEqual([...SETTINGS_BY_PATH.keys()]);
  });

  it.each(rows.map(row => [code(row[0])[0] ?? "", row] as const))("tells the truth about %s", (key, row) => {
    const setting = SETTINGS_BY_PATH.get(key);
    if (setting === undefined) throw new Error("no such setting");
    const { default: standard, comment, expected } = setting;
    const written = code(row[1])[0] ?? "";
    expect(/^["[]/.test(written) ? JSON.parse(written) : written).toEqual(
      typeof standard === "string" || Array.isArray(standard) ? standard : String(standard),
    );
    expect(row[2]).toContain(comment);
    const range = /from (\S+) to (\w+)/.exec(expected);
    if (range) expect(row[2]).toContain(`${range[1]} to ${range[2]}`);
  });

  it("is next to YAML that the sidecar accepts", () => {
    const examples = blocks("docs/every-setting.md", "yaml");
    expect(examples).toHaveLength(1);
    expect(readConfig(examples[0]?.text ?? "", {}, "/nowhere")).toMatchObject({
      config: { modules: { api: { port: 9090 } } },
    });
  });

  it.each([
    [
      "docs/settings.md",
      "who-may-chat-from-the-website",
      { messages: { "api.chat-format-from-web": "§7[Web {label}]§r <{player}> {content}" } },
    ],
    ["docs/settings.md", "what-is-kept", { modules: { api: { events: { keep: 0 } } } }],
    [
      "docs/websites-and-tls.md",
      "tls",
      { modules: { api: { host: "127.0.0.1", trustProxy: ["loopback"] } } },
    ],
    [
      "docs/settings.md",
      "new-releases",
      { modules: { updates: "https://api.github.com/repos/OWNER/NAME/releases/latest" } },
    ],
    ["docs/settings.md", "several-sidecars", { storage: { kind: "redis", prefix: "web-bridge" } }],
  ])("is next to commands that set the settings described: %s, %s", (page, heading, expected) => {
    expect(configShown(page, heading)).toMatchObject(expected);
  });

  it("is next to commands that change a file, and restore it", () => {
    const lines = configLines("docs/settings.md", "change-a-setting");
    const texts = textsAfter(lines);
    expect(texts[1]).toContain('    cors-origins: ["https://www.example.com"]\n');
    expect(texts.at(-1)).toBe(defaultConfigFile());
  });

  it("is next to an error in the words of the sidecar", () => {
    const [examples] = blocks("docs/every-setting.md", "text");
    const read = readConfig("modules:\n  api:\n    port: 99999\n", {}, "/nowhere");
    const fault = "faults" in read ? read.faults[0] : undefined;
    expect(examples?.text).toBe(`/etc/web-bridge/config.yml: ${fault}`);
  });
});

describe("the limits of the web API", () => {
  it("are the defaults", () => {
    const limits = text("docs/web-api.md").split("## Limits")[1] ?? "";
    const { limits: table, verificationTimeout } = SETTINGS.modules.api;
    const at = (name: keyof typeof table): number => Number(table[name].default);
    for (const expected of [
      `${at("bodyBytes") / 1024} KiB`,
      `${at("requestsPerMinute")} a minute`,
      `${at("linkRequestsPerMinute")} and ${at("linkRequestsPerMinutePerAddress")} a minute`,
      `one player | ${MAX_FORMS_PER_PLAYER} |`,
      `of one address | ${MAX_FORMS_OF_ADDRESS} |`,
      `a response of 202 | ${at("linkRequestsPerMinutePerPlayer")} within any minute |`,
      `for players online | a burst of ${at("linkRequestsBurst")}, ${at("linkRequestsPerSecond")} a second sustained |`,
      `${String(table.linkCoolDown.default).replace("s", " s")}, doubled`,
      `open WebSockets | ${at("websocketClients")} |`,
      `WebSockets of one address | ${at("websocketClientsPerAddress")} |`,
      `open event streams | ${at("eventClients")} |`,
      `event streams of one address | ${at("eventClientsPerAddress")} |`,
      `${DEFAULT_LIMIT}, or up to ${MAX_EVENTS} with`,
      `${at("messagesPerMinutePerAddress")} messages a minute`,
      `a burst of ${at("messagesBurst")}, ${at("messagesPerSecond")} a second`,
      `length of a chat message | ${at("messageLength")} characters |`,
      `size of a WebSocket message | ${at("messageBytes") / 1024} KiB |`,
      `${at("websocketBufferBytes") / 1024 ** 2} MiB`,
    ])
      expect(limits).toContain(expected);
    expect(verificationTimeout.default).toBe("2m");
  });
});

it("the table of events has every one, and no other", () => {
  const rows = table("docs/web-api.md", "events");
  expect(rows.flatMap(([names]) => code(names))).toEqual(Object.keys(STREAM_EVENTS));
});

describe("the table of errors", () => {
  it("has every code with its status, and no other", () => {
    const rows = table("docs/web-api.md", "errors");
    expect(Object.fromEntries(rows.map(([key, status]) => [code(key)[0], Number(status)]))).toEqual(ERRORS);
    expect(rows.every(([, , meaning]) => (meaning ?? "").length > 10)).toBe(true);
  });
});

describe("the table of console lines", () => {
  const example = table("docs/troubleshooting.md", "console").flatMap(([line]) => code(line));
  const lines = [...consoleLines(), askLine("…").replace("[web bridge] ", "")];

  it("has every line that the pack can print", () => {
    expect(lines.length).toBeGreaterThan(15);
    expect(lines.filter(line => !example.includes(line))).toEqual([]);
  });

  it("has no line that the pack cannot print", () => {
    const own = example.filter(line => !["[web bridge]", "malformed answer"].includes(line));
    expect(own.filter(line => !lines.includes(line))).toEqual([]);
  });
});

describe("the texts for players", () => {
  it("are word for word in the table of settings", () => {
    const page = text("docs/every-setting.md");
    for (const { default: example } of Object.values(MESSAGES))
      expect(page).toContain(JSON.stringify(example));
  });
});

// Blocks of docs/settings.md: a-badge markdown, a-badge html

const SHOWN = "https://bridge.example.com/";
const exampleOf = (language: string): string =>
  blocks("docs/settings.md", language).find(({ heading }) => heading === "a-badge")?.text ?? "";

it("the Markdown of the badge is a linked picture, like the HTML", () => {
  const [, text, image, link] = /^\[!\[(.+)\]\((.+)\)\]\((.+)\)$/.exec(exampleOf("markdown")) ?? [];
  expect([image, link]).toEqual([`${SHOWN}badge.svg`, SHOWN]);
  expect(exampleOf("html")).toBe(`<a href="${link}"><img src="${image}" alt="${text}" height="20"></a>`);
});

const PAGE = "docs/prove.md";

it("the page of prove has the options of the command, and the meaning of each exit code", () => {
  const options = table(PAGE, "prove").flatMap(([option]) => code(option));
  const usage = [...text("prove/main.ts").matchAll(/^ {2}(--(?!help)[a-z-]+(?: <\w+>)?) /gm)];
  expect(options).toEqual(usage.map(([, option]) => option));
  const ends = table(PAGE, "results").map(([, end]) => end);
  expect(ends).toEqual([EXIT.done, EXIT.failed, EXIT.misused].map(String));
  expect(text(PAGE)).toContain(`UDP port ${LAN_PORT}`);
});

/** Word for word as the game writes them, `…` for variable parts. */
const GAME = [
  "================ TRANSPORT TYPE ERROR  ===================",
  "Your current connection type is not set to NetherNet. In this release, NetherNet is the only supported transport type.",
  "Players will not be able to connect to your game without NetherNet.",
  "To switch, set 'transport=nethernet' in server.properties.",
  "Accepting clients on …",
  "IPv4 supported, port: …: …",
  "IPv6 supported, port: …: …",
  "Waiting for Minecraft services...",
  "Could not connect to Minecraft services. This is required to accept connections in online mode.",
  "Using an allowlist without online authentication can be dangerous and is not allowed.",
  "Allow list is enabled but contains no entries.",
  "Use allowlist add <playername> for you and your friends so that they can access the server, or modify allowlist.json manually.",
  "Alternatively, the allow list can be turned off by typing allowlist off or manually toggled in the server.properties file.",
  "Player connected: …, xuid: …",
  "Player PartyIdUpdate:  pfid: …, partyid: …, isLeader: …",
  "Player Spawned: … xuid: …, pfid: …",
  "Player disconnected: …, xuid: …, pfid: …",
];
/** Lines of packs and scripts. */
const SCRIPTING = [
  "… requesting dependency on beta APIs …, but the Beta APIs experiment is not enabled.",
  "Configured pack (id: …) was not found",
  "… depends on unknown module …",
  "Native module error or file not found",
];

it("the page has the lines of the game word for word, each with what to do", () => {
  const rows = table("docs/troubleshooting.md", "game lines");
  expect(rows.flatMap(([line]) => code(line)).sort()).toEqual([...GAME, ...SCRIPTING].sort());
  for (const [, what] of rows) expect(what).not.toBe("");
});

it("the simulated game writes the same lines", () => {
  const known = Object.values(lines).flat();
  // Empty lines, and the row of signs below the last one, have no meaning.
  expect(known.filter(line => !/^=*$/.test(line)).sort()).toEqual([...GAME].sort());
});

it("the table of the client has every function, and no other", () => {
  const named = table("docs/client.md", "functions").flatMap(([functions]) =>
    code(functions).map(call => call.replace(/\(.*/, "")),
  );
  expect(named.sort()).toEqual(Object.keys(createClient({ base: "http://localhost:8080" })).sort());
});
