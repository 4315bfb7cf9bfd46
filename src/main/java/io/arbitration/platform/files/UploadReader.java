package io.arbitration.platform.files;

import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.answer.Refusal;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.regex.Pattern;

/**
 * Reads one form with a file. Collects the text fields, and passes the file on in blocks while it arrives. Stops reading from the
 * client while blocks wait to be stored (back-pressure). The parts may come in any order.
 *
 * @param <F> the file while it is stored
 */
public final class UploadReader<F extends FormFile> implements MultipartParser.Listener {

    static final int FIELD_BYTES_MAX = 65_536;
    /** Bytes of the boundaries and heads of all parts. */
    private static final long OVERHEAD_BYTES_MAX = 262_144;
    /** When this many blocks wait to be stored, reading from the client stops. */
    private static final int BLOCKS_WAITING_MAX = 2;
    /** RFC 2046, section 5.1.1. */
    private static final Pattern BOUNDARY = Pattern.compile("[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]");

    /** A form that was read completely. */
    public record Form<F>(JsonObject fields, F file, String fileHash) {}

    private final RoutingContext context;
    private final HttpServerRequest request;
    private final FormSchema schema;
    private final FileDestination<F> taker;
    private final UploadPace pace;
    private final BlockPool free;
    private final Promise<Form<F>> read = Promise.promise();
    private final JsonObject fields = new JsonObject();
    private final Queue<byte[]> blocks = new ArrayDeque<>();

    private MultipartParser parser;
    private FormPart part;
    private ByteArrayOutputStream field;
    private int fieldBytes;
    private byte[] block;
    private int filled;
    private long fileBytes;
    private boolean fileBegun;
    private boolean fileEnded;
    private boolean requestEnded;
    private boolean taking;
    private F file;
    private long bytes;
    private long bytesBefore;
    private long timer = -1;
    private long wholeTimer = -1;
    private boolean paused = true;
    private boolean waited = true;
    private boolean stopped;

    /**
     * @param taker decides where the file is stored, when it begins
     * @param pace at which the client must send while reading is not paused
     * @param free shared by all uploads
     */
    public UploadReader(RoutingContext context, FormSchema schema, FileDestination<F> taker, UploadPace pace, BlockPool free) {
        this.context = context;
        this.request = context.request();
        this.schema = schema;
        this.taker = taker;
        this.pace = pace;
        this.free = free;
    }

    /** Reads the paused request to its end. When this fails, the file is abandoned. */
    public Future<Form<F>> read() {
        request.exceptionHandler(this::breakOff).handler(this::feed).endHandler(this::end);
        checkPaceLater();
        wholeTimer = context.vertx().setTimer(pace.most().toMillis(), late -> stop(HttpError.BODY_TOO_SLOW.refusal((int) pace.most().toSeconds())));
        try {
            parser = new MultipartParser(boundary(request.getHeader(HttpHeaders.CONTENT_TYPE)), this);
            refuseByHead();
            if ("100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT))) {
                context.response().writeContinue();
            }
            pump();
        } catch (Refusal refused) {
            stop(refused);
        }
        return read.future();
    }

    /**
     * The client has disconnected, so it gets no answer. The status is counted in metrics, where it shows that the node was not
     * the cause.
     */
    private void breakOff(Throwable broken) {
        stop(HttpError.BROKEN_OFF.refusal());
    }

    /**
     * A full window after the last check, even if that was late. A periodic timer would catch up, and check twice without a
     * pause.
     */
    private void checkPaceLater() {
        timer = context.vertx().setTimer(pace.windowMillis(), this::checkPace);
    }

    /** Refuses a client that sends so slowly that it would occupy its place for hours. */
    private void checkPace(long due) {
        if (!waited && !requestEnded && bytes - bytesBefore < pace.windowBytesMin()) {
            stop(HttpError.BODY_TOO_SLOW.refusal(pace.windowSeconds()));
            return;
        }
        bytesBefore = bytes;
        waited = paused;
        checkPaceLater();
    }

    private static String boundary(String contentType) {
        if (contentType == null || !contentType.toLowerCase(java.util.Locale.ROOT).matches("multipart/form-data\\s*(;.*)?")) {
            throw HttpError.CONTENT_TYPE.refusal("multipart/form-data");
        }
        return FormPart.parameter(contentType, "boundary")
                .filter(boundary -> BOUNDARY.matcher(boundary).matches())
                .orElseThrow(() -> Refusal.badRequest("Content-Type: needs a boundary of 1 to 70 characters"));
    }

    /** Refuses a request whose headers show that it is too large or encoded. */
    private void refuseByHead() {
        if (request.getHeader(HttpHeaders.CONTENT_ENCODING) != null) {
            throw HttpError.CONTENT_ENCODING.refusal();
        }
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        long most = schema.fileBytesMax() + FIELD_BYTES_MAX + OVERHEAD_BYTES_MAX;
        if (length != null && (length.length() > 18 || Long.parseLong(length) > most)) {
            throw tooLarge();
        }
    }

    private Refusal tooLarge() {
        return HttpError.FILE_TOO_LARGE.refusal(schema.fileBytesMax());
    }

    private void feed(Buffer chunk) {
        if (!stopped) {
            bytes += chunk.length();
            try {
                parser.feed(chunk);
                pump();
            } catch (RuntimeException failed) {
                stop(failed);
            }
        }
    }

