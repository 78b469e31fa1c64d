package dev.latchkey.auth.test;

import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.hashing.HashingPermits;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.jwt.HmacAlgorithm;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.RotatingKeys;
import dev.latchkey.auth.spring.password.LatchkeyGuardAutoConfiguration;
import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;
import dev.latchkey.auth.spring.settings.GuardSettings;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.shared.LatchkeyRedisAutoConfiguration;
import dev.latchkey.auth.spring.token.LatchkeyJwtAutoConfiguration;
import dev.latchkey.auth.store.InMemoryLoginStore;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.RevocationStore;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** The replacements for the starter's beans. Active only with {@link AutoConfigureLatchkeyTest}. */
@AutoConfiguration(
        before = {
            LatchkeyAutoConfiguration.class,
            LatchkeyGuardAutoConfiguration.class,
            LatchkeyJwtAutoConfiguration.class,
            LatchkeyRedisAutoConfiguration.class
        })
@ConditionalOnProperty(name = "latchkey.enabled", matchIfMissing = true)
@EnableConfigurationProperties(LatchkeyProperties.class)
public final class LatchkeyTestAutoConfiguration {

    /** Longer than the lifetime of any token. */
    private static final Duration LONGEST_LIFETIME = Duration.ofDays(3_650);

    private static final int MOST_LOGINS = 10_000;

    @Bean
    @ConditionalOnMissingBean
    TestClock latchkeyTestClock() {
        return TestClock.ofThePresent();
    }

    @Bean
    @ConditionalOnMissingBean
    static TestClockView latchkeyTestClockView(ObjectProvider<TestClock> clock) {
        return new TestClockView(clock);
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean({HmacKey.class, RotatingKeys.class})
    HmacKey latchkeyTestKey() {
        return HmacKey.generate(HmacAlgorithm.HS256);
    }

    @Bean
    @ConditionalOnMissingBean(RevocationStore.class)
    RevocationStore latchkeyTestRevocations(TestClock clock, FreshState state) {
        return state.store(RevocationStore.class, () -> new InMemoryRevocationStore(LONGEST_LIFETIME, clock::instant));
    }

    @Bean
    @ConditionalOnMissingBean(LoginStore.class)
    LoginStore latchkeyTestLogins(TestClock clock, FreshState state) {
        return state.store(LoginStore.class, () -> new InMemoryLoginStore(MOST_LOGINS, clock::instant));
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean(GuardTime.class)
    TestGuardTime latchkeyGuardTime(TestClock clock) {
        return TestGuardTime.of(clock);
    }

    /** The age of cached roles, API keys and accounts. In a test, time passes only as for the limits. */
    @Bean(name = LatchkeyAutoConfiguration.NANO_TIME, defaultCandidate = false)
    @ConditionalOnMissingBean(name = LatchkeyAutoConfiguration.NANO_TIME)
    LongSupplier latchkeyNanoTime(GuardTime time) {
        return time::nanoTime;
    }

    /**
     * Uses the machine's time, because the permits measure the duration of hashes. If a test moved the clock during a
     * hash, the hash would seem to take days. Later logins would then be rejected as overload.
     */
    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnProperty(name = "latchkey.guard.enabled", matchIfMissing = true)
    HashingPermits latchkeyHashingPermits(
            LatchkeyProperties properties,
            WaitingThreads waiting,
            GuardTime time,
            ObjectProvider<GuardListener> listeners) {
        return new HashingPermits(
                GuardSettings.hashing(properties.guard()),
                waiting,
                time instanceof TestGuardTime moved ? moved.ofTheMachine() : time,
                GuardSettings.all(listeners.orderedStream().toList()));
    }

    @Bean
    @ConditionalOnMissingBean
    TestTokens latchkeyTestTokens(BeanFactory beans) {
        return TestTokens.of(beans);
    }

    @Bean
    @ConditionalOnMissingBean
    FreshState latchkeyFreshState(
            TestClock clock,
            ObjectProvider<TestGuardTime> time,
            ObjectProvider<LoginLimits> limits,
            ObjectProvider<CredentialCache> caches) {
        return new FreshState(clock, time, limits, caches);
    }
}
