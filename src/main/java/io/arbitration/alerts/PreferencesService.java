package io.arbitration.alerts;

import io.vertx.core.Future;
import java.util.Optional;
import java.util.UUID;

/** Of what users want to be alerted. */
final class PreferencesService {

    private final PreferencesRepository repository;

    PreferencesService(PreferencesRepository repository) {
        this.repository = repository;
    }

    /** Those of somebody who never changed one are the usual ones. */
    Future<Preferences> preferences(UUID userId) {
        return repository.find(userId).map(found -> found.orElse(Preferences.DEFAULT));
    }

    Future<Void> update(UUID userId, PreferenceChange change) {
        return repository.update(userId, change);
    }
}
