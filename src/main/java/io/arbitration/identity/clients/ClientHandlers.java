package io.arbitration.identity.clients;

import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.identity.Fields;
import io.arbitration.identity.sessions.TokenSet;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.listing.PageByTime;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/** The operations on machine clients. */
public final class ClientHandlers {

    private final ClientService clients;

    public ClientHandlers(ClientService clients) {
        this.clients = clients;
    }

    public Contract bind(Contract contract) {
        return contract
                .bind("createMachineClient", this::create)
                .bind("listMachineClients", this::list)
                .bind("rotateMachineClientSecret", this::rotate)
                .bind("disableMachineClient", this::disable)
                .bind("enableMachineClient", this::enable)
                .bind("grantMachineClientPermission", this::grant)
                .bind("revokeMachineClientPermission", this::revoke)
                .bind("issueMachineClientToken", this::token);
    }

    private Future<Reply> create(Call call) {
        return clients.create(call.requester(), Fields.name(call, "name"), Set.copyOf(call.texts("permissions")),
                        call.optionalText("organizationID").map(OrganizationId::of))
                .map(created -> Reply.json(new JsonObject()
                                .put("clientID", created.clientId().toString())
                                .put("clientSecret", created.secret()))
                        .withHeader("Cache-Control", "no-store"));
    }

    private Future<Reply> list(Call call) {
        return clients.list(call.requester(), PageByTime.Wanted.of(call)).map(page -> page.reply("clients", ClientHandlers::json));
    }

    private static JsonObject json(Client client) {
        return new JsonObject()
                .put("clientID", client.id().toString())
                .put("name", client.name())
                .put("permissions", new JsonArray(new TreeSet<>(client.permissions()).stream().toList()))
                .put("organizationID", client.organizationId().map(UUID::toString).orElse(null))
                .put("created", Timestamps.text(client.created()))
                .put("lastUsed", client.lastUsed().map(Timestamps::text).orElse(null))
                .put("disabled", client.isDisabled());
    }

    private Future<Reply> rotate(Call call) {
        return clients.rotate(call.requester(), Fields.id(call, "clientID"), Duration.ofSeconds(call.integer("overlapSeconds", 0)))
                .map(secret -> Reply.json(new JsonObject().put("clientSecret", secret)).withHeader("Cache-Control", "no-store"));
    }

    private Future<Reply> disable(Call call) {
        return clients.disable(call.requester(), Fields.id(call, "clientID")).map(disabled -> Reply.sentence("Client disabled."));
    }

    private Future<Reply> enable(Call call) {
        return clients.enable(call.requester(), Fields.id(call, "clientID")).map(enabled -> Reply.sentence("Client enabled."));
    }

    private Future<Reply> grant(Call call) {
        return clients.grant(call.requester(), Fields.id(call, "clientID"), call.text("permission")).map(granted -> Reply.sentence("Permission granted."));
    }

    private Future<Reply> revoke(Call call) {
        return clients.revoke(call.requester(), Fields.id(call, "clientID"), call.text("permission")).map(taken -> Reply.sentence("Permission revoked."));
    }

    private Future<Reply> token(Call call) {
        return clients.token(Fields.id(call, "clientID"), call.text("clientSecret")).map(found -> found
                .map(issued -> new TokenSet(issued.accessToken(), "", issued.lifetime().toSeconds()).reply())
                .orElseThrow(ClientError.INVALID_CLIENT::refusal));
    }
}
