import { mc } from "../../../behavior_pack/game/modules.ts";
import { type Answerer, numberOf, textOf } from "./asked.ts";
import { tried } from "./failure.ts";

const { world } = mc;

export const storeAnswers: Readonly<Record<string, Answerer>> = {
  set: input => tried(() => world.setDynamicProperty(textOf(input, "key"), input.value as string) ?? null),
  get: input => tried(() => world.getDynamicProperty(textOf(input, "key")) ?? null),
  /** A text of so many letters, and whether it is read back as it was. */
  "set-long": input => {
    const [key, text] = [
      "prove:long",
      (textOf(input, "letter") || "a").repeat(numberOf(input, "length", 10)),
    ];
    const set = tried(() => world.setDynamicProperty(key, text) ?? null);
    const isSame = world.getDynamicProperty(key) === text;
    world.setDynamicProperty(key, undefined);
    return { ...set, isSame };
  },
  total: () => tried(() => world.getDynamicPropertyTotalByteCount()),
};
