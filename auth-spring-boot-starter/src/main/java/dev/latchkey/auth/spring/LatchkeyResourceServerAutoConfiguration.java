package dev.latchkey.auth.spring;

import dev.latchkey.auth.RevocationStore;
import dev.latchkey.auth.jwt.JwtVerifier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;

/**
 * The {@link JwtDecoder} of a service that has a signing key of Latchkey's and names no other issuer; Boot's resource server,
 * which comes after, then makes none.
 */
@AutoConfiguration(
        after = LatchkeyJwtAutoConfiguration.class,
        beforeName = {
            "org.springframework.boot.autoconfigure.security.oauth2.resource.servlet.OAuth2ResourceServerAutoConfiguration",
            "org.springframework.boot.security.oauth2.server.resource.autoconfigure.servlet.OAuth2ResourceServerAutoConfiguration",
            "org.springframework.boot.security.oauth2.server.resource.autoconfigure.OAuth2ResourceServerAutoConfiguration"
        })
@ConditionalOnClass(JwtDecoder.class)
@ConditionalOnProperty(
        name = {"latchkey.enabled", "latchkey.resource-server.enabled"},
        matchIfMissing = true)
@ConditionalOnBean({JwtVerifier.class, RevocationStore.class})
@Conditional(LatchkeyResourceServerAutoConfiguration.OnNoOtherIssuer.class)
public final class LatchkeyResourceServerAutoConfiguration {

    static final String DECODER = "latchkeyJwtDecoder";

    @Bean(DECODER)
    @ConditionalOnMissingBean(JwtDecoder.class)
    LatchkeyJwtDecoder latchkeyJwtDecoder(
            JwtVerifier verifier, RevocationStore revocations, ObjectProvider<OAuth2TokenValidator<Jwt>> validators) {
        return new LatchkeyJwtDecoder(
                verifier,
                revocations,
                new DelegatingOAuth2TokenValidator<>(validators.orderedStream().toList()));
    }

    /** Who gives Spring's resource server an issuer of its own has decided whose tokens count. */
    static final class OnNoOtherIssuer extends NoneNestedConditions {

        OnNoOtherIssuer() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnProperty("spring.security.oauth2.resourceserver.jwt.issuer-uri")
        static final class IssuerUri {}

        @ConditionalOnProperty("spring.security.oauth2.resourceserver.jwt.jwk-set-uri")
        static final class JwkSetUri {}

        @ConditionalOnProperty("spring.security.oauth2.resourceserver.jwt.public-key-location")
        static final class PublicKey {}

        @ConditionalOnProperty("spring.security.oauth2.resourceserver.opaquetoken.introspection-uri")
        static final class Introspection {}
    }
}
