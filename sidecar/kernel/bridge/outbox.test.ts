import { createMemoryOutbox } from "./memory-outbox.ts";
import { describeOutbox } from "./outbox.contract.ts";

describeOutbox("the outbox in memory", async clock => createMemoryOutbox(clock), 300);
