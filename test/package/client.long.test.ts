import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { publint } from "publint";
import { tarGz } from "../../scripts/archives.mjs";
import { clientPackage } from "../../scripts/package.mjs";
import { TSC } from "../../scripts/paths.mjs";
import { newFolder } from "../helpers/folder.ts";
import { needs } from "../helpers/needs.ts";
import { ROOT, VERSION } from "./packages.ts";

// Own connections: shows how a website calls the client, and makes no calls.

/** How TypeScript resolves types where ES modules are not available. */
const WITHOUT_MODULES = ["node10", "node16-cjs"];

// `npm test` builds first; a single test may run without a build.
needs("npm run build", existsSync(join(ROOT, "dist/client/index.js"))).describe(
  "the package of the client",
  () => {
    let folder: string;
    let tarball: Uint8Array<ArrayBuffer>;
    /** path of the unpacked package in a website */
    let home: string;
    beforeAll(async () => {
      folder = newFolder("client-package-");
      tarball = new Uint8Array(await tarGz(clientPackage(VERSION)));
      const archive = join(folder, "client.tgz");
      writeFileSync(archive, tarball);
      home = join(folder, "node_modules/bedrock-web-bridge-client");
      mkdirSync(home, { recursive: true });
      execFileSync("tar", ["-xf", archive, "-C", home, "--strip-components=1"]);
      writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    const compile = (name: string, code: string, options: object): string => {
      writeFileSync(join(folder, `${name}.ts`), code);
      const compilerOptions = {
        strict: true,
        noEmit: true,
        target: "es2022",
        lib: ["es2022"],
        types: [],
        ...options,
      };
      const config = join(folder, `${name}.json`);
      writeFileSync(config, JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
      try {
        return execFileSync(process.execPath, [TSC, "-p", config], { encoding: "utf8", stdio: "pipe" });
      } catch (error) {
        return String((error as { stdout: string }).stdout);
      }
    };

    it("has the built files, a README, the licence, and no dependencies", () => {
      const names = clientPackage(VERSION).map(({ path }) => path);
      expect(names).toEqual(
        expect.arrayContaining(
          ["README.md", "LICENSE", "package.json", "index.js", "index.d.ts"].map(name => `package/${name}`),
        ),
      );
      for (const name of names)
        expect(name).toMatch(/^package\/(README\.md|LICENSE|package\.json|index\.js|[\w-]+\.d\.ts)$/);
      const manifest = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
      expect(manifest).toMatchObject({ name: "bedrock-web-bridge-client", version: VERSION, type: "module" });
      for (const key of ["dependencies", "peerDependencies", "optionalDependencies", "scripts"])
        expect(manifest).not.toHaveProperty(key);
      expect(readFileSync(join(home, "README.md"), "utf8")).toContain(
        `bedrock-web-bridge-client-${VERSION}.tgz`,
      );
    });

    it("passes publint without a message", async () => {
      const { messages } = await publint({ pack: { tarball: tarball.buffer }, strict: true });
      expect(messages).toEqual([]);
    });

    it("has correct types everywhere that ES modules can be imported", async () => {
      const checked = await checkPackage(createPackageFromTarballData(tarball));
      const problems = checked.types === false ? ["no types"] : checked.problems;
      const isOther = (problem: unknown): boolean =>
        typeof problem === "object" &&
        problem !== null &&
        "resolutionKind" in problem &&
        WITHOUT_MODULES.includes(String(problem.resolutionKind));
      expect(problems.filter(problem => !isOther(problem))).toEqual([]);
    });

    it("can be imported by its name", () => {
      const code =
        'const all = await import("bedrock-web-bridge-client"); console.log(Object.keys(all).sort().join())';
      const printed = execFileSync(process.execPath, ["--input-type=module", "-e", code], {
        cwd: folder,
        encoding: "utf8",
      });
      expect(printed.trim()).toBe(
        "ERROR_CODES,STORED_EVENTS,createChat,createClient,createConversation,createEvents,isSurelyFromWeb,link,segments",
      );
    });

    it("can be used by a program that is not an ES module", () => {
      const code =
        'const { createClient } = require("bedrock-web-bridge-client"); console.log(typeof createClient)';
      const printed = execFileSync(process.execPath, ["--input-type=commonjs", "-e", code], {
        cwd: folder,
        encoding: "utf8",
        stdio: "pipe",
      });
      expect(printed.trim()).toBe("function");
    });

    const README = readFileSync(join(ROOT, "client/README.md"), "utf8");
    const example = /```ts\n(.*?)```/s.exec(README)?.[1] ?? "";

    it.each(["nodenext", "bundler"])(
      "has types that need neither those of browsers nor those of Node (%s)",
      moduleResolution => {
        const module = moduleResolution === "bundler" ? "esnext" : "nodenext";
        const options = { module, moduleResolution, skipLibCheck: false, exactOptionalPropertyTypes: true };
        expect(compile(`plain-${moduleResolution}`, example, options)).toBe("");
      },
    );

    it("accepts browser objects if their types are present", () => {
      const code = `import { createClient, createEvents } from "bedrock-web-bridge-client";
      const client = createClient({ fetch: (url, init) => fetch(url, { ...init, cache: "no-cache" }) });
      const ending = new AbortController();
      await client.status({ signal: ending.signal });
      createEvents({ fetch, onEvent: ({ at }) => at.toFixed() });
      const own = async (_url: string, _init: RequestInit): Promise<Response> => new Response("[]");
      createClient({ fetch: own, base: location.href });`;
      const options = { module: "nodenext", lib: ["es2022", "dom"], skipLibCheck: false };
      expect(compile("browser", code, options)).toBe("");
    });

    it("accepts Node objects if their types are present", () => {
      const code = `import { createClient } from "bedrock-web-bridge-client";
      const client = createClient({ base: "http://localhost:8080", fetch: (url, init) => fetch(url, init) });
      await client.players({ signal: AbortSignal.timeout(1_000), timeoutMs: 500 });`;
      const typeRoots = [join(ROOT, "node_modules/@types")];
      expect(
        compile("node", code, { module: "nodenext", types: ["node"], typeRoots, skipLibCheck: true }),
      ).toBe("");
    });
  },
);
