import { expect, it } from "@jest/globals";
import { ACCEPT } from "../helpers/browser.ts";
import { eventually } from "../helpers/runner.ts";
import { answer, ask, asked, openLinking } from "./linking.ts";
import { sees, violations } from "./page.ts";
import { inBrowser } from "./stage.ts";
import { stage, stagesOfSuite } from "./suite.ts";

inBrowser.describe("linking in the console", () => {
  const onStage = stagesOfSuite();

  it("shows whom it is linked to since when in a browser that did not see it, also while they are offline", async () => {
    const page = await openLinking(await onStage(["Steve"]));
    await ask(page, "Steve");
    await asked(stage, "Steve");
    await page.goto("about:blank");
    await answer(stage, "Steve", ACCEPT);
    const other = await stage.page("#you", {}, page);
    await sees(other, "This browser is linked to Steve.");
    await sees(other, "Linked since");
    stage.bridge.player("Steve").leave();
    await sees(other, "The player is not online at the moment.");
    expect(await other.locator(".player-card .name").textContent()).toBe("Steve");
    expect(await other.locator(".player-card dt").allTextContents()).toEqual(["Linked since"]);
    expect(await violations(other, "link-card-offline")).toEqual([]);
  });

  it("lets go of the card where the link is ended in another tab, without taking the focus away", async () => {
    const one = await openLinking(await onStage(["Steve"]));
    await ask(one, "Steve");
    await answer(stage, "Steve", ACCEPT);
    await sees(one, "This browser is linked to Steve.");
    const other = await stage.page("#you", {}, one);
    await sees(other, "This browser is linked to Steve.");
    await other.getByLabel("Message").focus();
    await one.getByRole("button", { name: "Unlink this browser" }).click();
    await other.getByLabel("Player name").waitFor();
    expect(await other.evaluate("document.activeElement.id")).toBe("say");
  });

  it("says to accept nothing where another session that begins alike asks the same player, to whoever asked first", async () => {
    const page = await openLinking(await onStage(["Steve"]));
    await ask(page, "Steve");
    await asked(stage, "Steve");
    const [cookie] = await page.context().cookies();
    const code = cookie?.value.slice(0, 8) ?? "";
    await sees(page, code);
    const alike = `${cookie?.name}=${code}-0000-4000-8000-000000000000`;
    const other = await stage.bridge.ask("/link-player", { cookie: alike, body: { username: "Steve" } });
    expect(other.status).toBe(429);
    await sees(page, new RegExp(`^Do not accept! Another browser, which the game would call ${code} too`));
    await eventually(() => expect(stage.bridge.player("Steve").form).toBeFalsy());
    expect(await violations(page, "link-alike")).toEqual([]);
    await page.reload();
    await sees(page, /^Do not accept!/);
  });

  it("says so to whoever asked after the other one", async () => {
    const page = await openLinking(await onStage(["Steve"]));
    const [cookie] = await page.context().cookies();
    const alike = `${cookie?.name}=${cookie?.value.slice(0, 8)}-0000-4000-8000-000000000000`;
    const other = await stage.bridge.ask("/link-player", { cookie: alike, body: { username: "Steve" } });
    expect(other.status).toBe(202);
    await asked(stage, "Steve");
    await ask(page, "Steve");
    await sees(page, /^Do not accept!/);
    await eventually(() => expect(stage.bridge.player("Steve").form).toBeFalsy());
  });

  it("goes on after the player has closed the form, and after they have left and come back", async () => {
    const page = await openLinking(await onStage(["Steve"]));
    await ask(page, "Steve");
    await asked(stage, "Steve");
    stage.bridge.player("Steve").closeForm();
    await asked(stage, "Steve");
    await sees(page, "left to answer");
    stage.bridge.player("Steve").leave();
    stage.bridge.join("Steve");
    await answer(stage, "Steve", ACCEPT);
    await sees(page, "This browser is linked to Steve.");
    stage.bridge.player("Steve").leave();
    await sees(page, "The player is not online at the moment.");
  });

  it("asks another player while a link is there, which replaces it", async () => {
    const page = await openLinking(await onStage(["Steve", "Alex"]));
    await ask(page, "Steve");
    await answer(stage, "Steve", ACCEPT);
    await page.getByRole("button", { name: "Ask another player" }).click();
    await sees(page, "the present link ends");
    await eventually(async () => expect(await page.evaluate("document.activeElement.id")).toBe("player"));
    expect(await violations(page, "link-another")).toEqual([]);
    await ask(page, "Alex");
    await answer(stage, "Alex", ACCEPT);
    await sees(page, "This browser is linked to Alex.");
    expect(await page.getByLabel("Player name").count()).toBe(0);
  });

  it("shows the link of one tab in the other, which cannot ask a second time", async () => {
    const one = await openLinking(await onStage(["Steve"]));
    const other = await stage.page("#you", {}, one);
    await sees(other, "Not linked");
    // The other tab has not heard yet.
    const headers = { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" };
    const before = { headers, body: '{"status":"not_linked"}' };
    await other.route("**/linked-player", route => route.fulfill(before));
    await ask(one, "Steve");
    await asked(stage, "Steve");
    await ask(other, "Steve");
    await sees(other, "A request of this browser is open already.");
    await other.unroute("**/linked-player");
    await sees(other, "left to answer");
    await answer(stage, "Steve", ACCEPT);
    await sees(one, "This browser is linked to Steve.");
    await sees(other, "This browser is linked to Steve.");
  });

  it("says that too many requests came, and when to come back", async () => {
    const page = await openLinking(
      await onStage(["Steve"], {
        yaml: "modules: {api: {limits: {link-requests-per-minute: 1}}}",
      }),
    );
    await ask(page, "Nobody");
    await sees(page, "Nobody called “Nobody” is online.");
    await ask(page, "Steve");
    await sees(page, /^Too many requests\. Try again in \d+ seconds\.$/);
    expect(await violations(page, "link-too-many")).toEqual([]);
  });
});
