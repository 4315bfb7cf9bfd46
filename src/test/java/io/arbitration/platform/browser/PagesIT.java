package io.arbitration.platform.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.Await;
import io.arbitration.SmallDisk;
import io.arbitration.TestFolders;
import io.arbitration.platform.answer.Refusal;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.imageio.ImageIO;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.text.PDFTextStripper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class PagesIT {

    private static PageSite site;

    @BeforeAll
    static void open() {
        site = PageSite.open();
    }

    @AfterAll
    static void close() {
        site.close();
    }

    private static BufferedImage image(Buffer png) throws IOException {
        return ImageIO.read(new ByteArrayInputStream(png.getBytes()));
    }

    @Test
    void aPictureHasExactlyTheSizeAskedForAndShowsThePage() throws Exception {
        site.page("/coloured", "<style>body{margin:0;background:#123456}div{width:100px;height:50px;background:#fedcba}</style><div></div><h1>Kräne 起重机</h1>");
        Buffer png = site.picture("/coloured", 400, 301);
        Files.write(Path.of("target/coloured.png"), png.getBytes());
        BufferedImage image = image(png);
        assertThat(image.getWidth()).isEqualTo(400);
        assertThat(image.getHeight()).isEqualTo(301);
        assertThat(image.getRGB(50, 25) & 0xffffff).isEqualTo(0xfedcba);
        assertThat(image.getRGB(399, 300) & 0xffffff).isEqualTo(0x123456);
    }

    @Test
    void aLetterIsPrintedOnA4WithoutScriptAndNetwork() throws Exception {
        int before = site.hits().size();
        Buffer pdf = site.print("""
                <!doctype html><title>Notice</title><style>p.shown::after{content:" by style"}</style><p class=shown>Words ÄÖ 中</p>
                <img src="%1$s/pixel.png"><iframe src="%1$s/frame"></iframe><link rel=stylesheet href="%1$s/style.css">
                <script>document.body.append('by script')</script><img src=x onerror="document.body.append('by handler')">
                <meta http-equiv=refresh content="0;url=%1$s/elsewhere"><object data="file:///etc/passwd"></object><iframe src="file:///etc/passwd"></iframe>
                """.formatted(site.url()));
        Files.write(Path.of("target/letter.pdf"), pdf.getBytes());
        try (PDDocument document = Loader.loadPDF(pdf.getBytes())) {
            assertThat(document.getNumberOfPages()).isEqualTo(1);
            assertThat(document.getPage(0).getMediaBox().getWidth()).isBetween(594f, 597f);
            assertThat(document.getPage(0).getMediaBox().getHeight()).isBetween(841f, 843f);
            assertThat(new PDFTextStripper().getText(document)).contains("Words ÄÖ 中 by style").doesNotContain("by script", "by handler", "root:");
        }
        assertThat(site.hits()).hasSize(before);
    }

    /** Letters and proofs of service have their own queue: strangers' pages that load for ever hold none of it. */
    @Test
    void aLetterDoesNotWaitForPagesThatAreCaptured() {
        List<Future<Buffer>> captures = new ArrayList<>();
        List<HttpServerRequest> held = new CopyOnWriteArrayList<>();
        site.on("/held", held::add);
        for (int i = 0; i < 8; i++) {
            captures.add(site.pages().picture(new Object(), site.url() + "/held", 10, 10));
        }
        Await.until("captures are loading", () -> held.size() == 2);
        assertThat(site.print("<p>Proof</p>").length()).isPositive();
        assertThat(captures).noneMatch(Future::isComplete);
        site.on("/held", request -> request.response().end("now"));
        held.forEach(request -> request.response().end("now"));
        captures.forEach(capture -> assertThat(site.await(capture).length()).isPositive());
    }

    @Test
    void whatCannotBeLoadedIsNoPicture() {
        for (String url : new String[] {"ftp://example.org/", "file:///etc/passwd", "javascript:alert(1)", "http://", "about:blank", "http://u:p@127.0.0.2/"}) {
            assertThatThrownBy(() -> site.await(site.pages().picture(new Object(), url, 10, 10))).as(url).cause().isInstanceOf(PageFailure.class);
        }
    }

    /** What is in the way of its start: 503, health names the browser; afterwards the next page starts it. */
    private static void assertDownUntil(PageSite faulty, String state, Executable mend) throws Throwable {
        assertThatThrownBy(() -> faulty.print("<p>Notice</p>")).as(state).cause().isInstanceOfSatisfying(Refusal.class, refused -> assertThat(refused.status()).isEqualTo(503));
        assertThat(faulty.pages().state()).as(state).isEqualTo(Pages.State.DOWN);
        mend.execute();
        assertThat(faulty.print("<p>Notice</p>").length()).as(state).isPositive();
        assertThat(faulty.pages().state()).as(state).isEqualTo(Pages.State.UP);
    }

    private static PageSite withFilesOn(SmallDisk disk) {
        return PageSite.open(PageSite.binary(), Duration.ofSeconds(40), 1000, 1L << 30, disk.folder());
    }

    /** Chromium shows a page also when it cannot write its files. */
    @Test
    void aBrowserWhoseFolderCannotBeMadeIsNamedAndOneOnAFullDiskShowsPages() throws Throwable {
        try (SmallDisk disk = SmallDisk.mount(TestFolders.create("full-browser-"), 100)) {
            try (PageSite full = withFilesOn(disk)) {
                disk.fillWithNames();
                // A start that fails at once, before anybody waits for it, is refused as well, and takes no place of later pages.
                for (int i = 0; i < 50; i++) {
                    assertThatThrownBy(() -> full.print("<p>Notice</p>")).cause().isInstanceOf(Refusal.class);
                }
                assertDownUntil(full, "no file can be made", disk::empty);
            }
            try (PageSite full = withFilesOn(disk)) {
                disk.fill(0);
                try (PDDocument document = Loader.loadPDF(full.print("<p>Notice</p>").getBytes())) {
                    assertThat(new PDFTextStripper().getText(document)).contains("Notice");
                }
                assertThat(full.pages().state()).isEqualTo(Pages.State.UP);
            }
        }
    }

    @Test
    void aBrowserThatDoesNotStartIsNamedAndIsUsedOnceItDoes() throws Throwable {
        Path binary = TestFolders.create("broken-browser-").resolve("browser");
        Files.writeString(binary, "#!/bin/sh\necho 'a library is missing'\nexit 127\n");
        Files.setPosixFilePermissions(binary, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (PageSite broken = PageSite.open(Optional.of(binary), Duration.ofSeconds(40), 1000, 1L << 30)) {
            assertDownUntil(broken, "a library is missing",
                    () -> Files.writeString(binary, "#!/bin/sh\nexec '%s' \"$@\"\n".formatted(PageSite.binary().orElseThrow())));
        }
    }
}
