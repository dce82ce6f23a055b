import { expect, it } from "@jest/globals";
import { takeBreaches } from "../../test/helpers/breaches.ts";
import { inBrowser, Stage } from "./stage.ts";
import { browserOfSuite } from "./suite.ts";

// Own connections: has a page ask for what is not described.

inBrowser.describe("the contract check of pages", () => {
  const browser = browserOfSuite();

  it("finds responses that are not described", async () => {
    const stage = await Stage.open(browser());
    const page = await stage.page();
    const json = {
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": "no-store",
      "X-Request-Id": "one",
    };
    await page.route("**/healthz", route => route.fulfill({ headers: json, body: '{"status":"fine"}' }));
    await page.route("**/players", route => route.fulfill({ status: 418 }));
    await page.evaluate(
      'Promise.all(["/healthz", "/players"].map(path => fetch(path).then(answer => answer.text())))',
    );
    await stage.close();
    const breaches = takeBreaches().join("\n");
    expect(breaches).toMatch(/^GET \/healthz: 200: .*"fine"/m);
    expect(breaches).toMatch(/^GET \/players: 418 is not described/m);
  });
});
