package dev.latchkey.auth.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.cache.CredentialCacheStats;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.event.AbstractAuthenticationEvent;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;

/** WebFlux services of each make, asked the same without and with Latchkey: no answer may differ. */
class ReactiveDropInTest {

    @Test
    void bootsDefaultUser_answersTheSameAndIsCached() {
        assertThat(statsOfTheSameAnswers(service()
                                .withPropertyValues(
                                        "spring.security.user.name=alice",
                                        "spring.security.user.password=" + ReactiveDropInServices.BCRYPT))
                        .hits())
                .isPositive();
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                ReactiveDropInServices.MapOfAccounts.class,
                ReactiveDropInServices.OwnAccounts.class,
                ReactiveDropInServices.OwnChain.class
            })
    void serviceWithoutAnEncoderBean_answersTheSameAndIsCached(Class<?> configuration) {
        assertThat(statsOfTheSameAnswers(service(configuration)).hits()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                ReactiveDropInServices.OwnManagerByInterface.class,
                ReactiveDropInServices.OwnManagerByClass.class,
                ReactiveDropInServices.OwnManagerThatDecides.class,
                ReactiveDropInServices.EventsOfItsOwn.class
            })
    void managerWithAnEncoderInside_answersTheSameAndIsLeftToHash(Class<?> configuration) {
        CredentialCacheStats stats = statsOfTheSameAnswers(service(configuration));
        assertThat(stats.hits() + stats.misses()).isZero();
    }

    @Test
    void managerOfTheServicesOwn_withTheEncoderBean_answersTheSameAndIsCached() {
        assertThat(statsOfTheSameAnswers(service(ReactiveDropInServices.OwnManagerOfTheBeans.class))
                        .hits())
                .isPositive();
    }

    @ParameterizedTest
    @ValueSource(classes = {DropInServices.EncoderByInterface.class, DropInServices.EncoderByClass.class})
    void encoderBean_isNotCachedTwice(Class<?> configuration) {
        CredentialCacheStats stats =
                statsOfTheSameAnswers(service(ReactiveDropInServices.OwnAccounts.class, configuration));
        assertThat(stats.hits()).isPositive();
        assertThat(stats.stored()).isEqualTo(1);
    }

    @Test
    void nothingThatSpringSecurityLooksFor_isPublished() {
        service(ReactiveDropInServices.MapOfAccounts.class)
                .run(context -> assertThat(context)
                        .doesNotHaveBean(ReactiveAuthenticationManager.class)
                        .doesNotHaveBean(PasswordEncoder.class));
    }

    private static ReactiveWebApplicationContextRunner service(Class<?>... configurations) {
        return ReactiveServices.web()
                .withBean(ReactiveServices.Hello.class)
                .withBean(Observed.class)
                .withUserConfiguration(configurations);
    }

    /** Asks the service without and with Latchkey, and tells what the cache did. */
    private static CredentialCacheStats statsOfTheSameAnswers(ReactiveWebApplicationContextRunner service) {
        List<String> before = new ArrayList<>();
        service.withPropertyValues("latchkey.enabled=false").run(context -> before.addAll(answers(context)));
        List<String> after = new ArrayList<>();
        List<CredentialCacheStats> stats = new ArrayList<>();
        service.run(context -> {
            after.addAll(answers(context));
            stats.add(context.getBean(CredentialCache.class).stats());
        });
        assertThat(before).anyMatch(line -> line.startsWith("200")).anyMatch(line -> line.startsWith("401"));
        assertThat(after).isEqualTo(before);
        return stats.get(0);
    }

    /** The right password three times, and each way to be wrong; one line per answer. */
    private static List<String> answers(ApplicationContext context) {
        WebTestClient client = ReactiveServices.client(context);
        List<String> lines = new ArrayList<>();
        lines.add(described(client.get().uri("/hello")));
        for (String[] login : new String[][] {
            {"alice", Services.PASSWORD},
            {"alice", Services.PASSWORD},
            {"alice", Services.PASSWORD},
            {"alice", "wrong"},
            {"alice", ""},
            {"ALICE", Services.PASSWORD},
            {"nobody", Services.PASSWORD},
            {"disabled", Services.PASSWORD},
            {"unprefixed", Services.PASSWORD},
            {"failing", Services.PASSWORD}
        }) {
            lines.add(described(
                    client.get().uri("/hello").header("Authorization", ReactiveServices.basic(login[0], login[1]))));
        }
        lines.add(described(client.post().uri("/logout").header("Authorization", "Bearer rubbish")));
        lines.add(described(client.get().uri("/logout-now")));
        lines.addAll(context.getBean(Observed.class).events);
        return lines;
    }

    /** A stored hash without a prefix is an exception of Spring's, which must stay the same one. */
    private static String described(WebTestClient.RequestHeadersSpec<?> request) {
        EntityExchangeResult<byte[]> answer = request.exchange().expectBody().returnResult();
        byte[] body = answer.getResponseBody();
        List<String> headers = new ArrayList<>();
        answer.getResponseHeaders().forEach((name, values) -> headers.add(name + "=" + values));
        return answer.getStatus().value() + " " + (body == null ? "" : new String(body, UTF_8)) + " "
                + headers.stream().sorted().toList();
    }

    /** Spring Security publishes none of its own accord on WebFlux, and none may come of Latchkey. */
    static final class Observed {

        private final List<String> events = new CopyOnWriteArrayList<>();

        @EventListener
        void on(AbstractAuthenticationEvent event) {
            events.add(event.getClass().getName() + " of "
                    + event.getAuthentication().getName());
        }
    }
}
