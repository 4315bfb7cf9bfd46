package io.arbitration.cases;

import io.arbitration.platform.Foundation;
import io.arbitration.platform.http.Area;
import io.arbitration.platform.http.Contract;
import io.arbitration.platform.http.Door;
import io.vertx.core.Future;
import java.util.List;

/** Cases: who takes part in them, the phases that they go through, and the schemas of what is filed in them. */
public final class CasesVerticle extends Area {

    private final Foundation foundation;
    private final CaseRules rules;

    public CasesVerticle(Foundation foundation, CaseRules rules) {
        super("cases");
        this.foundation = foundation;
        this.rules = rules;
    }

    @Override
    protected Future<List<Contract>> open() {
        CasesRepository repository = new CasesRepository(foundation.database(), foundation.events(), foundation.audit());
        CasesService service = new CasesService(repository, rules, foundation.clock(), foundation.random());
        CasesHandlers handlers = new CasesHandlers(service, rules.definitions(), new CaseJson(rules));
        return Future.succeededFuture(List.of(handlers.bind(Contract.read("cases"))));
    }

    @Override
    protected Door door() {
        return foundation.door();
    }
}
