package io.arbitration.domain.cases;

/**
 * An image that the sender of a service of notice may set.
 *
 * @param pixelWidth  the widest image, in pixels, at least 1
 * @param pixelHeight the highest image, in pixels, at least 1
 */
public record UserField(String id, String displayName, String description, int pixelWidth, int pixelHeight) {
    /** How large it is. */
    public long pixels() {
        return (long) pixelWidth * pixelHeight;
    }
}
