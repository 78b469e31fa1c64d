package dev.latchkey.auth.spring.encoding;

import dev.latchkey.auth.password.policy.PasswordPolicy;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.security.crypto.password.PasswordEncoder;

/** The encoder that {@code latchkey.password.encoding} names, where the service has none of its own, and a policy for new passwords. */
@AutoConfiguration
@ConditionalOnClass(PasswordEncoder.class)
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@EnableConfigurationProperties(PasswordProperties.class)
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

    @Bean
    @ConditionalOnProperty("latchkey.password.policy.min-length")
    @ConditionalOnMissingBean
    PasswordPolicy latchkeyPasswordPolicy(ListableBeanFactory beans, PasswordProperties properties) {
        return EncodingSettings.policy(properties, beans.containsBean(ENCODER));
    }
}
