import { expect, it } from "@jest/globals";
import { browsersOf, createTestApp, sessionOf } from "../../../test/helpers/test-app.ts";
import { leave, report, steve } from "../known-players/testing/known.ts";

const OWN = sessionOf(1);

it("a player who is not yet forgotten by every game server still has the name of the link", async () => {
  const app = await createTestApp({ players: ["Steve"], servers: ["lobby"] });
  await browsersOf(() => app).answered(true, OWN);
  await app.pack.report({ is: "forgot", player: steve().player });
  await leave(app.pack, steve());
  await report(app.pack);
  app.clock.advance(1_000);
  expect(await app.sites.linked(OWN)).toMatchObject({ name: "Steve" });
});
