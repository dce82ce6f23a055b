import { boot, host } from "./bridge.ts";
import { callPack, report } from "./report.ts";

interface Timer {
  readonly callback: () => unknown;
  readonly every: number;
  due: number;
}

const timers = new Map<number, Timer>();
const jobs = new Map<number, Generator<unknown, unknown, unknown>>();
let lastId = 0;
let tick = 0;
let beforeSchedule = true;

/** The tick number for the pack. */
export function tickNumber(): number {
  return tick;
}

/** Starts at a tick number, for a world that ran before. */
export function beginAt(first: number): void {
  tick = first;
}

/** Starts the next tick. Until `runTimers`, `system.run` means this tick. */
export function nextTick(): void {
  tick++;
  beforeSchedule = true;
}

/** Calls a function later; `every` 0: once. A delay below one tick means the next opportunity. */
export function schedule(callback: () => unknown, delay: number, every: number): number {
  if (typeof callback !== "function") throw new TypeError("Native type conversion failed.");
  const soonest = beforeSchedule ? tick : tick + 1;
  const wait = Math.max(0, Math.floor(delay));
  timers.set(++lastId, { callback, every, due: Math.max(soonest, tick + wait) });
  return lastId;
}

/** Clears a timer. */
export function unschedule(id: number): void {
  timers.delete(id);
}

/** Calls due functions, in the order in which they were scheduled. */
export function runTimers(): void {
  beforeSchedule = false;
  if (timers.size === 0) return;
  const due: [number, Timer][] = [];
  for (const entry of timers) if (entry[1].due <= tick) due.push(entry);
  for (const [id, timer] of due) {
    if (timers.get(id) !== timer) continue;
    if (timer.every > 0) timer.due = tick + timer.every;
    else timers.delete(id);
    callPack(timer.callback);
  }
}

/** Starts a job that runs in slices. */
export function startJob(job: Generator<unknown, unknown, unknown>): number {
  if (typeof job?.next !== "function") throw new TypeError("Native type conversion failed.");
  jobs.set(++lastId, job);
  return lastId;
}

/** Ends a job. */
export function endJob(id: number): void {
  jobs.delete(id);
}

/** Whether there are jobs. */
export function hasJobs(): boolean {
  return jobs.size > 0;
}

/** Runs steps of each job in turn until the budget of this tick is used; each job gets at least one. */
export function runJobs(): void {
  const end = host.elapsed() + boot.jobBudgetMs;
  do {
    for (const [id, job] of [...jobs]) {
      try {
        if (job.next().done) jobs.delete(id);
      } catch (error) {
        jobs.delete(id);
        report(error);
      }
    }
  } while (jobs.size > 0 && host.elapsed() < end);
}
