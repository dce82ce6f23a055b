/**
 * Wraps a listener so that its errors stay within one connection: when it throws, `end` gets its arguments and closes the
 * connection, and `report` gets the error.
 */
export function catchListenerErrors<T, A extends unknown[]>(
  listener: (this: T, ...args: A) => void,
  end: (this: T, ...args: A) => unknown,
  report: (error: unknown) => void,
): (this: T, ...args: A) => void {
  return function (...args) {
    try {
      listener.apply(this, args);
    } catch (error) {
      end.apply(this, args);
      report(error);
    }
  };
}
