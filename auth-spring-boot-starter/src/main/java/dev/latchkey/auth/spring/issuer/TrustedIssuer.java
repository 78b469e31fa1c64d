package dev.latchkey.auth.spring.issuer;

import dev.latchkey.auth.engine.PluginNames;
import dev.latchkey.auth.guard.PluginBulkhead;
import dev.latchkey.auth.spring.settings.TrustedIssuerProperties;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;

/**
 * An issuer whose tokens are accepted beside Latchkey's own: a bean of this type does what {@code latchkey.trusted-issuers.<name>} does, with a decoder of
 * the service.
 *
 * <pre>{@code
 * @Bean
 * TrustedIssuer keycloak() {
 *     JwtDecoder decoder = NimbusJwtDecoder.withPublicKey(publicKey).build();
 *     return TrustedIssuer.of("keycloak", "https://id.example.com/realms/shop", "orders", decoder);
 * }
 * }</pre>
 *
 * <p>Issuer, audience, age and revocation are checked in any case; the decoder verifies the signature. A decoder that fetches keys
 * needs a time limit. {@code latchkey.plugin.trusted-issuers.max-concurrent} limits how many tokens of the issuer the decoder
 * verifies at a time. Immutable; safe for use by any number of threads if the decoder is.
 *
 * <p>A token with the claim {@code cnf} (RFC 7800) is bound to a key, and is rejected. A decoder that checks the proof of
 * possession returns the {@link Jwt} without this claim.
 */
public final class TrustedIssuer {

    private final String name;
    private final String issuer;
    private final Set<String> audience;
    private final JwtDecoder decoder;
    private final String subjectClaim;
    private final Function<Jwt, Set<String>> authorities;
    private final Duration maxAge;

    private TrustedIssuer(
            String name,
            String issuer,
            Set<String> audience,
            JwtDecoder decoder,
            String subjectClaim,
            Function<Jwt, Set<String>> authorities,
            Duration maxAge) {
        this.name = name;
        this.issuer = issuer;
        this.audience = audience;
        this.decoder = decoder;
        this.subjectClaim = subjectClaim;
        this.authorities = authorities;
        this.maxAge = maxAge;
    }

    /**
     * An issuer with a decoder of the service.
     *
     * @param name the prefix of the issuer's subjects, as in {@code keycloak:4711}
     * @param issuer the value of {@code iss}, compared character by character
     * @param audience the name of this service at the issuer; {@code *} accepts tokens for every service of the issuer
     * @param decoder verifies the signature, only with public keys
     * @return an issuer with scopes as authorities
     * @throws IllegalArgumentException if the name is not in the form of a plugin's name
     */
    public static TrustedIssuer of(String name, String issuer, String audience, JwtDecoder decoder) {
        return new TrustedIssuer(
                PluginNames.require(name),
                Objects.requireNonNull(issuer, "issuer"),
                Set.of(audience),
                Objects.requireNonNull(decoder, "decoder"),
                "sub",
                MappedAuthorities.ofScopes("SCOPE_"),
                TrustedIssuerProperties.DEFAULT_MAX_AGE);
    }

    static TrustedIssuer of(String name, TrustedIssuerProperties settings, JwtDecoder decoder) {
        return new TrustedIssuer(
                PluginNames.require(name),
                Objects.requireNonNull(settings.issuer()),
                Set.copyOf(settings.audience()),
                decoder,
                settings.subjectClaim(),
                MappedAuthorities.of(settings.authoritiesClaim(), settings.authorityPrefix()),
                settings.maxAge());
    }

    /**
     * Reads the id of the account from another claim than {@code sub}. The issuer must never use a value of this claim for two
     * people.
     *
     * @param claim with a text
     * @return a changed copy
     */
    public TrustedIssuer withSubjectClaim(String claim) {
        return new TrustedIssuer(name, issuer, audience, decoder, Objects.requireNonNull(claim), authorities, maxAge);
    }

    /**
     * Reads the authorities from a claim.
     *
     * @param claim a list of texts or a text with spaces; a path such as {@code realm_access.roles} names a nested claim
     * @param prefix the text before each authority, {@code ROLE_} for example
     * @return a changed copy
     */
    public TrustedIssuer withAuthorities(String claim, String prefix) {
        return withAuthorities(MappedAuthorities.of(Objects.requireNonNull(claim), Objects.requireNonNull(prefix)));
    }

    /**
     * Maps a token to authorities.
     *
     * @param mapping called for each verified token
     * @return a changed copy
     */
    public TrustedIssuer withAuthorities(Function<Jwt, Set<String>> mapping) {
        return new TrustedIssuer(
                name, issuer, audience, decoder, subjectClaim, Objects.requireNonNull(mapping), maxAge);
    }

    /**
     * Accepts tokens up to this age, even with a later {@code exp}.
     *
     * @param maxAge at most 30 days, because a revocation of the subject may expire afterwards; 24 hours by default
     * @return a changed copy
     * @throws IllegalArgumentException if the age is longer
     */
    public TrustedIssuer withMaxAge(Duration maxAge) {
        if (maxAge.compareTo(TrustedIssuerProperties.LARGEST_MAX_AGE) > 0) {
            throw new IllegalArgumentException("The maximum age of a token is at most 30 days, got " + maxAge);
        }
        return new TrustedIssuer(
                name, issuer, audience, decoder, subjectClaim, authorities, Objects.requireNonNull(maxAge));
    }

    /** The same issuer. The decoder verifies a limited number of tokens at a time. */
    TrustedIssuer within(PluginBulkhead bulkhead) {
        JwtDecoder bounded = token -> bulkhead.within(() -> decoder.decode(token));
        return new TrustedIssuer(name, issuer, audience, bounded, subjectClaim, authorities, maxAge);
    }

    String name() {
        return name;
    }

    String issuer() {
        return issuer;
    }

    JwtDecoder decoder() {
        return decoder;
    }

    Duration maxAge() {
        return maxAge;
    }

    boolean isFor(@Nullable Iterable<String> audiences) {
        if (audience.contains("*")) {
            return true;
        }
        if (audiences != null) {
            for (String each : audiences) {
                if (audience.contains(each)) {
                    return true;
                }
            }
        }
        return false;
    }

    @Nullable
    String subjectOf(Jwt jwt) {
        return jwt.getClaims().get(subjectClaim) instanceof String text ? text : null;
    }

    Set<String> authoritiesOf(Jwt jwt) {
        return authorities.apply(jwt);
    }
}
