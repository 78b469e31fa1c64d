package dev.latchkey.auth.spring.shared;

import dev.latchkey.auth.engine.OutageLog;
import dev.latchkey.auth.spring.settings.RevocationProperties;
import dev.latchkey.auth.spring.token.LatchkeyJwtAutoConfiguration;
import dev.latchkey.auth.store.LocalRevocations;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.SharedRevocationStore;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Primary;

/** A copy of the revocations in the service's own {@link SharedRevocationStore} bean. */
@AutoConfiguration(
        before = LatchkeyJwtAutoConfiguration.class,
        after = {LatchkeyRedisAutoConfiguration.class, LatchkeyJdbcAutoConfiguration.class})
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@Conditional(LatchkeyRevocationCopyAutoConfiguration.OnOwnStore.class)
@EnableConfigurationProperties(RevocationProperties.class)
public final class LatchkeyRevocationCopyAutoConfiguration {

    /** The bean's name. */
    static final String COPY = "latchkeyLocalRevocations";

    /** Primary, since the copied store is a {@link RevocationStore} as well. */
    @Bean(COPY)
    @Primary
    @ConditionalOnSingleCandidate(SharedRevocationStore.class)
    @ConditionalOnMissingBean
    LocalRevocations latchkeyLocalRevocations(SharedRevocationStore store, RevocationProperties copy) {
        return LocalRevocations.of(store, copy.settings());
    }

    /** Also refreshes a copy that the service made itself. */
    @Bean
    @ConditionalOnMissingBean
    RevocationRefresh latchkeyRevocationRefresh(
            LocalRevocations revocations, RevocationProperties copy, OutageLog outages) {
        return new RevocationRefresh(revocations, copy.settings().refreshInterval(), () -> {}, outages);
    }

    /** The service has a store to copy, or a copy. */
    static final class OnOwnStore extends AnyNestedCondition {

        OnOwnStore() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnBean(SharedRevocationStore.class)
        static final class Store {}

        @ConditionalOnBean(LocalRevocations.class)
        static final class Copy {}
    }
}
