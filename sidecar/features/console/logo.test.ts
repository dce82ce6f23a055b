import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createClient } from "../../../client/index.ts";
import type { ServiceSettings } from "../../../client/types.ts";
import { checkedFetch } from "../../../test/helpers/client.ts";
import { startTestSidecar, type TestSidecar } from "../../../test/helpers/sidecar.ts";
import { readLogo } from "./logo.ts";

const MAX_BYTES = 128 * 1024;
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><script>alert(1)</script></svg>';
const PNG = Buffer.from("\x89PNG\r\n\x1a\n rest", "latin1");

let folder: string;
let side: TestSidecar | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "logo-"));
});
afterEach(async () => {
  await side?.stop();
  side = undefined;
  rmSync(folder, { recursive: true, force: true });
});

/** A file with this content. */
function file(content: string | Buffer, name = "logo"): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}
const start = async (env: Record<string, string>): Promise<TestSidecar> => {
  side = await startTestSidecar({ env });
  return side;
};
async function settings({ base }: TestSidecar): Promise<Pick<ServiceSettings, "logo">> {
  const answer = await createClient({ base }).settings();
  return answer.ok ? answer.value : {};
}

describe("the logo", () => {
  it.each([
    ["png", PNG],
    ["jpg", Buffer.from("\xff\xd8\xff\xe0 rest", "latin1")],
    ["webp", Buffer.from("RIFF\x10\0\0\0WEBPVP8 rest", "latin1")],
    ["svg", SVG],
    ["svg", `\uFEFF<?xml version="1.0"?>\n<!-- drawn -->\n${SVG}`],
    ["svg", `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x" [<!ENTITY a "b">]>\n${SVG}`],
  ])("is recognised as %s by its content", (ending, content) => {
    const read = readLogo(file(content, "logo.txt"));
    expect(read).toEqual({
      value: {
        path: expect.stringMatching(new RegExp(`^assets/logo\\.[0-9a-f]{8}\\.${ending}$`)),
        content: Buffer.from(content),
      },
    });
  });

  it("is optional, and has at most 128 KiB", () => {
    expect(readLogo("")).toEqual({ value: undefined });
    const of = (bytes: number): string => file(Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length)]));
    expect(readLogo(of(MAX_BYTES))).toHaveProperty("value.content.length", MAX_BYTES);
    expect(readLogo(of(MAX_BYTES + 1))).toEqual({
      fault: `modules.web.logo: ${join(folder, "logo")}: expected at most ${MAX_BYTES} bytes, found ${MAX_BYTES + 1}`,
    });
  });

  it.each(["", "GIF89a", "<html><svg></svg></html>", "<!DOCTYPE html><svg>", "<?xml version='1.0'?><rss/>"])(
    "is no file that holds %j",
    content => {
      expect(readLogo(file(content, "logo.svg"))).toEqual({
        fault: `modules.web.logo: ${join(folder, "logo.svg")}: expected an image in SVG, PNG, WebP or JPEG`,
      });
    },
  );

  it("stops the start if it is missing or a folder, with an error that names its key", async () => {
    expect(readLogo(folder)).toEqual({ fault: `modules.web.logo: ${folder}: expected a file` });
    const missing = join(folder, "gone.png");
    await expect(start({ WEB_BRIDGE_MODULES_WEB_LOGO: missing })).rejects.toThrow(
      `modules.web.logo: ${missing}: cannot be read: there is no such file or folder (ENOENT)`,
    );
  });

  it("is cacheable forever under a unique name, and an SVG cannot run scripts", async () => {
    const started = await start({ WEB_BRIDGE_MODULES_WEB_LOGO: file(SVG) });
    const { logo } = await settings(started);
    const { status, headers } = await checkedFetch(`${started.base}/${logo}`);
    expect([status, headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
    );
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  });

  it("is not read while the web console is turned off", async () => {
    const missing = join(folder, "gone.png");
    const off = { WEB_BRIDGE_MODULES_WEB_ENABLED: "false", WEB_BRIDGE_MODULES_WEB_LOGO: missing };
    const settingsShown = await settings(await start(off));
    expect(settingsShown).toHaveProperty("title");
    expect(settingsShown).not.toHaveProperty("logo");
  });
});
