package io.arbitration.profiles;

import io.arbitration.platform.answer.JsonBytes;
import java.util.UUID;

record UserProfile(UUID id, String firstName, String lastName) implements Profile {

    private static final byte[] FIRST_NAME = Profile.ascii(",\"first_name\":");
    private static final byte[] LAST_NAME = Profile.ascii(",\"last_name\":");

    @Override
    public void write(JsonBytes json) {
        json.raw(ID).id(id).raw(FIRST_NAME).text(firstName).raw(LAST_NAME).text(lastName).raw(END);
    }
}
