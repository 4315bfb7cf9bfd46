package io.arbitration.cases.definitions;

import io.arbitration.domain.time.Seat;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The regions of countries by ISO 3166-2, with their parents. Read from the class path at the first use, some milliseconds. */
final class Subdivisions {

    private static final String RESOURCE = "places/iso-3166-2.txt";
    private static final Map<String, String> WHOLES = read();

    private Subdivisions() {}

    /** The parent of a place: a country, or a larger region. Empty for a country, and for an unknown place. */
    static Optional<Seat> whole(Seat part) {
        return Optional.ofNullable(WHOLES.get(part.code())).map(Seat::new);
    }

    private static Map<String, String> read() {
        try (InputStream in = Subdivisions.class.getClassLoader().getResourceAsStream(RESOURCE)) {
            Map<String, String> wholes = new HashMap<>();
            new String(in.readAllBytes(), StandardCharsets.US_ASCII).lines().filter(line -> !line.startsWith("#")).map(line -> line.split(" ")).forEach(codes -> {
                for (int at = 1; at < codes.length; at++) {
                    wholes.put("%s-%s".formatted(new Seat(codes[0]).country(), codes[at]), codes[0]);
                }
            });
            return Map.copyOf(wholes);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
