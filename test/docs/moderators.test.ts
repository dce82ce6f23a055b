import { expect, it } from "@jest/globals";
import { MODERATOR_SCOPES } from "../../shared/public/words.ts";
import { readConfig } from "../../sidecar/config/read.ts";
import { blocks } from "./pages.ts";

// Blocks of docs/keys.md: moderators-without-a-key yaml

it("the page about keys shows moderators in a form that the configuration accepts, with every scope that they can have", () => {
  const [example] = blocks("docs/keys.md", "yaml").map(({ text }) => readConfig(text, {}, "/nowhere"));
  expect(example).toMatchObject({ warnings: [] });
  const [moderator] = (example && "config" in example && example.config.modules.api.moderators) || [];
  expect(new Set(moderator?.scopes)).toEqual(new Set(MODERATOR_SCOPES));
});
