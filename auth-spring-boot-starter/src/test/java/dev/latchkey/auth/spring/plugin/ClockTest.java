package dev.latchkey.auth.spring.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.spring.token.LatchkeyJwtAutoConfiguration;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Latchkey's clock is known by its name: a service's clock has other purposes, and Latchkey's clock is for Latchkey
 * alone.
 */
class ClockTest {

    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    private final ApplicationContextRunner context = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(LatchkeyAutoConfiguration.class, LatchkeyJwtAutoConfiguration.class))
            .withPropertyValues("latchkey.jwt.secret=IiMkJSYnKCkqKywtLi8wMTIzNDU2Nzg5Ojs8PT4/QEE=");

    /** What a part of a service is given that asks for a clock. */
    private record Diary(@Nullable InstantSource clock) {}

    @Configuration(proxyBeanMethods = false)
    static class DiaryConfiguration {

        @Bean
        Object diary(ObjectProvider<InstantSource> clock) {
            return new Diary(clock.getIfAvailable());
        }
    }

    @Test
    void serviceWithoutAClock_isGivenNone() {
        context.withUserConfiguration(DiaryConfiguration.class)
                .run(service -> assertThat(service.getBean("diary")).isEqualTo(new Diary(null)));
    }

    @Test
    void clockOfTheService_decidesNothingHere_andIsItsOnlyOne() {
        Clock own = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
        context.withUserConfiguration(DiaryConfiguration.class)
                .withBean(Clock.class, () -> own)
                .run(service -> {
                    assertThat(service.getBean("diary")).isEqualTo(new Diary(own));
                    String token =
                            service.getBean(JwtSigner.class).sign(JwtClaims.forSubject("ada", Duration.ofHours(1)));
                    assertThat(service.getBean(JwtVerifier.class)
                                    .verifyOrThrow(token)
                                    .issuedAt())
                            .hasValueSatisfying(issued -> assertThat(issued).isAfter(Instant.EPOCH));
                });
    }

    @Test
    void clockOfThatName_isWhatTokensGoBy() {
        AtomicReference<Instant> now = new AtomicReference<>(START);
        context.withBean(LatchkeyAutoConfiguration.CLOCK, InstantSource.class, () -> now::get)
                .run(service -> {
                    String token =
                            service.getBean(JwtSigner.class).sign(JwtClaims.forSubject("ada", Duration.ofHours(1)));
                    JwtVerifier verifier = service.getBean(JwtVerifier.class);
                    now.set(START.plusSeconds(3599));
                    assertThat(verifier.verify(token).verified()).isPresent();
                    now.set(START.plusSeconds(3600));
                    assertThat(verifier.verify(token).verified()).isEmpty();
                });
    }
}
