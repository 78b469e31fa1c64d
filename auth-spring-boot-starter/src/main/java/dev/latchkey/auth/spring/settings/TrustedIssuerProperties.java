package dev.latchkey.auth.spring.settings;

import static dev.latchkey.auth.spring.settings.PropertyRules.requireBetween;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A trusted issuer beside Latchkey, under {@code latchkey.trusted-issuers.<name>}.
 *
 * @param issuer the value of iss in the tokens of this issuer, compared character by character
 * @param jwkSetUri where the issuer publishes the public keys
 * @param audience the names of this service at the issuer; aud must contain at least one of these names. A star accepts tokens
 *     for every service of the issuer
 * @param subjectClaim the claim with the id of the account
 * @param authoritiesClaim the claim with the authorities, a list or a text with spaces; a path such as realm_access.roles names a
 *     nested claim. By default the scopes are the authorities
 * @param authorityPrefix the text before each authority; by default SCOPE_ for scopes
 * @param maxAge how old a token may be, even with a later exp
 */
public record TrustedIssuerProperties(
        @Nullable String issuer,
        @Nullable URI jwkSetUri,
        @DefaultValue List<String> audience,
        @DefaultValue("sub") String subjectClaim,
        @Nullable String authoritiesClaim,
        @Nullable String authorityPrefix,
        @DefaultValue("24h") Duration maxAge) {

    /** The default maximum age of another issuer's tokens. */
    public static final Duration DEFAULT_MAX_AGE = Duration.ofHours(24);

    /** The largest maximum age. Revocations of subjects are kept for this time at least. */
    public static final Duration LARGEST_MAX_AGE = Duration.ofDays(30);

    private static final String PREFIX = "latchkey.trusted-issuers.<name>.";

    /**
     * Requires the issuer, the keys and an audience.
     *
     * @param issuer not blank
     * @param jwkSetUri absolute, of http or https, with a host in the form of RFC 1123
     * @param audience at least one
     * @param subjectClaim sub by default, and never blank
     * @param authoritiesClaim null for the scopes, and never blank
     * @param authorityPrefix null for the default
     * @param maxAge a minute to 30 days
     * @throws LatchkeyConfigurationException if a value is missing or out of range; the message names the property
     */
    public TrustedIssuerProperties {
        if (issuer == null || issuer.isBlank()) {
            throw missing("issuer", "Set it to the value of iss in the issuer's tokens.");
        }
        if (jwkSetUri == null
                || jwkSetUri.getScheme() == null
                || !jwkSetUri.getScheme().matches("(?i)https?")) {
            throw missing(
                    "jwk-set-uri",
                    "Set it to the address of the issuer's keys, as jwks_uri of its .well-known/openid-configuration has it.");
        }
        // The JDK's client calls no such host. The user information before the host may have a password.
        if (jwkSetUri.getHost() == null) {
            String authority = String.valueOf(jwkSetUri.getRawAuthority());
            throw new LatchkeyConfigurationException(
                    PREFIX + "jwk-set-uri has no valid host: " + authority.substring(authority.lastIndexOf('@') + 1),
                    "Write a host of letters, digits, hyphens and dots (RFC 1123). In Docker Compose, give the service an alias"
                            + " without an underscore.");
        }
        if (audience.isEmpty() || audience.stream().anyMatch(String::isBlank)) {
            throw missing(
                    "audience",
                    "Set it to the name of this service at the issuer. Without it, a token for any other service of the"
                            + " issuer would be good here; a star says that this is wanted.");
        }
        if (subjectClaim.isBlank()) {
            throw missing("subject-claim", "Remove the property for the claim sub, or name a claim.");
        }
        if (authoritiesClaim != null && authoritiesClaim.isBlank()) {
            throw missing("authorities-claim", "Remove the property for the scopes, or name a claim.");
        }
        requireBetween(PREFIX + "max-age", maxAge, Duration.ofMinutes(1), LARGEST_MAX_AGE);
        audience = List.copyOf(audience);
    }

    private static LatchkeyConfigurationException missing(String property, String action) {
        return new LatchkeyConfigurationException(PREFIX + property + " is missing, or has no usable value", action);
    }
}
