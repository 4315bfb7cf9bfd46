package io.arbitration.platform.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.openapi.contract.OpenAPIContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A node gives its contracts to the router library without the library's check. Here the library checks each of them. */
@ExtendWith(VertxExtension.class)
class ContractsForRoutingTest {

    @Test
    void theRouterLibraryAcceptsEachContractAndRoutesItInTheSameOrder(Vertx vertx) throws IOException {
        List<String> names = names();
        assertThat(names).hasSizeGreaterThan(10);
        for (String name : names) {
            Contract contract = Contract.read(name);
            OpenAPIContract checked = OpenAPIContract.from(vertx, contract.forRouting()).await();
            assertThat(operations(contract.forLibrary())).as(name).isNotEmpty().isEqualTo(operations(checked));
        }
    }

    /** In the order in which the library tries them. */
    private static List<String> operations(OpenAPIContract contract) {
        return contract.getPaths().stream()
                .flatMap(path -> path.getOperations().stream()
                        .map(operation -> "%s %s %s %s".formatted(operation.getHttpMethod(), operation.getAbsoluteOpenAPIPath(), operation.getOperationId(),
                                operation.getParameters().stream().map(parameter -> parameter.getName() + " " + parameter.getIn()).toList()))
                        .sorted())
                .toList();
    }

    private static List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/main/resources/openapi"))) {
            return files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".yaml")).map(name -> name.replace(".yaml", "")).sorted().toList();
        }
    }
}
