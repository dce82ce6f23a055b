import { readdirSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { PRODUCT_VERSION } from "../../shared/version.ts";
import { anchors, blocks, exists, links, PAGES, prose, text } from "./pages.ts";
import { SHOWN_API } from "./website.ts";

describe.each(PAGES)("%s", page => {
  it("links to existing files and headings", () => {
    for (const { path, anchor } of links(page)) {
      expect([path, exists(path)]).toEqual([path, true]);
      if (anchor !== undefined)
        expect([path, anchors(path)]).toEqual([path, expect.arrayContaining([anchor])]);
    }
  });

  it("names existing files and folders of the repository", () => {
    // Files that an owner writes beside a recipe do not exist here.
    const folders =
      /^(behavior_pack|cli|client|deploy|docs|lab|languages|owner|resource_pack|scripts|shared|sidecar|test|web)\/(?!.*\.env$)[\w./-]+$/;
    const named = [...prose(page).matchAll(/`([^`\n]+)`/g)].map(([, inner]) => inner ?? "");
    for (const path of named.filter(name => folders.test(name)))
      expect([path, exists(path)]).toEqual([path, true]);
  });

  it("names existing npm scripts", () => {
    const { scripts } = JSON.parse(text("package.json"));
    const named = [...text(page).matchAll(/npm (?:run ([\w:-]+)|(test|start)\b)/g)];
    for (const [, run, own] of named) expect(Object.keys(scripts)).toContain(run ?? own);
  });

  it("has lines within the limit, and closed blocks", () => {
    expect(blocks(page).filter(({ language }) => language === "")).toEqual([]);
    const long = prose(page)
      .split("\n")
      .filter(line => line.length > 132 && !/^ *[|!]/.test(line));
    expect(long).toEqual([]);
  });
});

describe("the pictures", () => {
  const files = readdirSync(new URL("../../docs/", import.meta.url)).filter(name => name.endsWith(".svg"));

  it.each(files)("%s has a text alternative, and adapts to light and dark by itself", file => {
    const picture = text(`docs/${file}`);
    expect(picture).toMatch(/<title id="title">.+<\/title>\s+<desc id="about">.+<\/desc>/);
    expect(picture).toContain("prefers-color-scheme: dark");
    expect(picture.replace('xmlns="http://www.w3.org/2000/svg"', "")).not.toMatch(
      /https?:|<script|<image|@import/,
    );
    const classes = [...picture.matchAll(/class="([\w-]+)"/g)].map(([, name]) => name);
    for (const name of new Set(classes)) expect(picture).toMatch(new RegExp(`\\.${name}\\b`));
  });
});

describe("the small print", () => {
  it("has the changes of this version in the changelog", () => {
    expect(text("CHANGELOG.md")).toContain(`\n## ${PRODUCT_VERSION}: `);
  });

  it("names the Node version of package.json", () => {
    const least = JSON.parse(text("package.json")).engines.node.replace(/^>=(\d+\.\d+).*$/, "$1");
    for (const page of ["docs/install.md", "CONTRIBUTING.md", "scripts/package/web-bridge"])
      expect(text(page)).toContain(`Node ${least} or later`);
    const others = [
      "deploy/docker/Dockerfile",
      "deploy/windows/install-service.ps1",
      "docs/cookbook/discord-bot.mjs",
    ];
    const files = ["web-bridge.cmd", "web-bridge"].map(name => `scripts/package/${name}`);
    for (const page of [...PAGES, ...others, ...files, "docs/cookbook/website-backend.mjs"])
      for (const [, named] of text(page).matchAll(/\bNode (\d+\.\d+)(?= or later)/g))
        expect([page, named]).toEqual([page, least]);
  });
});

describe("the files of the cookbook", () => {
  const files = readdirSync(new URL("../../docs/cookbook/", import.meta.url));

  it.each(files.filter(name => name.endsWith(".html")))(
    "%s is one short file that starts with the address of the service",
    name => {
      const page = text(`docs/cookbook/${name}`);
      expect(page.split("\n").length).toBeLessThan(200);
      const [, script = ""] = page.split('<script type="module">\n');
      expect(script.trimStart()).toMatch(`const api = "${SHOWN_API}"; // change this`);
      expect(page.split(SHOWN_API)).toHaveLength(2);
      expect(page).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write|X-Service-Api-Key|<link|src=/);
    },
  );
});
