import { expect, it } from "@jest/globals";
import { eventually } from "../helpers/runner.ts";
import { sees } from "./page.ts";
import { inBrowser } from "./stage.ts";
import { stage, stagesOfSuite } from "./suite.ts";

// Own connections: passes on what the page asks, without its cookies; the page is watched.

inBrowser.describe("the start of the console", () => {
  const onStage = stagesOfSuite();

  it("goes on in a browser that keeps nothing", async () => {
    const page = await (await onStage(["Steve"])).page();
    await page.addInitScript(`for (const name of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } })`);
    await page.reload();
    await sees(page, "20.0");
    await sees(page, "Connected");
    await page.getByLabel("Message").fill("hello");
    await page.keyboard.press("Enter");
    await sees(page, "You: hello");
    await page.getByLabel("Language").selectOption({ label: "Deutsch" });
    await sees(page, "Ticks pro Sekunde");
  });

  it("connects the chat once where the browser keeps no cookie, and says why linking cannot be", async () => {
    const page = await (await onStage(["Steve"])).page();
    for (const path of ["initialize", "linked-player"])
      await page.route(`**/${path}`, async route => {
        const answer = await fetch(route.request().url());
        await route.fulfill({
          status: answer.status,
          body: await answer.text(),
          headers: {
            "Content-Type": answer.headers.get("Content-Type") ?? "",
            "Cache-Control": "no-store",
          },
        });
      });
    await page.goto("about:blank");
    let sockets = 0;
    page.on("websocket", () => sockets++);
    const asked: string[] = [];
    page.on("request", request => asked.push(new URL(request.url()).pathname));
    await page.goto(`${stage.bridge.base}/#you`);
    await sees(page, /^This browser does not keep the cookie that linking needs\./);
    while (asked.filter(path => path === "/linked-player").length < 4)
      await page.waitForRequest("**/linked-player");
    await eventually(() => expect(sockets).toBe(1));
    expect(asked.filter(path => path === "/initialize").length).toBeLessThan(3);
  });
});
