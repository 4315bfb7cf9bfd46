package io.arbitration.emails;

import io.arbitration.domain.Identifiers;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.answer.Reply;
import io.pebbletemplates.pebble.PebbleEngine;
import io.pebbletemplates.pebble.loader.ClasspathLoader;
import io.pebbletemplates.pebble.template.PebbleTemplate;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The local page of the demo profile that shows held emails. An email contains HTML of others: it is shown in a sandbox, without
 * scripts and without an origin, and loads nothing.
 */
final class HeldHandlers {

    private static final int SHOWN_MAX = 50;
    private static final String HTML = "text/html; charset=utf-8";
    private static final String POLICY = "Content-Security-Policy";

    private final EmailsService service;
    private final PebbleTemplate page;

    HeldHandlers(EmailsService service) {
        this.service = service;
        this.page = new PebbleEngine.Builder().loader(new ClasspathLoader()).strictVariables(true).build().getTemplate("pages/held-emails.html");
    }

    Contract bind(Contract contract) {
        return contract.bind("showHeldEmails", this::list).bind("showHeldEmail", this::show);
    }

    private Future<Reply> list(Call call) {
        return service.held(SHOWN_MAX).map(held -> html(page(held)).withHeader(POLICY,
                "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"));
    }

    private Future<Reply> show(Call call) {
        return Identifiers.uuid(call.pathParameter("emailID")).map(service::held)
                .orElseThrow(EmailsError.HELD_NOT_FOUND::refusal)
                .map(html -> html(html.orElseThrow(EmailsError.HELD_NOT_FOUND::refusal)).withHeader(POLICY,
                        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"));
    }

    private String page(List<EmailRepository.Held> held) {
        List<Map<String, Object>> lines = held.stream().map(one -> Map.<String, Object>of("id", one.emailId().toString(), "to", one.to(),
                "subject", one.subject(), "acceptedAt", Timestamps.text(one.acceptedAt()))).toList();
        StringWriter out = new StringWriter();
        try {
            page.evaluate(out, Map.of("emails", lines, "most", SHOWN_MAX), Locale.ROOT);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        return out.toString();
    }

    private static Reply html(String text) {
        return new Reply(200, HTML, Buffer.buffer(text), Map.of())
                .withHeader("X-Content-Type-Options", "nosniff")
                .withHeader("Referrer-Policy", "no-referrer");
    }
}
