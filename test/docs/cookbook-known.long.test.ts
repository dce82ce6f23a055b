import { expect, it } from "@jest/globals";
import { eventually } from "../helpers/runner.ts";
import { sees, violations } from "../web/page.ts";
import { inBrowser } from "../web/stage.ts";
import { DARK_PHONE, siteOfSuite } from "./cookbook-site.ts";

const FOR_ALL = "modules: {api: {known-players: {show: everybody}}}";

inBrowser.describe("who has been here, on another origin", () => {
  const site = siteOfSuite();

  it("is shown by who was seen last, a page at a time", async () => {
    const players = Array.from({ length: 22 }, (_, i) => `Visitor${i}`);
    const page = await site.open("seen-lately", players, { yaml: FOR_ALL });
    await sees(page, "In all 22 have been here");
    expect(await page.getByRole("listitem").count()).toBe(20);
    expect(await page.getByText("online", { exact: true }).count()).toBe(20);
    expect(await violations(page, "seen-lately")).toEqual([]);
    await page.getByRole("button", { name: "Show more" }).click();
    await eventually(async () => expect(await page.getByRole("listitem").count()).toBe(22));
    expect(await page.getByRole("button").count()).toBe(0);
  });

  it("is shown with bars in a hall of fame, in the order that is chosen", async () => {
    const page = await site.open("hall-of-fame", ["Steve", "Alex"], { yaml: FOR_ALL, page: DARK_PHONE });
    await page.getByLabel("Most").selectOption("visits");
    await sees(page, "In all 2 have been here");
    // Both came once, and share a rank.
    expect(await page.getByText("1.", { exact: true }).count()).toBe(2);
    expect(await site.now.width()).toBe(360);
    expect(await violations(page, "hall-of-fame-dark-phone")).toEqual([]);
    await page.getByLabel("Most").selectOption("kills");
    await sees(page, "Nobody yet.");
  });

  it.each(["seen-lately", "hall-of-fame"])(
    "is kept for keys where nothing else is set: %s says so",
    async name => {
      const page = await site.open(name, ["Steve"]);
      site.now.expected = /401/;
      await sees(page, "This server does not show who has been here.");
      expect(await page.getByText("Steve").count()).toBe(0);
    },
  );

  it.each(["seen-lately", "hall-of-fame"])("cannot be read without the service: %s says so", async name => {
    const page = await site.open(name, ["Steve"], { yaml: FOR_ALL });
    await sees(page, /^(In all 1 have been here|Nobody yet\.)$/);
    await site.now.serviceStops();
    await page.reload();
    await sees(page, "The service cannot be reached.");
  });
});
