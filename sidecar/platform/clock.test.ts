import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { systemClock } from "./clock.ts";

describe("systemClock", () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it("calls back once after a while, or not at all", () => {
    const [called, cancelled] = [jest.fn(), jest.fn()];
    systemClock.after(20, called);
    const cancel = systemClock.after(20, cancelled);
    jest.advanceTimersByTime(19);
    expect(called).not.toHaveBeenCalled();
    cancel();
    jest.advanceTimersByTime(100);
    expect(called).toHaveBeenCalledTimes(1);
    expect(cancelled).not.toHaveBeenCalled();
  });

  it("waits longer than one timer can", () => {
    const called = jest.fn();
    const thirtyDays = 30 * 86_400_000;
    systemClock.after(thirtyDays, called);
    jest.advanceTimersByTime(thirtyDays - 1);
    expect(called).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(called).toHaveBeenCalledTimes(1);
  });

  it("measures waiting by a clock that cannot be set", () => {
    const begun = systemClock.monotonic();
    jest.setSystemTime(0);
    jest.advanceTimersByTime(20);
    expect(systemClock.monotonic() - begun).toBe(20);
  });
});
