package io.arbitration.platform.browser;

import io.arbitration.platform.config.Configuration;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The settings of the browser that shows pages.
 *
 * @param binary empty: the usual names are searched for
 * @param profilesFolder for its files, which are deleted when it ends
 * @param atOnce pages that are captured at once, and the same number that are printed at once
 * @param queueMax waiting pages of each of these kinds, none longer than the deadline
 * @param deadline for one attempt to show a page. Waiting in the queue (at most as long), the start of a browser and one repetition come in addition
 * @param pagesMax the number of pages after which the browser is replaced
 * @param pageBytesMax memory of one of its processes; a larger one is ended
 * @param bytesMax memory of all its processes; above it the browser is replaced
 * @param downloadBytesMax bytes that one page may send and receive
 * @param connectionsMax that one page may have open
 * @param ownNetwork whether it runs in a network namespace of its own, if the machine allows this
 */
public record BrowserSettings(
        Optional<String> binary, Path profilesFolder, int atOnce, int queueMax, Duration deadline, int pagesMax, long pageBytesMax, long bytesMax,
        long downloadBytesMax, int connectionsMax, boolean ownNetwork) {

    public static BrowserSettings read(Configuration c, Path dataFolder) {
        return new BrowserSettings(c.optional("chromium"), dataFolder.resolve("browser"), c.whole("browser.atOnce", 1, 64), c.whole("browser.queueMax", 1, 10_000),
                Duration.ofMillis(c.whole("browser.deadlineMillis", 500, 60_000)), c.whole("browser.pagesMax", 1, 1_000_000),
                c.whole("browser.pageBytesMax", 67_108_864L, 68_719_476_736L), c.whole("browser.bytesMax", 134_217_728L, 274_877_906_944L),
                c.whole("browser.downloadBytesMax", 1024L, 17_179_869_184L), c.whole("browser.connectionsMax", 1, 1024),
                c.yesOrNo("browser.ownNetwork"));
    }
}
