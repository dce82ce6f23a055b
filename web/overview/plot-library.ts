import type UPlot from "uplot";
import { partAddress } from "../platform/parts.ts";

/** The library that draws plots. */
export type PlotLibrary = typeof UPlot;

let loading: Promise<PlotLibrary | undefined> | undefined;

async function load(): Promise<PlotLibrary | undefined> {
  const address = partAddress("plot");
  if (address === undefined) return undefined;
  try {
    const module: { default: PlotLibrary } = await import(address);
    return module.default;
  } catch {
    // The next plot tries again.
    loading = undefined;
    return undefined;
  }
}

/** Loads the library once, for those who open the plots; undefined where it cannot be loaded. */
export function loadPlotLibrary(): Promise<PlotLibrary | undefined> {
  loading ??= load();
  return loading;
}
