package dev.latchkey.auth.spring.token;

import dev.latchkey.auth.jwt.JwtVerifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;

/** Makes a service an OAuth2 resource server for Latchkey's tokens, before Boot checks for a resource server. */
@AutoConfiguration(
        after = LatchkeyJwtAutoConfiguration.class,
        beforeName = {
            "org.springframework.boot.autoconfigure.security.oauth2.resource.servlet.OAuth2ResourceServerAutoConfiguration",
            "org.springframework.boot.autoconfigure.security.oauth2.resource.reactive.ReactiveOAuth2ResourceServerAutoConfiguration",
            "org.springframework.boot.security.oauth2.server.resource.autoconfigure.servlet.OAuth2ResourceServerAutoConfiguration",
            "org.springframework.boot.security.oauth2.server.resource.autoconfigure.OAuth2ResourceServerAutoConfiguration",
            "org.springframework.boot.security.oauth2.server.resource.autoconfigure.reactive.ReactiveOAuth2ResourceServerAutoConfiguration"
        })
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@ConditionalOnBean(JwtVerifier.class)
@Conditional(LatchkeyResourceServerAutoConfiguration.OnNoOtherIssuer.class)
@Import({ResourceServerConfiguration.class, ReactiveResourceServerConfiguration.class})
public final class LatchkeyResourceServerAutoConfiguration {

    /** The name of the decoder bean of a resource server on servlets. */
    public static final String DECODER = "latchkeyJwtDecoder";

    /** The name of the decoder bean of a resource server on WebFlux. */
    public static final String REACTIVE_DECODER = "latchkeyReactiveJwtDecoder";

    /** A service with another issuer for Spring's resource server, or an authorization server, has chosen its tokens. */
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

        @ConditionalOnClass(name = "org.springframework.security.oauth2.server.authorization.OAuth2Authorization")
        static final class AuthorizationServer {}
    }

    /** A service with a configured user wants Boot's logins, which Boot omits in a resource server. */
    static final class OnNoUserOfBoot extends NoneNestedConditions {

        OnNoUserOfBoot() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnProperty("spring.security.user.name")
        static final class Name {}

        @ConditionalOnProperty("spring.security.user.password")
        static final class Password {}
    }

    /** A WebFlux service has a non-blocking decoder. A service without web gets a blocking decoder. */
    static final class OnNoWebFlux extends NoneNestedConditions {

        OnNoWebFlux() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
        static final class WebFlux {}
    }
}
