import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { type Secrets, scrubbed } from "../../owner/prove/report/scrub.ts";

const RUNS = 300;

describe("what a report may not name", () => {
  it.each<[string, string]>([
    ["no file at /home/steve/bds/worlds", "no file at <folder>"],
    ["in /tmp/prove-1x: gone", "in <folder>: gone"],
    ["see ~/bds/server.properties", "see <folder>"],
    ["C:\\Users\\Steve Smith\\bds\\bedrock_server.exe ended", "<folder> ended"],
    ["D:/games/bds", "<folder>"],
    ["\\\\NAS\\games\\bds is slow", "<folder> is slow"],
    ["file:///srv/bds/x.js", "<folder>"],
    ["it listens at 192.168.1.20:19132", "it listens at <address>"],
    ["it listens at fe80::1c2f:3eff:fe4d:1 too", "it listens at <address> too"],
    ["[::1]:8080", "[<address>]:8080"],
    ["of 00:1A:2b:3c:4d:5e", "of <address>"],
    ["refused http://steve:pw@bds.example.org:8081/status?key=abc#x", "refused http://<address>/status"],
    ["write to steve@example.org", "write to <address>"],
    ["steves-pc.local and attic.fritz.box", "<machine> and <machine>"],
    ["Session ID 63a1d2c4-9f1e-4c1c-8a10-0c3a4d5e6f70", "Session ID <id>"],
    ["Player connected: Big Steve, xuid: 2535412345678901", "Player connected: <player>, xuid: <id>"],
    [
      "Player Spawned: Alex xuid: 2535412345678901, pfid: 1a2b3c4d5e6f7081",
      "Player Spawned: <player>, pfid: <id>",
    ],
    ["with aGVsbG8gd29ybGQgMTIzNDU2Nzg5MA as its token", "with <token> as its token"],
  ])("is taken out of %j by its looks", (text, expected) => {
    expect(scrubbed(text)).toBe(expected);
  });

  it.each([
    "GET /v1/join tells 1.26.60, and /reload and /bridge:status are taken",
    "20.1 s, 3/4 at once, 12:34:56, 1,048,576 bytes, tick 40",
    "ReferenceError: Native function [World::getDimension] cannot be used in restricted execution",
    "AllowListModificationError from dedicatedServer.allowList of @minecraft/server-admin",
    "content-log-console-output-enabled of server.properties, and net-body-1048576-bytes",
    "@minecraft/server 2.12.0-beta.1.26.60-preview.28 at main.js:120:7",
    "id -4294967295, then -4294967294",
  ])("is nothing in %j", text => {
    expect(scrubbed(text)).toBe(text);
  });

  it("is no version that is known, though it looks like an address", () => {
    expect(scrubbed("Version: 1.26.60.6 of 10.0.0.7", { versions: ["1.26.60.6"] })).toBe(
      "Version: 1.26.60.6 of <address>",
    );
  });

  it("is all that lies in a folder that is known", () => {
    const secrets = { folders: ["/games/al"], users: ["steve"] };
    expect(scrubbed("in /games/al/of-steve/<x: and \\games\\al\\bds", secrets)).toBe(
      "in <folder><x: and <folder>",
    );
  });

  it("is no word that a name stands in, and no user of every machine", () => {
    const secrets = { machines: ["al"], users: ["root", "Alex"], players: ["a"] };
    expect(scrubbed("always as root, and alex: AL", secrets)).toBe("always as root, and <user>: <machine>");
  });

  it("is no user and no machine that many servers have, whose names stand in what the game says", () => {
    const secrets = { machines: ["Bedrock", "beta"], users: ["minecraft"] };
    const text = "@minecraft/server-net beta of bedrock_server";
    expect(scrubbed(text, secrets)).toBe(text);
  });

  it("is not looked for in a text that is longer than anything a probe says", () => {
    expect(scrubbed("x".repeat(50_001))).toBe("(50001 characters, too many to look through)");
  });
});

/** Names as machines, people and folders have them. */
const name = fc
  .string({
    unit: fc.constantFrom(..."abcdeXYZ019 ._-'()+$^[]{}äßñ東京"),
    minLength: 3,
    maxLength: 16,
  })
  .map(each => each.trim())
  .filter(each => each.length >= 3 && /[\p{L}\p{N}]/u.test(each))
  // Where a letter or digit joins them they are a part of another word.
  .map(each => each.normalize("NFC"))
  .filter(
    each =>
      !"folder machine user address token player root localhost administrator".includes(each.toLowerCase()),
  );
const token = fc.string({ unit: fc.constantFrom(..."abcXYZ0189_-"), minLength: 12, maxLength: 60 });
const posix = fc.array(name, { minLength: 1, maxLength: 4 }).map(parts => `/${parts.join("/")}`);
const windows = fc.array(name, { minLength: 1, maxLength: 4 }).map(parts => `C:\\${parts.join("\\")}`);
const glue = fc.constantFrom(" ", ": ", '"', "'", ", ", "\n", " at ", " (", ") ", "=", "\t");

