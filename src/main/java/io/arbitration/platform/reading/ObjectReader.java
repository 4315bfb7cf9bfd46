package io.arbitration.platform.reading;

import io.arbitration.platform.objects.Blocks;
import io.arbitration.platform.objects.Fingerprint;
import io.arbitration.platform.objects.ObjectAddress;
import io.arbitration.platform.objects.ObjectFailure;
import io.arbitration.platform.objects.ObjectStores;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads the text and the pictures of stored objects. Fails with {@link Unreadable}, or with {@link ObjectFailure} when the object store
 * does not answer. Copies an object into a temporary folder first, which is removed afterwards, unless it is configured to read the
 * stored object itself.
 */
public final class ObjectReader {

    /** About a thousand pages. Nobody reads a longer text as an exhibit. */
    static final int CHARACTERS_MAX = 2_000_000;
    /** Text files are read into the memory of the reading process as a whole. */
    private static final int TEXT_BYTES_MAX = 16 * 1024 * 1024;
    private static final int PICTURE_BYTES_MAX = 10 * 1024 * 1024;
    private static final int HEAD_BYTES = 4096;
    private static final int AT_ONCE = 2;

    private final ObjectStores objects;
    private final ReadingProcesses processes;
    private final ReadingBounds bounds;
    private final Supplier<Scans> scans;
    private final boolean inPlace;
    private final ReadingPlaces places;

    /**
     * A reader that verifies what is stored in a folder and then reads it there. Whoever can write to that folder could change the file in between:
     * for an index, not for what people rely on.
     */
    public static ObjectReader inPlace(Vertx vertx, ObjectStores objects, ReadingProcesses processes, ReadingBounds bounds, Supplier<Scans> scans) {
        return new ObjectReader(vertx, objects, processes, bounds, scans, true);
    }

    /** @param scans what becomes of pictures of text, asked for each file; where they are not shown, files that are pictures are unreadable */
    public ObjectReader(Vertx vertx, ObjectStores objects, ReadingProcesses processes, ReadingBounds bounds, Supplier<Scans> scans) {
        this(vertx, objects, processes, bounds, scans, false);
    }

    private ObjectReader(Vertx vertx, ObjectStores objects, ReadingProcesses processes, ReadingBounds bounds, Supplier<Scans> scans, boolean inPlace) {
        this.inPlace = inPlace;
        this.objects = objects;
        this.processes = processes;
        this.bounds = bounds;
        this.scans = scans;
        // What is read for the index must not hold up drafts of awards. It belongs to the node, and has no other tenant beside it.
        this.places = inPlace ? new ReadingPlaces(vertx, "indexing", AT_ONCE, AT_ONCE, bounds.time())
                : new ReadingPlaces(vertx, "reading", AT_ONCE, AT_ONCE / 2, bounds.time());
    }

    /** @param fingerprint by which the bytes are verified; empty for an object that the platform did not store */
    public Future<Reading> read(ObjectAddress address, Optional<Fingerprint> fingerprint, String contentType) {
        Optional<FileKind> kind = FileKind.of(contentType);
        if (kind.isEmpty()) {
            return Future.failedFuture(new Unreadable(Unreadable.Reason.UNKNOWN_TYPE));
        }
        if (kind.get().isPicture() && scans.get() != Scans.SHOWN) {
            return Future.failedFuture(new Unreadable(Unreadable.Reason.PICTURE));
        }
        return objects.length(address)
                .compose(bytes -> fetch(address, fingerprint, checkedLength(bytes, kind.get())))
                .compose(fetched -> places.read(() -> readingOfStored(fetched, kind.get(), contentType))
                        .eventually(() -> places.worker().executeBlocking(fetched::remove, false)))
                .recover(ObjectReader::failure);
    }

    private long checkedLength(long bytes, FileKind kind) {
        long most = switch (kind) {
            case TEXT, HTML -> TEXT_BYTES_MAX;
            case PNG, JPEG, GIF, WEBP -> PICTURE_BYTES_MAX;
            case PDF, DOCX -> bounds.bytesMax();
        };
        if (bytes == 0) {
            throw new Unreadable(Unreadable.Reason.EMPTY);
        }
        if (bytes > Math.min(most, bounds.bytesMax())) {
            throw new Unreadable(Unreadable.Reason.TOO_LARGE);
        }
        return bytes;
    }

    private static <T> Future<T> failure(Throwable failed) {
        return Future.failedFuture(switch (failed) {
            case ObjectFailure object -> switch (object.kind()) {
                case MISSING -> new Unreadable(Unreadable.Reason.MISSING);
                case ALTERED -> new Unreadable(Unreadable.Reason.ALTERED);
                case UNAVAILABLE, BUSY -> object;
            };
            default -> failed;
        });
    }

    private Future<ObjectCopy> fetch(ObjectAddress address, Optional<Fingerprint> fingerprint, long bytes) {
        Supplier<Future<Blocks>> object = () -> fingerprint.map(known -> objects.read(address, known, 0, bytes)).orElseGet(() -> objects.read(address, 0, bytes));
        Optional<Path> stored = inPlace && fingerprint.isPresent() ? objects.localFile(address) : Optional.empty();
        return stored.map(file -> ObjectCopy.inPlace(places.worker(), file, fingerprint.orElseThrow(), object))
                .orElseGet(() -> ObjectCopy.of(places.worker(), fingerprint, object));
    }

    /** A file that is read where it lies can be removed meanwhile, with its filing or by itself. Then it is missing, whatever step failed because of that. */
    private Reading readingOfStored(ObjectCopy copy, FileKind kind, String contentType) throws IOException {
        try {
            return reading(copy, kind, contentType);
        } catch (IOException | UncheckedIOException | Unreadable failed) {
            if (inPlace && Files.notExists(copy.file())) {
                throw new Unreadable(Unreadable.Reason.MISSING);
            }
            throw failed;
        }
    }

    private Reading reading(ObjectCopy copy, FileKind kind, String contentType) throws IOException {
        Path file = copy.file();
        kind.check(head(file));
        return switch (kind) {
            case PDF -> {
                PdfText.Pages pages = PdfText.read(processes, file, copy.folder(), new PdfText.Bounds(bounds.pagesMax(), CHARACTERS_MAX, bounds.time()), scans.get());
                yield new Reading(pages.text(), pages.pictures(), Optional.of(pages.count()), copy.sha256(), copy.bytes());
            }
            case TEXT -> text(copy, words(ReadingTask.Kind.PLAIN, copy, contentType));
            case HTML -> text(copy, words(ReadingTask.Kind.HTML, copy, contentType));
            case DOCX -> text(copy, words(ReadingTask.Kind.DOCX, copy, contentType));
            case PNG, JPEG, GIF, WEBP -> new Reading("", List.of(new Reading.Picture("picture", kind.contentType(), Files.readAllBytes(file))),
                    Optional.empty(), copy.sha256(), copy.bytes());
        };
    }

    private String words(ReadingTask.Kind kind, ObjectCopy copy, String contentType) throws IOException {
        return processes.words(kind, copy.file(), contentType, copy.folder(), CHARACTERS_MAX, bounds.time());
    }

    private static Reading text(ObjectCopy copy, String text) {
        if (text.isBlank()) {
            throw new Unreadable(Unreadable.Reason.EMPTY);
        }
        if (text.length() > CHARACTERS_MAX) {
            throw new Unreadable(Unreadable.Reason.TOO_LONG);
        }
        return new Reading(text, List.of(), Optional.empty(), copy.sha256(), copy.bytes());
    }

    private static byte[] head(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            return in.readNBytes(HEAD_BYTES);
        }
    }
}
