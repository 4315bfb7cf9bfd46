package io.arbitration.profiles;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import java.io.IOException;

/** What somebody shows of themselves. */
sealed interface Profile permits UserProfile, OrganizationProfile {

    /** Names of members, encoded once: an answer has thousands of them. */
    SerializedString ID = new SerializedString("id");

    void write(JsonGenerator json) throws IOException;
}
