package io.arbitration.command.bench;

/**
 * What an honest caller does of the same kind as an attack, so that a share of its own is proved beside that of the attacker. {@code OTHER_SIDE}
 * uploads to the attacker's own case, as its respondent.
 */
enum Alike { NOTHING, UPLOAD, DOWNLOAD, FILL, CAPTURE, EXPORT, RENDER, PROOF, OTHER_SIDE, ORGANIZE, NEIGHBOUR, PROXIED }
