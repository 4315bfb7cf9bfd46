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

    /** Absent values stay as they are. */
    Future<Void> update(UUID userId, Optional<Boolean> docketFilings, Optional<Boolean> caseCreated) {
        return repository.update(userId, docketFilings, caseCreated, Preferences.DEFAULT);
    }
}
