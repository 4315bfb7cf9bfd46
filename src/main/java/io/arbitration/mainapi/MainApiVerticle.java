package io.arbitration.mainapi;

import io.arbitration.domain.cases.CaseRules;
import io.arbitration.mainapi.capture.CaptureHandlers;
import io.arbitration.mainapi.capture.CaptureService;
import io.arbitration.mainapi.docket.DocketHandlers;
import io.arbitration.mainapi.docket.DocketListRepository;
import io.arbitration.mainapi.docket.DocketRepository;
import io.arbitration.mainapi.docket.DocketService;
import io.arbitration.mainapi.docket.EntryPaper;
import io.arbitration.mainapi.docket.RecentEntries;
import io.arbitration.mainapi.docket.SealService;
import io.arbitration.mainapi.evidence.EvidenceSettings;
import io.arbitration.mainapi.evidence.EvidenceWiring;
import io.arbitration.mainapi.files.ReadingTrail;
import io.arbitration.mainapi.files.Transfers;
import io.arbitration.mainapi.filings.FilingWiring;
import io.arbitration.mainapi.filings.Receipts;
import io.arbitration.mainapi.live.LiveWiring;
import io.arbitration.mainapi.notice.NoticeWiring;
import io.arbitration.mainapi.search.SearchWiring;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.paper.PaperWorkers;
import io.arbitration.platform.pipeline.AreaVerticle;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.pipeline.OperationPipeline;
import io.vertx.core.Future;
import java.util.List;

/** The main API: filings, the docket, evidence, service of notice, search and events as they happen. */
public final class MainApiVerticle extends AreaVerticle {

    /** The most PDFs of entries that wait to be made; further ones are refused. */
    private static final int PAPER_QUEUE_MAX = 64;
    private static final int PAPERS_PER_CALLER = 16;

    private final AreaServices services;
    private final MainApiSettings settings;
    private final CaseRules rules;
    private NoticeWiring notices;
    private SearchWiring search;
    private LiveWiring live;

    public MainApiVerticle(AreaServices services, MainApiSettings settings, CaseRules rules) {
        super("api");
        this.services = services;
        this.settings = settings;
        this.rules = rules;
    }

    @Override
    protected Future<List<Contract>> open() {
        Contract contract = Contract.read("main");
        DocketRepository docket = new DocketRepository(services.database());
        Receipts receipts = new Receipts(services.tokens().issuer(), services.signingKeys(), services.clock());
        EvidenceSettings evidence = settings.evidence();
        Transfers transfers = new Transfers(vertx, services.objects(), new ReadingTrail(vertx, services.database(), services.audit()), services.disk(),
                evidence.bucket(), evidence.transfersMax(), evidence.transfersPerCaller());
        DocketService dockets = new DocketService(vertx, docket, new DocketListRepository(services.database()), settings.docket().cacheBytesMax(), services.meters(), new EntryPaper(rules.definitions()),
                new PaperWorkers(vertx, PAPER_QUEUE_MAX, PAPERS_PER_CALLER));
        FilingWiring.bind(contract, vertx, services, new FilingWiring.Bounds(settings.docket(), settings.files(), evidence.bounds()), rules, docket,
                dockets::docketed, receipts, transfers);
        new DocketHandlers(dockets, new SealService(services.database(), services.events(), services.audit(),
                        rules.definitions(), services.clock(), services.random()), new RecentEntries(services.database())).bind(contract);
        EvidenceWiring.bind(contract, services, evidence, rules, transfers);
        notices = new NoticeWiring(vertx, services, settings.notices(), settings.areas(), settings.evidence().bucket(), rules.definitions(), docket,
                transfers);
        notices.bind(contract);
        notices.start();
        new CaptureHandlers(new CaptureService(services.pages(), rules.definitions(), services.rates(), settings.rateLimit())).bind(contract);
        search = new SearchWiring(vertx, services, rules.phasesOfSharedEvidence(), transfers::isBusy);
        search.bind(contract);
        live = new LiveWiring(vertx, services, settings.live(), rules.phasesOfSharedEvidence(), settings.superAdministrators());
        live.bind(contract);
        return search.start().map(started -> List.of(contract));
    }

    @Override
    public void drain() {
        if (live != null) {
            live.endStreams();
        }
    }

    @Override
    public Future<?> stop() {
        Future<?> ended = live == null ? Future.succeededFuture() : live.stop();
        Future<?> stopped = notices == null ? ended : ended.compose(still -> notices.stop());
        return search == null ? stopped : stopped.compose(still -> search.stop());
    }

    @Override
    protected OperationPipeline pipeline() {
        return services.pipeline();
    }
}
