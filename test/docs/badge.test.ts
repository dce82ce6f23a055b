import { expect, it } from "@jest/globals";
import { blocks } from "./pages.ts";

// Blocks of docs/configuration.md: a-badge markdown, a-badge html

const SHOWN = "https://bridge.example.com/";
const shown = (language: string): string =>
  blocks("docs/configuration.md", language).find(({ heading }) => heading === "a-badge")?.text ?? "";

it("the Markdown of the badge is a picture that leads to the page, the same as the line for pages", () => {
  const [, text, image, link] = /^\[!\[(.+)\]\((.+)\)\]\((.+)\)$/.exec(shown("markdown")) ?? [];
  expect([image, link]).toEqual([`${SHOWN}badge.svg`, SHOWN]);
  expect(shown("html")).toBe(`<a href="${link}"><img src="${image}" alt="${text}" height="20"></a>`);
});
