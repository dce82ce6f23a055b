import { BREAKAGES, FIRST_BREAKAGES, testBreakages } from "./testing/breakages.ts";

testBreakages(BREAKAGES.filter(row => !FIRST_BREAKAGES.includes(row)));
