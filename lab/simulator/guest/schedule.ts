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

/** The tick number the pack sees. */
export function tickNumber(): number {
  return tick;
}

/** Begins at a tick number, for a world that ran before. */
export function beginAt(first: number): void {
  tick = first;
}

/** Begins the next tick. Until `runTimers`, `system.run` still means this tick. */
export function nextTick(): void {
  tick++;
  beforeSchedule = true;
}

/** Calls a function later; `every` 0 is once. A delay below one tick is the next chance there is. */
export function schedule(callback: () => unknown, delay: number, every: number): number {
  if (typeof callback !== "function") throw new TypeError("Native type conversion failed.");
  const soonest = beforeSchedule ? tick : tick + 1;
  const wait = Math.max(0, Math.floor(delay));
  timers.set(++lastId, { callback, every, due: Math.max(soonest, tick + wait) });
  return lastId;
}

/** Forgets a timer. */
export function unschedule(id: number): void {
  timers.delete(id);
}

/** Calls everything that is due, in the order it was asked for. */
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

/** True while there are jobs to slice. */
export function hasJobs(): boolean {
  return jobs.size > 0;
}

/** Gives each job steps in turn until the budget of this tick is used; each gets at least one. */
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