    private void end(Void ended) {
        requestEnded = true;
        if (!stopped) {
            try {
                parser.end();
                pump();
            } catch (RuntimeException failed) {
                stop(failed);
            }
        }
    }

    @Override
    public void part(FormPart begun) {
        part = begun;
        if (begun.name().equals(schema.file())) {
            if (fileBegun) {
                throw Refusal.badRequest(begun.name() + ": at most one");
            }
            fileBegun = true;
            begin(begun);
        } else {
            if (fields.containsKey(begun.name())) {
                throw Refusal.badRequest(begun.name() + ": at most one");
            }
            field = new ByteArrayOutputStream();
        }
    }

    private void begin(FormPart begun) {
        taking = true;
        Future<F> beginning;
        try {
            beginning = taker.begin(fields.copy(), complete(), begun);
        } catch (RuntimeException failed) {
            beginning = Future.failedFuture(failed);
        }
        beginning.onComplete(begunFile -> {
            file = begunFile;
            taken();
        }, failed -> {
            taking = false;
            stop(failed);
        });
    }

    private boolean complete() {
        try {
            schema.fields().check(fields);
            return true;
        } catch (Refusal incomplete) {
            // A field may still follow. All fields are checked at the end of the request.
            return false;
        }
    }

    @Override
    public void bytes(byte[] source, int from, int to) {
        if (part.name().equals(schema.file())) {
            fileBytes += to - from;
            if (fileBytes > schema.fileBytesMax()) {
                throw tooLarge();
            }
            int at = from;
            while (at < to) {
                if (block == null) {
                    block = free.acquire();
                }
                int count = Math.min(to - at, block.length - filled);
                System.arraycopy(source, at, block, filled, count);
                at += count;
                filled += count;
                if (filled == block.length) {
                    endBlock();
                }
            }
            return;
        }
        fieldBytes += to - from;
        if (fieldBytes > FIELD_BYTES_MAX) {
            throw Refusal.badRequest("body: fields of more than %d bytes".formatted(FIELD_BYTES_MAX));
        }
        field.write(source, from, to - from);
    }

    private void endBlock() {
        if (filled == block.length) {
            blocks.add(block);
        } else {
            blocks.add(Arrays.copyOf(block, filled));
            free.release(block);
        }
        block = null;
        filled = 0;
    }

    @Override
    public void partEnd() {
        if (part.name().equals(schema.file())) {
            if (filled > 0) {
                endBlock();
            }
            fileEnded = true;
        } else if (schema.fieldNames().contains(part.name())) {
            byte[] bytes = field.toByteArray();
            String text = MultipartParser.utf8(bytes, 0, bytes.length);
            if (text.indexOf(0) >= 0) {
                throw Refusal.badRequest(part.name() + ": must not contain the character NUL");
            }
            fields.put(part.name(), text);
        }
    }

    /** Does the next step: passes a block on, pauses or resumes the request, or finishes the form. */
    private void pump() {
        if (stopped) {
            return;
        }
        if (!taking && file != null && !blocks.isEmpty()) {
            taking = true;
            // All waiting blocks at once, because each worker task costs its scheduling time.
            List<byte[]> next = List.copyOf(blocks);
            blocks.clear();
            file.write(next).onComplete(done -> {
                next.forEach(free::release);
                taken();
            }, failed -> {
                stop(failed);
                taken();
            });
        }
        boolean wait = blocks.size() >= BLOCKS_WAITING_MAX;
        if (wait && !paused) {
            paused = true;
            waited = true;
            request.pause();
        } else if (!wait && paused) {
            paused = false;
            request.resume();
        }
        // Resuming may have read the rest of the request already, and finished.
        if (!stopped && requestEnded && !taking && blocks.isEmpty()) {
            finish();
        }
    }

    /** Called when a block was stored. A file whose block was being stored when reading stopped is abandoned now. */
    private void taken() {
        taking = false;
        if (stopped) {
            abandon();
        }
        pump();
    }

    private void finish() {
        try {
            schema.fields().check(fields);
            if (!fileEnded) {
                throw Refusal.badRequest(schema.file() + ": is required");
            }
        } catch (Refusal refused) {
            stop(refused);
            return;
        }
        stopped = true;
        stopTimers();
        file.end().onComplete(
                hash -> read.complete(new Form<>(fields, file, hash)),
                failed -> abandon().onComplete(gone -> read.fail(failed)));
    }

    /** Stops reading: the request was refused, its connection broke, or its file cannot be stored. */
    private void stop(Throwable failure) {
        if (stopped) {
            return;
        }
        stopped = true;
        blocks.clear();
        block = null;
        stopTimers();
        if (!requestEnded) {
            // The rest of the body is dropped, within the bounds of UnreadBody.
            request.handler(dropped -> { }).resume();
        }
        Future<Void> abandoned = taking ? Future.succeededFuture() : abandon();
        abandoned.onComplete(gone -> read.fail(failure));
    }

    private void stopTimers() {
        context.vertx().cancelTimer(timer);
        context.vertx().cancelTimer(wholeTimer);
    }

    private Future<Void> abandon() {
        return file == null ? Future.succeededFuture() : file.abandon();
    }
}
