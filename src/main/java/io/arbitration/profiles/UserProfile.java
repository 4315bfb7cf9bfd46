package io.arbitration.profiles;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import java.io.IOException;
import java.util.UUID;

record UserProfile(UUID id, String firstName, String lastName) implements Profile {

    private static final SerializedString FIRST_NAME = new SerializedString("first_name");
    private static final SerializedString LAST_NAME = new SerializedString("last_name");

    @Override
    public void write(JsonGenerator json) throws IOException {
        json.writeFieldName(ID);
        json.writeString(id.toString());
        json.writeFieldName(FIRST_NAME);
        json.writeString(firstName);
        json.writeFieldName(LAST_NAME);
        json.writeString(lastName);
    }
}
