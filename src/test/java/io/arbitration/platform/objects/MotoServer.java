package io.arbitration.platform.objects;

import io.arbitration.Moto;
import io.arbitration.platform.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A server that speaks the S3 protocol (moto, from PyPI) in a process of its own, and boto3 beside it: a client that is not
 * the platform's. It checks the signature of every request once its user has been made.
 */
public final class MotoServer implements AutoCloseable {

    /** Makes a bucket, a user and its key; from then on the server asks every request for a signature. */
    private static final String PREPARE = """
            import boto3, json, sys
            endpoint = sys.argv[1]
            admin = dict(endpoint_url=endpoint, region_name='us-east-1', aws_access_key_id='x', aws_secret_access_key='x')
            iam = boto3.client('iam', **admin)
            iam.create_user(UserName='platform')
            key = iam.create_access_key(UserName='platform')['AccessKey']
            iam.put_user_policy(UserName='platform', PolicyName='all', PolicyDocument=json.dumps(
                {'Version': '2012-10-17', 'Statement': [{'Effect': 'Allow', 'Action': 's3:*', 'Resource': '*'}]}))
            s3 = boto3.client('s3', **admin)
            for bucket in sys.argv[2:]:
                s3.create_bucket(Bucket=bucket)
            print(key['AccessKeyId'], key['SecretAccessKey'])
            """;

    private final Process process;
    private final int port;
    private final Path programs;
    private final String accessKeyId;
    private final String secretAccessKey;

    private MotoServer(Process process, int port, Path programs, String[] key) {
        this.process = process;
        this.port = port;
        this.programs = programs;
        this.accessKeyId = key[0];
        this.secretAccessKey = key[1];
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
        Process process = builder.start();
        try {
            awaitListening(process, port, log);
            List<String> arguments = new ArrayList<>(List.of("http://127.0.0.1:" + port));
            arguments.addAll(Arrays.asList(buckets));
            return Optional.of(new MotoServer(process, port, programs.get(), python(programs.get(), Map.of(), PREPARE, arguments.toArray(String[]::new)).strip().split(" ")));
        } catch (RuntimeException | IOException failed) {
            process.destroy();
            throw failed;
        }
    }

    private static void awaitListening(Process process, int port, Path log) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (process.isAlive() && System.nanoTime() < end) {
            try (Socket connected = new Socket("127.0.0.1", port)) {
                return;
            } catch (IOException notYet) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
        }
        throw new IllegalStateException("the S3 server does not listen: " + Files.readString(log));
    }

    private static String python(Path programs, Map<String, String> environment, String script, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(programs.resolve("python").toString(), "-c", script));
        command.addAll(Arrays.asList(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(printed);
        }
        return printed;
    }

    public String endpoint() {
        return "http://127.0.0.1:" + port;
    }

    public String accessKeyId() {
        return accessKeyId;
    }

    public String secretAccessKey() {
        return secretAccessKey;
    }

    /** Runs a few lines of boto3, with {@code s3} as the client; what they print. */
    public String boto(String lines, String... arguments) {
        try {
            return python(programs, Map.of("KEY", accessKeyId, "SECRET", secretAccessKey, "ENDPOINT", endpoint()), """
                    import boto3, os, sys
                    s3 = boto3.client('s3', endpoint_url=os.environ['ENDPOINT'], region_name='us-east-1',
                                      aws_access_key_id=os.environ['KEY'], aws_secret_access_key=os.environ['SECRET'])
                    """ + lines, arguments).strip();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().orTimeout(30, TimeUnit.SECONDS).join();
    }
}
