import { createMemoryKnown } from "../helpers/memory-known.ts";
import { describeKnown } from "./known-players.contract.ts";

describeKnown("those who have been here, in memory", async () => {
  const store = createMemoryKnown();
  return { store, another: async () => store };
});
