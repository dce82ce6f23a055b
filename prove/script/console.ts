// The pack that keeps achievements with probes for the console link beside it. Bundled into dist/prove_pack/console.js.
import { fromBase64url, fromUtf8 } from "../../behavior_pack/console-link/base64url.ts";
import { mc } from "../../behavior_pack/game/modules.ts";
import "../../behavior_pack/main-stable.ts";
import { type Handler, numberOf, ready, take, textOf } from "./questions.ts";

const { system } = mc;

const MAX_SHOWN = 40;
/** Words of the command, oldest first. */
const words: { text: string; length: number; tick: number }[] = [];
/** When the command with the present question was called. */
let calledAt = { ms: 0, source: "" };

const handlers: Readonly<Record<string, Handler>> = {
  called: () => calledAt,
  words: () => words.splice(0),
  /** Prints a line, with `pad` letters behind, `count` times. */
  print: input => {
    const line = textOf(input, "text") + "a".repeat(numberOf(input, "pad", 0));
    for (let i = 0; i < numberOf(input, "count", 1); i++) console.warn(line);
    return true;
  },
};

system.beforeEvents.startup.subscribe(({ customCommandRegistry }) => {
  customCommandRegistry.registerCommand(
    {
      name: "bridge:prove",
      description: "Answers prove",
      permissionLevel: mc.CommandPermissionLevel.Owner,
      cheatsRequired: false,
      mandatoryParameters: [{ name: "word", type: mc.CustomCommandParamType.String }],
    },
    ({ sourceType }, given: unknown) => {
      const word = String(given);
      if (word.startsWith("ask")) {
        calledAt = { ms: Date.now(), source: String(sourceType) };
        void take(fromUtf8(fromBase64url(word.slice(3))), handlers);
      } else {
        words.push({ text: word.slice(0, MAX_SHOWN), length: word.length, tick: system.currentTick });
      }
      return undefined;
    },
  );
});
ready();
