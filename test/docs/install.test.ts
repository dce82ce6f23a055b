import { afterEach, describe, expect, it } from "@jest/globals";
import { PATHS } from "../../shared/frames.ts";
import { MAX_BODY_BYTES, MAX_REQUESTS_IN_FLIGHT } from "../../shared/limits.ts";
import { defaultConfigFile } from "../../sidecar/config/default-file.ts";
import { readConfig } from "../../sidecar/config/read.ts";
import { TestBridge } from "../helpers/bridge.ts";
import { blocks, text } from "./pages.ts";

// Blocks of docs/install-by-hand.md: 2-put-the-pack-into-the-world json
// Blocks of docs/install-by-hand.md: 4-allow-the-pack-to-call-the-sidecar json, 5-start-the-game-server text

let bridge: TestBridge | undefined;
afterEach(async () => {
  await bridge?.stop();
  bridge = undefined;
});

const manifest = JSON.parse(text("manifest.json"));
const headerId: string = manifest.header.uuid;
const moduleId: string = manifest.modules[0].uuid;
const PAGE = "docs/install-by-hand.md";
const steps = text(PAGE);

/** The block of JSON that has a text. */
function json(part: string): ReturnType<typeof JSON.parse> {
  const found = blocks(PAGE, "json").filter(block => block.text.includes(part));
  expect(found).toHaveLength(1);
  return JSON.parse(found[0]?.text ?? "");
}

const permissions = json("allowed_modules");
const net = permissions.module_permissions["@minecraft/server-net"];

describe("the steps on a server", () => {
  it("name the ids and the version of the manifest, each in its place", () => {
    expect(json("pack_id")).toEqual([{ pack_id: headerId, version: manifest.header.version }]);
    expect(steps).toContain(`| \`${headerId}\` | header |`);
    expect(steps).toContain(`| \`${moduleId}\` | script module |`);
    expect(steps).toContain(`\`config/${moduleId}\``);
    expect(steps.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g)?.every(id => id === headerId || id === moduleId)).toBe(
      true,
    );
  });

  it("allow the modules of the manifest and the requests of the pack", () => {
    const modules = manifest.dependencies.map(({ module_name }: { module_name: string }) => module_name);
    expect(permissions.allowed_modules).toEqual(modules);
    const url = json("bridge-url")["bridge-url"];
    expect(net.allowed_uris).toEqual([`${url}/`, ...Object.values(PATHS).map(path => url + path)]);
    expect(net.max_body_bytes).toBe(MAX_BODY_BYTES);
    expect(net.max_concurrent_requests).toBe(MAX_REQUESTS_IN_FLIGHT);
  });

  it("match the configuration that the sidecar creates", () => {
    const read = readConfig(defaultConfigFile(), {}, "/nowhere");
    if ("faults" in read) throw new Error(read.faults.join("\n"));
    const { bridge: listener, modules } = read.config;
    expect(json("bridge-url")["bridge-url"]).toBe(`http://${listener.host}:${listener.port}`);
    expect(steps).toContain(`bridge listener at http://${listener.host}:${listener.port}`);
    expect(steps).toContain(`public listener at http://${modules.api.host}:${modules.api.port}`);
  });

  it("result in a pack that connects under the limits they set, and in the lines shown", async () => {
    bridge = new TestBridge();
    await bridge.startSidecar();
    const { bridgeUrl } = bridge;
    await bridge.startGame({
      net: {
        allowedUris: net.allowed_uris.map((uri: string) => uri.replace("http://127.0.0.1:8081", bridgeUrl)),
        maxBodyBytes: net.max_body_bytes,
        maxConcurrentRequests: net.max_concurrent_requests,
      },
    });
    await bridge.enter("Steve");
    await bridge.until(() => bridge?.linesWith("connected to the sidecar").length);
    expect(bridge.consoleText.replace(bridgeUrl, "http://127.0.0.1:8081")).toContain(
      "[web bridge] connected to the sidecar at http://127.0.0.1:8081",
    );
    expect(bridge.linesWith("[web bridge]")).toHaveLength(1);
    const said = bridge.side?.log.of("info").map(({ message }) => message) ?? [];
    const examples = [...steps.matchAll(/^INFO: (Game server connected|The game server is reporting)$/gm)];
    expect(examples).toHaveLength(2);
    for (const [, line] of examples) expect(said).toContain(line);
  });
});
