package dev.latchkey.auth.permission;

/**
 * An action on a resource, in the words of the service: {@code ("ns:group:config/app.yml", "r")}.
 *
 * @param resource not blank
 * @param action not blank
 */
public record Permission(String resource, String action) {

    /**
     * Checks both texts.
     *
     * @param resource not blank
     * @param action not blank
     * @throws IllegalArgumentException if a text is blank
     */
    public Permission {
        if (resource.isBlank() || action.isBlank()) {
            throw new IllegalArgumentException("A permission needs a resource and an action, neither of them blank");
        }
    }
}
