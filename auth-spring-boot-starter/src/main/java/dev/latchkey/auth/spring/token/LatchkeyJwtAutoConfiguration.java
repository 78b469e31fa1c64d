package dev.latchkey.auth.spring.token;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtAuthPlugin;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.jwt.RotatingKeys;
import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.settings.OldTokensProperties;
import dev.latchkey.auth.store.RevocationStore;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * Tokens and key rotation, if the service has a signing key: a {@link HmacKey} bean, a {@link RotatingKeys} bean, or
 * {@code latchkey.jwt.secret}.
 */
// Before LatchkeyAutoConfiguration, so that the plugin for users comes after the cheaper plugin for tokens.
@AutoConfiguration(before = LatchkeyAutoConfiguration.class)
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@Conditional(LatchkeyJwtAutoConfiguration.OnSigningKey.class)
public final class LatchkeyJwtAutoConfiguration {

    /** The name of the bean with the configured key. A key bean of the service replaces this bean. */
    static final String SIGNING_KEY = "latchkeySigningKey";

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
    JwtSigner latchkeyJwtSigner(
            RotatingKeys keys,
            LatchkeyProperties properties,
            @Qualifier(LatchkeyAutoConfiguration.CLOCK) InstantSource clock) {
        JwtSigner signer = JwtSigner.with(keys).withTimeSource(clock).withGeneratedIds();
        String type = properties.jwt().type();
        return type == null ? signer : signer.withType(type);
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
        String type = properties.jwt().type();
        if (type != null) {
            verifier = verifier.expectingType(type);
        }
        String audience = properties.jwt().audience();
        return audience == null ? verifier : verifier.expectingAudience(audience);
    }

    @Bean
    @ConditionalOnMissingBean
    JwtAuthPlugin latchkeyJwtPlugin(
            JwtVerifier verifier,
            RevocationStore revocations,
            LatchkeyProperties properties,
            ObjectProvider<AuthChain> chain,
            @Qualifier(LatchkeyAutoConfiguration.NANO_TIME) ObjectProvider<LongSupplier> nanoTime) {
        OldTokensProperties old = properties.jwt().oldTokens();
        JwtAuthPlugin plugin = JwtAuthPlugin.of(verifier, revocations);
        if (old.authoritiesClaim() != null) {
            plugin = plugin.withOldAuthoritiesClaim(old.authoritiesClaim(), old.authorityPrefix());
        }
        return old.lookUpAccounts()
                ? plugin.withAccountsOfTokensWithoutAuthorities(
                        new AccountRights(chain::getObject, nanoTime.getIfAvailable(() -> System::nanoTime)::getAsLong))
                : plugin;
    }

    @Bean
    @ConditionalOnMissingBean
    SigningKeyRotation latchkeySigningKeyRotation(
            RotatingKeys keys,
            LatchkeyProperties properties,
            BeanFactory beans,
            @Qualifier(LatchkeyAutoConfiguration.CLOCK) InstantSource clock) {
        // A key bean of the service is not in the files that the properties name.
        boolean fromFiles = beans.containsBean(SIGNING_KEY);
        return new SigningKeyRotation(
                keys,
                fromFiles ? KeyFiles.from(properties.jwt()) : KeyFiles.NONE,
                properties.jwt().longestLifetime().plus(LatchkeyProperties.SKEW_ALLOWANCE),
                clock);
    }

    @Bean
    @ConditionalOnBean(name = SIGNING_KEY)
    @ConditionalOnMissingBean
    KeyFileWatch latchkeyKeyFileWatch(SigningKeyRotation rotation, LatchkeyProperties properties) {
        return new KeyFileWatch(rotation, properties.jwt().reloadInterval());
    }

    /** Whether there is a signing key. */
    static final class OnSigningKey extends AnyNestedCondition {

        OnSigningKey() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnProperty("latchkey.jwt.secret")
        static final class Secret {}

        @ConditionalOnBean(HmacKey.class)
        static final class KeyBean {}

        @ConditionalOnBean(RotatingKeys.class)
        static final class KeysBean {}
    }
}
