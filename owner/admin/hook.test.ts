import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { Webhook as Verifier } from "standardwebhooks";
import { eachInFolder, folder } from "../../test/helpers/folder.ts";
import { answers, type Receiver, startReceiver } from "../../test/helpers/receiver.ts";
import { runTool } from "../../test/helpers/tools.ts";

const SECRET = `whsec_${Buffer.alloc(24, "key").toString("base64")}`;

eachInFolder("hook command ");
let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.stop();
});

async function run(args: string[], { input = "", env = {} } = {}) {
  const own = { ...process.env, WEB_BRIDGE_CONFIG: join(folder, "config.yml"), ...env };
  const { code: status, out, err: stderr } = await runTool("hook", args, { cwd: folder, env: own, input });
  // Neither the path nor the secret is shown.
  expect(out + stderr).not.toMatch(/path-of-hook|key|whsec_[A-Za-z0-9+/]{9}/);
  const lines = out.split("\n").filter(line => line !== "");
  return { status, lines: lines.map(line => line.replace(/\d+ ms/, "N ms")), stderr };
}

const origin = (): string => new URL(receiver.url).origin;
const configure = (...lines: string[]): void =>
  writeFileSync(join(folder, "config.yml"), `webhooks:\n${lines.map(line => `  - ${line}\n`).join("")}`);

describe("npm run hook -- --test", () => {
  it("sends one of each event, signed, and prints each answer", async () => {
    const output = await run(["--test", receiver.url, "--secret", SECRET, "--allow-private"]);
    expect(output).toEqual({
      status: 0,
      lines: [
        `${origin()}, format standard: 6 events`,
        "  server  accepted: status 204, N ms",
        "  join    accepted: status 204, N ms",
        "  chat    accepted: status 204, N ms",
        "  chat    accepted: status 204, N ms",
        "  death   accepted: status 204, N ms",
        "  leave   accepted: status 204, N ms",
        "6 of 6 events accepted.",
      ],
      stderr: "",
    });
    for (const { body, headers } of receiver.received)
      expect(new Verifier(SECRET).verify(body, Object(headers))).toHaveProperty("timestamp");
  });

  it("uses a configured webhook, by its position or address, with its events and secret", async () => {
    configure(
      `{url: "https://a.example/x", format: discord}`,
      `{url: "${receiver.url}", secret: "${SECRET}", events: [death], allow-private: true}`,
    );
    for (const test of ["[1]", receiver.url])
      expect(await run(["--test", test])).toMatchObject({
        status: 0,
        lines: [
          `webhooks[1] (${origin()}), format standard: 1 event`,
          "  death   accepted: status 204, N ms",
          "1 of 1 event accepted.",
        ],
      });
    expect(await run(["--test", "[2]"])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^\[2\]: .*config\.yml has no such webhook: it has 2\n$/),
    });
  });

  it("reads address or secret from the standard input", async () => {
    const more = ["--allow-private"];
    expect(
      await run(["--test", "-", "--format", "discord", ...more], { input: `${receiver.url}\n` }),
    ).toMatchObject({ status: 0 });
    expect(
      await run(["--test", receiver.url, "--secret", "-", ...more], { input: `${SECRET}\n` }),
    ).toMatchObject({ status: 0 });
    expect(receiver.received).toHaveLength(12);
  });

  it("names rejected events, the response and the likely cause, with exit code 1", async () => {
    receiver.answer = answers(401, {}, '{"message": "no matching signature"}');
    const args = ["--test", receiver.url, "--secret", SECRET, "--allow-private"];
    const { status, lines } = await run(args);
    expect([status, lines.length]).toEqual([1, 14]);
    expect(lines.slice(1, 3)).toEqual([
      "  server  rejected: status 401: the receiver has another secret, or the address is wrong, N ms",
      '          response: {"message": "no matching signature"}',
    ]);
    expect(lines.at(-1)).toBe("0 of 6 events accepted.");
    const tls = await run(["--test", receiver.url.replace("http:", "https:"), ...args.slice(2)]);
    expect(tls.lines[1]).toContain("EPROTO, N ms: the receiver does not use TLS");
    await receiver.stop();
    expect((await run(args)).lines.slice(1)).toEqual([
      "  server  no answer: ECONNREFUSED, N ms: nothing listens there: check host and port",
      "0 of 6 events accepted; 5 events not sent.",
    ]);
    receiver = await startReceiver();
  });

  it("sends nothing to an address that is not public unless that is allowed", async () => {
    const { status, lines } = await run(["--test", "https://127.0.0.1/path-of-hook", "--format", "discord"]);
    expect(status).toBe(1);
    expect(lines[1]).toBe(
      "  server  no answer: its address is not public, and allow-private is not set, N ms: if that is intended, add --allow-private",
    );
  });

  it.each<[string[], string]>([
    [[], "--test is missing"],
    [["--test", "nonsense"], "--test: "],
    [
      ["--test", "https://a.example/path-of-hook"],
      "--secret is missing: requests of the format standard are signed with it: pass the receiver's secret",
    ],
    [["--test", "https://a.example/", "--format", "slack"], '--format: "slack": expected'],
    [["--test", "-", "--secret", "-"], "only one of them can be -"],
  ])("names the mistake in %j, with exit code 2", async (args, why) => {
    const { status, stderr } = await run(args);
    expect(status).toBe(2);
    expect(stderr).toContain(why);
    expect(stderr).toContain("usage: ");
  });
});
