package dev.latchkey.auth.spring.shared;

import dev.latchkey.auth.engine.OutageLog;
import dev.latchkey.auth.redis.RedisLoginStore;
import dev.latchkey.auth.redis.RedisRevocationStore;
import dev.latchkey.auth.redis.RedisSettings;
import dev.latchkey.auth.redis.RevocationMessages;
import dev.latchkey.auth.redis.StoreConnections;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.auth.spring.settings.LatchkeyMistakesAutoConfiguration;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.settings.RedisProperties;
import dev.latchkey.auth.spring.settings.RevocationProperties;
import dev.latchkey.auth.spring.token.LatchkeyJwtAutoConfiguration;
import dev.latchkey.auth.store.LocalRevocations;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.RevocationStore;
import dev.latchkey.auth.store.ServiceName;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
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
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Revocations and sessions in the service's Redis, if {@code auth-redis} is on the class path. Redis wins over {@code auth-jdbc}.
 */
@AutoConfiguration(
        before = {
            LatchkeyJdbcAutoConfiguration.class,
            LatchkeyJwtAutoConfiguration.class,
            LatchkeyMistakesAutoConfiguration.class
        },
        afterName = {
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"
        })
@ConditionalOnClass(RedisRevocationStore.class)
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@Conditional(OnStore.Redis.class)
@ConditionalOnSingleCandidate(RedisConnectionFactory.class)
@EnableConfigurationProperties({RedisProperties.class, RevocationProperties.class})
public final class LatchkeyRedisAutoConfiguration {

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    ServiceName latchkeyServiceName(LatchkeyProperties properties, Environment environment) {
        return ServiceNames.of(properties, environment);
    }

    @Bean
    @ConditionalOnMissingBean
    RedisSettings latchkeyRedisSettings(ServiceName service, RedisProperties properties) {
        return RedisSettings.of(service)
                .withDeadline(properties.timeout())
                .withWaitForReplicas(properties.waitForReplicas());
    }

    @Bean
    @ConditionalOnMissingBean
    StoreConnections latchkeyStoreConnections(RedisConnectionFactory redis, RedisSettings settings) {
        return StoreConnections.of(redis, settings.deadline());
    }

    @Bean
    @ConditionalOnMissingBean(RevocationStore.class)
    LocalRevocations latchkeyLocalRevocations(
            StoreConnections redis, RedisSettings settings, LatchkeyProperties properties, RevocationProperties copy) {
        return LocalRevocations.of(
                RedisRevocationStore.in(primaryOf(redis), properties.longestLifetime(), settings), copy.settings());
    }

    /** By the name of the bean above: a copy of the service itself may be in another store. */
    @Bean
    @ConditionalOnBean(name = "latchkeyLocalRevocations")
    @ConditionalOnMissingBean
    RevocationRefresh latchkeyRevocationRefresh(
            LocalRevocations revocations,
            RevocationProperties copy,
            StoreConnections redis,
            RedisSettings settings,
            ObjectProvider<DataSource> databases,
            OutageLog outages) {
        return new RevocationRefresh(
                revocations,
                copy.settings().refreshInterval(),
                new RedisAtTheStart(redis.factory(), settings, databases),
                outages);
    }

    @Bean
    @ConditionalOnBean(RevocationRefresh.class)
    @ConditionalOnMissingBean
    RevocationNews latchkeyRevocationNews(
            RedisConnectionFactory redis, RedisSettings settings, RevocationRefresh refresh) {
        return new RevocationNews(() -> RevocationMessages.of(redis, settings, refresh::soon));
    }

    @Bean
    @ConditionalOnMissingBean(LoginStore.class)
    @ConditionalOnProperty("latchkey.login.refresh.enabled")
    RedisLoginStore latchkeyRedisLoginStore(StoreConnections redis, RedisSettings settings) {
        RedisConnectionFactory primary = primaryOf(redis);
        try {
            return RedisLoginStore.in(primary, settings);
        } catch (IllegalArgumentException e) {
            throw new LatchkeyConfigurationException(
                    "latchkey.redis.wait-for-replicas is " + settings.waitForReplicas() + ". " + e.getMessage(),
                    "Set latchkey.redis.wait-for-replicas to 0, or use one primary with replicas, and Lettuce.");
        }
    }

    /**
     * The refresh asks Redis too, but does not exist beside a RevocationStore of the service. By the name of the bean above: a
     * RedisLoginStore of the service itself may be in another Redis.
     */
    @Bean
    @ConditionalOnBean(name = "latchkeyRedisLoginStore")
    @ConditionalOnMissingBean(RevocationRefresh.class)
    StoreAtTheStart latchkeyRedisAtTheStart(
            StoreConnections redis, RedisSettings settings, ObjectProvider<DataSource> databases) {
        return new StoreAtTheStart(new RedisAtTheStart(redis.factory(), settings, databases));
    }

    private static RedisConnectionFactory primaryOf(StoreConnections redis) {
        if (redis.mayReadFromAReplica()) {
            throw new LatchkeyConfigurationException(
                    "latchkey.store is redis, and the connections to Redis may read from a replica, by"
                            + " spring.data.redis.lettuce.read-from for example. A replica may lag behind, and would accept"
                            + " revoked tokens.",
                    "Remove read-from. To keep read-from for other commands, declare a StoreConnections bean with connections"
                            + " to the primary.");
        }
        return redis.factory();
    }
}