/** A text with secrets in it, in one of the ways in which they are written. */
function textOf(secrets: string[]): fc.Arbitrary<string> {
  const ways = [
    (each: string) => each,
    (each: string) => JSON.stringify(each),
    (each: string) => each.toUpperCase().toLowerCase(),
    (each: string) => each.replaceAll("\\", "/"),
    (each: string) => encodeURIComponent(each),
    (each: string) => each.normalize("NFD"),
  ];
  const piece = fc
    .tuple(glue, fc.constantFrom(...secrets), fc.constantFrom(...ways), glue)
    .map(([before, secret, way, after]) => `${before}${way(secret)}${after}`);
  return fc
    .array(fc.oneof(piece, fc.lorem({ maxCount: 3 }), fc.string()), { minLength: 1, maxLength: 8 })
    .map(parts => parts.join(""));
}

/** Whether somebody who reads a text can find a secret in it. */
const shows = (text: string, secret: string): boolean => {
  const seen = text.toLowerCase();
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)].some(each =>
    seen.includes(each.toLowerCase()),
  );
};

/** Whether a name is somewhere in a text without a letter or digit that joins it. */
const hasWord = (text: string, word: string): boolean =>
  text.split(word).some((part, place, parts) => {
    const next = parts[place + 1];
    return next !== undefined && !/[\p{L}\p{N}]$/u.test(part) && !/^[\p{L}\p{N}]/u.test(next);
  });

describe("whatever a probe says", () => {
  const known = fc
    .record({
      folders: fc.array(fc.oneof(posix, windows), { minLength: 1, maxLength: 3 }),
      tokens: fc.array(token, { minLength: 1, maxLength: 2 }),
    })
    .chain(secrets =>
      fc.tuple(fc.constant<Secrets>(secrets), textOf([...secrets.folders, ...secrets.tokens])),
    );

  it("has none of the folders and tokens that are known", () => {
    fc.assert(
      fc.property(known, ([secrets, text]) => {
        const clean = scrubbed(text, secrets);
        for (const secret of [...(secrets.folders ?? []), ...(secrets.tokens ?? [])])
          expect([secret, clean, shows(clean, secret)]).toEqual([secret, clean, false]);
      }),
      { numRuns: RUNS },
    );
  });

  it("has none of the names of machine, user and players that are known, as a word", () => {
    const named = fc
      .record({ machines: fc.array(name), users: fc.array(name), players: fc.array(name, { minLength: 1 }) })
      .chain(secrets =>
        fc.tuple(fc.constant(secrets), textOf([...secrets.machines, ...secrets.users, ...secrets.players])),
      );
    fc.assert(
      fc.property(named, ([secrets, text]) => {
        const clean = scrubbed(text, secrets).toLowerCase();
        for (const each of [...secrets.machines, ...secrets.users, ...secrets.players])
          expect([each, clean, hasWord(clean, each.toLowerCase())]).toEqual([each, clean, false]);
      }),
      { numRuns: RUNS },
    );
  });

  it("has no address, and no folder of a user, that nobody knows of", () => {
    const plainName = fc.string({ unit: fc.constantFrom(..."abcXYZ019_-"), minLength: 1, maxLength: 12 });
    const shaped = fc.oneof(
      fc.ipV4().filter(each => each !== "0.0.0.0"),
      fc.ipV6().filter(each => each.length > 6),
      fc.emailAddress({ size: "small" }).filter(each => /^[\w.+-]+@[\w.-]+$/.test(each)),
      fc
        .tuple(fc.constantFrom("/home", "/Users", "/srv", "/tmp"), plainName, plainName)
        .map(parts => parts.join("/")),
      fc.tuple(fc.constantFrom("C:", "z:"), plainName, plainName).map(parts => parts.join("\\")),
      fc.uuid(),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(shaped, fc.constantFrom(" ", ", ", '" "', " (", ") "))), pieces => {
        const clean = scrubbed(pieces.flat().join(""));
        for (const [secret] of pieces) expect([secret, shows(clean, secret)]).toEqual([secret, false]);
      }),
      { numRuns: RUNS },
    );
  });

  it("stays as it is the second time, also beside what was taken for a token", () => {
    const clean = scrubbed("Y8_b9ZbabX-b1X8Z0c__Z8YZaZ9c==ab8-aaac08998bbaYY0c");
    expect(clean).toBe("Y8_b9ZbabX-b1X8Z0c__Z8YZaZ9c==<token>");
    expect(scrubbed(clean)).toBe(clean);
    fc.assert(
      fc.property(known, ([secrets, text]) => {
        const clean = scrubbed(text, secrets);
        expect(scrubbed(clean, secrets)).toBe(clean);
        expect(scrubbed(scrubbed(text))).toBe(scrubbed(text));
      }),
      { numRuns: RUNS },
    );
  });

  it.each([
    ["letters", "a"],
    ["points and digits", "1."],
    ["backslashes", "\\"],
    ["drives", "C:\\"],
    ["colons", "a:"],
    ["hyphens", "a-"],
    ["beginnings of addresses", "a@"],
  ])("is looked through at once where it is 50,000 characters of %s", (_name, part) => {
    const began = performance.now();
    scrubbed(part.repeat(50_000 / part.length), { folders: ["/srv/a"], users: ["alex"] });
    // It is some milliseconds, and minutes where each place were tried with all that follows it.
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});
