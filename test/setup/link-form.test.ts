import { describe, expect, it } from "@jest/globals";
import { LINK_FORM, setLinkForm } from "../../owner/setup/link-form.ts";
import { defaultConfigFile } from "../../sidecar/config/default-file.ts";
import { readFileValues } from "../../sidecar/config/file.ts";

describe("the chest form in the sidecar's configuration", () => {
  it.each([
    [
      "modules:\n  api:\n    link-form: modal # mine\n    port: 1\n",
      "modules:\n  api:\n    link-form: chest # mine\n    port: 1\n",
    ],
    [
      "modules:\n  api:\n    link-form:\n    port: 1\n",
      "modules:\n  api:\n    link-form: chest\n    port: 1\n",
    ],
    ['modules.api.link-form: "modal"\n', "modules.api.link-form: chest\n"],
    ["modules:\n  api:\n    link-form: chest\n", "modules:\n  api:\n    link-form: chest\n"],
  ])("%j becomes %j", (text, wanted) => {
    expect(setLinkForm(text, "chest").text).toBe(wanted);
  });

  it.each([
    "",
    "# nothing\n",
    "log:\n  level: info # a\n",
    "modules:\n  api:\n    port: 1 # b\n",
    defaultConfigFile(),
  ])("is added where it is missing", text => {
    const plain = text.replace(/\n[^\n]*link-form[^\n]*/g, "");
    const result = setLinkForm(plain, "chest").text;
    const { values } = readFileValues(plain);
    expect(readFileValues(result)).toEqual({ values: values.set(LINK_FORM, "chest"), faults: [] });
    for (const comment of plain.match(/#.*/g) ?? []) expect(result).toContain(comment);
  });

  it.each([
    ["modules:\n  api:\n    link-form: chest # mine\n", "modules:\n  api:\n    link-form: buttons # mine\n"],
    ['modules.api.link-form: "chest"\n', "modules.api.link-form: buttons\n"],
    ["modules:\n  api:\n    link-form:\n", "modules:\n  api:\n    link-form:\n"],
    ["log:\n  level: info\n", "log:\n  level: info\n"],
    ["", ""],
  ])("goes back: %j becomes %j", (text, wanted) => {
    expect(setLinkForm(text, "buttons").text).toBe(wanted);
  });
});
