package dev.latchkey.auth.spring.token;

import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtAuthPlugin;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.jwt.RotatingKeys;
import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;
import dev.latchkey.auth.spring.plugin.LatchkeyUsersAutoConfiguration;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.settings.SettingsConfiguration;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.RevocationStore;
import java.time.Duration;
import java.time.InstantSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;

/** Tokens and the rotation of their keys, where the service has a signing key: as a {@link HmacKey} bean, or under {@code latchkey.jwt}. */
// Before the users, so that their plugin stands behind the one that decides with less work.
@AutoConfiguration(before = {LatchkeyAutoConfiguration.class, LatchkeyUsersAutoConfiguration.class})
@ConditionalOnProperty(
        name = {"latchkey.enabled", "latchkey.jwt.enabled"},
        matchIfMissing = true)
@Conditional(LatchkeyJwtAutoConfiguration.OnSigningKey.class)
@Import(SettingsConfiguration.class)
public final class LatchkeyJwtAutoConfiguration {

    /** The name of the bean that holds the key of the properties. A key of the service's own takes its place. */
    static final String SIGNING_KEY = "latchkeySigningKey";

    /** What is revoked is remembered this much longer than a token lives, for verifiers that allow for clock skew. */
    public static final Duration SKEW_ALLOWANCE = Duration.ofMinutes(5);

    @Bean(name = SIGNING_KEY, destroyMethod = "close")
    @ConditionalOnMissingBean({HmacKey.class, RotatingKeys.class})
    HmacKey latchkeySigningKey(LatchkeyProperties properties) {
        return SigningKeys.from(properties.jwt());
    }

    @Bean
    @ConditionalOnMissingBean
    RotatingKeys latchkeyKeys(HmacKey signingKey) {
        return RotatingKeys.startingWith(signingKey);
    }

    @Bean
    @ConditionalOnMissingBean
    RevocationStore latchkeyRevocationStore(
            LatchkeyProperties properties, @Qualifier(LatchkeyAutoConfiguration.CLOCK) InstantSource clock) {
        return new InMemoryRevocationStore(longestLifetime(properties), clock);
    }

    @Bean
    @ConditionalOnMissingBean
    JwtSigner latchkeyJwtSigner(RotatingKeys keys, @Qualifier(LatchkeyAutoConfiguration.CLOCK) InstantSource clock) {
        return JwtSigner.with(keys).withTimeSource(clock).withGeneratedIds();
    }

    @Bean
    @ConditionalOnMissingBean
    JwtVerifier latchkeyJwtVerifier(
            RotatingKeys keys,
            LatchkeyProperties properties,
            @Qualifier(LatchkeyAutoConfiguration.CLOCK) InstantSource clock) {
        JwtVerifier verifier = JwtVerifier.with(keys).withTimeSource(clock);
        String issuer = properties.jwt().issuer();
        if (issuer != null) {
            verifier = verifier.expectingIssuer(issuer);
        }
        String audience = properties.jwt().audience();
        return audience == null ? verifier : verifier.expectingAudience(audience);
    }

    @Bean
    @ConditionalOnMissingBean
    JwtAuthPlugin latchkeyJwtPlugin(JwtVerifier verifier, RevocationStore revocations) {
        return JwtAuthPlugin.of(verifier, revocations);
    }

    @Bean
    @ConditionalOnMissingBean
    SigningKeyRotation latchkeySigningKeyRotation(
            RotatingKeys keys,
            LatchkeyProperties properties,
            BeanFactory beans,
            @Qualifier(LatchkeyAutoConfiguration.CLOCK) InstantSource clock) {
        // A service that makes its keys itself has keys that are not in the files, whatever the properties name.
        boolean fromFiles = beans.containsBean(SIGNING_KEY);
        return new SigningKeyRotation(
                keys,
                fromFiles ? KeyFiles.from(properties.jwt()) : KeyFiles.NONE,
                properties.jwt().lifetime().plus(SKEW_ALLOWANCE),
                clock);
    }

    @Bean
    @ConditionalOnBean(name = SIGNING_KEY)
    @ConditionalOnMissingBean
    KeyFileWatch latchkeyKeyFileWatch(SigningKeyRotation rotation, LatchkeyProperties properties) {
        return new KeyFileWatch(rotation, properties.jwt().reloadInterval());
    }

    /**
     * How long a token, or a login that is prolonged, asks for a revocation of its subject at most. A revocation must be kept for as long.
     *
     * @param properties of the service
     * @return with the skew of clocks that is allowed for
     */
    public static Duration longestLifetime(LatchkeyProperties properties) {
        LatchkeyProperties.Refresh refresh = properties.login().refresh();
        Duration lifetime = properties.jwt().lifetime();
        return refresh.enabled() && refresh.lifetime().compareTo(lifetime) > 0
                ? refresh.lifetime().plus(SKEW_ALLOWANCE)
                : lifetime.plus(SKEW_ALLOWANCE);
    }

    /** Whether there is anything to sign tokens with. */
    public static final class OnSigningKey extends AnyNestedCondition {

        OnSigningKey() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnProperty("latchkey.jwt.secret")
        static final class Secret {}

        @ConditionalOnProperty("latchkey.jwt.secret-file")
        static final class SecretFile {}

        @ConditionalOnBean(HmacKey.class)
        static final class KeyBean {}

        @ConditionalOnBean(RotatingKeys.class)
        static final class KeysBean {}
    }
}
