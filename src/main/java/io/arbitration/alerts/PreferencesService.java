package io.arbitration.alerts;

import io.vertx.core.Future;
import java.util.Optional;
import java.util.UUID;

/** The kinds of events of which users want alerts. */
final class PreferencesService {

    private final PreferencesRepository repository;

    PreferencesService(PreferencesRepository repository) {
        this.repository = repository;
    }

    /** The default for a user who never changed one. */
    Future<Preferences> preferences(UUID userId) {
        return repository.find(userId).map(found -> found.orElse(Preferences.DEFAULT));
    }

    Future<Void> update(UUID userId, PreferenceChange change) {
        return repository.update(userId, change);
    }
}
