package io.arbitration.profiles;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.UUID;

record UserProfile(UUID id, String firstName, String lastName) implements Profile {

    @Override
    public void write(JsonGenerator json) throws IOException {
        json.writeStringField("id", id.toString());
        json.writeStringField("first_name", firstName);
        json.writeStringField("last_name", lastName);
    }
}
