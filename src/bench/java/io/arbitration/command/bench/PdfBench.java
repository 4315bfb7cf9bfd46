package io.arbitration.command.bench;

import com.sun.management.OperatingSystemMXBean;
import io.arbitration.command.bench.LoadGenerator.Request;
import io.arbitration.pdfs.fill.FormFiller;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.interactive.form.PDAcroForm;
import org.apache.pdfbox.pdmodel.interactive.form.PDField;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Filled forms: the shipped statement of claim, every field filled, other values each time. Beside it PDFBox with the bytes
 * of the same template in memory, and pdf-lib where node finds it. Rates are per second of processor time, that of the
 * compiler and the garbage collector included.
 */
@Command(name = "pdf", description = "Filled PDF forms, against PDFBox and pdf-lib.", mixinStandardHelpOptions = true)
final class PdfBench implements Callable<Integer> {

    private static final String DOCUMENT = "statementOfClaim";
    private static final String[] LATIN = {"Kraków Kräne GmbH & Co. KG", "The quarry stood still for eleven weeks", "Straße der Einheit 12", "Lena Löwe"};
    private static final String[] SHAPED = {"شركة الرافعات المحدودة", "मूल्य देय है, क्षतिपूर्ति भी", "仲裁申请书，价款已到期", "המחיר עומד לתשלום"};
    private static final OperatingSystemMXBean MACHINE = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final double LATIN_PER_SECOND = 2500;
    private static final double SHAPED_PER_SECOND = 400;
    private static final double TIMES_PDFBOX = 25;
    private static final double P99_MILLIS = 2;
    private static final Duration NODE_LIMIT = Duration.ofMinutes(2);
    /** Options for node; the template, the names of text fields and how long. */
    private static final String PDF_LIB = """
            const {PDFDocument, PDFTextField, PDFCheckBox, PDFRadioGroup, PDFDropdown} = require('pdf-lib');
            const fs = require('fs');
            const [file, seconds, warm] = process.argv.slice(2);
            const bytes = fs.readFileSync(file);
            const texts = ['The quarry stood still for eleven weeks', 'Lena Lowe', 'Cranes Ltd'];
            async function fill(n) {
              const document = await PDFDocument.load(bytes);
              const form = document.getForm();
              form.getFields().forEach((field, i) => {
                if (field instanceof PDFTextField) {
                  const text = texts[i % 3] + ' ' + n;
                  field.setText(text.slice(0, field.getMaxLength() || 99));
                } else if (field instanceof PDFCheckBox) field.check();
                else if (field instanceof PDFRadioGroup) field.select(field.getOptions()[0]);
                else if (field instanceof PDFDropdown) field.select(field.getOptions()[0]);
              });
              form.getFields().filter(f => f.constructor.name === 'PDFSignature').forEach(f => form.removeField(f));
              form.flatten();
              return (await document.save()).length;
            }
            (async () => {
              let n = 0, size = 0;
              const until = async s => { const end = Date.now() + s * 1000; while (Date.now() < end) { size = await fill(n++); } };
              await until(Number(warm));
              n = 0;
              const before = process.cpuUsage();
              await until(Number(seconds));
              const used = process.cpuUsage(before);
              console.log(n / ((used.user + used.system) / 1e6) + ' ' + size);
            })();
            """;

    @Mixin
    private BenchOptions options;

    PdfBench() {}

    /** As a part of another benchmark. */
    PdfBench(BenchOptions options) {
        this.options = options;
    }

    /** One way to fill, by the number of the fill. */
    private interface Filling {
        byte[] fill(int number) throws IOException;
    }

    /** What a way came to. */
    private static final class Measured {
        private final Rounds rounds = new Rounds();
        private final List<Long> nanos = new ArrayList<>();
        private int bytes;

