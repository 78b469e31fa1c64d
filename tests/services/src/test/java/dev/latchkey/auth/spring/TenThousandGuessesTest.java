package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import dev.latchkey.auth.cache.CredentialCache;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.test.web.servlet.MockMvc;

/** An attacker has used up the guesses at an account with a cached password: the whole chain, without a network. */
class TenThousandGuessesTest {

    private static final String OWNER = "198.51.100.1";
    private static final String ATTACKER = "198.51.100.66";
    private static final int GUESSES = 10_000;

    /** What counts down, and says nothing of the account. */
    private static final Set<String> COUNTERS = Set.of("Date", "Retry-After", "RateLimit", "RateLimit-Policy");

    @Test
    void theRightOneAmongThem_isAnsweredAsTheOthers_andNothingIsCompared() {
        Services.web()
                .withUserConfiguration(Service.class)
                .withPropertyValues(
                        "latchkey.guard.refusals.delay=0s",
                        "latchkey.guard.limits.account-and-source[0].tokens=5",
                        "latchkey.guard.limits.account-and-source[0].per=1d")
                .run(context -> {
                    MockMvc mvc = Services.mvc(context);
                    CredentialCache cache = context.getBean(CredentialCache.class);
                    AtomicInteger comparisons = context.getBean(Counting.class).comparisons;
                    assertThat(login(mvc, OWNER, "right").getStatus()).isEqualTo(200);
                    assertThat(login(mvc, OWNER, "right").getStatus()).isEqualTo(200);
                    assertThat(cache.stats().hits()).isEqualTo(1);
                    for (int i = 0; i < 5; i++) {
                        assertThat(login(mvc, ATTACKER, "wrong" + i).getStatus())
                                .isEqualTo(401);
                    }
                    comparisons.set(0);
                    long lookups = cache.stats().hits() + cache.stats().misses();
                    Set<String> answers = new HashSet<>();
                    for (int i = 0; i < GUESSES; i++) {
                        answers.add(shown(login(mvc, ATTACKER, i == GUESSES / 2 ? "right" : "guess" + i)));
                    }
                    assertThat(answers).singleElement().asString().startsWith("429 ");
                    assertThat(comparisons).hasValue(0);
                    assertThat(cache.stats().hits() + cache.stats().misses()).isEqualTo(lookups);
                    assertThat(login(mvc, OWNER, "right").getStatus()).isEqualTo(200);
                });
    }

    private static MockHttpServletResponse login(MockMvc mvc, String from, String password) throws Exception {
        return mvc.perform(get("/hello").with(httpBasic("victim", password)).with(request -> {
                    request.setRemoteAddr(from);
                    return request;
                }))
                .andReturn()
                .getResponse();
    }

    /** All that a client gets to see, but for what counts down. */
    private static String shown(MockHttpServletResponse answer) throws Exception {
        Map<String, List<String>> fields = new TreeMap<>();
        for (String name : answer.getHeaderNames()) {
            if (!COUNTERS.contains(name)) {
                fields.put(name, answer.getHeaders(name));
            }
        }
        return answer.getStatus() + " " + fields + " " + answer.getContentAsString();
    }

    @Configuration(proxyBeanMethods = false)
    static class Service {

        @Bean
        Counting counting() {
            return new Counting();
        }

        @Bean
        PasswordEncoder encoder(Counting counting) {
            return counting.encoder;
        }

        @Bean
        UserDetailsService users() {
            return name -> User.withUsername(name)
                    .password(HashingProbe.stored(name, "right"))
                    .roles("USER")
                    .build();
        }

        @Bean
        Services.Hello hello() {
            return new Services.Hello();
        }
    }

    static final class Counting {

        private final AtomicInteger comparisons = new AtomicInteger();
        private final HashingProbe probe = new HashingProbe();
        private final PasswordEncoder encoder = new PasswordEncoder() {
            @Override
            public String encode(CharSequence password) {
                return probe.encode(password);
            }

            @Override
            public boolean matches(CharSequence password, String stored) {
                comparisons.incrementAndGet();
                return probe.matches(password, stored);
            }
        };
    }
}
