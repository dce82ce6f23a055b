import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "@jest/globals";
import { ROOT, TSC } from "../../scripts/paths.mjs";
import { newFolder } from "../helpers/folder.ts";
import { needs } from "../helpers/runner.ts";

const BUNDLE = join(ROOT, "dist/client/index.js");

// `npm test` builds first; who runs a test by itself may not have built yet.
needs("npm run build", existsSync(BUNDLE)).describe("the bundle of the client", () => {
  it("has at most 6 KB when it is compressed", () => {
    expect(gzipSync(readFileSync(BUNDLE)).length).toBeLessThanOrEqual(6 * 1024);
  });

  it.each([
    [2.1, "createClient"],
    [4.6, "createClient, createChat, createEvents, segments, isSurelyFromWeb"],
  ])("has at most %d KB in a bundle of a website that imports %s", (most, names) => {
    // In a process of its own: the globals of a test are not those that esbuild expects.
    const program = `
      import { build } from "esbuild";
      const stdin = { contents: ${JSON.stringify(`export { ${names} } from "./index.js";`)}, resolveDir: ${JSON.stringify(dirname(BUNDLE))} };
      const { outputFiles } = await build({ stdin, bundle: true, minify: true, format: "esm", write: false });
      process.stdout.write(outputFiles[0].text);`;
    const args = ["--input-type=module", "-e", program];
    const bundled = execFileSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" });
    expect(gzipSync(bundled).length).toBeLessThanOrEqual(most * 1024);
  });

  it("imports nothing", () => {
    expect(readFileSync(BUNDLE, "utf8")).not.toMatch(/\bimport\b|\brequire\b/);
  });

  it("is imported by the name of the package", async () => {
    const name = "bedrock-web-bridge/client";
    const client: Record<string, unknown> = await import(name);
    expect(Object.keys(client).sort()).toEqual([
      "ERROR_CODES",
      "KEPT_EVENTS",
      "createChat",
      "createClient",
      "createConversation",
      "createEvents",
      "isSurelyFromWeb",
      "link",
      "segments",
    ]);
  });

  /** Compiles a file of a website that has the package, next to which `more` says how. */
  function compile(use: string, more: object = {}): void {
    const folder = newFolder("client-types-");
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(ROOT, join(folder, "node_modules/bedrock-web-bridge"), "junction");
    writeFileSync(join(folder, "use.ts"), use);
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    const compilerOptions = {
      strict: true,
      noEmit: true,
      module: "nodenext",
      target: "es2022",
      lib: ["es2022", "dom"],
      types: [],
      ...more,
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["use.ts"] }));
    try {
      execFileSync(process.execPath, [TSC, "-p", folder], { encoding: "utf8", stdio: "pipe" });
    } catch (error) {
      throw new Error((error as { stdout: string }).stdout);
    }
  }

  it("brings its types, for browsers as for Node", () => {
    compile(`import { createClient, segments } from "bedrock-web-bridge/client";
      const answer = await createClient().status();
      export const tps: number = answer.ok ? answer.value.tps : answer.status;
      export const colour: string | undefined = segments("x")[0]?.colour;`);
  });

  it("has for each message the type that is declared", () => {
    const text = readFileSync(join(ROOT, "client/types.ts"), "utf8");
    const names = [...text.matchAll(/^export type \{([^}]*)\} from "\.\.\/shared/gm)].flatMap(
      ([, inner = ""]) => inner.match(/\w+/g) ?? [],
    );
    expect(names).toEqual(expect.arrayContaining(["Metrics", "FeedEvent", "SessionData", "ServiceSettings"]));
    const same = names.map(name => `export const ${name}: Same<built.${name}, source.${name}> = true;`);
    const use = `import type * as built from "bedrock-web-bridge/client";
      import type * as source from ${JSON.stringify(join(ROOT, "client/index.ts"))};
      type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
      ${same.join("\n")}`;
    compile(use, { allowImportingTsExtensions: true, exactOptionalPropertyTypes: true });
  });
});
