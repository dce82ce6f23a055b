/** Whether an error is a programming error. A retry would not help, unlike for an error of the disk or the network. */
export const isBug = (error: unknown): boolean =>
  error instanceof TypeError ||
  error instanceof RangeError ||
  error instanceof ReferenceError ||
  error instanceof SyntaxError;
