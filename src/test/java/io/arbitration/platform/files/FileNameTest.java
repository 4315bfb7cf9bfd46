package io.arbitration.platform.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class FileNameTest {

    @Test
    void aNameLosesWhatFoldersShellsAndReadersCouldMisread() {
        Map.ofEntries(
                Map.entry("contract.pdf", "contract.pdf"),
                Map.entry("../../etc/passwd", "passwd"),
                Map.entry("C:\\Users\\clara\\contract.pdf", "contract.pdf"),
                Map.entry("/", "file"),
                Map.entry("..", "file"),
                Map.entry("", "file"),
                Map.entry(" . ", "file"),
                Map.entry(".bashrc", "bashrc"),
                Map.entry("a\r\nSet-Cookie: x=y.pdf", "a Set-Cookie x=y.pdf"),
                Map.entry("a\u0000b.pdf", "a b.pdf"),
                Map.entry("say \"hi\".pdf", "say hi .pdf"),
                Map.entry("a<b>|c*?.pdf", "a b c .pdf"),
                // Shown as "invoiceexe.pdf" by whoever follows the mark.
                Map.entry("invoice\u202Efdp.exe", "invoice fdp.exe"),
                Map.entry("\u2066a\u2069\u200B.pdf", "a .pdf"),
                Map.entry("договор — подписан.pdf", "договор — подписан.pdf"),
                Map.entry("契約書.pdf", "契約書.pdf"),
                Map.entry("عقد.pdf", "عقد.pdf"),
                Map.entry("e\u0301.pdf", "\u00e9.pdf"),
                Map.entry("\uD800.pdf", "pdf")).forEach((given, clean) -> assertThat(FileName.clean(given)).isEqualTo(clean));
    }

    @Test
    void aLongNameIsCutAndKeepsItsEnding() {
        assertThat(FileName.clean("a".repeat(500) + ".pdf")).hasSize(200).endsWith("aaa.pdf");
        assertThat(FileName.clean("a".repeat(500))).hasSize(200);
        String pairs = FileName.clean("\uD83D\uDCC4".repeat(300));
        assertThat(pairs.codePoints()).as("no half of a pair is left").allMatch(c -> c == 0x1F4C4);
        String odd = FileName.clean("a" + "\uD83D\uDCC4".repeat(300));
        assertThat(odd.codePoints().skip(1)).allMatch(c -> c == 0x1F4C4);
    }

    @Test
    void aNameFitsIntoTheBytesOfAFolderAndKeepsItsEnding() {
        assertThat(FileName.within("契約書.pdf", 220)).isEqualTo("契約書.pdf");
        assertThat(FileName.within("判".repeat(196) + ".pdf", 220)).isEqualTo("判".repeat(72) + ".pdf");
        assertThat(FileName.within("\uD83D\uDCC4".repeat(98) + ".pdf", 220)).isEqualTo("\uD83D\uDCC4".repeat(54) + ".pdf");
    }

    @Test
    void aCleanNameStaysAsItIs() {
        for (String name : new String[] {"../a b.pdf", "x".repeat(300) + ".docx", "\u202E.", "a\nb", "..a..", ". .a"}) {
            String once = FileName.clean(name);
            assertThat(FileName.clean(once)).as(name).isEqualTo(once);
        }
    }

    @Test
    void aDownloadNamesTheFileForOldReadersAndForNewOnes() {
        assertThat(FileName.disposition("contract (1).pdf"))
                .isEqualTo("attachment; filename=\"contract (1).pdf\"; filename*=UTF-8''contract%20%281%29.pdf");
        assertThat(FileName.disposition("契約\"; x=\".pdf")).isEqualTo("attachment; filename=\"____ x__.pdf\"; filename*=UTF-8''%E5%A5%91%E7%B4%84%22%3B%20x%3D%22.pdf");
    }
}
