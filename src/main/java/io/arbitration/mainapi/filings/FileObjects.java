package io.arbitration.mainapi.filings;

import io.arbitration.domain.FilingId;
import io.arbitration.domain.filing.FiledFile;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.objects.Blocks;
import io.arbitration.platform.objects.ObjectStores;
import io.vertx.core.Future;

/** The contents of the files of filings. The caller has checked that they may be read. */
public final class FileObjects {

    private final FileRepository repository;
    private final ObjectStores objects;

    public FileObjects(Database database, ObjectStores objects) {
        this.repository = new FileRepository(database);
        this.objects = objects;
    }

    /** The file as everybody who may view the filing reads it; each block is verified before it is passed on. */
    public Future<Blocks> open(FilingId filingId, FiledFile file) {
        return repository.stored(filingId, file.fileId(), false).compose(found -> {
            FileRepository.Stored stored = found.orElseThrow(FilingError.FILE_NOT_FOUND::refusal);
            return objects.read(stored.address(), stored.fingerprint(), 0, stored.fingerprint().bytes());
        });
    }
}
