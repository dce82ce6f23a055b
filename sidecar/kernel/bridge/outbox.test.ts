import { createEmbeddedOutbox } from "./embedded-outbox.ts";
import { describeOutbox } from "./outbox.contract.ts";

describeOutbox("the outbox in memory", async clock => createEmbeddedOutbox(clock), 300);
