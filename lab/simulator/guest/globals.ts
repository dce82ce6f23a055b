import { host } from "./bridge.ts";
import { describe, report } from "./report.ts";

let wall = 0;

/** Globals of the engine beside the language. All others are removed. */
const KEPT = new Set(
  `Object Function Error EvalError RangeError ReferenceError SyntaxError TypeError URIError InternalError
  AggregateError Array parseInt parseFloat isNaN isFinite decodeURI decodeURIComponent encodeURI encodeURIComponent
  escape unescape Infinity NaN undefined Number Boolean String Math Reflect Symbol eval globalThis BigInt Date
  RegExp JSON Proxy Map Set WeakMap WeakSet ArrayBuffer SharedArrayBuffer Uint8ClampedArray Int8Array Uint8Array
  Int16Array Uint16Array Int32Array Uint32Array BigInt64Array BigUint64Array Float32Array Float64Array DataView
  Promise`.split(/\s+/),
);

function noEval(): never {
  throw new TypeError("eval is not supported");
}

function removeEval(): void {
  const samples = [
    function plain() {},
    async function waiting() {},
    function* stepping() {},
    async function* both() {},
  ];
  for (const sample of samples) {
    const prototype: object = Object.getPrototypeOf(sample);
    const constructible = new Proxy(function noConstructor() {}, { apply: noEval, construct: noEval });
    Object.defineProperty(constructible, "prototype", { value: prototype, writable: false });
    Object.defineProperty(prototype, "constructor", {
      value: constructible,
      configurable: true,
      writable: true,
    });
    if (sample === samples[0]) define("Function", constructible);
  }
  define("eval", noEval);
}

function define(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true, enumerable: false });
}

function line(level: string): (...values: unknown[]) => void {
  return (...values) => host.log(level, `[Scripting] ${values.map(describe).join(" ")}`);
}

function hostDate(): DateConstructor {
  const Real = Date;
  return new Proxy(Real, {
    construct: (_target, args: unknown[], newTarget) =>
      Reflect.construct(Real, args.length === 0 ? [wall] : args, newTarget),
    apply: () => new Real(wall).toString(),
    get: (_target, key, receiver) => (key === "now" ? now : Reflect.get(Real, key, receiver)),
  });
}

function now(): number {
  return wall;
}

/** Sets the time of `Date` in milliseconds, if the host controls it. */
export function setWall(ms: number): void {
  wall = Math.floor(ms);
}

/** Leaves only the globals of the game to the pack. @param now the time, if the host controls it */
export function prepareGlobals(now: number | undefined): void {
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (!KEPT.has(name)) Reflect.deleteProperty(globalThis, name);
  }
  removeEval();
  if (now !== undefined) {
    setWall(now);
    const date = hostDate();
    Object.defineProperty(Date.prototype, "constructor", { value: date, configurable: true, writable: true });
    define("Date", date);
  }
  const info = line("info");
  const error = (...values: unknown[]): void => {
    const [only] = values;
    if (values.length === 1 && only instanceof Error) report(only);
    else line("error")(...values);
  };
  define("console", { log: info, info, warn: line("warn"), error });
  define("print", info);
  define("__date_clock", () => Math.floor(host.elapsed() * 1000));
}
