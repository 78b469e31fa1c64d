package dev.latchkey.auth.spring.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.spring.Services;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.asm.ClassWriter;
import org.springframework.asm.Opcodes;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationConverter;

/** The conditions with the decoder, the conditions without, and the beans that replace the decoder. */
class ResourceServerConditionsTest {

    private static final String ISSUER = "spring.security.oauth2.resourceserver.jwt.";

    private final WebApplicationContextRunner withoutAChain =
            Services.resourceServer().withUserConfiguration(Services.Accounts.class);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "latchkey.enabled=false",
                "latchkey.jwt.secret=false",
                ISSUER + "jwk-set-uri=https://issuer.example/keys"
            })
    void decoder_isNotThereWhereItIsSwitchedOffOrAnotherIssuerIsNamed(String property) {
        withoutAChain
                .withPropertyValues(property)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(LatchkeyJwtDecoder.class)
                        .doesNotHaveBean(JwtAuthenticationConverter.class));
    }

    @Test
    void decoder_isNotThereWithoutItsLibraryOrAKey() {
        withoutAChain
                .withClassLoader(new FilteredClassLoader("org.springframework.security.oauth2"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean("latchkeyJwtDecoder")
                        .doesNotHaveBean("latchkeyLateJwtDecoder"));
        Services.web()
                .withConfiguration(AutoConfigurations.of(
                        LatchkeyResourceServerAutoConfiguration.class, LatchkeyJwtDecoderAutoConfiguration.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LatchkeyJwtDecoder.class));
    }

    /** Boot makes a decoder for the server's own tokens, which its endpoint for user data needs. */
    @Test
    void decoder_isNotThereBesideAnAuthorizationServer() {
        withoutAChain
                .withClassLoader(new WithAnAuthorizationServer())
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(LatchkeyJwtDecoder.class)
                        .doesNotHaveBean(JwtAuthenticationConverter.class));
    }

    /** The class path of a service with Spring's authorization server, which the tests of this module do not have. */
    private static final class WithAnAuthorizationServer extends ClassLoader {

        private static final String TYPE =
                "org.springframework.security.oauth2.server.authorization.OAuth2Authorization";

        WithAnAuthorizationServer() {
            super(ResourceServerConditionsTest.class.getClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (!name.equals(TYPE)) {
                throw new ClassNotFoundException(name);
            }
            ClassWriter type = new ClassWriter(0);
            type.visit(
                    Opcodes.V17, Opcodes.ACC_PUBLIC, TYPE.replace('.', '/'), null, "java/lang/Object", new String[0]);
            byte[] code = type.toByteArray();
            return defineClass(name, code, 0, code.length);
        }
    }

    @Test
    void ownDecoderAndOwnConverter_win() {
        JwtDecoder own = token -> {
            throw new IllegalStateException();
        };
        withoutAChain
                .withBean("own", JwtDecoder.class, () -> own)
                .run(context -> assertThat(context)
                        .hasSingleBean(JwtDecoder.class)
                        .hasBean("own")
                        .doesNotHaveBean(JwtAuthenticationConverter.class));
        withoutAChain
                .withBean("own", JwtAuthenticationConverter.class)
                .run(context -> assertThat(context)
                        .hasSingleBean(JwtAuthenticationConverter.class)
                        .hasBean("own"));
        withoutAChain
                .withPropertyValues(ISSUER + "authority-prefix=X_")
                .run(context -> assertThat(context)
                        .hasSingleBean(JwtAuthenticationConverter.class)
                        .doesNotHaveBean("latchkeyJwtAuthenticationConverter"));
    }
}
