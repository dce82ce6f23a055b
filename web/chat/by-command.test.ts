import { expect, it } from "@jest/globals";
import type { ServiceSettings } from "../../client/types.ts";
import { isByCommand } from "./by-command.ts";

type GameChat = ServiceSettings["gameChat"];

/** The settings of game servers, the first of which is `a`. */
const of = (...all: GameChat[]) => ({
  gameChat: all[0] ?? null,
  ...(all.length > 1 && {
    servers: all.map((gameChat, i) => ({ name: "abc".charAt(i), title: null, gameChat })),
  }),
});

it.each([
  ["a command is needed", "one", of("command"), undefined, true],
  ["no command is needed", "one", of("all"), undefined, false],
  ["no command is needed", "one that is unknown", of(null), undefined, false],
  ["a command is needed", "the chosen one", of("all", "command"), "b", true],
  ["no command is needed", "the chosen one", of("command", "all"), "b", false],
  ["a command is needed", "all that need one", of("command", "command"), undefined, true],
  ["no command is needed", "all, of which some need one", of("command", "all"), undefined, false],
])("%s to write from %s", (_what, _which, settings, onlyServer, needed) => {
  expect(isByCommand(settings, onlyServer)).toBe(needed);
});
