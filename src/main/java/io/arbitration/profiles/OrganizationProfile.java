package io.arbitration.profiles;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.UUID;

record OrganizationProfile(UUID id, String name) implements Profile {

    @Override
    public void write(JsonGenerator json) throws IOException {
        json.writeStringField("id", id.toString());
        json.writeStringField("name", name);
    }
}
