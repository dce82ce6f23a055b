// Imported here and nowhere else: the bundler repeats the import of a whole module for each file that asks for one.
// Whole modules, since the game may leave out any name of a beta module, and a missing name would end the script.
export * as mc from "@minecraft/server";
export * as admin from "@minecraft/server-admin";
export * as net from "@minecraft/server-net";
export * as ui from "@minecraft/server-ui";
