package io.arbitration.cases;

import io.arbitration.cases.definitions.DefinitionsSettings;
import io.arbitration.cases.invitations.InvitationHandlers;
import io.arbitration.cases.invitations.InvitationRepository;
import io.arbitration.cases.invitations.InvitationService;
import io.arbitration.cases.invitations.InvitationSettings;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.StartFailure;
import io.arbitration.platform.config.AreaSettings;
import io.arbitration.platform.events.Addresses;
import io.arbitration.platform.pipeline.AreaVerticle;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.pipeline.OperationPipeline;
import io.arbitration.platform.queue.BusHandover;
import io.arbitration.platform.queue.Dispatcher;
import io.arbitration.platform.queue.Handover;
import io.arbitration.platform.queue.LeaseQueue;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Cases: who takes part in them, the phases that they go through, and the schemas of what is filed in them. */
public final class CasesVerticle extends AreaVerticle {

    private static final Duration SWEEP_PERIOD = Duration.ofMinutes(5);
    private static final Logger LOG = LoggerFactory.getLogger(CasesVerticle.class);

    private final AreaServices services;
    private final DefinitionsSettings settings;
    private final CaseRules rules;
    private final Function<Vertx, CaseExport> export;
    private final AreaSettings areas;
    private final InvitationSettings invitations;
    private Optional<Dispatcher<?, ?>> invitationEmails = Optional.empty();

    /** @param export makes what writes cases out, on the Vert.x that the area runs on */
    public CasesVerticle(AreaServices services, DefinitionsSettings settings, AreaSettings areas, InvitationSettings invitations, CaseRules rules,
            Function<Vertx, CaseExport> export) {
        super("cases");
        this.areas = areas;
        this.invitations = invitations;
        this.export = export;
        this.services = services;
        this.settings = settings;
        this.rules = rules;
    }

    @Override
    protected Future<List<Contract>> open() {
        CasesRepository repository = new CasesRepository(services.database());
        return repository.inUse().map(used -> {
            used.forEach(this::checkDefined);
            return List.of(contract(repository));
        });
    }

    private Contract contract(CasesRepository repository) {
        CaseEvents events = new CaseEvents(services.random());
        CaseChanges changes = new CaseChanges(repository, services.events(), services.audit(), events, rules.definitions());
        CasesService service = new CasesService(services.database(), repository, services.events(), services.audit(), events, changes, rules,
                services.clock(), services.random());
        CaseJson json = new CaseJson(rules);
        ExportService exports = new ExportService(service, json, export.apply(vertx));
        Contract contract = new CasesHandlers(service, exports, rules.definitions(), json).bind(Contract.read("cases"));
        inviting(changes).bind(contract);
        return contract;
    }

    private InvitationHandlers inviting(CaseChanges changes) {
        InvitationRepository repository = new InvitationRepository(
                services.database(), invitations.superAdministrators(), rules.definitions(), services.publicUrl(), services.clock());
        InvitationService service = new InvitationService(services.database(), repository, changes, services.audit(), rules.definitions(),
                services.clock(), services.random());
        Dispatcher<?, ?> emails = LeaseQueue.dispatcher(vertx, services, Handover.terms(InvitationRepository.QUEUE), repository,
                new Handover<>(new BusHandover(vertx, areas), InvitationRepository.QUEUE, Addresses.EMAILS_SEND, services.random()), Handover.IN_FLIGHT_MAX);
        emails.start();
        invitationEmails = Optional.of(emails);
        vertx.setPeriodic(SWEEP_PERIOD.toMillis(), timer -> service.sweep(services.clock().instant().minus(invitations.kept()))
                .onFailure(failed -> LOG.warn("removing old invitations failed: {}", failed.getMessage())));
        return new InvitationHandlers(service);
    }

    /** A case whose rule set is gone could be neither shown nor continued: better not to start. */
    private void checkDefined(CasesRepository.RuleSetAndPhase used) {
        if (rules.definitions().ruleSet(used.ruleSet()).flatMap(ruleSet -> ruleSet.phase(used.phaseId())).isEmpty()) {
            throw new StartFailure(StartFailure.MISCONFIGURED,
                    "definitions.folder: %s lacks the phase %s of the rule set %s, which cases of this database are in"
                            .formatted(settings.folder(), used.phaseId(), used.ruleSet()), null);
        }
    }

    @Override
    public Future<?> stop() {
        return invitationEmails.map(Dispatcher::stop).orElseGet(Future::succeededFuture);
    }

    @Override
    protected OperationPipeline pipeline() {
        return services.pipeline();
    }
}
