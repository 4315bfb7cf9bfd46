package io.arbitration.command.bench;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The benchmarks. Each prints what it measured beside what the architecture asks for, whatever it is. */
@Command(name = "bench", description = "Measure.", mixinStandardHelpOptions = true,
        subcommands = {DocketBench.class, DocketWritesBench.class, DocketReadsBench.class, SearchBench.class, PdfBench.class, PaperBench.class, ProfilesBench.class, EvidenceBench.class, FilesBench.class, ExportBench.class,
                WebhooksBench.class, HorizonBench.class, StartBench.class, PushBench.class, AwardBench.class, AbuseBench.class, DeadlinesBench.class, LiveBench.class, ConnectionsBench.class, ConsoleBench.class,
                FillUpBench.class, SizeBench.class, AllBench.class, CompareBench.class})
public final class BenchCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "name a benchmark");
    }
}
