package io.arbitration.platform.browser;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Linux network namespace for one browser, which contains only a {@link ProxyRelay} to the proxies of its pages. Even a page
 * that bypasses every other protection reaches no network. It is created in a user namespace, so that no privilege is needed.
 *
 * @param folder of the sockets to which the relay connects, short enough for their addresses
 */
record NetworkNamespace(Path folder) {

    private static final Logger LOG = LoggerFactory.getLogger(NetworkNamespace.class);
    private static final List<String> UNSHARE = List.of("unshare", "--user", "--map-current-user", "--keep-caps", "--net", "--");
    private static final long ANSWER_SECONDS = 5;
    /** The address of a Unix-domain socket has 107 bytes; the name of the socket is a number of at most five digits. */
    private static final int FOLDER_BYTES_MAX = 100;
    /** The relay is open before the browser starts, and does not keep the browser's pipe open after the browser has ended. */
    private static final String SHELL = """
            "$0" -Xmx32m -Xss256k -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xlog:disable --enable-native-access=ALL-UNNAMED -cp "$1" "$2" "$3" 3<&- 4>&- &
            tries=0
            until [ -e "$3/%s" ]; do
              if [ "$tries" = 200 ] || ! kill -0 "$!"; then echo "the relay out of its network did not open"; exit 1; fi
              tries=$((tries + 1))
              sleep 0.05
            done
            shift 3
            exec "$@"
            """.formatted(ProxyRelay.OPEN);

    /** Whether this machine allows a namespace: containers often do not. Blocks for a moment. */
    static boolean isPossible() {
        try {
            Process tried = new ProcessBuilder(command(List.of("true"))).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
            return tried.waitFor(ANSWER_SECONDS, TimeUnit.SECONDS) && tried.exitValue() == 0;
        } catch (IOException missing) {
            LOG.debug("there is no unshare: {}", missing.getMessage());
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** For the browser with this profile. */
    static NetworkNamespace of(Path profile) throws IOException {
        Path own = profile.resolve("proxies").toAbsolutePath();
        boolean fits = own.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8).length <= FOLDER_BYTES_MAX;
        return new NetworkNamespace(fits ? Files.createDirectory(own) : Files.createTempDirectory("acp-proxies-"));
    }

    private static List<String> command(List<String> inside) {
        return java.util.stream.Stream.concat(UNSHARE.stream(), inside.stream()).toList();
    }

    /** The address at which the browser reaches the proxy behind this socket. */
    String proxy(int number) {
        return "http://127.0.%d.%d:%d".formatted(number >> 8, number & 0xff, ProxyRelay.PORT);
    }

    /** The command that is started before the browser's own command. */
    List<String> before() {
        return command(List.of("/bin/sh", "-c", SHELL, Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                System.getProperty("java.class.path"), ProxyRelay.class.getName(), folder.toString()));
    }
}
