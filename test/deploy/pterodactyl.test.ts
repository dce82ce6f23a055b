import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { tarGz, zip } from "../../scripts/archives.mjs";
import { textFile } from "../../scripts/files.mjs";
import { SETTINGS_BY_PATH, variableOf } from "../../sidecar/config/settings.ts";
import { faultsFrom } from "../helpers/config.ts";
import { eachInFolder, folder } from "../helpers/folder.ts";
import { needs } from "../helpers/needs.ts";
import { findProgram, recipe } from "./front.ts";

// Own connections: serves downloads to the installation script.

interface Variable {
  name: string;
  description: string;
  env_variable: string;
  default_value: string;
  user_viewable: boolean;
  user_editable: boolean;
  rules: string;
  field_type: string;
}

const egg = JSON.parse(recipe("pterodactyl/egg.json"));
const script = recipe("pterodactyl/install.sh");
const variables: Variable[] = egg.variables;
const files: Record<string, { parser: string; find: Record<string, string> }> = JSON.parse(egg.config.files);

/** Names that the panels keep for themselves. */
const RESERVED = [
  "SERVER_MEMORY",
  "SERVER_IP",
  "SERVER_PORT",
  "ENV",
  "HOME",
  "USER",
  "STARTUP",
  "SERVER_UUID",
  "UUID",
];

