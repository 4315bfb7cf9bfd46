package org.example;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends an email about each new docket entry to the mailbox of its configuration. */
public class SecretaryVerticle extends VerticleBase {

    private static final Logger LOG = LoggerFactory.getLogger(SecretaryVerticle.class);

    @Override
    public Future<?> start() {
        String mailbox = config().getString("mailbox");
        if (mailbox == null) {
            return Future.failedFuture("configuration.mailbox is missing");
        }
        EventBus bus = vertx.eventBus();
        return bus.<JsonObject>consumer("docket.entry.added", message -> tell(bus, mailbox, message.body())).completion();
    }

    private static void tell(EventBus bus, String mailbox, JsonObject event) {
        JsonObject entry = event.getJsonObject("data");
        bus.request("emails.send", new JsonObject()
                        // The same event may come again, and on each node of a cluster: the same key sends one email.
                        .put("idempotencyKey", "secretary:" + event.getString("id"))
                        .put("to", new JsonArray().add(mailbox))
                        .put("subject", "Entry " + entry.getString("entryID"))
                        .put("html", "<p>A " + entry.getString("documentID") + " was filed.</p>"))
                .onSuccess(accepted -> LOG.info("told {} of a {}", mailbox, entry.getString("documentID")))
                .onFailure(failed -> LOG.warn("{} was not told of entry {}", mailbox, entry.getString("entryID"), failed));
    }
}
