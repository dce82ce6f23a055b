import { executionAsyncResource } from "node:async_hooks";

/** Keeps the hidden class in V8. */
const kept: object[] = [];

/**
 * Keeps one of the objects that Node makes for each `process.nextTick`. In an idle process V8 frees the hidden class of such
 * objects. Node's code for `nextTick`, of which each HTTP answer needs several, is deoptimised then: an answer took 1.3 to 1.5
 * times the CPU in a sidecar that had ever been idle for 10 s. (In profiles of Node 20 that is
 * `Runtime_DefineKeyedOwnPropertyInLiteral`.)
 */
export function keepTicksFast(): void {
  process.nextTick(() => kept.push(executionAsyncResource()));
}
