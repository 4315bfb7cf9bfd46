package io.arbitration.mainapi.docket;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Questions that meet in an event loop share a query. */
class SharedQuestionsTest {

    private final Vertx vertx = Vertx.vertx();
    private final List<List<Integer>> queries = new ArrayList<>();
    private final List<Promise<List<String>>> open = new ArrayList<>();
    private final SharedQuestions<Integer, String> questions = new SharedQuestions<>(vertx, asked -> {
        queries.add(asked);
        Promise<List<String>> answer = Promise.promise();
        open.add(answer);
        return answer.future();
    });

    @AfterEach
    void closeVertx() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    /** Runs each step on the event loop, once the loop is done with what the step before has left to do. */
    @SafeVarargs
    private <T> T run(Runnable first, Supplier<T>... steps) throws Exception {
        Promise<T> last = Promise.promise();
        vertx.runOnContext(begin -> {
            first.run();
            then(0, last, steps);
        });
        return last.future().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @SafeVarargs
    private <T> void then(int index, Promise<T> last, Supplier<T>... steps) {
        vertx.runOnContext(next -> {
            T result = steps[index].get();
            if (index + 1 == steps.length) {
                last.complete(result);
            } else {
                then(index + 1, last, steps);
            }
        });
    }

    private void answer(int query) {
        open.get(query).complete(queries.get(query).stream().map(question -> "answer " + question).toList());
    }

    @Test
    void whatOneTurnOfTheLoopAsksGoesIntoOneQueryAndEachGetsItsOwnAnswer() throws Exception {
        List<Future<String>> answers = new ArrayList<>();
        run(() -> IntStream.range(0, 3).forEach(i -> answers.add(questions.ask(i))), () -> {
            answer(0);
            return null;
        });
        assertThat(queries).containsExactly(List.of(0, 1, 2));
        assertThat(answers).extracting(Future::result).containsExactly("answer 0", "answer 1", "answer 2");
    }

    @Test
    void aQuestionAskedDuringAQueryIsNotAnsweredByItButByTheNext() throws Exception {
        List<Future<String>> answers = new ArrayList<>();
        List<String> early = run(() -> answers.add(questions.ask(1)), () -> {
            answers.add(questions.ask(2));
            answers.add(questions.ask(3));
            return null;
        }, () -> {
            answer(0);
            return null;
        }, () -> answers.stream().map(Future::result).toList());
        assertThat(early).containsExactly("answer 1", null, null);
        assertThat(queries).containsExactly(List.of(1), List.of(2, 3));
    }

    @Test
    void aQueryThatFailsFailsItsOwnQuestionsAlone() throws Exception {
        List<Future<String>> answers = new ArrayList<>();
        run(() -> answers.add(questions.ask(1)), () -> {
            answers.add(questions.ask(2));
            open.getFirst().fail("broken");
            return null;
        }, () -> {
            answer(1);
            return null;
        });
        assertThat(answers.getFirst().cause()).hasMessage("broken");
        assertThat(answers.getLast().result()).isEqualTo("answer 2");
    }

    @Test
    void aQueryHoldsNoMoreThanItsBoundAndTheRestFollows() throws Exception {
        run(() -> IntStream.range(0, 100).forEach(questions::ask), () -> {
            answer(0);
            return null;
        }, () -> null);
        assertThat(queries).extracting(List::size).containsExactly(64, 36);
    }
}
