import { createMemoryStore } from "../helpers/memory-store.ts";
import { describeStore } from "./store.contract.ts";

describeStore("the store in memory", async () => createMemoryStore());
