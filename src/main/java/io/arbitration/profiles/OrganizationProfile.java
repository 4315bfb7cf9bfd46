package io.arbitration.profiles;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import java.io.IOException;
import java.util.UUID;

record OrganizationProfile(UUID id, String name) implements Profile {

    private static final SerializedString NAME = new SerializedString("name");

    @Override
    public void write(JsonGenerator json) throws IOException {
        json.writeFieldName(ID);
        json.writeString(id.toString());
        json.writeFieldName(NAME);
        json.writeString(name);
    }
}
