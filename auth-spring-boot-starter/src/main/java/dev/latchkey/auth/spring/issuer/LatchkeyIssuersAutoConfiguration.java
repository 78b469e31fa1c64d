package dev.latchkey.auth.spring.issuer;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;
import dev.latchkey.auth.spring.plugin.PluginBounds;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.settings.TrustedIssuerProperties;
import dev.latchkey.auth.store.RevocationStore;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.annotation.Order;
import org.springframework.util.ClassUtils;

/** Tokens of other issuers, if {@code latchkey.trusted-issuers} or a bean names an issuer. */
@AutoConfiguration(
        before = LatchkeyAutoConfiguration.class,
        beforeName = "dev.latchkey.auth.spring.servlet.LatchkeyWebAutoConfiguration",
        afterName = "dev.latchkey.auth.spring.token.LatchkeyJwtAutoConfiguration")
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@Conditional(OnTrustedIssuer.class)
public final class LatchkeyIssuersAutoConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(LatchkeyIssuersAutoConfiguration.class);

    /** Before the plugin of Latchkey's own tokens, because this plugin decides about every token. */
    static final int ORDER = -100;

    private static final String NIMBUS = "org.springframework.security.oauth2.jwt.NimbusJwtDecoder";

    @Bean
    @ConditionalOnMissingBean
    @Order(ORDER)
    TrustedIssuersPlugin latchkeyTrustedIssuers(
            LatchkeyProperties properties,
            ObjectProvider<TrustedIssuer> beans,
            RevocationStore revocations,
            ObjectProvider<AuthChain> chain,
            PluginBounds bounds,
            @Qualifier(LatchkeyAutoConfiguration.CLOCK) InstantSource clock) {
        List<TrustedIssuer> issuers = new ArrayList<>();
        beans.orderedStream()
                .map(each -> each.within(bounds.bulkhead(TrustedIssuersPlugin.NAME, each.name())))
                .forEach(issuers::add);
        properties.trustedIssuers().forEach((name, settings) -> issuers.add(made(name, settings)));
        requireOtherIssuers(properties.jwt().issuer(), issuers);
        try {
            return new TrustedIssuersPlugin(issuers, revocations, chain::getObject, clock);
        } catch (IllegalArgumentException e) {
            throw new LatchkeyConfigurationException(
                    String.valueOf(e.getMessage()), "Give each trusted issuer a name and an issuer of its own.");
        }
    }

    /** The claimed issuer decides who verifies a token, so the tokens of this service would all be rejected. */
    private static void requireOtherIssuers(@Nullable String own, List<TrustedIssuer> issuers) {
        for (TrustedIssuer each : issuers) {
            if (each.issuer().equals(own)) {
                throw new LatchkeyConfigurationException(
                        "latchkey.jwt.issuer and the trusted issuer '" + each.name() + "' are both " + own,
                        "Set latchkey.jwt.issuer to a text of this service alone, or remove the property.");
            }
        }
    }

    private static TrustedIssuer made(String name, TrustedIssuerProperties settings) {
        if (!ClassUtils.isPresent(NIMBUS, LatchkeyIssuersAutoConfiguration.class.getClassLoader())) {
            throw new LatchkeyConfigurationException(
                    "latchkey.trusted-issuers is set, and Spring Security's decoder is not there",
                    "Add the dependency spring-security-oauth2-jose.");
        }
        URI keys = Objects.requireNonNull(settings.jwkSetUri());
        if (keys.getScheme().equalsIgnoreCase("http")) {
            // Without the address: a query or the user of the address may be a secret.
            LOG.warn("latchkey.trusted-issuers.{}.jwk-set-uri is plain HTTP", name);
        }
        try {
            return TrustedIssuer.of(name, settings, PublishedKeys.decoderAt(keys));
        } catch (IllegalArgumentException e) {
            throw new LatchkeyConfigurationException(
                    "latchkey.trusted-issuers." + name + ": " + e.getMessage(),
                    "Name the issuer by lower-case letters, digits and hyphens, and write a whole address.");
        }
    }
}
