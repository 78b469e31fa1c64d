package dev.latchkey.auth.spring.shared;

import dev.latchkey.auth.guard.bucket.BucketStore;
import dev.latchkey.auth.redis.RedisBucketStore;
import dev.latchkey.auth.redis.RedisRights;
import dev.latchkey.auth.redis.RedisSettings;
import dev.latchkey.auth.redis.StoreConnections;
import dev.latchkey.auth.spring.password.LatchkeyGuardAutoConfiguration;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.settings.RedisProperties;
import dev.latchkey.auth.store.ServiceName;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** The buckets of login limits in the service's Redis, for limits that nodes share. Needs no signing key. */
@AutoConfiguration(
        before = LatchkeyGuardAutoConfiguration.class,
        after = LatchkeyRedisAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"
        })
@ConditionalOnClass(RedisBucketStore.class)
@ConditionalOnProperty(
        name = {"latchkey.enabled", "latchkey.guard.enabled"},
        matchIfMissing = true)
@ConditionalOnProperty("latchkey.guard.shared.enabled")
@ConditionalOnSingleCandidate(RedisConnectionFactory.class)
@EnableConfigurationProperties(RedisProperties.class)
public final class LatchkeySharedLimitsAutoConfiguration {

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    ServiceName latchkeyServiceName(LatchkeyProperties properties, Environment environment) {
        return ServiceNames.of(properties, environment);
    }

    @Bean
    @ConditionalOnMissingBean
    StoreConnections latchkeyStoreConnections(
            RedisConnectionFactory redis,
            ObjectProvider<RedisSettings> settings,
            ObjectProvider<ServiceName> service,
            RedisProperties properties) {
        return StoreConnections.of(
                redis, settings(settings, service, properties).deadline());
    }

    @Bean
    @ConditionalOnMissingBean(BucketStore.class)
    RedisBucketStore latchkeyBucketStore(
            StoreConnections redis,
            ObjectProvider<RedisSettings> settings,
            ObjectProvider<ServiceName> service,
            RedisProperties properties) {
        return RedisBucketStore.in(redis.factory(), settings(settings, service, properties));
    }

    private static RedisSettings settings(
            ObjectProvider<RedisSettings> settings, ObjectProvider<ServiceName> service, RedisProperties properties) {
        return settings.getIfAvailable(
                () -> RedisSettings.of(service.getObject()).withDeadline(properties.timeout()));
    }

    @Bean
    @ConditionalOnBean(RedisBucketStore.class)
    @ConditionalOnMissingBean(name = "latchkeyBucketsAtTheStart")
    StoreAtTheStart latchkeyBucketsAtTheStart(
            StoreConnections redis,
            ObjectProvider<RedisSettings> settings,
            ObjectProvider<ServiceName> service,
            RedisProperties properties) {
        RedisSettings used = settings(settings, service, properties);
        return new StoreAtTheStart(
                () -> RedisUser.requireRights(() -> RedisRights.missingForBuckets(redis.factory(), used)));
    }
}
