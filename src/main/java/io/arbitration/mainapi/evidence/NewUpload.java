package io.arbitration.mainapi.evidence;

import java.util.UUID;

/** What somebody says of a file that they upload. */
record NewUpload(UUID caseId, String categoryId, String description, By by) {}
