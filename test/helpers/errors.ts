import { expect } from "@jest/globals";
import type { ServiceErrorCode } from "../../shared/public/words.ts";

/** The body of an error with a message; with `field` of an error about that field. */
export const errorBody = (error: ServiceErrorCode, field?: string): object =>
  expect.objectContaining({
    error,
    message: expect.stringMatching(/^\S.*[.]$/),
    ...(field !== undefined && { field }),
  });
