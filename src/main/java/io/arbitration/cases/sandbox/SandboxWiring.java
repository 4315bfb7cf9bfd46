package io.arbitration.cases.sandbox;

import io.arbitration.cases.CaseChanges;
import io.arbitration.cases.deadlines.SandboxDeadlines;
import io.arbitration.platform.AreaServices;

/** Wires the clocks of sandboxes. */
public final class SandboxWiring {

    private SandboxWiring() {}

    public static SandboxHandlers handlers(AreaServices services, CaseChanges changes, SandboxDeadlines deadlines, SandboxSettings settings) {
        return new SandboxHandlers(new SandboxService(services.database(), new SandboxRepository(), changes, deadlines, services.audit(), settings,
                services.clock()));
    }
}
