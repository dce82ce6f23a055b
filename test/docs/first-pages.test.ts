import { describe, expect, it } from "@jest/globals";
import { pageFor } from "../../scripts/package.mjs";
import { defaultConfigFile } from "../../sidecar/config/default-file.ts";
import { SIDECAR, VERSION } from "../package/packages.ts";
import { configLines, yamlOf } from "./config-lines.ts";
import { archives, RELEASES, text } from "./pages.ts";

// Blocks of docs/before-others-can-reach-it.md: before-others-can-reach-it sh

const INSTALL = "docs/install.md";
const REACH = "docs/before-others-can-reach-it.md";

describe("the first pages for an owner", () => {
  it("name the packed archives", () => {
    const withNode = ["linux-arm64.tar.gz", "linux-x64.tar.gz", "win32-x64.zip"];
    expect(archives(VERSION).sort()).toEqual([
      SIDECAR,
      ...withNode.map(name => SIDECAR.replace("any.tar.gz", name)),
    ]);
    expect(text(INSTALL)).toContain(`**Download the sidecar** from the [release page](${RELEASES})`);
    expect(pageFor(text(INSTALL), INSTALL, () => false)).not.toContain(RELEASES);
  });

  it("lose links to what an archive does not have, and rows that are only about it", () => {
    const rows = ["| a | [A](a.md) |", "| b | [B](b.md#c) |", "| c | see [B](b.md) or [A](a.md) |"];
    expect(pageFor(`${rows.join("\n")}\n`, "docs/x.md", to => to === "docs/a.md")).toBe(
      "| a | [A](a.md) |\n| c | see B or [A](a.md) |\n",
    );
  });

  it("show commands that change settings from their defaults, and are named below", () => {
    const lines = configLines(REACH, "before-others-can-reach-it");
    const [is, was] = [yamlOf(lines), defaultConfigFile()].map(yaml => yaml.split("\n"));
    expect(is?.filter((line, i) => line !== was?.[i]).map(line => line.trim())).toEqual([
      'host: "127.0.0.1"',
      "web: linked",
      "keep: 0",
    ]);
    for (const row of ["`host 127.0.0.1`", "`chat.web linked`", "`events.keep 0`"])
      expect(text(REACH)).toContain(`| ${row} |`);
    expect(text(REACH)).toMatch(/`read-only`: nobody; `off`: /);
  });
});
