package io.arbitration.platform.db;

import io.arbitration.platform.StartFailure;
import java.nio.file.Path;

/** Another platform serves from the same data folder. */
public final class DataFolderInUse extends StartFailure {

    DataFolderInUse(Path folder) {
        super(FAILED, "data.folder: %s is in use by another platform; give this one its own ACP_DATA_FOLDER, or an ACP_DATABASE_URL".formatted(folder),
                null);
    }
}
