package dev.latchkey.auth.spring.token;

import dev.latchkey.auth.jwt.RotatingKeys;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import java.time.InstantSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** Key rotation while the service runs: by whoever asks for it, and when a key file changes. */
@AutoConfiguration(after = LatchkeyJwtAutoConfiguration.class)
@ConditionalOnProperty(
        name = {"latchkey.enabled", "latchkey.jwt.enabled"},
        matchIfMissing = true)
@ConditionalOnBean(RotatingKeys.class)
public final class LatchkeyKeyRotationAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    SigningKeyRotation latchkeySigningKeyRotation(RotatingKeys keys, LatchkeyProperties properties, BeanFactory beans) {
        // A service that makes its keys itself has keys that are not in the files, whatever the properties name.
        boolean fromFiles = beans.containsBean(LatchkeyJwtAutoConfiguration.SIGNING_KEY);
        return new SigningKeyRotation(
                keys,
                fromFiles ? KeyFiles.from(properties.jwt()) : KeyFiles.NONE,
                properties.jwt().lifetime().plus(LatchkeyJwtAutoConfiguration.SKEW_ALLOWANCE),
                InstantSource.system());
    }

    @Bean
    @ConditionalOnBean(name = LatchkeyJwtAutoConfiguration.SIGNING_KEY)
    @ConditionalOnMissingBean
    KeyFileWatch latchkeyKeyFileWatch(SigningKeyRotation rotation, LatchkeyProperties properties) {
        return new KeyFileWatch(rotation, properties.jwt().reloadInterval());
    }
}
