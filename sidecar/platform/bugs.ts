/** Whether an error comes of a mistake in the code: another try would meet it again, unlike one of a disk or of the network. */
export const isBug = (error: unknown): boolean =>
  error instanceof TypeError ||
  error instanceof RangeError ||
  error instanceof ReferenceError ||
  error instanceof SyntaxError;
