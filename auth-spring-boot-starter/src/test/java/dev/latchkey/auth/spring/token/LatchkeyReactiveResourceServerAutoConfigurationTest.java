package dev.latchkey.auth.spring.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.spring.ReactiveServices;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.security.oauth2.jwt.ReactiveJwtDecoder;
import org.springframework.security.oauth2.server.resource.authentication.ReactiveJwtAuthenticationConverter;

/** When a WebFlux service gets a decoder, and which one. */
class LatchkeyReactiveResourceServerAutoConfigurationTest {

    private static final String ISSUER = "spring.security.oauth2.resourceserver.jwt.";

    private final ReactiveWebApplicationContextRunner service = ReactiveServices.resourceServer();

    @Test
    void serviceWithAKey_isAResourceServer() {
        service.run(context -> assertThat(context)
                .hasBean("latchkeyReactiveJwtDecoder")
                .hasSingleBean(ReactiveJwtDecoder.class)
                .hasBean("latchkeyReactiveJwtAuthenticationConverter"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "latchkey.enabled=false",
                "latchkey.jwt.secret=false",
                ISSUER + "jwk-set-uri=https://issuer.example/keys"
            })
    void decoder_isNotThereWhereItIsSwitchedOffOrAnotherIssuerIsNamed(String property) {
        service.withPropertyValues(property)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(LatchkeyReactiveJwtDecoder.class)
                        .doesNotHaveBean(ReactiveJwtAuthenticationConverter.class));
    }

    @Test
    void decoder_isNotThereWithoutItsLibrary() {
        // The client stays: Spring Security's own configuration has seen it, and asks for it in every context.
        service.withClassLoader(new FilteredClassLoader(
                        "org.springframework.security.oauth2.jwt", "org.springframework.security.oauth2.server"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean("latchkeyReactiveJwtDecoder")
                        .doesNotHaveBean("latchkeyLateReactiveJwtDecoder"));
    }

    @Test
    void libraryWithoutAResourceServer_hasTheDecoderAndNoConverter() {
        service.withClassLoader(new FilteredClassLoader("org.springframework.security.oauth2.server"))
                .run(context -> assertThat(context)
                        .hasBean("latchkeyLateReactiveJwtDecoder")
                        .doesNotHaveBean("latchkeyReactiveJwtAuthenticationConverter"));
    }

    @Test
    void ownDecoderAndOwnConverter_win() {
        ReactiveJwtDecoder own = token -> {
            throw new IllegalStateException();
        };
        service.withBean("own", ReactiveJwtDecoder.class, () -> own)
                .run(context -> assertThat(context)
                        .hasSingleBean(ReactiveJwtDecoder.class)
                        .hasBean("own")
                        .doesNotHaveBean("latchkeyReactiveJwtAuthenticationConverter"));
        service.withBean("own", ReactiveJwtAuthenticationConverter.class)
                .run(context -> assertThat(context)
                        .hasSingleBean(ReactiveJwtAuthenticationConverter.class)
                        .hasBean("own"));
        service.withPropertyValues(ISSUER + "authority-prefix=X_")
                .run(context -> assertThat(context)
                        .hasSingleBean(ReactiveJwtAuthenticationConverter.class)
                        .doesNotHaveBean("latchkeyReactiveJwtAuthenticationConverter"));
    }

    @Test
    void servletService_hasNone() {
        new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        LatchkeyAutoConfiguration.class,
                        LatchkeyJwtAutoConfiguration.class,
                        LatchkeyResourceServerAutoConfiguration.class,
                        LatchkeyJwtDecoderAutoConfiguration.class))
                .withPropertyValues("latchkey.jwt.secret=" + Services.KEY)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ReactiveJwtDecoder.class));
    }
}
