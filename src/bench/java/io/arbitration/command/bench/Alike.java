package io.arbitration.command.bench;

/** What an honest caller does of the same kind as an attack, so that a share of its own is proved beside that of the attacker. */
enum Alike { NOTHING, UPLOAD, DOWNLOAD, FILL, CAPTURE, EXPORT, RENDER, PROOF, ORGANIZE, NEIGHBOUR, PROXIED }
