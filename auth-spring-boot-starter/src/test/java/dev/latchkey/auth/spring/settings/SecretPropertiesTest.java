package dev.latchkey.auth.spring.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.spring.password.LatchkeyEncodersAutoConfiguration;
import dev.latchkey.auth.spring.password.LatchkeyGuardAutoConfiguration;
import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A service may exclude auto-configurations; the other auto-configurations read its secrets. */
class SecretPropertiesTest {

    private static final String KEY = "k".repeat(32);

    @ParameterizedTest
    @ValueSource(
            classes = {
                LatchkeyAutoConfiguration.class,
                LatchkeyGuardAutoConfiguration.class,
                LatchkeyEncodersAutoConfiguration.class
            })
    void secretProperty_isReadByAnAutoConfigurationThatIsAlone(Class<?> alone) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(alone))
                .withPropertyValues("latchkey.guard.shared.secret= " + KEY + " ")
                .run(context -> {
                    Secret secret = context.getBean(LatchkeyProperties.class)
                            .guard()
                            .shared()
                            .secret();
                    assertThat(secret).isNotNull();
                    assertThat(Objects.requireNonNull(secret).<String>withText(CharSequence::toString))
                            .isEqualTo(KEY);
                });
    }
}
