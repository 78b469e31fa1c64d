package dev.latchkey.throttle.spring;

import dev.latchkey.auth.guard.bucket.PortionStore;
import dev.latchkey.auth.redis.RedisPortionStore;
import dev.latchkey.auth.redis.RedisRights;
import dev.latchkey.auth.redis.RedisSettings;
import dev.latchkey.auth.redis.StoreConnections;
import dev.latchkey.auth.store.ServiceName;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
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
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** The buckets of shared throttles, in the service's Redis. */
@AutoConfiguration(
        before = LatchkeyThrottleAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"
        })
@ConditionalOnClass(RedisPortionStore.class)
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@Conditional(LatchkeySharedThrottlesAutoConfiguration.OnSharedThrottle.class)
@ConditionalOnSingleCandidate(RedisConnectionFactory.class)
@EnableConfigurationProperties(ThrottleProperties.class)
public final class LatchkeySharedThrottlesAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    StoreConnections latchkeyStoreConnections(
            RedisConnectionFactory redis,
            ObjectProvider<RedisSettings> settings,
            ObjectProvider<ServiceName> service,
            ThrottleProperties properties,
            Environment environment) {
        return StoreConnections.of(
                redis,
                settings(settings, service, properties.redis(), environment).deadline());
    }

    @Bean
    @ConditionalOnMissingBean(PortionStore.class)
    RedisPortionStore latchkeyPortionStore(
            StoreConnections redis,
            ObjectProvider<RedisSettings> settings,
            ObjectProvider<ServiceName> service,
            ThrottleProperties properties,
            Environment environment) {
        return RedisPortionStore.in(redis.factory(), settings(settings, service, properties.redis(), environment));
    }

    /** The keys contain the name of the service, so two services with the same Redis have separate rates. */
    private static RedisSettings settings(
            ObjectProvider<RedisSettings> settings,
            ObjectProvider<ServiceName> service,
            ThrottleProperties.Redis redis,
            Environment environment) {
        return settings.getIfAvailable(() -> {
            ServiceName name = service.getIfAvailable(() -> nameOf(environment));
            try {
                return RedisSettings.of(name).withDeadline(redis.timeout());
            } catch (IllegalArgumentException e) {
                throw new ThrottleConfigurationException(
                        "latchkey.redis.timeout: " + e.getMessage(), "Correct latchkey.redis.timeout.");
            }
        });
    }

    private static ServiceName nameOf(Environment environment) {
        String name =
                environment.getProperty("latchkey.service", environment.getProperty("spring.application.name", ""));
        if (!ServiceName.isName(name)) {
            throw new ThrottleConfigurationException(
                    "A throttle is shared in Redis, but the service's name cannot be part of a key: '" + name + "'",
                    "Set latchkey.service or spring.application.name to at most " + ServiceName.LONGEST
                            + " letters, digits, dots, underscores and hyphens, the same on all nodes.");
        }
        return new ServiceName(name);
    }

    @Bean
    @ConditionalOnBean(RedisPortionStore.class)
    @ConditionalOnMissingBean(name = "latchkeyPortionsAtTheStart")
    PortionsAtTheStart latchkeyPortionsAtTheStart(
            StoreConnections redis,
            ObjectProvider<RedisSettings> settings,
            ObjectProvider<ServiceName> service,
            ThrottleProperties properties,
            Environment environment) {
        RedisSettings used = settings(settings, service, properties.redis(), environment);
        return new PortionsAtTheStart(() -> RedisRights.missingForBuckets(redis.factory(), used));
    }

    /** Matches if at least one throttle is shared. */
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

    /**
     * Asks Redis once before the server accepts requests, for the rights of the service's user. A first connection takes longer
     * than the limit of a request. Without this question, the throttles would start with the rates of this node alone.
     */
    static final class PortionsAtTheStart implements SmartLifecycle {

        /** Connections start earlier, and servers in later phases. */
        private static final int PHASE = 1;

        private final Supplier<List<String>> missingRights;
        private volatile boolean isRunning;

        /** @param missingRights asks the store for the missing rights of its user */
        PortionsAtTheStart(Supplier<List<String>> missingRights) {
            this.missingRights = missingRights;
        }

        @Override
        public int getPhase() {
            return PHASE;
        }

        @Override
        public void start() {
            requireRights();
            isRunning = true;
        }

        private void requireRights() {
            String rights = String.join(" ", RedisRights.asked(missingRights));
            if (!rights.isEmpty()) {
                throw new ThrottleConfigurationException(
                        "The Redis user of this service lacks rights that shared throttles need: " + rights,
                        "Add these rights to the user: ACL SETUSER <user> " + rights
                                + ". The README of auth-redis has the whole user.");
            }
        }

        @Override
        public void stop() {
            isRunning = false;
        }

        @Override
        public boolean isRunning() {
            return isRunning;
        }
    }
}
