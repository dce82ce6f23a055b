import { expect, it } from "@jest/globals";
import { ACCEPT, DECLINE } from "../helpers/browser.ts";
import { eventually } from "../helpers/runner.ts";
import { answer, ask, asked, openLinking } from "./linking.ts";
import { sees, violations } from "./page.ts";
import { inBrowser } from "./stage.ts";
import { stage, stagesOfSuite } from "./suite.ts";

const SHORT = { yaml: "modules: {api: {verification-timeout: 5s}}" };
/** Notes all that a request says of its time. */
const TIMES = `{
  window.times = new Set();
  new MutationObserver(() => {
    const said = document.querySelector(".pending p:nth-of-type(3)");
    if (said) window.times.add(said.textContent);
    window.wholeMs ??= said?.querySelector("progress")?.max;
  }).observe(document, { subtree: true, childList: true, characterData: true });
}`;

inBrowser.describe("linking in the console", () => {
  const onStage = stagesOfSuite();

  it("says that the player declined, or let the time run out, and asks again", async () => {
    const page = await openLinking(await onStage(["Steve"], SHORT));
    await ask(page, "Steve");
    await answer(stage, "Steve", DECLINE);
    await sees(page, "The player declined");
    expect(await violations(page, "link-declined")).toEqual([]);
    await page.evaluate(TIMES);
    await ask(page, "Steve");
    await sees(page, "left to answer");
    await sees(page, "The player declined");
    const times = await page.evaluate<string[]>("[...window.times]");
    for (const time of times) expect(time).toMatch(/^0:0[0-5] left to answer$/);
    expect(times).toEqual([...times].sort().reverse());
    expect(await page.evaluate("window.wholeMs")).toBe(5_000);
    await ask(page, "Steve");
    await answer(stage, "Steve", ACCEPT);
    await sees(page, "This browser is linked to Steve.");
  });

  it("says that the game server is away, also while a player is being asked", async () => {
    const page = await openLinking(await onStage(["Steve"]));
    await stage.pause();
    await stage.bridge.stopGame("kill");
    stage.bridge.clock.advance(30_000);
    stage.run();
    await sees(page, "The game server is away");
    await ask(page, "Steve");
    await sees(page, /^The game server is away\. Try again in \d+ seconds?\.$/);
    expect(await violations(page, "link-away")).toEqual([]);
    await stage.pause();
    await stage.bridge.startGame();
    await stage.bridge.enter("Steve");
    stage.run();
    await ask(page, "Steve");
    await sees(page, "Steve sees a question in the game now.");
    await stage.pause();
    await stage.bridge.stopGame();
    stage.bridge.clock.advance(30_000);
    stage.run();
    await sees(page, "The player is asked as soon as the game server is back.");
    await stage.pause();
    await stage.bridge.startGame();
    await stage.bridge.enter("Steve");
    stage.run();
    await answer(stage, "Steve", ACCEPT);
    await sees(page, "This browser is linked to Steve.");
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
});
