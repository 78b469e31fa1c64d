package dev.latchkey.auth.spring.shared;

import dev.latchkey.auth.engine.OutageLog;
import dev.latchkey.auth.jdbc.JdbcLoginStore;
import dev.latchkey.auth.jdbc.JdbcRevocationStore;
import dev.latchkey.auth.spring.settings.LatchkeyMistakesAutoConfiguration;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.settings.RevocationProperties;
import dev.latchkey.auth.spring.token.LatchkeyJwtAutoConfiguration;
import dev.latchkey.auth.store.LocalRevocations;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.ServiceName;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/** Revocations and sessions in the service's database, if {@code auth-jdbc} is on the class path and Redis is not used. */
@AutoConfiguration(
        before = {LatchkeyJwtAutoConfiguration.class, LatchkeyMistakesAutoConfiguration.class},
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
        })
@ConditionalOnClass(JdbcRevocationStore.class)
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@Conditional(OnStore.Jdbc.class)
@ConditionalOnSingleCandidate(DataSource.class)
@ConditionalOnMissingBean(type = "dev.latchkey.auth.spring.shared.LatchkeyRedisAutoConfiguration")
@EnableConfigurationProperties(RevocationProperties.class)
public final class LatchkeyJdbcAutoConfiguration {

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    ServiceName latchkeyServiceName(LatchkeyProperties properties, Environment environment) {
        return ServiceNames.of(properties, environment);
    }

    @Bean
    @ConditionalOnMissingBean(RevocationStore.class)
    LocalRevocations latchkeyLocalRevocations(
            DataSource database, ServiceName service, LatchkeyProperties properties, RevocationProperties copy) {
        return LocalRevocations.of(
                JdbcRevocationStore.in(database, service, properties.longestLifetime()), copy.settings());
    }

    /** By the name of the bean above: a copy of the service itself may be in another database. */
    @Bean
    @ConditionalOnBean(name = "latchkeyLocalRevocations")
    @ConditionalOnMissingBean
    RevocationRefresh latchkeyRevocationRefresh(
            LocalRevocations revocations, RevocationProperties copy, SharedTables tables, OutageLog outages) {
        return new RevocationRefresh(
                revocations, copy.settings().refreshInterval(), tables::requireRevocations, outages);
    }

    @Bean
    @ConditionalOnMissingBean(LoginStore.class)
    @ConditionalOnProperty("latchkey.login.refresh.enabled")
    JdbcLoginStore latchkeyJdbcLoginStore(DataSource database, ServiceName service) {
        return JdbcLoginStore.in(database, service);
    }

    /** By the name of the bean above: a JdbcLoginStore of the service itself may be in another database. */
    @Bean
    @ConditionalOnBean(name = "latchkeyJdbcLoginStore")
    @ConditionalOnMissingBean(name = "latchkeyTablesAtTheStart")
    StoreAtTheStart latchkeyTablesAtTheStart(SharedTables tables) {
        return new StoreAtTheStart(tables::requireLogins);
    }

    @Bean
    @ConditionalOnMissingBean
    SharedTables latchkeySharedTables(DataSource database) {
        return new SharedTables(database);
    }
}
