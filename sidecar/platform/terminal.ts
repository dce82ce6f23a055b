import { isatty } from "node:tty";

const STREAMS = [0, 1, 2];

/** Tells whether the terminal of this process has been closed. */
export function createTerminalCheck(): () => boolean {
  const isThere = (): boolean => STREAMS.some(stream => isatty(stream));
  const wasThere = isThere();
  return () => wasThere && !isThere();
}
