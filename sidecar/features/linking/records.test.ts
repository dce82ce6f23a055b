import { createMemoryStore } from "../../../test/helpers/memory-store.ts";
import { describeStore } from "./records.contract.ts";

describeStore("the store in memory", async () => createMemoryStore());
