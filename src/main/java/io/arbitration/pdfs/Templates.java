package io.arbitration.pdfs;

import io.arbitration.pdfs.template.CompiledTemplate;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

/** The templates of this node, by document ID. Thread-safe: a reader sees either all or nothing of a change. */
final class Templates {

    private final AtomicReference<Map<String, CompiledTemplate>> byDocument = new AtomicReference<>(Map.of());

    Optional<CompiledTemplate> of(String documentId) {
        return Optional.ofNullable(byDocument.get().get(documentId));
    }

    /** In the order of their document IDs. */
    Map<String, CompiledTemplate> all() {
        return byDocument.get();
    }

    void put(String documentId, CompiledTemplate template) {
        byDocument.updateAndGet(before -> {
            Map<String, CompiledTemplate> after = new TreeMap<>(before);
            after.put(documentId, template);
            return after;
        });
    }

    /** Approximate bytes of memory of all templates including this one. */
    long weightWith(String documentId, CompiledTemplate template) {
        return template.weight() + all().entrySet().stream().filter(entry -> !entry.getKey().equals(documentId)).mapToLong(entry -> entry.getValue().weight()).sum();
    }
}
