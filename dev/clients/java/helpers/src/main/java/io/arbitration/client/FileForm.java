package io.arbitration.client;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Flow;

/** A form with one file, its last part, that is written while it is sent. Each subscription reads the file anew. */
final class FileForm implements BodyPublisher {

    private final String boundary = "acp-" + UUID.randomUUID();
    private final BodyPublisher form;

    /**
     * Looks at the file, and reads nothing of it yet.
     *
     * @param fields texts, in the order in which they are sent; a null is left out
     */
    FileForm(Map<String, String> fields, Path file, UploadOptions options) throws IOException {
        StringBuilder head = new StringBuilder();
        fields.forEach((name, value) -> {
            if (value != null) {
                head.append("--").append(boundary).append("\r\nContent-Disposition: form-data; name=\"").append(name)
                        .append("\"\r\nContent-Type: text/plain; charset=UTF-8\r\n\r\n").append(value).append("\r\n");
            }
        });
        String name = options.fileName() == null ? String.valueOf(file.getFileName()) : options.fileName();
        head.append("--").append(boundary).append("\r\nContent-Disposition: form-data; name=\"file\"; filename=\"").append(quoted(name))
                .append("\"\r\nContent-Type: ").append(options.contentType()).append("\r\n\r\n");
        this.form = BodyPublishers.concat(BodyPublishers.ofString(head.toString()), new Counted(file, Files.size(file), options.progress()),
                BodyPublishers.ofString("\r\n--" + boundary + "--\r\n"));
    }

    /** As browsers write names of files. */
    private static String quoted(String name) {
        return name.replace("\"", "%22").replace("\r", "%0D").replace("\n", "%0A");
    }

    String contentType() {
        return "multipart/form-data; boundary=" + boundary;
    }

    @Override
    public long contentLength() {
        return form.contentLength();
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        form.subscribe(subscriber);
    }

    /** The bytes of the file, each piece told before it is handed on. */
    private record Counted(Path file, long bytes, Progress progress) implements BodyPublisher {

        @Override
        public long contentLength() {
            return bytes;
        }

        @Override
        public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
            BodyPublisher read;
            try {
                read = BodyPublishers.ofFile(file);
            } catch (FileNotFoundException gone) {
                read = BodyPublishers.fromPublisher(failing(gone));
            }
            read.subscribe(new Flow.Subscriber<>() {

                private long sent;
                private boolean over;
                private Flow.Subscription subscription;

                @Override
                public void onSubscribe(Flow.Subscription of) {
                    subscription = of;
                    subscriber.onSubscribe(of);
                }

                @Override
                public void onNext(ByteBuffer piece) {
                    if (over) {
                        return;
                    }
                    sent += piece.remaining();
                    if (sent > bytes) {
                        subscription.cancel();
                        fail(new IOException("the file grew while it was sent: " + file));
                        return;
                    }
                    try {
                        progress.sent(sent, bytes);
                    } catch (RuntimeException failed) {
                        subscription.cancel();
                        fail(failed);
                        return;
                    }
                    subscriber.onNext(piece);
                }

                @Override
                public void onError(Throwable failed) {
                    fail(failed);
                }

                @Override
                public void onComplete() {
                    if (over) {
                        return;
                    }
                    if (sent < bytes) {
                        fail(new IOException("the file shrank while it was sent: " + file));
                        return;
                    }
                    if (bytes == 0) {
                        progress.sent(0, 0);
                    }
                    over = true;
                    subscriber.onComplete();
                }

                private void fail(Throwable failed) {
                    if (!over) {
                        over = true;
                        subscriber.onError(failed);
                    }
                }
            });
        }

        private static Flow.Publisher<ByteBuffer> failing(Throwable failed) {
            return subscriber -> {
                subscriber.onSubscribe(new Flow.Subscription() {
                    @Override
                    public void request(long pieces) { }

                    @Override
                    public void cancel() { }
                });
                subscriber.onError(failed);
            };
        }
    }
}
