import { isatty } from "node:tty";

const STREAMS = [0, 1, 2];

/** Tells whether the terminal that this process was started at is gone since. */
export function createTerminalCheck(): () => boolean {
  const isThere = (): boolean => STREAMS.some(stream => isatty(stream));
  const wasThere = isThere();
  return () => wasThere && !isThere();
}
