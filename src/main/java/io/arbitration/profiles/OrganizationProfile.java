package io.arbitration.profiles;

import io.arbitration.platform.answer.JsonBytes;
import java.util.UUID;

record OrganizationProfile(UUID id, String name) implements Profile {

    private static final byte[] NAME = Profile.ascii(",\"name\":");

    @Override
    public void write(JsonBytes json) {
        json.raw(ID).id(id).raw(NAME).text(name).raw(END);
    }
}