        void run(Filling filling, Duration duration, boolean counts) {
            long cpu = MACHINE.getProcessCpuTime();
            long end = System.nanoTime() + duration.toNanos();
            int done = 0;
            try {
                while (System.nanoTime() < end) {
                    long begin = System.nanoTime();
                    bytes = filling.fill(done++).length;
                    if (counts) {
                        nanos.add(System.nanoTime() - begin);
                    }
                }
            } catch (IOException failed) {
                throw new BenchFailed("a form was not filled: " + failed.getMessage(), failed);
            }
            if (counts) {
                rounds.add(done / ((MACHINE.getProcessCpuTime() - cpu) / 1e9));
            }
        }

        Load load() {
            return Load.of(nanos.stream().mapToLong(Long::longValue).toArray(), 0, 0, 1);
        }
    }

    @Override
    public Integer call() {
        Path template = Path.of(Optional.ofNullable(System.getenv("ACP_HOME")).orElse("."), "conf", "templates", "pdf", DOCUMENT + ".pdf");
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(template);
        } catch (IOException missing) {
            throw new BenchFailed("cannot read " + template, missing);
        }
        FormFiller filler = FormFiller.of(bytes);
        Map<String, Filling> ways = new LinkedHashMap<>();
        ways.put("PDFBox, flattened", number -> pdfBox(bytes, values(filler, LATIN, number), true));
        ways.put("PDFBox, form kept", number -> pdfBox(bytes, values(filler, LATIN, number), false));
        ways.put("this platform, Latin", number -> filler.fill(values(filler, LATIN, number)));
        ways.put("this platform, shaped", number -> filler.fill(values(filler, SHAPED, number)));
        Map<String, Measured> measured = new LinkedHashMap<>();
        Duration warmUp = options.warmUp().dividedBy(ways.size());
        ways.forEach((name, way) -> {
            Report.progress("warming up: " + name);
            measured.put(name, new Measured());
            measured.get(name).run(way, warmUp, false);
        });
        for (int round = 1; round <= options.rounds(); round++) {
            Report.progress("round %d of %d".formatted(round, options.rounds()));
            ways.forEach((name, way) -> measured.get(name).run(way, options.phase(), true));
        }
        Report.title("Filled forms: %s, %d pages, %d fields, template of %d bytes, one thread", DOCUMENT, filler.pages(),
                values(filler, LATIN, 0).size(), bytes.length);
        report(measured);
        pdfLib(template);
        overHttp(filler);
        return 0;
    }

    private static void report(Map<String, Measured> measured) {
        Rounds reference = measured.get("PDFBox, flattened").rounds;
        Report.line("%-28s %14s  %-24s %9s %9s %9s", "", "fills/CPU s", "ratio (least–most)", "p50 ms", "p99 ms", "bytes");
        measured.forEach((name, one) -> {
            Load load = one.load();
            Report.line("%-28s %14.0f  %-24s %9.3f %9.3f %9d", name, one.rounds.perSecond(), String.format(Locale.ROOT, "%.1f (%.1f–%.1f)",
                    one.rounds.ratio(reference), one.rounds.ratioLeast(reference), one.rounds.ratioMost(reference)), load.p50Millis(), load.p99Millis(), one.bytes);
        });
        Rounds latin = measured.get("this platform, Latin").rounds;
        Report.target("Latin fills per CPU second", latin.perSecond(), "≥", LATIN_PER_SECOND, "");
        Report.target("shaped fills per CPU second", measured.get("this platform, shaped").rounds.perSecond(), "≥", SHAPED_PER_SECOND, "");
        Report.target("ratio, Latin, flattened", latin.ratio(reference), "≥", TIMES_PDFBOX, "× PDFBox");
        Report.target("p99, Latin, one thread", measured.get("this platform, Latin").load().p99Millis(), "≤", P99_MILLIS, "ms");
    }

    private static Map<String, String> values(FormFiller filler, String[] words, int number) {
        Map<String, String> values = new LinkedHashMap<>();
        int at = 0;
        for (String name : filler.placeholders("text")) {
            values.put(name, switch (name) {
                case "currency" -> "EUR";
                case "proposedArbitrators" -> "3";
                case "disputeYear" -> "2026";
                case "firstUnpaidMonth" -> "2026-03";
                case "statementOfFacts", "legalGrounds", "reliefSought", "arbitrationClause" -> (words[at % words.length] + " " + (number + at) + ". ").repeat(6).strip();
                default -> fitting(words[at % words.length], name, number + at);
            });
            at++;
        }
        filler.placeholders("date").forEach(name -> values.put(name, "2026-11-%02d".formatted(1 + number % 28)));
        filler.placeholders("checkbox").forEach(name -> values.put(name, "yes"));
        filler.placeholders("choice").forEach(name -> values.put(name, "French"));
        return values;
    }

    /** Postal codes, rates and the like are short in every form. */
    private static String fitting(String words, String name, int number) {
        boolean tight = name.endsWith("Zipcode") || name.endsWith("Rate") || name.endsWith("Phone") || name.endsWith("Number") || name.endsWith("Amount");
        return tight ? String.valueOf(10_000 + number % 80_000) : words + " " + number;
    }

    private static byte[] pdfBox(byte[] template, Map<String, String> values, boolean flatten) throws IOException {
        try (PDDocument document = Loader.loadPDF(template); ByteArrayOutputStream out = new ByteArrayOutputStream(65_536)) {
            PDAcroForm form = document.getDocumentCatalog().getAcroForm();
            for (PDField field : form.getFieldTree()) {
                String value = values.get(field.getFullyQualifiedName());
                if (value != null) {
                    field.setValue(value.equals("yes") ? "Yes" : value);
                }
            }
            if (flatten) {
                form.flatten();
            }
            document.save(out);
            return out.toByteArray();
        }
    }

    private void pdfLib(Path template) {
        Optional<Path> node = Programs.find("node");
        if (node.isEmpty()) {
            Report.line("pdf-lib: skipped, node is not on the PATH");
            return;
        }
        try {
            Path script = Files.createTempFile("acp-bench-", ".cjs");
            try {
                Files.writeString(script, PDF_LIB);
                String[] printed = Programs.run(List.of(node.get().toString(), script.toString(), template.toString(), BenchOptions.wholeSeconds(options.phase()),
                        String.valueOf(options.quick ? 1 : 5)), Map.of(), NODE_LIMIT).strip().split(" ");
                Report.line("%-28s %14.1f  %-24s %9s %9s %9s", "pdf-lib, flattened", Double.parseDouble(printed[0]), "", "", "", printed[1]);
            } finally {
                Files.delete(script);
            }
        } catch (BenchFailed notThere) {
            Report.line("pdf-lib: skipped, node does not find it (npm install pdf-lib, and NODE_PATH to its node_modules)");
        } catch (IOException failed) {
            throw new BenchFailed("cannot write a script for node", failed);
        }
    }

    /** The whole way, from the request to the last byte, with one client. */
    private void overHttp(FormFiller filler) {
        List<Request> requests = IntStream.range(0, 500).mapToObj(number -> new Request("/pdfs/templates/fill", null,
                new JsonObject().put("documentID", DOCUMENT).put("placeholders", new JsonObject(new LinkedHashMap<>(values(filler, LATIN, number)))).encode())).toList();
        try (BenchSite site = BenchSite.open(options.databaseText()); ServerProcess server = site.start(Map.of())) {
            LoadGenerator generator = new JvmLoad();
            Report.progress("warming up: over HTTP");
            generator.repeat(server.address(), requests, 1, options.warmUp()).faultless("fills over HTTP");
            double before = server.cpuSeconds();
            Load one = generator.repeat(server.address(), requests, 1, options.phase()).faultless("fills over HTTP");
            Report.line("%-28s %14.0f  %-24s %9.3f %9.3f %9.0f", "over HTTP, one client", one.answers() / (server.cpuSeconds() - before), "", one.p50Millis(),
                    one.p99Millis(), (double) one.bytes() / one.answers());
            Report.target("p99 over HTTP, one client", one.p99Millis(), "≤", P99_MILLIS, "ms");
        }
    }
}
