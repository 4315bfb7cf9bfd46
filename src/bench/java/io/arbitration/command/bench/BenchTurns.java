package io.arbitration.command.bench;

import io.arbitration.command.ArbitrationCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * Benchmarks one after the other in one process, for tests that ask only whether each runs: a process for each would use more of the
 * processors for its start than for its short phases. Each line of the input names the file for what a benchmark prints and then its
 * arguments, separated by tabs; when it has ended, its exit code is printed.
 */
@Command(name = "turns", hidden = true, description = "Run the benchmarks that the input names.")
final class BenchTurns implements Callable<Integer> {

    @Override
    public Integer call() throws IOException {
        BufferedReader asked = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream answers = System.out;
        PrintStream complaints = System.err;
        for (String line = asked.readLine(); line != null; line = asked.readLine()) {
            String[] words = line.split("\t");
            int exit;
            try (PrintStream printed = new PrintStream(words[0], StandardCharsets.UTF_8)) {
                System.setOut(printed);
                System.setErr(printed);
                exit = ArbitrationCommand.execute(Workbench.class, Arrays.copyOfRange(words, 1, words.length));
            } finally {
                System.setOut(answers);
                System.setErr(complaints);
            }
            answers.println(exit);
        }
        return 0;
    }
}
