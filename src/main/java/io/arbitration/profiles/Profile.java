package io.arbitration.profiles;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/** What somebody shows of themselves. */
sealed interface Profile permits UserProfile, OrganizationProfile {

    void write(JsonGenerator json) throws IOException;
}
