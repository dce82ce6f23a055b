/**
 * A listener of a server or a socket whose faults stay within one connection: when it throws, `end`
 * ends the connection that it is about, `report` is told, and the process lives on. `end` is called as the listener was.
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