describe("the egg for Pterodactyl and Pelican", () => {
  it("has every field that an import of the format PTDL_v2 reads, as the text or object that it expects", () => {
    expect(egg.meta).toEqual({ version: "PTDL_v2", update_url: null });
    expect(egg.author).toMatch(/^[\w-]+@[\w.-]+$/);
    expect(Number.isNaN(Date.parse(egg.exported_at))).toBe(false);
    for (const text of [egg.name, egg.description, egg.startup, egg.config.stop]) expect(text).toMatch(/\S/);
    expect(egg.name.length).toBeLessThanOrEqual(191);
    expect(egg.features).toBeNull();
    expect(egg.file_denylist).toEqual([]);
    expect(Object.values(egg.docker_images)).toEqual([expect.stringMatching(/^[\w.-]+\/[\w./-]+:debian$/)]);
    for (const json of [egg.config.files, egg.config.startup, egg.config.logs])
      expect(typeof JSON.parse(json)).toBe("object");
    expect(Object.keys(egg.scripts.installation).sort()).toEqual(["container", "entrypoint", "script"]);
  });

  it("has variables with the fields of both panels, and names that none of them keeps for itself", () => {
    for (const variable of variables) {
      expect(Object.keys(variable)).toEqual([
        "name",
        "description",
        "env_variable",
        "default_value",
        "user_viewable",
        "user_editable",
        "rules",
        "field_type",
      ]);
      expect(variable.env_variable).toMatch(/^[A-Z][A-Z0-9_]*$/);
      expect(RESERVED).not.toContain(variable.env_variable);
      expect(variable.rules).toMatch(/^(required|nullable)(\|[a-z_]+(:[^|]+)?)*$/);
    }
    expect(new Set(variables.map(each => each.env_variable)).size).toBe(variables.length);
  });

  it("uses every variable, and only variables that it has", () => {
    const names = variables.map(each => each.env_variable);
    const settings = [...SETTINGS_BY_PATH.keys()].map(variableOf);
    const inScript = [...script.matchAll(/\$\{?([A-Z][A-Z0-9_]+)/g)].map(([, name]) => name);
    const inFiles = [...egg.config.files.matchAll(/\{\{server\.build\.env\.(\w+)\}\}/g)].map(
      ([, name]) => name,
    );
    const used = new Set([...inScript, ...inFiles, ...names.filter(name => settings.includes(name))]);
    expect([...used].sort()).toEqual(names.toSorted());
    expect(egg.startup).not.toContain("{{");
  });

  it("gives the sidecar settings that it accepts, with the defaults of the variables", () => {
    const env = Object.fromEntries(variables.map(each => [each.env_variable, each.default_value]));
    expect(faultsFrom("", env)).toEqual([]);
    expect(faultsFrom("", { ...env, WEB_BRIDGE_MODULES_API_HOST: "127.0.0.1" })).toEqual([]);
  });

  it("takes the ready line of the game, and stops it with its own command", () => {
    expect(JSON.parse(egg.config.startup)).toEqual({ done: "Server started." });
    expect(egg.config.stop).toBe("stop");
  });

  it("has the script of install.sh", () => {
    expect(egg.scripts.installation.script).toBe(script);
    expect(egg.scripts.installation.entrypoint).toBe("bash");
  });
});

const PROPERTIES = "server-name=Dedicated Server\nserver-port=19132\nlevel-name=Bedrock level";
const GAME = "bin-linux/bedrock-server-1.26.60.6.zip";

/** The game's archive, as far as the script reads it. */
const game = (properties = PROPERTIES): Uint8Array =>
  zip([
    textFile("bedrock_server", "#!/bin/sh\necho new\n"),
    textFile("server.properties", properties),
    textFile("allowlist.json", "[]"),
    textFile("permissions.json", "[]"),
    textFile("config/default/permissions.json", "{}"),
    textFile("behavior_packs/vanilla/manifest.json", "{}"),
  ]);

const bridge = (version: string): Promise<Uint8Array> =>
  tarGz([
    textFile("web-bridge/start.sh", `#!/bin/sh\necho ${version}\n`, { executable: true }),
    textFile("web-bridge/main.js", version),
  ]);

const bash = findProgram(["bash"], "--version");
const hasTools = ["curl", "unzip", "tar", "sha256sum"].every(
  name => spawnSync(name, ["--help"]).status === 0,
);
const isLinux = process.platform === "linux";

needs("Linux, bash, curl, unzip, tar and sha256sum", isLinux && bash !== undefined && hasTools).describe(
  "the installation script of the egg",
  () => {
    eachInFolder("server ");

    let server: Server;
    let requests: { url: string; agent: string }[];
    let downloads: Record<string, Uint8Array | string>;
    let child: ChildProcess | undefined;

    beforeEach(async () => {
      requests = [];
      server = createServer((request, response) => {
        requests.push({ url: request.url ?? "", agent: request.headers["user-agent"] ?? "" });
        if (request.url === "/moved") {
          response.writeHead(302, { location: `${origin()}/bridge.tar.gz` }).end();
          return;
        }
        const found = downloads[request.url ?? ""];
        response.writeHead(found === undefined ? 404 : 200).end(found);
      });
      await once(server.listen(0, "127.0.0.1"), "listening");
      downloads = {
        "/api/v1.0/download/links": JSON.stringify({
          result: {
            links: [
              "bin-win/bedrock-server-1.26.60.6.zip",
              "bin-linux-preview/bedrock-server-1.26.70.24.zip",
              GAME,
            ].map(path => ({
              downloadType: path,
              downloadUrl: `${origin()}/bedrockdedicatedserver/${path}`,
            })),
          },
        }),
        [`/bedrockdedicatedserver/${GAME}`]: game(),
        "/bridge.tar.gz": await bridge("0.1.0"),
      };
    });
    afterEach(() => {
      child?.kill();
      server.close();
    });

    const origin = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

    /** Runs it in the folder as a panel does in `/mnt/server`, against downloads of this test. */
    async function install(env: Record<string, string> = {}): Promise<{ code: number | null; out: string }> {
      const here = script
        .replace("cd /mnt/server", 'cd "$HERE"')
        .replace(/https:\/\/(net-secondary\.[\w.-]+|www\\?\.minecraft\\?\.net)\//g, `${origin()}/`)
        .replace("--retry 3", "");
      const values = Object.fromEntries(variables.map(each => [each.env_variable, each.default_value]));
      child = spawn(bash ?? "", ["-c", here], {
        env: { ...values, PATH: process.env.PATH, EULA: "TRUE", HERE: folder, ...env },
        stdio: ["ignore", "pipe", "pipe"],
      });
      let out = "";
      for (const stream of [child.stdout, child.stderr]) stream?.on("data", part => (out += part));
      const [code] = await once(child, "close");
      return { code, out };
    }

    const has = (path: string): boolean => existsSync(join(folder, path));
    const read = (path: string): string => readFileSync(join(folder, path), "utf8");

    function put(path: string, content: string | Uint8Array): void {
      mkdirSync(join(folder, path, ".."), { recursive: true });
      writeFileSync(join(folder, path), content);
    }

    it("installs the newest game that is no preview, and the archive of an address, and leaves nothing else", async () => {
      const { code, out } = await install({ BRIDGE_ARCHIVE_URL: `${origin()}/bridge.tar.gz` });
      expect([out, code]).toEqual([expect.stringMatching(/\nInstalled\. Start the server\.\n$/), 0]);
      expect(requests.map(({ url }) => url)).toEqual(Object.keys(downloads));
      for (const { agent } of requests) expect(agent).toMatch(/^Mozilla\/5\.0 /);
      expect(spawnSync(join(folder, "bedrock_server"), { encoding: "utf8" }).stdout).toBe("new\n");
      expect(spawnSync(join(folder, "web-bridge/start.sh"), { encoding: "utf8" }).stdout).toBe("0.1.0\n");
      expect(readdirSync(folder).sort()).toEqual([
        "allowlist.json",
        "bedrock_server",
        "behavior_packs",
        "config",
        "permissions.json",
        "server.properties",
        "web-bridge",
      ]);
    });

    it("keeps worlds, settings, lists, packs and the data of the web bridge when it runs again", async () => {
      const own = {
        "worlds/Ülis Welt/level.dat": "world",
        "server.properties": "level-name=Ülis Welt\nserver-port=1\nserver-udp-ports=\n",
        "allowlist.json": '[{"name":"Steve"}]',
        "permissions.json": '[{"xuid":"1"}]',
        "config/default/permissions.json": '{"allowed_modules":[]}',
        "config/d09dd5f3/secrets.json": "{}",
        "behavior_packs/web_bridge/manifest.json": "{}",
        "web-bridge/config.yml": "log: {level: warn}",
        "web-bridge/data/bridge-token": "token",
      };
      for (const [path, content] of Object.entries(own)) put(path, content);
      put("bedrock_server", "old");
      put("web-bridge/main.js", "old");
      const { code } = await install({ BRIDGE_ARCHIVE_URL: `${origin()}/bridge.tar.gz` });
      expect(code).toBe(0);
      for (const [path, content] of Object.entries(own)) expect([path, read(path)]).toEqual([path, content]);
      expect([read("bedrock_server"), read("web-bridge/main.js")]).toEqual([
        "#!/bin/sh\necho new\n",
        "0.1.0",
      ]);
    });

    it("installs an uploaded archive once, or says what to upload", async () => {
      expect((await install()).out).toMatch(
        /the web bridge is not\. Upload web-bridge-sidecar-<version>-linux-x64\.tar\.gz/,
      );
      put("web-bridge-sidecar-0.1.0-linux-x64.tar.gz", await bridge("0.1.0"));
      expect((await install()).code).toBe(0);
      expect(read("web-bridge/main.js")).toBe("0.1.0");
      expect(has("web-bridge-sidecar-0.1.0-linux-x64.tar.gz")).toBe(false);
      put("web-bridge/main.js", "newer");
      expect((await install()).code).toBe(0);
      expect(read("web-bridge/main.js")).toBe("newer");
    });

    it("installs the newest of several uploaded archives, and keeps none", async () => {
      for (const version of ["0.9.0", "0.10.0"])
        put(`web-bridge-sidecar-${version}-linux-x64.tar.gz`, await bridge(version));
      expect((await install()).code).toBe(0);
      expect(read("web-bridge/main.js")).toBe("0.10.0");
      expect(readdirSync(folder).filter(name => name.endsWith(".tar.gz"))).toEqual([]);
    });

    it("installs the version of the game that the owner chose, without asking for the newest", async () => {
      downloads["/bedrockdedicatedserver/bin-linux/bedrock-server-1.26.51.1.zip"] = game();
      expect((await install({ GAME_VERSION: "1.26.51.1" })).code).toBe(0);
      expect(requests.map(({ url }) => url)).toEqual([
        "/bedrockdedicatedserver/bin-linux/bedrock-server-1.26.51.1.zip",
      ]);
    });

    it("has the lines for the ports that the panel fills in, once each, and the panel changes nothing else", async () => {
      await install();
      await install();
      const { parser, find } = files["server.properties"] ?? { find: {} };
      expect(parser).toBe("file");
      const filled = read("server.properties")
        .split("\n")
        .filter(line => line !== "")
        .map(line => {
          const [, to = line] = Object.entries(find).find(([match]) => line.startsWith(match)) ?? [];
          return to
            .replaceAll("{{server.build.default.port}}", "25601")
            .replaceAll("{{server.build.env.GAME_ADDRESS}}", "203.0.113.7");
        });
      expect(filled).toEqual([
        "server-name=Dedicated Server",
        "server-port=25601",
        "level-name=Bedrock level",
        "server-udp-ports=203.0.113.7:25601:25601",
      ]);
    });

    it.each([
      ["without the licence", { EULA: "FALSE" }, /set the variable EULA to TRUE/],
      [
        "without such a version",
        { GAME_VERSION: "1.2.3" },
        /Could not download .*bedrock-server-1\.2\.3\.zip/,
      ],
      ["for another checksum", { BRIDGE_ARCHIVE_SHA256: "0".repeat(64) }, /The checksum of .* is not 0{64}/],
    ])("ends with code 1 and the reason %s, and replaces no web bridge", async (_why, env, reason) => {
      put("web-bridge/main.js", "old");
      const { code, out } = await install({ BRIDGE_ARCHIVE_URL: `${origin()}/bridge.tar.gz`, ...env });
      expect([out, code]).toEqual([expect.stringMatching(reason), 1]);
      expect(read("web-bridge/main.js")).toBe("old");
      expect(readdirSync(folder).filter(name => name.startsWith("."))).toEqual([]);
    });

    it("accepts the checksum of SHA256SUMS", async () => {
      const sum = createHash("sha256")
        .update(downloads["/bridge.tar.gz"] ?? "")
        .digest("hex");
      const env = { BRIDGE_ARCHIVE_URL: `${origin()}/bridge.tar.gz`, BRIDGE_ARCHIVE_SHA256: sum };
      expect((await install(env)).code).toBe(0);
    });

    it("follows no redirect to an address without TLS", async () => {
      const { code, out } = await install({ BRIDGE_ARCHIVE_URL: `${origin()}/moved` });
      expect([out, code]).toEqual([expect.stringContaining(`Could not download ${origin()}/moved`), 1]);
      expect(requests.map(({ url }) => url)).not.toContain("/bridge.tar.gz");
    });

    it("replaces no program by half a download", async () => {
      put("bedrock_server", "old");
      downloads[`/bedrockdedicatedserver/${GAME}`] = game().subarray(0, 200);
      const { code, out } = await install();
      expect([out, code]).toEqual([expect.stringContaining("The download is incomplete: "), 1]);
      expect(read("bedrock_server")).toBe("old");
    });
  },
);
