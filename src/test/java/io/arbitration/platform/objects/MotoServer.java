package io.arbitration.platform.objects;

import io.arbitration.Await;
import io.arbitration.Moto;
import io.arbitration.OtherRuntimes;
import io.arbitration.platform.FreePort;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A server that speaks the S3 protocol (moto, from PyPI) in a process of its own, and boto3 beside it: a client that is not
 * the platform's. It checks the signature of every request once its user has been made.
 */
public final class MotoServer implements AutoCloseable {

    /**
     * Makes the buckets, a user and its key; from then on the server asks every request for a signature. Then it runs what each line
     * of its input holds, with {@code s3} as the client of that user, and answers what that printed.
     */
    private static final String CLIENT = """
            import boto3, contextlib, io, json, sys
            def client(service, key):
                return boto3.client(service, endpoint_url=sys.argv[1], region_name='us-east-1',
                                    aws_access_key_id=key['AccessKeyId'], aws_secret_access_key=key['SecretAccessKey'])
            nobody = {'AccessKeyId': 'x', 'SecretAccessKey': 'x'}
            iam = client('iam', nobody)
            iam.create_user(UserName='platform')
            key = iam.create_access_key(UserName='platform')['AccessKey']
            iam.put_user_policy(UserName='platform', PolicyName='all', PolicyDocument=json.dumps(
                {'Version': '2012-10-17', 'Statement': [{'Effect': 'Allow', 'Action': 's3:*', 'Resource': '*'}]}))
            for bucket in sys.argv[2:]:
                client('s3', nobody).create_bucket(Bucket=bucket)
            print(json.dumps({'id': key['AccessKeyId'], 'secret': key['SecretAccessKey']}), flush=True)
            s3 = client('s3', key)
            for line in sys.stdin:
                asked = json.loads(line)
                sys.argv[1:] = asked['arguments']
                printed = io.StringIO()
                try:
                    with contextlib.redirect_stdout(printed):
                        exec(asked['lines'], {'s3': s3, 'sys': sys})
                    print(json.dumps({'printed': printed.getvalue()}), flush=True)
                except Exception as failed:
                    print(json.dumps({'failed': repr(failed)}), flush=True)
            """;

    private final Process process;
    private final int port;
    private final Process boto;
    private final BufferedWriter asked;
    private final BufferedReader answered;
    private final JsonObject key;

    private MotoServer(Process process, int port, Process boto) throws IOException {
        this.process = process;
        this.port = port;
        this.boto = boto;
        this.asked = boto.outputWriter(StandardCharsets.UTF_8);
        this.answered = boto.inputReader(StandardCharsets.UTF_8);
        this.key = answer();
    }

    /** Empty, with the reason printed, where Python or the registry is missing. */
    public static Optional<MotoServer> start(String... buckets) throws IOException, InterruptedException {
        Optional<Path> programs = Moto.programs();
        if (programs.isEmpty()) {
            return Optional.empty();
        }
        int port = FreePort.any();
        Path log = Files.createTempFile("acp-moto-", ".log");
        ProcessBuilder builder = new ProcessBuilder(programs.get().resolve("moto_server").toString(), "-H", "127.0.0.1", "-p", String.valueOf(port))
                .redirectErrorStream(true).redirectOutput(log.toFile());
        // What is asked before the server has a user: its user, key and policy, and the buckets.
        builder.environment().put("INITIAL_NO_AUTH_ACTION_COUNT", String.valueOf(3 + buckets.length));
        Process process = OtherRuntimes.compilingOnce(builder).start();
        try {
            awaitListening(process, port, log);
            List<String> client = new ArrayList<>(List.of(programs.get().resolve("python").toString(), "-c", CLIENT, "http://127.0.0.1:" + port));
            client.addAll(Arrays.asList(buckets));
            return Optional.of(new MotoServer(process, port, OtherRuntimes.compilingOnce(new ProcessBuilder(client)).redirectError(ProcessBuilder.Redirect.INHERIT).start()));
        } catch (RuntimeException | IOException failed) {
            process.destroy();
            throw failed;
        }
    }

    private static void awaitListening(Process process, int port, Path log) throws IOException {
        Await.despiteFailures("the S3 server listens, or has ended", Await.BOUND, () -> {
            if (!process.isAlive()) {
                return true;
            }
            try (Socket connected = new Socket("127.0.0.1", port)) {
                return true;
            }
        });
        if (!process.isAlive()) {
            throw new IllegalStateException("the S3 server ended: " + Files.readString(log));
        }
    }

    public String endpoint() {
        return "http://127.0.0.1:" + port;
    }

    public String accessKeyId() {
        return key.getString("id");
    }

    public String secretAccessKey() {
        return key.getString("secret");
    }

    /** Runs a few lines of boto3, with {@code s3} as the client; what they print. */
    public synchronized String boto(String lines, String... arguments) {
        try {
            asked.write(new JsonObject().put("lines", lines).put("arguments", Arrays.asList(arguments)).encode());
            asked.newLine();
            asked.flush();
            JsonObject answer = answer();
            if (answer.containsKey("failed")) {
                throw new IllegalStateException(answer.getString("failed"));
            }
            return answer.getString("printed").strip();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private JsonObject answer() throws IOException {
        String line = answered.readLine();
        if (line == null) {
            throw new IOException("boto3 has ended");
        }
        return new JsonObject(line);
    }

    @Override
    public void close() {
        for (Process one : List.of(boto, process)) {
            one.destroy();
            one.onExit().orTimeout(60, TimeUnit.SECONDS).join();
        }
    }
}
