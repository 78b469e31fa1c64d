package dev.latchkey.auth.test;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.jwt.HmacAlgorithm;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtAuthPlugin;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.RotatingKeys;
import dev.latchkey.auth.spring.login.TokenContext;
import dev.latchkey.auth.spring.login.TokenCustomizer;
import dev.latchkey.auth.spring.login.TokenOptions;
import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.store.RevocationStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.UUID;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;

/**
 * Creates tokens for test requests, with the signer, the claims and the clock of a context. The tokens are the same as
 * after a login.
 *
 * <p>{@link AutoConfigureLatchkeyTest} defines a bean, for clients other than those of {@link MockMvcToken} and
 * {@link WebTestClientToken}. Safe for use by any number of threads.
 */
public final class TestTokens {

    /** The age of an expired token's end: longer than any allowed skew. */
    private static final Duration LONG_AGO = Duration.ofDays(1);

    /** Keeps a revocation longer than its token, for verifiers with skew. */
    private static final Duration SKEW_ALLOWANCE = Duration.ofMinutes(5);

    /** A revocation is rounded up to a whole second. A time further in the future is a ban. */
    private static final Duration REVOKED_SECOND = Duration.ofSeconds(1);

    private final BeanFactory beans;

    private TestTokens(BeanFactory beans) {
        this.beans = Objects.requireNonNull(beans, "beans");
    }

    /**
     * Tokens for a context with a signing key; {@link AutoConfigureLatchkeyTest} is not necessary.
     *
     * @param beans the context of the test
     * @return tokens with the context's signing key and clock
     */
    public static TestTokens of(BeanFactory beans) {
        return new TestTokens(beans);
    }

    /**
     * A token as a header field, for clients with a {@code Consumer} of header fields. {@code latchkey()} of
     * {@link MockMvcToken} and {@link WebTestClientToken} is the same for their clients.
     *
     * @return a valid token for {@code user}, without authorities; further steps change the token
     */
    public TokenHeaders latchkey() {
        return new TokenHeaders(this, TokenRecipe.DEFAULT);
    }

    /**
     * Creates the token's text.
     *
     * @throws IllegalStateException if the context has no signing key
     * @throws IllegalArgumentException if a customizer of the service asks for an invalid lifetime
     */
    String made(TokenRecipe recipe) {
        String text = recipe.text();
        if (text != null) {
            return text;
        }
        return switch (recipe.flaw()) {
            case NONE -> signer().sign(claims(recipe));
            case EXPIRED ->
                signer().sign(claims(recipe)
                        .withIssuedAt(now().minus(lifetime(recipe)).minus(LONG_AGO)));
            case OTHER_KEY -> forged(claims(recipe));
            case REVOKED -> revoked(recipe);
        };
    }

    private JwtClaims claims(TokenRecipe recipe) {
        LatchkeyProperties.Jwt settings = settings();
        Subject subject = recipe.subject();
        TokenOptions options = optionsFor(subject);
        JwtClaims claims = JwtClaims.forSubject(subject.id(), lifetime(recipe, options))
                .withIssuedAt(issueTime(subject))
                .with(JwtAuthPlugin.AUTHORITIES_CLAIM, List.copyOf(subject.authorities()));
        if (settings.issuer() != null) {
            claims = claims.withIssuer(settings.issuer());
        }
        String audience = options.audience().orElse(settings.audience());
        if (audience != null) {
            claims = claims.withAudience(audience);
        }
        if (!recipe.methods().isEmpty()) {
            Factors factors = new Factors(recipe.methods(), now());
            claims = claims.with(JwtAuthPlugin.METHODS_CLAIM, new TreeSet<>(factors.methods()))
                    .with(JwtAuthPlugin.TIME_CLAIM, factors.at().getEpochSecond());
        }
        for (Map.Entry<String, Object> claim : claimsOf(subject, options).entrySet()) {
            claims = claims.with(claim.getKey(), claim.getValue());
        }
        return claims;
    }

