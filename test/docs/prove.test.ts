import { expect, it } from "@jest/globals";
import { LAN_PORT } from "../../bds/network.ts";
import { EXIT } from "../../cli/arguments.ts";
import { code, table, text } from "./pages.ts";

const PAGE = "docs/prove.md";

it("the page of prove has the options of the command, and what each exit code means", () => {
  const options = table(PAGE, "prove").flatMap(([option]) => code(option));
  const usage = [...text("prove/main.ts").matchAll(/^ {2}(--(?!help)[a-z-]+(?: <\w+>)?) /gm)];
  expect(options).toEqual(usage.map(([, option]) => option));
  const ends = table(PAGE, "results").map(([, end]) => end);
  expect(ends).toEqual([EXIT.done, EXIT.failed, EXIT.misused].map(String));
  expect(text(PAGE)).toContain(`UDP port ${LAN_PORT}`);
});
