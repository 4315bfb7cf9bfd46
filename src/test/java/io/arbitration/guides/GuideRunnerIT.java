package io.arbitration.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A page that does not hold fails the test of the guides, whatever is wrong with it. */
class GuideRunnerIT {

    private static final String ID = "5f0c2b9e-8f5a-4c37-9a51-3a6d1f0e7b21";
    private static final String OTHER_ID = "1b671a64-40d5-491e-99b0-da01ff1f3341";

    @TempDir
    private Path folder;

    private List<String> follow(String text) throws Exception {
        List<String> told = new ArrayList<>();
        new Guide(Page.of(Path.of("page.md"), text.replace("'''", "```")), Files.createTempDirectory(folder, "page"), told::add).follow();
        return told;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '¦', quoteCharacter = '`', value = {
        "'''cobol\\nx\\n''' ¦ nothing checks blocks of cobol",
        "'''\\nx\\n''' ¦ nothing checks blocks of no language",
        "'''sh\\nfalse\\n''' ¦ page.md:1",
        "'''sh\\nfalse | cat\\n''' ¦ page.md:1",
        "'''sh\\necho $unknown_to_the_reader\\n''' ¦ unbound variable",
        "'''sh fails\\ntrue\\n''' ¦ has to fail",
        "'''sh refused\\ncurl -s $url/openapi/cases.yaml > /dev/null\\n''' ¦ has to be refused",
        "'''sh\\ncurl -s $url/cases/nowhere\\n''' ¦ path not found",
        "'''sh\\nx=$(curl -s $url/cases/nowhere | cat)\\n''' ¦ page.md:1",
        "'''sh\\n./acp bench docket\\n''' ¦ say so and why",
        "'''sh\\necho one\\n'''\\n<!-- shows: two --> ¦ page.md:1",
        "'''sh\\necho one\\n'''\\n'''text answer\\ntwo\\n''' ¦ printed",
        "'''sh\\necho '[1]'\\n'''\\n'''json answer\\n[2]\\n''' ¦ shown is 2, printed was 1",
        "'''sh\\necho '{\"a\":1,\"b\":2}'\\n'''\\n'''json answer\\n{\"a\":1}\\n''' ¦ shown are the members [a]",
        "'''sh anyhow\\ntrue\\n''' ¦ words that mean nothing",
        "'''json\\n{\\n''' ¦ Unexpected end-of-input",
        "'''json request POST /cases/cases/create\\n{\"title\":7}\\n''' ¦ page.md:1",
        "'''json event\\n{\"event\":\"docket_filing\"}\\n''' ¦ page.md:1",
        "'''yaml\\nhttp: {prot: 80}\\n''' ¦ http.prot: unknown key",
        "'''properties\\nACP_HTTP_PROT=80\\n''' ¦ unknown key in the environment",
        "<!-- not run: reason -->\\n'''sh\\nACP_HTTP_PROT=80 ./acp run\\n''' ¦ unknown key in the environment",
        "'''java\\nclass A { int a }\\n''' ¦ expected",
        "'''python\\ndef a(:\\n''' ¦ SyntaxError",
        "'''js\\nlet = =;\\n''' ¦ SyntaxError",
        "'''go\\nfunc {\\n''' ¦ expected",
        "<!-- not-run: reason -->\\n'''sh\\ntrue\\n''' ¦ a comment that says nothing known",
        "<!-- not run: reason -->\\nProse\\n'''sh\\ntrue\\n''' ¦ a comment belongs right above a block",
        "<!-- from: README.md -->\\n'''sh\\nnowhere in it\\n''' ¦ is no longer what README.md says",
        "'''sh\\ntrue\\n ¦ a block without an end",
        "> '''sh\\n> false\\n> '''\\n ¦ a block that is not fenced",
        "Prose.\\n\\n    false\\n\\nMore. ¦ a block that is not fenced",
        "<pre>false</pre> ¦ a block that is not fenced",
    })
    void aPageThatDoesNotHoldIsNamed(String text, String told) {
        assertThatThrownBy(() -> follow(text.replace("\\n", "\n"))).hasMessageContaining(told);
    }

    @Test
    void anIdThatAPageShowsTwiceIsTheSameBothTimes() {
        String shown = "'''sh\necho '{\"caseID\":\"%s\"}'\n'''\n'''json answer\n{\"caseID\":\"%s\"}\n'''\n".formatted(OTHER_ID, ID);
        assertThatCode(() -> follow(shown + shown)).doesNotThrowAnyException();
        assertThatThrownBy(() -> follow(shown + shown.replaceFirst(OTHER_ID, ID))).hasMessageContaining(".caseID: shown is");
    }

    @Test
    void whatIsNotRunIsToldWithItsReason() throws Exception {
        assertThat(follow("<!-- not run: needs an account -->\n'''cobol\nx\n'''\n")).containsExactly("not run: page.md:2: needs an account");
    }

    @Test
    void variablesFilesAndWhatRunsInTheBackgroundLastToTheEndOfThePage() throws Exception {
        assertThat(follow("""
                Save this as `one.py`:

                '''python
                print(6 * 7)
                '''
                <!-- given name=Ada -->
                '''sh
                greeting="Hello, $name"
                '''
                '''sh background
                echo begun; exec sleep 60
                '''
                '''text answer
                begun
                '''
                '''sh
                echo "$greeting, it is $(python3 one.py) since 2026-11-21"
                '''
                '''text answer
                Hello, Ada, it is … since 2025-01-01
                '''
                """)).isEmpty();
    }
}
