import { expect, it } from "@jest/globals";
import { createTestApp } from "../../../test/helpers/test-app.ts";

it("a mute leaves who may write as each sidecar on one storage is configured", async () => {
  const first = await createTestApp({ yaml: "modules.api.chat.web: everybody" });
  const { webChat: store } = first.stores;
  await first.webChat.mute("kxwtmhzr", 60_000);
  const second = await createTestApp({
    clock: first.clock,
    yaml: "modules.api.chat.web: linked",
    stores: () => ({ webChat: store }),
  });
  expect([first.webChat.mode(), second.webChat.mode()]).toEqual(["everybody", "linked"]);
  expect(second.webChat.allows(["kxwtmhzr"], true)).toBe(false);
  expect([second.webChat.allows(["pqrstvwx"], true), second.webChat.allows(["pqrstvwx"], false)]).toEqual([
    true,
    false,
  ]);
});
