import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "../../sidecar/clock.ts";

describe("systemClock", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("calls back once after a while, or not at all", () => {
    const [called, cancelled] = [vi.fn(), vi.fn()];
    systemClock.after(20, called);
    const cancel = systemClock.after(20, cancelled);
    vi.advanceTimersByTime(19);
    expect(called).not.toHaveBeenCalled();
    cancel();
    vi.advanceTimersByTime(100);
    expect(called).toHaveBeenCalledTimes(1);
    expect(cancelled).not.toHaveBeenCalled();
  });

  it("waits longer than one timer can", () => {
    const called = vi.fn();
    const thirtyDays = 30 * 86_400_000;
    systemClock.after(thirtyDays, called);
    vi.advanceTimersByTime(thirtyDays - 1);
    expect(called).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(called).toHaveBeenCalledTimes(1);
  });

  it("calls back every while until it is told to stop", () => {
    const called = vi.fn();
    const stop = systemClock.every(10, called);
    vi.advanceTimersByTime(35);
    stop();
    vi.advanceTimersByTime(100);
    expect(called).toHaveBeenCalledTimes(3);
  });

  it("tells the time of the machine", () => {
    vi.setSystemTime(1234);
    expect(systemClock.now()).toBe(1234);
  });
});
