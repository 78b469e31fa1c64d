package dev.latchkey.auth.spring.encoding;

import dev.latchkey.auth.password.migration.policy.PasswordPolicy;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import java.util.Objects;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.security.crypto.password.PasswordEncoder;

/** The encoder that {@code latchkey.password.encoding} names, where the service has none of its own, and a policy for new passwords. */
@AutoConfiguration
@ConditionalOnClass(PasswordEncoder.class)
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@EnableConfigurationProperties(PasswordProperties.class)
@ImportRuntimeHints(MigrationModule.Hints.class)
public final class LatchkeyPasswordAutoConfiguration {

    static final String ENCODER = "latchkeyPasswordEncoder";

    /** Declared as the interface: what stands before every encoder bean may then stand in for it. */
    @Bean(ENCODER)
    @ConditionalOnProperty("latchkey.password.encoding")
    @ConditionalOnMissingBean
    PasswordEncoder latchkeyPasswordEncoder(PasswordProperties properties) {
        return EncodingSettings.encoders(properties);
    }

    @Bean
    @ConditionalOnProperty("latchkey.password.encoding")
    @ConditionalOnMissingBean
    OwnEncoderNotice latchkeyOwnEncoderNotice(ListableBeanFactory beans, PasswordProperties properties) {
        return new OwnEncoderNotice(beans, properties);
    }

    /** Apart, since a policy's class is in a module that a service may do without. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(PasswordPolicy.class)
    static final class Policies {

        @Bean
        @ConditionalOnProperty("latchkey.password.policy.min-length")
        @ConditionalOnMissingBean
        PasswordPolicy latchkeyPasswordPolicy(ListableBeanFactory beans, PasswordProperties properties) {
            return policy(properties, beans.containsBean(ENCODER));
        }

        /** What the encoders refuse is refused by the policy too, where they are the service's. */
        private static PasswordPolicy policy(PasswordProperties properties, boolean isForTheseEncoders) {
            int minLength = Objects.requireNonNull(properties.policy().minLength());
            try {
                PasswordPolicy policy = PasswordPolicy.ofMinLength(minLength);
                return isForTheseEncoders ? policy.within(EncodingSettings.encoders(properties)) : policy;
            } catch (IllegalArgumentException e) {
                throw new LatchkeyConfigurationException(
                        "latchkey.password.policy.min-length: " + e.getMessage(),
                        "Set latchkey.password.policy.min-length to 15, or to at least 8 beside a second factor.");
            }
        }
    }
}
