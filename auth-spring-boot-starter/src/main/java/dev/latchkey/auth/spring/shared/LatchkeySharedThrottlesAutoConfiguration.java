package dev.latchkey.auth.spring.shared;

import dev.latchkey.auth.guard.bucket.PortionStore;
import dev.latchkey.auth.redis.RedisPortionStore;
import dev.latchkey.auth.redis.RedisRights;
import dev.latchkey.auth.redis.RedisSettings;
import dev.latchkey.auth.spring.settings.RedisProperties;
import dev.latchkey.auth.spring.throttle.LatchkeyThrottleAutoConfiguration;
import dev.latchkey.auth.store.ServiceName;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** The buckets of throttles in the service's Redis, where a throttle is to be shared by all nodes. */
@AutoConfiguration(
        before = LatchkeyThrottleAutoConfiguration.class,
        after = LatchkeyRedisAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"
        })
@ConditionalOnClass(RedisPortionStore.class)
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@Conditional(LatchkeySharedThrottlesAutoConfiguration.OnSharedThrottle.class)
@ConditionalOnSingleCandidate(RedisConnectionFactory.class)
@EnableConfigurationProperties(RedisProperties.class)
@Import(ServiceNameConfiguration.class)
public final class LatchkeySharedThrottlesAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(PortionStore.class)
    RedisPortionStore latchkeyPortionStore(
            RedisConnectionFactory redis,
            ObjectProvider<RedisSettings> settings,
            ObjectProvider<ServiceName> service,
            RedisProperties properties) {
        return RedisPortionStore.in(
                redis, LatchkeySharedLimitsAutoConfiguration.settings(settings, service, properties));
    }

    @Bean
    @ConditionalOnBean(RedisPortionStore.class)
    @ConditionalOnMissingBean(name = "latchkeyPortionsAtTheStart")
    BucketsAtTheStart latchkeyPortionsAtTheStart(
            RedisPortionStore store,
            RedisConnectionFactory redis,
            ObjectProvider<RedisSettings> settings,
            ObjectProvider<ServiceName> service,
            RedisProperties properties) {
        RedisSettings used = LatchkeySharedLimitsAutoConfiguration.settings(settings, service, properties);
        return BucketsAtTheStart.of(
                store, () -> RedisUser.requireRights(() -> RedisRights.missingForBuckets(redis, used)));
    }

    /** One of the throttles at least is shared. */
    static final class OnSharedThrottle extends SpringBootCondition {

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            Environment environment = context.getEnvironment();
            boolean isShared = Binder.get(environment)
                    .bind("latchkey.throttle", Bindable.mapOf(String.class, Object.class))
                    .orElse(Map.of())
                    .keySet()
                    .stream()
                    .anyMatch(name ->
                            environment.getProperty("latchkey.throttle." + name + ".shared", Boolean.class, false));
            return new ConditionOutcome(isShared, isShared ? "a throttle is shared" : "no throttle is shared");
        }
    }
}
