import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "@jest/globals";

const page = new URL("../../lab/demo/page/", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, page), "utf8");

it("the colours of texts of the game are computed for the backgrounds that the style sheets have", () => {
  const styles = readdirSync(new URL("style/", page))
    .map(name => read(`style/${name}`))
    .join("");
  const backgrounds = ["chat.tsx", "form.tsx"].flatMap(file =>
    [...read(file).matchAll(/^const [A-Z]+ = "(#\w{6})";/gm)].map(([, colour]) => colour ?? ""),
  );
  expect(backgrounds).toHaveLength(4);
  for (const colour of backgrounds) expect(styles).toContain(`background: ${colour};`);
});
