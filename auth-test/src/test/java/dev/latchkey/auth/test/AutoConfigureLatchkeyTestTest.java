package dev.latchkey.auth.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;
import dev.latchkey.auth.store.InMemoryLoginStore;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.RevocationStore;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The effect of the annotation, and the unchanged beans of the service. */
@Tag("long")
class AutoConfigureLatchkeyTestTest {

    private final ApplicationContextRunner context = new ApplicationContextRunner()
            .withUserConfiguration(Slice.class)
            .withPropertyValues("latchkey.guard.shared.enabled=false");

    @Test
    void slice_bringsAllOfTheStarter_andOneMore_andThrottlesWhereTheServiceHasThem() throws IOException {
        List<String> ofBoot = lines("META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports");
        assertThat(lines("META-INF/spring/" + AutoConfigureLatchkeyTest.class.getName() + ".imports"))
                .isEqualTo(Stream.concat(
                                ofBoot.stream(),
                                Stream.of(
                                        LatchkeyTestAutoConfiguration.class.getName(),
                                        "optional:dev.latchkey.throttle.spring.LatchkeySharedThrottlesAutoConfiguration",
                                        "optional:dev.latchkey.throttle.spring.LatchkeyThrottleAutoConfiguration"))
                        .toList());
    }

    @Test
    void jarAlone_changesNothing() {
        assertThat(ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader()))
                .doesNotContain(LatchkeyTestAutoConfiguration.class.getName());
    }

    @Test
    void twoContexts_haveTwoKeys() {
        context.run(one ->
                context.run(other -> assertThat(one.getBean(HmacKey.class).isSameKeyAs(other.getBean(HmacKey.class)))
                        .isFalse()));
    }

    @Test
    void clockOfTheService_isItsOwn_andLatchkeyHasTheOneOfTheTest() {
        context.withUserConfiguration(OwnClock.class, Journal.class).run(service -> {
            assertThat(service.getBean(Diary.class).clock()).isSameAs(service.getBean("clock"));
            assertThatLatchkeyHasTheClockOfTheTest(service);
        });
    }

    @Test
    void latchkeysClockOfTheService_isReplacedByTheOneOfTheTest() {
        context.withBean(LatchkeyAutoConfiguration.CLOCK, InstantSource.class, InstantSource::system)
                .withUserConfiguration(Journal.class)
                .run(service -> {
                    assertThatLatchkeyHasTheClockOfTheTest(service);
                    TestClock clock = service.getBean(TestClock.class);
                    assertThat(service.getBean(Diary.class).clock().instant()).isEqualTo(clock.instant());
                });
    }

    @Test
    void latchkeysClockOfTheService_mayBeAClock() {
        context.withBean(LatchkeyAutoConfiguration.CLOCK, Clock.class, Clock::systemUTC)
                .run(service -> {
                    assertThatLatchkeyHasTheClockOfTheTest(service);
                    TestClock clock = service.getBean(TestClock.class);
                    assertThat(service.getBean(Clock.class).instant()).isEqualTo(clock.instant());
                });
    }

    private static void assertThatLatchkeyHasTheClockOfTheTest(ApplicationContext service) {
        InstantSource latchkeys = service.getBean(LatchkeyAutoConfiguration.CLOCK, InstantSource.class);
        TestClock clock = service.getBean(TestClock.class);
        clock.advance(Duration.ofDays(1));
        assertThat(latchkeys.instant()).isEqualTo(clock.instant());
    }

    @Test
    void serviceWithoutAClock_doesNotStart_asInProduction() {
        context.withUserConfiguration(Journal.class)
                .run(service -> assertThat(service)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(NoSuchBeanDefinitionException.class)
                        .hasMessageContaining(InstantSource.class.getName()));
    }

    @Test
    void nanoTimeOfCaches_movesWithTheClock_andSkipsTimeBetweenTests() {
        context.run(service -> {
            LongSupplier nanos = service.getBean("latchkeyNanoTime", LongSupplier.class);
            long first = nanos.getAsLong();
            service.getBean(TestClock.class).advance(Duration.ofSeconds(10));
            assertThat(nanos.getAsLong() - first)
                    .isEqualTo(Duration.ofSeconds(10).toNanos());
            service.getBean(FreshState.class).begin();
            assertThat(Duration.ofNanos(nanos.getAsLong() - first)).isGreaterThan(Duration.ofDays(1));
        });
    }

    @Test
    void storesOfTheService_stay() {
        context.withUserConfiguration(OwnStores.class).run(service -> {
            assertThat(service).hasSingleBean(RevocationStore.class).doesNotHaveBean("latchkeyTestRevocations");
            assertThat(service).hasSingleBean(LoginStore.class).doesNotHaveBean("latchkeyTestLogins");
            assertThat(service).hasSingleBean(GuardTime.class).doesNotHaveBean(TestGuardTime.class);
            service.getBean(FreshState.class).begin();
        });
    }

    @Test
    void tokenDuringAnOutageOfTheStore_isMade() {
        context.withBean(RevocationStore.class, DownStore::new).run(service -> {
            String token = service.getBean(TestTokens.class).latchkey().text();
            assertThat(service.getBean(JwtVerifier.class).verify(token).verified())
                    .isPresent();
        });
    }

    @Test
    void freshState_skipsTheLongestLimitOfTheService() {
        context.withPropertyValues(
                        "latchkey.guard.limits.account-and-source[0].tokens=5",
                        "latchkey.guard.limits.account-and-source[0].per=365d")
                .run(service -> {
                    GuardTime time = service.getBean(GuardTime.class);
                    long before = time.nanoTime();
                    service.getBean(FreshState.class).begin();
                    assertThat(Duration.ofNanos(time.nanoTime() - before)).isGreaterThanOrEqualTo(Duration.ofDays(365));
                });
    }

    @Test
    void serviceThatHasSwitchedLatchkeyOff_hasNothing() {
        context.withPropertyValues("latchkey.enabled=false").run(service -> {
            assertThat(service).doesNotHaveBean(TestClock.class);
            assertThat(service).doesNotHaveBean(HmacKey.class);
        });
    }

    /** The lines of this resource in the starter's jar and in this jar. */
    private static List<String> lines(String resource) throws IOException {
        Class<?> owner = resource.contains(AutoConfigureLatchkeyTest.class.getName())
                ? AutoConfigureLatchkeyTest.class
                : LatchkeyAutoConfiguration.class;
        try (URLClassLoader jar = new URLClassLoader(
                        new URL[] {owner.getProtectionDomain().getCodeSource().getLocation()}, null);
                InputStream in = Objects.requireNonNull(jar.getResourceAsStream(resource))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @AutoConfigureLatchkeyTest
    static class Slice {}

    record Diary(InstantSource clock) {}

    @Configuration(proxyBeanMethods = false)
    static class OwnClock {

        @Bean
        Clock clock() {
            return Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Journal {

        @Bean
        Diary diary(InstantSource time) {
            return new Diary(time);
        }
    }

    private static final class DownStore implements RevocationStore {

        @Override
        public void revokeToken(String tokenId, Instant expiresAt) {
            throw AuthUnavailableException.outage("down");
        }

        @Override
        public void revokeSubject(String subjectId, Instant notBefore) {
            throw AuthUnavailableException.outage("down");
        }

        @Override
        public Instant notBefore(String subjectId) {
            throw AuthUnavailableException.outage("down");
        }

        @Override
        public boolean isTokenRevoked(String tokenId) {
            throw AuthUnavailableException.outage("down");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnStores {

        @Bean
        RevocationStore revocations() {
            return new InMemoryRevocationStore(Duration.ofHours(1));
        }

        @Bean
        LoginStore logins() {
            return new InMemoryLoginStore(10);
        }

        @Bean
        GuardTime time() {
            return GuardTime.start();
        }
    }
}
