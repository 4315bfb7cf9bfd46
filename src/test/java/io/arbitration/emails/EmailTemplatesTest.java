package io.arbitration.emails;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.platform.config.ConfigurationError;
import io.arbitration.platform.answer.Refusal;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The email templates: what stops the start, and what values can and can not do. */
class EmailTemplatesTest {

    @TempDir
    private Path folder;

    @BeforeEach
    void aGoodTemplate() throws IOException {
        write("template.yaml", "variables:\n  name: {example: Clara}\n  parts: {example: [{title: One}], required: false}\n");
        write("subject.txt", "For {{ name }}\n");
        write("body.html", "<p>{{ name }}</p>{% for part in parts %}<b>{{ part.title }}</b>{% endfor %}");
        write("body.txt", "{{ name }}{% for part in parts %}, {{ part.title }}{% endfor %}");
    }

    private void write(String file, String text) throws IOException {
        Files.createDirectories(folder.resolve("greeting"));
        Files.writeString(folder.resolve("greeting").resolve(file), text);
    }

    private void stopsTheStart(String... messageParts) {
        assertThatThrownBy(() -> EmailTemplates.load(folder)).isInstanceOf(ConfigurationError.class).hasMessageContainingAll(messageParts);
    }

    private RenderedEmail render(JsonObject values) {
        return EmailTemplates.load(folder).named("greeting").render(values, Optional.empty());
    }

    @Test
    void theShippedTemplatesLoadAndEachIsRenderedWithItsExamples() {
        EmailTemplates shipped = EmailTemplates.load(Path.of("conf/templates/email"));
        for (String name : new String[] {"docket-filing", "case-created", "webhook-disabled"}) {
            assertThat(shipped.named(name).variables()).isNotEmpty();
        }
    }

    @Test
    void htmlIsEscapedAndTextIsNot() {
        RenderedEmail rendered = render(new JsonObject().put("name", "<Clara & \"Co\">").put("parts", new JsonArray().add(new JsonObject().put("title", "a<b"))));
        assertThat(rendered).isEqualTo(new RenderedEmail("For <Clara & \"Co\">", "<p>&lt;Clara &amp; &quot;Co&quot;&gt;</p><b>a&lt;b</b>",
                Optional.of("<Clara & \"Co\">, a<b")));
    }

    @Test
    void aValueIsNeverReadAsATemplate() {
        assertThat(render(new JsonObject().put("name", "{{ name }}{% include 'x' %}")).html()).contains("{{ name }}{% include &#39;x&#39; %}");
    }

    @Test
    void aVariableThatIsNotDeclaredStopsTheStart() throws IOException {
        write("body.html", "<p>{{ name }}</p>\n<p>{{ nmae }}</p>");
        stopsTheStart("greeting", "line 2", "nmae");
    }

    @Test
    void aVariableThatIsNotDeclaredInASubjectStopsTheStart() throws IOException {
        write("subject.txt", "For {{ nmae }}");
        stopsTheStart("greeting", "nmae");
    }

    @Test
    void aMemberThatAnExampleLacksStopsTheStart() throws IOException {
        write("body.txt", "{% for part in parts %}{{ part.tilte }}{% endfor %}");
        stopsTheStart("greeting", "tilte");
    }

    @Test
    void brokenSyntaxStopsTheStartWithItsPlace() throws IOException {
        write("body.html", "<p>\n{% if name %}\n</p>");
        stopsTheStart("greeting/body.html", "line 3");
    }

    @Test
    void aMissingPartStopsTheStart() throws IOException {
        Files.delete(folder.resolve("greeting/body.txt"));
        stopsTheStart("greeting/body.txt");
    }

    @Test
    void aVariableWithoutAnExampleStopsTheStart() throws IOException {
        write("template.yaml", "variables:\n  name: {description: Whom it is for.}\n  parts: {example: []}\n");
        stopsTheStart("template.yaml", "variables.name: has no example");
    }

    @Test
    void anUnknownKeyStopsTheStart() throws IOException {
        write("template.yaml", "variables:\n  name: {example: Clara, defualt: x}\n");
        stopsTheStart("template.yaml", "variables.name.[defualt]");
    }

    @Test
    void anOptionalVariableThatTheTemplateCanNotDoWithoutStopsTheStart() throws IOException {
        write("template.yaml", "variables:\n  name: {example: Clara, required: false}\n  parts: {example: [{title: One}]}\n");
        write("subject.txt", "{{ name }}");
        stopsTheStart("with its examples, subject: from 1 to 500 characters");
    }

    @Test
    void aTemplateReachesNoFileOutsideOfItsFolder() throws IOException {
        Files.writeString(folder.getParent().resolve("secret.txt"), "secret");
        write("body.html", "{{ name }}{% include \"../secret.txt\" %}");
        stopsTheStart("greeting");
    }

    @Test
    void aValueOfAnotherKindThanTheTemplateNeedsIsRefused() {
        assertThatThrownBy(() -> render(new JsonObject().put("name", "Clara").put("parts", new JsonArray().add("One"))))
                .isInstanceOf(Refusal.class).hasMessageStartingWith("data: does not fit the template greeting: ");
    }

    @Test
    void aFolderThatIsNotThereStopsTheStart() {
        assertThatThrownBy(() -> EmailTemplates.load(folder.resolve("none"))).isInstanceOf(ConfigurationError.class)
                .hasMessageContaining("emails.templatesFolder");
    }
}
