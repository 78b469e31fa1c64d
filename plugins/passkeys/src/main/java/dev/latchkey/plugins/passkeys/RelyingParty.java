package dev.latchkey.plugins.passkeys;

import java.net.URI;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The service, as browsers and authenticators know the service.
 *
 * @param id the domain of the passkeys, such as {@code example.com}; a passkey never works at another domain
 * @param name for people, shown by the authenticator; 1 to 64 characters
 * @param origins the pages that may ask for a passkey, such as {@code https://login.example.com}
 */
public record RelyingParty(String id, String name, Set<String> origins) {

    private static final int LONGEST_NAME = 64;
    private static final Pattern DOMAIN = Pattern.compile("[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?");

    /**
     * @param id the domain of the passkeys, such as {@code example.com}
     * @param name for people, shown by the authenticator; 1 to 64 characters
     * @param origins the pages that may ask for a passkey, such as {@code https://login.example.com}
     * @throws IllegalArgumentException if the id is not a domain in lower case, or the name is blank or too long. Also if
     *     there is no origin, or an origin has a path or is not an HTTPS origin of the domain
     */
    public RelyingParty {
        origins = Set.copyOf(origins);
        if (!DOMAIN.matcher(id).matches()) {
            throw new IllegalArgumentException(
                    "The id of a relying party is a domain in lower case, without scheme and port");
        }
        if (name.isBlank() || name.length() > LONGEST_NAME) {
            throw new IllegalArgumentException("The name of a relying party has 1 to " + LONGEST_NAME + " characters");
        }
        if (origins.isEmpty()) {
            throw new IllegalArgumentException("Name at least one origin, such as https://" + id);
        }
        for (String origin : origins) {
            requireOrigin(origin, id);
        }
    }

    /**
     * A service with the single origin {@code https://} and its id.
     *
     * @param id the domain
     * @param name for people
     * @return a relying party
     */
    public static RelyingParty of(String id, String name) {
        return new RelyingParty(id, name, Set.of("https://" + id));
    }

    /** Browsers give passkeys to HTTPS pages of the domain and its subdomains, and to {@code http://localhost}. */
    private static void requireOrigin(String origin, String id) {
        URI uri;
        try {
            uri = URI.create(origin);
        } catch (IllegalArgumentException e) {
            throw notAnOrigin(origin, id);
        }
        String host = uri.getHost();
        boolean isOfDomain = host != null && (host.equals(id) || host.endsWith("." + id));
        boolean isSecure =
                "https".equals(uri.getScheme()) || ("localhost".equals(host) && "http".equals(uri.getScheme()));
        String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
        if (!isOfDomain
                || !isSecure
                || !origin.equals(uri.getScheme() + "://" + host.toLowerCase(Locale.ROOT) + port)) {
            throw notAnOrigin(origin, id);
        }
    }

    private static IllegalArgumentException notAnOrigin(String origin, String id) {
        return new IllegalArgumentException(
                "The origin '" + origin + "' is not https://" + id
                        + " or a subdomain, in lower case, with a port if need be and without a path; http://localhost is for development");
    }
}
