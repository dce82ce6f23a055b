import { expect, it } from "@jest/globals";
import { createTexts } from "./texts.ts";

it("[SESSION-14] keeps its texts when an answer has only their id, and takes those with another one", () => {
  const texts = createTexts();
  const shown = (): string => texts.text("en_US", "api.link-accept");
  const answer = { texts: { "api.link-accept": "Accept" }, languages: [], textsId: "a" };
  expect(texts.id()).toBeUndefined();
  texts.update(answer);
  texts.update({ ...answer, texts: {} });
  expect([shown(), texts.id()]).toEqual(["Accept", "a"]);
  texts.update({ texts: { "api.link-accept": "Yes" }, languages: [], textsId: "b" });
  expect([shown(), texts.id()]).toEqual(["Yes", "b"]);
});
