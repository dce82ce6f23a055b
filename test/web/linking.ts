import { expect } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../helpers/runner.ts";
import { sees } from "./page.ts";
import type { Stage } from "./stage.ts";

/** Asks for a player on the page. */
export const ask = async (page: Page, name: string): Promise<void> => {
  await page.getByLabel("Player name").fill(name);
  await page.getByRole("button", { name: /^Ask( the player| again)$/ }).click();
};

/** Waits until the player has the form. */
export const asked = async (stage: Stage, name: string): Promise<void> => {
  await eventually(() => expect(stage.bridge.player(name).form).toBeTruthy());
};

/** Answers the form of a player once it is there. */
export const answer = async (stage: Stage, name: string, button: number): Promise<void> => {
  await asked(stage, name);
  stage.bridge.player(name).answer(button);
};

/** Opens the part of the page that is about linking. */
export const openLinking = async (stage: Stage): Promise<Page> => {
  const page = await stage.page("#you");
  await sees(page, "Not linked");
  return page;
};
