package io.arbitration.domain.cases;

/**
 * An image that the sender of a service of notice may set.
 *
 * @param pixelWidth the maximum width, in pixels, at least 1
 * @param pixelHeight the maximum height, in pixels, at least 1
 */
public record UserField(String id, String displayName, String description, int pixelWidth, int pixelHeight) {
    /** Its area. */
    public long pixels() {
        return (long) pixelWidth * pixelHeight;
    }
}
