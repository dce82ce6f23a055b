import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { isBuiltin } from "node:module";
import { homedir } from "node:os";
import { dirname, join, posix } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { parse } from "acorn";
import { strFromU8, unzipSync } from "fflate";
import { runRealtime } from "../../lab/simulator/realtime.ts";
import { createSimulator } from "../../lab/simulator/simulator.ts";
import { ACCEPT } from "../helpers/browser.ts";
import { ask, newSession } from "../helpers/client.ts";
import { eventually } from "../helpers/eventually.ts";
import { newFolder } from "../helpers/folder.ts";
import { needs } from "../helpers/needs.ts";
import { copyOfRepository, IS_BUILT, makePackages, ROOT, SIDECAR, VERSION } from "./packages.ts";
import { UnpackedSidecar } from "./unpacked.ts";

const IS_WINDOWS = process.platform === "win32";

// `npm test` builds first; a single test may run without a build.
needs("npm run build", IS_BUILT).describe("the packages", () => {
  let folder: string;
  let printed: string;
  /** the archive, unpacked */
  let home: string;
  const out = (name: string): string => join(folder, "out one", name);
  const bytes = (name: string): Buffer => readFileSync(out(name));
  const read = (name: string): string => readFileSync(join(home, name), "utf8");

  beforeAll(() => {
    folder = newFolder("packages-");
    copyOfRepository(ROOT, join(folder, "one"));
    copyOfRepository(join(folder, "one"), join(folder, "another one"));
    printed = makePackages(join(folder, "one"), join(folder, "out one"), { umask: "022", timeZone: "UTC" });
    const strange = { umask: "077", timeZone: "Pacific/Kiritimati" };
    makePackages(join(folder, "another one"), join(folder, "out two"), strange);
    const place = join(folder, "a folder with spaces");
    mkdirSync(place);
    execFileSync("tar", ["-xf", out(SIDECAR), "-C", place]);
    home = join(place, "web-bridge");
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("are the same bytes from another folder, with another umask and in another time zone", () => {
    const names = readdirSync(join(folder, "out one"));
    expect(readdirSync(join(folder, "out two"))).toEqual(names);
    for (const name of names) {
      const other = readFileSync(join(folder, "out two", name));
      expect([name, createHash("sha256").update(other).digest("hex")]).toEqual([
        name,
        createHash("sha256").update(bytes(name)).digest("hex"),
      ]);
    }
  });

  it("have a file of checksums with a line for each", () => {
    const names = readdirSync(join(folder, "out one")).filter(name => name !== "SHA256SUMS");
    expect(names).toContain(SIDECAR);
    const lines = bytes("SHA256SUMS").toString().trimEnd().split("\n");
    expect(lines).toEqual(
      names.map(name => `${createHash("sha256").update(bytes(name)).digest("hex")}  ${name}`),
    );
    for (const name of names) expect(printed).toContain(name);
  });

  it("have the packs of the game, together in an add-on and each separately", () => {
    const addOn = unzipSync(bytes(`web-bridge-${VERSION}.mcaddon`));
    const pack = unzipSync(bytes(`web-bridge-behavior-pack-${VERSION}.mcpack`));
    for (const file of ["manifest.json", "scripts/main.js"]) {
      const built = readFileSync(join(folder, "one/dist/behavior_pack", file), "utf8");
      expect(strFromU8(pack[file] ?? new Uint8Array())).toBe(built);
      expect(strFromU8(addOn[`web_bridge_behavior_pack/${file}`] ?? new Uint8Array())).toBe(built);
    }
    expect(read("dist/behavior_pack_stable/manifest.json")).not.toMatch(/server-net|beta/);
    const hasResources = existsSync(join(folder, "one/dist/resource_pack"));
    expect("web_bridge_resource_pack/manifest.json" in addOn).toBe(hasResources);
    expect(existsSync(out(`web-bridge-resource-pack-${VERSION}.mcpack`))).toBe(hasResources);
  });

  it("do not contain where they were built", () => {
    const all = readdirSync(home, { recursive: true, withFileTypes: true }).filter(each => each.isFile());
    for (const file of all.map(each => join(each.parentPath, each.name).slice(home.length + 1)))
      for (const place of [folder, ROOT, ...(homedir().length > 5 ? [homedir()] : [])])
        expect(read(file)).not.toContain(place);
  });

  it("have the same content in both forms of the sidecar", () => {
    const zipped = unzipSync(bytes(SIDECAR.replace("tar.gz", "zip")));
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter(each => each.isFile());
    expect(Object.keys(zipped)).toHaveLength(files.length);
    for (const [path, content] of Object.entries(zipped))
      expect([path, readFileSync(join(home, "..", path)).equals(content)]).toEqual([path, true]);
  });

  it("contain nothing of the demo", () => {
    expect(existsSync(join(folder, "one/dist/tools/panel/index.html"))).toBe(true);
    const files = readdirSync(home, { recursive: true, encoding: "utf8" });
    expect(files.filter(file => /panel(?!s\.md)|demo/.test(file))).toEqual([]);
  });

  it("need no other module", () => {
    const programs = readdirSync(join(home, "dist"), { recursive: true, encoding: "utf8" })
      .map(path => `dist/${path.replaceAll("\\", "/")}`)
      .filter(path => /^dist\/(lib|sidecar|tools)\/.*\.js$/.test(path));
    expect(programs.length).toBeGreaterThan(20);
    const imported = (path: string): string[] =>
      parse(read(path), { ecmaVersion: "latest", sourceType: "module" }).body.flatMap(each =>
        each.type === "ImportDeclaration" ? [String(each.source.value)] : [],
      );
    const foreign = (path: string): string[] =>
      imported(path).filter(
        name => !isBuiltin(name) && !programs.includes(posix.join(posix.dirname(path), name)),
      );
    for (const path of programs) expect([path, foreign(path)]).toEqual([path, []]);
    expect(existsSync(join(home, "node_modules"))).toBe(false);
  });

  it("are small, and contain nothing for one kind of machine only", () => {
    expect(bytes(SIDECAR).length).toBeLessThan(4_000_000);
    const files = readdirSync(home, { recursive: true, encoding: "utf8" });
    expect(files.filter(file => /\.(node|dll|so|dylib|exe|wasm|map)$/.test(file))).toEqual([]);
    expect(files).toContain(join("docs", "reference.html"));
  });

  it("have the licence of everything in them", () => {
    const notices = read("THIRD-PARTY-NOTICES");
    const ours = [
      "express",
      "ws",
      "pino",
      "pino-pretty",
      "yaml",
      "cors",
      "cookie",
      "@prometheus-io/client",
      "pidusage",
    ];
    for (const name of [...ours, "body-parser", "ipaddr.js"])
      expect(notices).toMatch(new RegExp(`^${name} \\d.*\\nLicence: [A-Z]`, "m"));
    expect(notices.match(/^Licence: /gm)?.length).toBeGreaterThan(50);
    expect(read("LICENSE")).toContain("MIT License");
  });

  it("have tools that start, and recipes for their system", () => {
    const tools = join(home, "dist/tools");
    for (const tool of existsSync(tools) ? readdirSync(tools) : [])
      expect(execFileSync(process.execPath, [join(tools, tool), "--help"], { encoding: "utf8" })).toMatch(
        /^usage: /,
      );
    const help = execFileSync(process.execPath, ["dist/web-bridge.js", "setup", "--help"], {
      cwd: home,
      encoding: "utf8",
    });
    expect(help).toMatch(/^usage: \.[\\/]web-bridge(\.cmd)? setup --server/);
    const { scripts } = JSON.parse(read("package.json"));
    expect(scripts.start).toBe("node main.js");
    for (const command of Object.values<string>(scripts))
      expect(existsSync(join(home, command.replace("node ", "")))).toBe(true);
    const recipes = readdirSync(join(home, "deploy")).sort();
    expect(recipes).toEqual([
      "README.md",
      "apache",
      "caddy",
      "haproxy",
      "iis",
      "nginx",
      "pterodactyl",
      "redis",
      "systemd",
      "traefik",
      "windows",
    ]);
  });

  it("have every page that the programs name, and only links within them", () => {
    const own = readdirSync(home, { recursive: true, encoding: "utf8" });
    const named = own
      .filter(name => /\.(m?js|txt|ps1|service|conf|cmd|sh)$/.test(name))
      .flatMap(name => read(name).match(/\bdocs\/[\w./-]+\.md\b/g) ?? []);
    expect(named).toContain("docs/after-an-update.md");
    expect(named).toContain("docs/scaling.md");
    for (const page of named) expect([page, existsSync(join(home, page))]).toEqual([page, true]);
    const pages = own.filter(name => name.endsWith(".md"));
    expect(pages).toContain(join("docs", "troubleshooting.md"));
    for (const page of pages)
      for (const [link, to = ""] of read(page).matchAll(/\]\((?![a-z]+:|#)([^)#]+)/g))
        expect([page, link, existsSync(join(home, dirname(page), to))]).toEqual([page, link, true]);
  });

  needs("file modes, not Windows", !IS_WINDOWS).it(
    "give every file the same mode regardless of the umask",
    () => {
      for (const name of ["start.sh", "web-bridge"])
        expect(statSync(join(home, name)).mode & 0o111).not.toBe(0);
      expect(statSync(join(home, "main.js")).mode & 0o111).toBe(0);
    },
  );

  it("run with only Node, stop cleanly, and keep links", async () => {
    for (let above = home; above !== dirname(above); above = dirname(above))
      if (above !== home) expect(existsSync(join(above, "node_modules"))).toBe(false);
    const sidecar = new UnpackedSidecar(home);
    await sidecar.start();
    const { json } = await ask(sidecar.urls.public, "/healthz");
    expect(json).toBeDefined();
    const game = await createSimulator({
      pack: join(home, "dist/behavior_pack/scripts/main.js"),
      variables: { "bridge-url": sidecar.urls.bridge },
      secrets: { "bridge-token": sidecar.token },
    });
    const driver = runRealtime(game, { tps: 100 });
    try {
      const steve = game.world.join("Steve");
      const linked = async (): Promise<unknown> =>
        (await ask(sidecar.urls.public, "/linked-player", { cookie })).json;
      await eventually(async () =>
        expect((await ask(sidecar.urls.public, "/players")).text).toContain("Steve"),
      );
      const { cookie } = await newSession(sidecar.urls.public);
      await ask(sidecar.urls.public, "/link-player", { cookie, body: { username: "Steve" } });
      await eventually(() => expect(steve.form).toBeDefined());
      steve.answer(ACCEPT);
      await eventually(async () => expect(await linked()).toMatchObject({ status: "accepted" }));
      expect(await sidecar.stop()).toBe(IS_WINDOWS ? null : 0);
      await sidecar.start();
      expect(await linked()).toMatchObject({ status: "accepted" });
    } finally {
      await driver.stop();
      game.dispose();
      await sidecar.stop();
    }
  });
});
