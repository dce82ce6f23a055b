import { describe, expect, it } from "@jest/globals";
import { POLL_TIMEOUT_SECONDS } from "../../shared/limits.ts";
import { STATUS_PATH } from "../../shared/status.ts";
import { tokenFile } from "../../sidecar/config/token.ts";
import { configShown } from "../docs/config-lines.ts";
import { blocks, linesUnder } from "../docs/pages.ts";
import { recipe } from "../helpers/recipes.ts";

// Blocks of docs/remote-sidecar.md: the-sidecar-on-another-machine sh, the-sidecar-on-another-machine json
// Blocks of docs/remote-sidecar.md: the-sidecar-on-another-machine text

const PAGE = "docs/remote-sidecar.md";
const RECIPES = ["caddy/Caddyfile.remote", "nginx/web-bridge-remote.conf"];
const URL = "https://addon.example.com";

describe("the recipes for a sidecar on another machine", () => {
  it.each(RECIPES)("%s waits for an answer longer than the add-on", path => {
    const [, seconds] = /(?:proxy_read_timeout|response_header_timeout) (\d+)s/.exec(recipe(path)) ?? [];
    expect(Number(seconds)).toBeGreaterThan(POLL_TIMEOUT_SECONDS);
  });

  it.each(RECIPES)("%s is for the name and the paths on the page", path => {
    expect(recipe(path)).toMatch(/(^|server_name )addon\.example\.com/m);
    expect(STATUS_PATH).toMatch(/^\/bridge\//);
    expect(recipe(path)).toContain("/bridge/");
  });
});

describe("the page about a sidecar on another machine", () => {
  const lines = linesUnder(PAGE, "the-sidecar-on-another-machine", "sh");

  it("copies what setup has made to where the unit of systemd has it, closed to other users", () => {
    const home = /^StateDirectory=(.+)$/m.exec(recipe("systemd/web-bridge.service"))?.[1];
    const token = tokenFile(undefined);
    expect(lines.filter(line => /^(scp|sudo|rm) /.test(line))).toEqual([
      `scp config.yml data/${token} ubuntu@addon.example.com:`,
      `sudo install -D -m 600 config.yml /var/lib/${home}/config.yml`,
      `sudo install -D -m 600 ${token} /var/lib/${home}/data/${token}`,
      `rm config.yml ${token}`,
    ]);
  });

  it("closes the web console to the network", () => {
    expect(configShown(PAGE, "the-sidecar-on-another-machine").modules.api.host).toBe("127.0.0.1");
  });

  it("calls the address that setup gets, and shows what it answers and what the game says", () => {
    expect(lines).toContain(`curl ${URL}${STATUS_PATH}`);
    expect(lines.filter(line => / --bridge-url /.test(line))).toEqual([
      expect.stringMatching(/ --bridge-url https:\/\/addon\.example\.com$/),
    ]);
    expect(blocks(PAGE, "json").map(({ text }) => JSON.parse(text))).toEqual([{ error: "unauthorized" }]);
    expect(blocks(PAGE, "text").map(({ text }) => text)).toEqual([
      `[web bridge] connected to the sidecar at ${URL}`,
    ]);
  });
});
