import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "@jest/globals";
import { ROOT, TSC } from "../scripts/paths.mjs";
import { newFolder } from "../test/helpers/folder.ts";
import { needs } from "../test/helpers/needs.ts";

const BUNDLE = join(ROOT, "dist/client/index.js");

// `npm test` builds first; a single test may run without a build.
needs("npm run build", existsSync(BUNDLE)).describe("the bundle of the client", () => {
  it("has at most 6 KB when it is compressed, and imports nothing", () => {
    expect(readFileSync(BUNDLE, "utf8")).not.toMatch(/\bimport\b|\brequire\b/);
    expect(gzipSync(readFileSync(BUNDLE)).length).toBeLessThanOrEqual(6 * 1024);
  });

  it("adds at most 2.3 KB to the bundle of a website without chat, and 4.8 KB to one with chat", () => {
    // In a separate process: the globals of a test are not those that esbuild expects.
    const program = `
      import { build } from "esbuild";
      const used = ["createClient", "createClient, createChat, createEvents, segments, isSurelyFromWeb"];
      const bundles = used.map(async names => {
        const stdin = { contents: \`export { \${names} } from "./index.js";\`, resolveDir: ${JSON.stringify(dirname(BUNDLE))} };
        const { outputFiles } = await build({ stdin, bundle: true, minify: true, format: "esm", write: false });
        return outputFiles[0].text;
      });
      process.stdout.write(JSON.stringify(await Promise.all(bundles)));`;
    const args = ["--input-type=module", "-e", program];
    const bundled: string[] = JSON.parse(
      execFileSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" }),
    );
    const sizes = bundled.map(text => gzipSync(text).length / 1024);
    for (const [place, most] of [2.3, 4.8].entries()) expect(sizes[place]).toBeLessThanOrEqual(most);
  });

  it("is imported by the name of the package", async () => {
    const name = "bedrock-web-bridge/client";
    const client: Record<string, unknown> = await import(name);
    expect(Object.keys(client).sort()).toEqual([
      "ERROR_CODES",
      "STORED_EVENTS",
      "createChat",
      "createClient",
      "createConversation",
      "createEvents",
      "isSurelyFromWeb",
      "link",
      "segments",
    ]);
  });

  it("includes types for browsers and Node, with the declared type of each message", () => {
    const text = readFileSync(join(ROOT, "client/types.ts"), "utf8");
    const names = [...text.matchAll(/^export type \{([^}]*)\} from "\.\.\/shared/gm)].flatMap(
      ([, inner = ""]) => inner.match(/\w+/g) ?? [],
    );
    expect(names).toEqual(expect.arrayContaining(["Metrics", "FeedEvent", "SessionData", "ServiceSettings"]));
    const same = names.map(name => `export const ${name}: Same<built.${name}, source.${name}> = true;`);
    const use = `import type * as built from "bedrock-web-bridge/client";
      import { createClient, segments } from "bedrock-web-bridge/client";
      import type * as source from ${JSON.stringify(join(ROOT, "client/index.ts"))};
      type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
      const answer = await createClient().status();
      export const tps: number = answer.ok ? answer.value.tps : answer.status;
      export const colour: string | undefined = segments("x")[0]?.colour;
      ${same.join("\n")}`;
    const folder = newFolder("client-types-");
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(ROOT, join(folder, "node_modules/bedrock-web-bridge"), "junction");
    writeFileSync(join(folder, "use.ts"), use);
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    const compilerOptions = {
      ...{
        strict: true,
        noEmit: true,
        module: "nodenext",
        target: "es2022",
        lib: ["es2022", "dom"],
        types: [],
      },
      ...{ allowImportingTsExtensions: true, exactOptionalPropertyTypes: true },
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["use.ts"] }));
    const { stdout } = spawnSync(process.execPath, [TSC, "-p", folder], { encoding: "utf8" });
    expect(stdout).toBe("");
  });
});
