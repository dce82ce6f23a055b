import { AsyncLocalStorage } from "node:async_hooks";

const current = new AsyncLocalStorage<string>();

/** The token of the turn that the running code is in; empty outside of one. */
export const turnToken = (): string => current.getStore() ?? "";

/** Runs what may change things only as long as the turn of this token lasts. */
export const inTurnOf = <T>(token: string, work: () => Promise<T>): Promise<T> => current.run(token, work);
