package io.arbitration.identity.signin;

import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.answer.Reply;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;

/** The operations of the demo provider. */
public final class DemoHandlers {

    private final DemoProvider demo;

    public DemoHandlers(DemoProvider demo) {
        this.demo = demo;
    }

    public Contract bind(Contract contract) {
        return contract
                .bind("createDemoIdToken", this::createIdToken)
                .bind("listDemoPublicKeys", this::listPublicKeys);
    }

    private Future<Reply> createIdToken(Call call) {
        String token = demo.idToken(
                call.text("email"), call.text("first_name"), call.text("last_name"), call.yes("email_verified", true));
        return Future.succeededFuture(Reply.json(new JsonObject().put("idToken", token)));
    }

    private Future<Reply> listPublicKeys(Call call) {
        return Future.succeededFuture(
                Reply.json(demo.publicKeys()).withHeader("Cache-Control", KeyHandlers.PUBLIC_FOR_MINUTES));
    }
}
