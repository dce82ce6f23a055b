import { posix } from "node:path";
import { expect, it } from "@jest/globals";
import { sidecarFiles } from "../../scripts/package.mjs";
import { needs } from "../helpers/needs.ts";
import { IS_BUILT, VERSION } from "../package/packages.ts";

/** A path of the archive or the repository, as pages write it in backticks. What an owner adds to a recipe is in neither. */
const PATH =
  /^(?:behavior_pack|deploy|dist|docs|lab|owner|scripts|shared|sidecar|test|web)\/(?!.*\.env$)[\w./-]+$/;

needs("npm run build", IS_BUILT).describe("the pages of the archive", () => {
  const files = new Map(
    (IS_BUILT ? sidecarFiles(VERSION) : []).map(({ path, content }) => [
      posix.relative("web-bridge", path),
      `${content}`,
    ]),
  );
  const pages = [...files].filter(([path]) => /\.(md|txt)$/.test(path));
  const folders = new Set([...files.keys()].flatMap(path => [posix.dirname(path), path]));
  const isThere = (path: string): boolean =>
    [...folders].some(name => name === path || name.startsWith(`${path.replace(/\/$/, "")}/`));

  it("name only files and folders that are in it", () => {
    expect(pages.length).toBeGreaterThan(20);
    for (const [page, text] of pages) {
      for (const [, path = ""] of text.matchAll(/`([^`\n]+)`/g))
        if (PATH.test(path)) expect([page, path, isThere(path)]).toEqual([page, path, true]);
      expect([page, /CONTRIBUTING|FIDELITY/.exec(text)?.[0]]).toEqual([page, undefined]);
    }
  });

  it("name only commands that run there", () => {
    const { scripts } = JSON.parse(files.get("package.json") ?? "{}");
    for (const [page, text] of pages)
      for (const [command, run, own] of text.matchAll(/npm (?:run ([\w:-]+)|(test|start)\b)/g))
        expect([page, command, Object.keys(scripts)]).toEqual([
          page,
          command,
          expect.arrayContaining([run ?? own]),
        ]);
  });

  it("name only commands of web-bridge", () => {
    const named = pages.flatMap(([page, text]) =>
      [...text.matchAll(/web-bridge(?:\.cmd)? (\w+) --/g)].map(([, name = ""]) => [page, name]),
    );
    expect(named.length).toBeGreaterThan(20);
    const dispatcher = files.get("dist/web-bridge.js") ?? "";
    for (const [page, name] of named)
      expect([page, name, dispatcher.includes(`\n  ${name}: "`)]).toEqual([page, name, true]);
  });

  it("link only to files in it", () => {
    for (const [page, text] of pages)
      for (const [link, to = ""] of text.matchAll(/\]\((?![a-z]+:|#)([^)#]+)/g)) {
        const path = posix.join(posix.dirname(page), to);
        expect([page, link, isThere(path)]).toEqual([page, link, true]);
      }
  });
});
