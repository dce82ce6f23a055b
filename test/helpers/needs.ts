declare module "vitest" {
  interface TaskMeta {
    /** what a skipped test would have needed; the run prints it */
    needs?: string;
  }
}

/** Options of a test, or of a suite, that is skipped where something is missing. A skipped test without them fails the run. */
export const needs = (what: string): { meta: { needs: string } } => ({ meta: { needs: what } });
