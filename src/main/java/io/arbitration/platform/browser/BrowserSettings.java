package io.arbitration.platform.browser;

import io.arbitration.platform.config.Configuration;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The browser that shows pages.
 *
 * @param binary empty: the usual ones are looked for
 * @param profilesFolder what it writes, gone when it ends
 * @param atOnce pages captured at once, and as many printed beside them
 * @param queueMax pages of each of these kinds that wait, each no longer than the deadline
 * @param deadline for one page, from asking for it to having it
 * @param pagesMax after so many the browser is replaced
 * @param pageBytesMax memory of one of its processes; one that takes more is ended
 * @param bytesMax memory of all of them; the browser is replaced when they have taken more
 * @param downloadBytesMax what one page may send and receive
 * @param connectionsMax that one page may have open
 * @param ownNetwork whether it runs in a network namespace of its own, where the machine allows one
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
