package io.arbitration.mainapi.export;

import io.arbitration.domain.time.Timestamps;
import io.arbitration.mainapi.export.ExportRepository.IndexLine;
import io.arbitration.mainapi.export.ExportRepository.Organization;
import io.arbitration.mainapi.export.ExportRepository.Person;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** The JSON files that exist only in an export. */
final class ExportJson {

    private ExportJson() {}

    static JsonObject people(List<Person> people, List<Organization> organizations) {
        return new JsonObject()
                .put("users", new JsonArray(people.stream().map(person -> new JsonObject()
                        .put("id", person.userId().toString())
                        .put("first_name", person.firstName())
                        .put("last_name", person.lastName())).toList()))
                .put("organizations", new JsonArray(organizations.stream().map(organization -> new JsonObject()
                        .put("id", organization.organizationId().toString())
                        .put("name", organization.name())).toList()));
    }

    static JsonObject indexLine(IndexLine line) {
        JsonObject json = new JsonObject()
                .put("number", line.number())
                .put("entryID", String.valueOf(line.entryId()))
                .put("enteredAt", Timestamps.text(line.enteredAt()))
                .put("userID", line.userId().toString())
                .put("organizationID", line.organizationId().map(Object::toString).orElse(null))
                .put("phaseID", line.phaseId().value())
                .put("documentID", line.documentId().value())
                .put("partyID", line.partyId().value())
                .put("filingID", String.valueOf(line.filingId()))
                .put("title", line.title());
        line.supersedes().ifPresent(entryId -> json.put("supersedes", entryId.toString()));
        json.put("supersededBy", line.supersededBy().map(Object::toString).orElse(null)).put("hash", line.hash());
        return line.withheld() ? json.put("withheld", true) : json;
    }
}
