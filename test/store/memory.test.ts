import { createMemoryStore } from "../../sidecar/store/memory.ts";
import { describeStore } from "./store.contract.ts";

describeStore("the store in memory", async () => createMemoryStore());