    /** The options of the service's customizers. */
    private TokenOptions optionsFor(Subject subject) {
        TokenOptions options = TokenOptions.defaults();
        for (TokenCustomizer customizer :
                beans.getBeanProvider(TokenCustomizer.class).orderedStream().toList()) {
            options = customizer.customize(TokenContext.of(subject), options);
        }
        return options;
    }

    /** The claims of the subject and of the customizers. Only a subject of the test can name an actor, no customizer. */
    private static Map<String, Object> claimsOf(Subject subject, TokenOptions options) {
        Map<String, Object> ofTheService = new LinkedHashMap<>(options.claims());
        ofTheService.remove(Subject.ACTOR_CLAIM);
        Map<String, Object> all = new LinkedHashMap<>(subject.claims());
        all.putAll(ofTheService);
        return subject.withClaims(all).claims();
    }

    /** Uses the algorithm and the id of the right key, so that only the MAC differs from a valid token. */
    private String forged(JwtClaims claims) {
        RotatingKeys keys = beans.getBeanProvider(RotatingKeys.class).getIfAvailable();
        HmacKey right = keys == null ? null : keys.ring().signingKey();
        try (HmacKey other = HmacKey.generate(right == null ? HmacAlgorithm.HS256 : right.algorithm())) {
            String id = right == null ? null : right.id().orElse(null);
            return JwtSigner.with(id == null ? other : other.withId(id))
                    .withGeneratedIds()
                    .sign(claims);
        }
    }

    private String revoked(TokenRecipe recipe) {
        RevocationStore revocations =
                beans.getBeanProvider(RevocationStore.class).getIfAvailable();
        if (revocations == null) {
            throw new IllegalStateException("The context has no RevocationStore, so no token can be revoked");
        }
        String id = UUID.randomUUID().toString();
        String token = signer().sign(claims(recipe).withId(id));
        Instant end = now().plus(lifetime(recipe)).plus(SKEW_ALLOWANCE);
        revocations.revokeTokenOf(recipe.subject().id(), id, end);
        return token;
    }

    private JwtSigner signer() {
        JwtSigner signer = beans.getBeanProvider(JwtSigner.class).getIfAvailable();
        if (signer == null) {
            throw new IllegalStateException(
                    "The context has no JwtSigner, so there is nothing to sign a token with: put "
                            + "@AutoConfigureLatchkeyTest on the test, or set latchkey.jwt.secret");
        }
        return signer;
    }

    private Duration lifetime(TokenRecipe recipe) {
        return lifetime(recipe, optionsFor(recipe.subject()));
    }

    private Duration lifetime(TokenRecipe recipe, TokenOptions options) {
        Duration lifetime = recipe.lifetime();
        return lifetime == null ? options.lifetimeBy(settings()) : lifetime;
    }

    private LatchkeyProperties.Jwt settings() {
        return beans.getBean(LatchkeyProperties.class).jwt();
    }

    /**
     * The time of the clock; after a revocation in this second, the end of the second. A login waits until then, but the
     * clock of a test stands still.
     */
    private Instant issueTime(Subject subject) {
        Instant now = now();
        Instant bound = notBefore(subject);
        boolean isOfThisSecond = bound.isAfter(now) && !bound.isAfter(now.plus(REVOKED_SECOND));
        return isOfThisSecond ? bound : now;
    }

    private Instant notBefore(Subject subject) {
        RevocationStore revocations =
                beans.getBeanProvider(RevocationStore.class).getIfAvailable();
        try {
            return revocations == null ? Instant.MIN : revocations.notBefore(subject.id());
        } catch (AuthUnavailableException e) {
            // The outage belongs to the request, and not to the creation of its token.
            return Instant.MIN;
        }
    }

    /** The time of the service's clock, or of the machine if there is none. */
    private Instant now() {
        try {
            return beans.getBean(LatchkeyAutoConfiguration.CLOCK, InstantSource.class)
                    .instant();
        } catch (NoSuchBeanDefinitionException e) {
            return InstantSource.system().instant();
        }
    }
}
