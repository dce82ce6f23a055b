import { describe, expect, it } from "@jest/globals";
import { NEWEST_TESTED } from "../../bds/game-version.ts";
import { code, prose, table, text } from "./pages.ts";

const PAGE = "docs/after-an-update.md";
const newest = NEWEST_TESTED.join(".");
const oldest: string = JSON.parse(text("manifest.json")).header.min_engine_version.join(".");

describe("the games that this build supports", () => {
  it("are the oldest that the pack accepts and the newest tested one, on every page that names them", () => {
    expect(prose(PAGE).replaceAll("\n", " ")).toContain(
      `This build needs game ${oldest} or later, and was tested with games up to ${newest}.`,
    );
    for (const page of ["README.md", "docs/install-by-hand.md"])
      expect(text(page)).toContain(`You need Bedrock Dedicated Server ${oldest} or later`);
    expect(text("README.md")).toContain(`up to ${newest}`);
  });
});

describe("the versions of the modules", () => {
  const rows = table(PAGE, "modules").map(([games = "", ...numbers]) => {
    const [first = "", last = first] = games.split(" to ");
    return { first, last, numbers: numbers.map(cell => code(cell)[0]) };
  });
  /** 1.26.51 as 1026051, so that versions can be compared. */
  const order = (game: string): number => game.split(".").reduce((all, part) => all * 1000 + Number(part), 0);
  const numbersOf = (game: string): (string | undefined)[] | undefined =>
    rows.find(({ first, last }) => order(game) >= order(first) && order(game) <= order(last))?.numbers;

  it("are those of the types that the pack is checked against, for each game", () => {
    const { devDependencies } = JSON.parse(text("package.json"));
    const types = Object.entries<string>(devDependencies).flatMap(([name, version]) => {
      const [, number, game] = /(?:^|@)([\d.]+-beta)\.([\d.]+)-\w+/.exec(version) ?? [];
      const column = name.startsWith("@minecraft/server-ui") ? 1 : 0;
      const isNumbered = /^@minecraft\/server(?!-net|-admin|-gametest)/.test(name) && game !== undefined;
      return isNumbered ? [{ game, column, number }] : [];
    });
    expect(types.length).toBeGreaterThan(3);
    for (const { game = "", column, number } of types)
      expect([game, numbersOf(game)?.[column]]).toEqual([game, number]);
  });

  it("are those that the pack that keeps achievements asks for, on the page and in its manifest", () => {
    const [, server, ui] = /asks for `server` ([\d.]+) and\s`server-ui` ([\d.]+),/.exec(prose(PAGE)) ?? [];
    expect(text("scripts/build/packs.mjs")).toContain(
      `{ "@minecraft/server": "${server}", "@minecraft/server-ui": "${ui}" }`,
    );
  });

  it("are listed for the oldest and the newest game, and equal everywhere if a number never changed", () => {
    expect(numbersOf(oldest)).toBe(rows[0]?.numbers);
    expect(numbersOf(newest)).toBe(rows.at(-1)?.numbers);
    for (const { numbers } of rows)
      expect(text("bds/module-versions.ts")).toContain(`UNNUMBERED_VERSION = "${numbers[2]}"`);
  });
});
