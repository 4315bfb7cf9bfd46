package io.arbitration.cases;

import io.arbitration.cases.calendar.CalendarDomainRepository;
import io.arbitration.cases.calendar.CalendarWiring;
import io.arbitration.cases.deadlines.DeadlineWiring;
import io.arbitration.cases.deadlines.DeadlinesSettings;
import io.arbitration.cases.definitions.DefinitionsHandlers;
import io.arbitration.cases.definitions.DefinitionsSettings;
import io.arbitration.cases.definitions.RulesFingerprint;
import io.arbitration.cases.hearings.HearingAttendance;
import io.arbitration.cases.hearings.HearingClosing;
import io.arbitration.cases.hearings.HearingWiring;
import io.arbitration.cases.invitations.InvitationSettings;
import io.arbitration.cases.invitations.InvitationWiring;
import io.arbitration.cases.sandbox.SandboxHandlers;
import io.arbitration.cases.sandbox.SandboxSettings;
import io.arbitration.cases.sandbox.SandboxWiring;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.domain.time.Seat;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.StartFailure;
import io.arbitration.platform.config.AreaSettings;
import io.arbitration.platform.pipeline.AreaVerticle;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.pipeline.OperationPipeline;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Cases: their participants, their phases, and the schemas of the documents that are filed in them. */
public final class CasesVerticle extends AreaVerticle {

    private final AreaServices services;
    private final DefinitionsSettings settings;
    private final CaseRules rules;
    private final DeadlinesSettings deadlineSettings;
    private final Function<Vertx, CaseExport> export;
    private final SandboxSettings sandboxSettings;
    private final Optional<NewCasesSettings> newCases;
    private final AreaSettings areas;
    private final InvitationSettings invitationSettings;
    private final String senderAddress;
    private DeadlineWiring deadlines;
    private InvitationWiring invitations;
    private HearingWiring hearings;

    /**
     * @param newCases daily bounds on new cases; empty: there are none
     * @param senderAddress of the platform's emails, the organizer of hearings
     * @param export creates the exporter, on the Vert.x of the area
     */
    public CasesVerticle(AreaServices services, DefinitionsSettings settings, DeadlinesSettings deadlineSettings,
            SandboxSettings sandboxSettings, Optional<NewCasesSettings> newCases, AreaSettings areas, InvitationSettings invitationSettings, String senderAddress, CaseRules rules, Function<Vertx, CaseExport> export) {
        super("cases");
        this.export = export;
        this.services = services;
        this.settings = settings;
        this.deadlineSettings = deadlineSettings;
        this.sandboxSettings = sandboxSettings;
        this.newCases = newCases;
        this.areas = areas;
        this.invitationSettings = invitationSettings;
        this.senderAddress = senderAddress;
        this.rules = rules;
    }

    @Override
    protected Future<List<Contract>> open() {
        CasesRepository repository = new CasesRepository(services.database());
        return vertx.executeBlocking(() -> RulesFingerprint.of(settings.folder()), false).compose(fingerprint -> {
            deadlines = new DeadlineWiring(vertx, services, rules, fingerprint, deadlineSettings);
            return repository.inUse();
        }).compose(used -> {
            used.forEach(this::checkDefined);
            return repository.seatsInUse();
        }).compose(seats -> vertx.executeBlocking(() -> {
            seats.forEach(this::checkKnown);
            return null;
        }, false)).compose(known -> deadlines.start()).compose(started -> new CalendarDomainRepository(services.database()).kept(services.publicUrl()))
                .map(domain -> List.of(contract(repository, domain)));
    }

    private Contract contract(CasesRepository repository, String calendarDomain) {
        CaseEvents events = new CaseEvents(services.random());
        CaseChanges changes = new CaseChanges(repository, services.events(), services.audit(), events, deadlines.storage(),
                new HearingAttendance(services.database()), new HearingClosing(services.database(), services.events(), services.audit(), services.random()), rules.definitions());
        CasesService service = new CasesService(services.database(), repository, new CaseFilingsRepository(services.database()), services.events(), services.audit(), events, changes, rules,
                seat -> vertx.executeBlocking(() -> rules.knows(seat), false), deadlines.storage(), sandboxSettings, newCases, services.clock(), services.random());
        invitations = new InvitationWiring(vertx, services, areas, changes, rules.definitions(), invitationSettings);
        invitations.start();
        hearings = new HearingWiring(vertx, services, areas, repository, changes, rules.definitions(), calendarDomain, senderAddress);
        hearings.start();
        CaseJson json = new CaseJson(rules);
        ExportService exports = new ExportService(service, json, export.apply(vertx));
        Contract contract = new CasesHandlers(service, exports, json).bind(new DefinitionsHandlers(rules.definitions()).bind(Contract.read("cases")));
        CalendarWiring calendar = new CalendarWiring(vertx, services, areas, deadlines.calendar(repository, calendarDomain), hearings.calendar());
        SandboxHandlers sandboxes = SandboxWiring.handlers(services, changes, deadlines.sandboxes(), sandboxSettings);
        return calendar.bind(sandboxes.bind(hearings.bind(invitations.handlers().bind(deadlines.handlers(changes).bind(contract)))));
    }

    /** A case without its rule set could be neither shown nor continued, so the node does not start. */
    private void checkDefined(CasesRepository.RuleSetAndPhase used) {
        if (rules.definitions().ruleSet(used.ruleSet()).flatMap(ruleSet -> ruleSet.phase(used.phaseId())).isEmpty()) {
            throw new StartFailure(StartFailure.MISCONFIGURED,
                    "definitions.folder: %s lacks the phase %s of the rule set %s, and cases of this database are in that phase"
                            .formatted(settings.folder(), used.phaseId(), used.ruleSet()), null);
        }
    }

    private void checkKnown(Seat seat) {
        if (!rules.counts(seat)) {
            throw new StartFailure(StartFailure.MISCONFIGURED,
                    "the holidays of %s are missing; cases of this database count working days by them".formatted(seat), null);
        }
    }

    @Override
    public Future<?> stop() {
        // All of them, even if one fails: each releases the leases that it holds. What is null was not started.
        return Future.join(List.of(
                deadlines == null ? Future.succeededFuture() : deadlines.stop(),
                invitations == null ? Future.succeededFuture() : invitations.stop(),
                hearings == null ? Future.succeededFuture() : hearings.stop()));
    }

    @Override
    protected OperationPipeline pipeline() {
        return services.pipeline();
    }
}
