package dev.latchkey.auth.spring.encoding;

import dev.latchkey.auth.password.migration.policy.PasswordPolicy;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.security.crypto.password.PasswordEncoder;

/** The encoder of {@code latchkey.password.encoding}, if the service has no encoder bean, and a policy for new passwords. */
@AutoConfiguration
@ConditionalOnClass(PasswordEncoder.class)
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@Conditional(LatchkeyPasswordAutoConfiguration.OnSettings.class)
@EnableConfigurationProperties(PasswordProperties.class)
@ImportRuntimeHints(MigrationModule.Hints.class)
public final class LatchkeyPasswordAutoConfiguration {

    static final String ENCODER = "latchkeyPasswordEncoder";

    /** Declared as the interface, so that the caching encoder can replace this bean. */
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

    /**
     * Matches any setting under {@code latchkey.password}. An incomplete setting matches too, and then stops the start.
     */
    static final class OnSettings extends SpringBootCondition {

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            boolean isSet = Binder.get(context.getEnvironment())
                    .bind("latchkey.password", Bindable.mapOf(String.class, Object.class))
                    .isBound();
            return new ConditionOutcome(isSet, "settings below latchkey.password");
        }
    }

    /** A separate class, because the policy's class comes from an optional module. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(PasswordPolicy.class)
    static final class Policies {

        @Bean
        @ConditionalOnProperty("latchkey.password.policy.min-length")
        @ConditionalOnMissingBean
        PasswordPolicy latchkeyPasswordPolicy(ListableBeanFactory beans, PasswordProperties properties) {
            return policy(properties, beans.containsBean(ENCODER));
        }

        /**
         * If the service uses the encoders of this class, the policy also rejects passwords that the encoders reject.
         */
        private static PasswordPolicy policy(PasswordProperties properties, boolean isForTheseEncoders) {
            Integer minLength = properties.policy().minLength();
            if (minLength == null) {
                throw new LatchkeyConfigurationException(
                        "latchkey.password.policy.min-length is empty", "Write a number, or remove the property.");
            }
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
