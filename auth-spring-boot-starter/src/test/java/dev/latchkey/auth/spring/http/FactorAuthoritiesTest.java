package dev.latchkey.auth.spring.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Factors;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.TestingAuthenticationToken;

class FactorAuthoritiesTest {

    private static final Instant NOW = Instant.parse("2026-11-27T10:00:00Z");

    /** Spring Security 7 adds the factor to each request that a resource server accepts, with the time of the request. */
    @Test
    void bearerToken_isNoProofOfItsOwner() {
        assertThat(FactorAuthorities.in(
                        new TestingAuthenticationToken("ann", null, "FACTOR_BEARER", "SCOPE_read"), NOW))
                .isEqualTo(Factors.none());
        assertThat(FactorAuthorities.in(
                        new TestingAuthenticationToken("ann", null, "FACTOR_OTT", "FACTOR_BEARER"), NOW))
                .isEqualTo(new Factors(Set.of(Factors.ONE_TIME_CODE), NOW));
    }
}
