// Imported only here: the bundler repeats the import of a whole module for each file that imports one.
// Whole modules, since the game may lack any export of a beta module, and a missing named import would end the script.
export * as mc from "@minecraft/server";
export * as ui from "@minecraft/server-ui";
