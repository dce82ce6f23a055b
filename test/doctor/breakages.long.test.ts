import { BREAKAGES, FIRST_BREAKAGES, testBreakages } from "./breakages.ts";

testBreakages(BREAKAGES.filter(row => !FIRST_BREAKAGES.includes(row)));
