package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.spring.endpoint.LoginEndpointsTest;
import dev.latchkey.auth.spring.endpoint.ReactiveLoginEndpointsTest;
import dev.latchkey.auth.spring.metrics.LoginService;
import dev.latchkey.auth.store.InMemoryLoginStore;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.RevocationStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.ReactiveJwtDecoder;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;

/** What the log says while a store is down: the same on servlets and on WebFlux, and once. */
@Tag("long")
class LoggedOutagesTest {

    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String LOGIN = "username=failing&password=correct-horse-battery";
    private static final String REFRESH = "refresh_token=" + "A".repeat(64);

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final JwtClaims ALICE = JwtClaims.forSubject("alice", Duration.ofMinutes(1));

    private static final String[] PROPERTIES = {
        "latchkey.jwt.secret=" + Services.KEY, "latchkey.login.enabled=true", "latchkey.login.refresh.enabled=true"
    };

    private final Logger logger = Logger.getLogger("dev.latchkey.auth");
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            if (line.getLevel().intValue() >= Level.WARNING.intValue()) {
                lines.add(line.getMessage());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        logger.addHandler(handler);
    }

    @AfterEach
    void stopListening() {
        logger.removeHandler(handler);
    }

    @Test
    void outages_areALineForEachStore_onServlets() {
        servlets().run(context -> {
            MockMvc mvc = Services.mvc(context);
            for (int i = 0; i < 3; i++) {
                assertThat(status(mvc, "/auth/token", LOGIN)).isEqualTo(503);
                assertThat(status(mvc, "/auth/token", REFRESH)).isEqualTo(503);
            }
        });
        assertBothOutagesAreSaidOnce();
    }

    @Test
    void outages_areALineForEachStore_onWebFlux() {
        webFlux().run(context -> {
            WebTestClient client = ReactiveServices.client(context);
            for (int i = 0; i < 3; i++) {
                assertThat(status(client, "/auth/token", LOGIN)).isEqualTo(503);
                assertThat(status(client, "/auth/token", REFRESH)).isEqualTo(503);
            }
        });
        assertBothOutagesAreSaidOnce();
    }

    @Test
    void outageOfRevocations_isALine_whereAResourceServerAsks_onServlets() {
        Services.resourceServer()
                .withUserConfiguration(Services.Accounts.class, ResourceServerChains.BothInOneChain.class)
                .withBean(RevocationStore.class, LoggedOutagesTest::revocationsThatAreDown)
                .run(context -> {
                    String token = context.getBean(JwtSigner.class).sign(ALICE);
                    for (int i = 0; i < 3; i++) {
                        assertThatThrownBy(
                                        () -> context.getBean(JwtDecoder.class).decode(token))
                                .isInstanceOf(JwtException.class);
                    }
                });
        assertThat(lines).containsExactly("The store of revocations does not answer: RevocationStore does not answer");
    }

    @Test
    void outageOfRevocations_isALine_whereAResourceServerAsks_onWebFlux() {
        ReactiveServices.resourceServer()
                .withUserConfiguration(LoginService.class, ReactiveLoginEndpointsTest.Accounts.class)
                .withBean(RevocationStore.class, LoggedOutagesTest::revocationsThatAreDown)
                .run(context -> {
                    String token = context.getBean(JwtSigner.class).sign(ALICE);
                    for (int i = 0; i < 3; i++) {
                        assertThatThrownBy(() -> context.getBean(ReactiveJwtDecoder.class)
                                        .decode(token)
                                        .block(LONG))
                                .isInstanceOf(JwtException.class);
                    }
                });
        assertThat(lines).containsExactly("The store of revocations does not answer: RevocationStore does not answer");
    }

    private void assertBothOutagesAreSaidOnce() {
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0))
                .startsWith("Plugin 'users' does not answer: ")
                .endsWith("caused by java.lang.IllegalStateException: The store is down")
                .doesNotContain("correct-horse");
        assertThat(lines.get(1)).isEqualTo("The store of logins does not answer: LoginStore does not answer");
    }

    private static WebApplicationContextRunner servlets() {
        return Services.web()
                .withUserConfiguration(LoginService.class, LoginEndpointsTest.OnServlets.class)
                .withBean(LoginStore.class, LoggedOutagesTest::storeThatIsDown)
                .withPropertyValues(PROPERTIES);
    }

    private static ReactiveWebApplicationContextRunner webFlux() {
        return ReactiveServices.web()
                .withUserConfiguration(
                        LoginService.class,
                        ReactiveLoginEndpointsTest.Accounts.class,
                        ReactiveLoginEndpointsTest.OwnChain.class)
                .withBean(LoginStore.class, LoggedOutagesTest::storeThatIsDown)
                .withPropertyValues(PROPERTIES);
    }

    private static RevocationStore revocationsThatAreDown() {
        return Unreliable.around(
                RevocationStore.class, new InMemoryRevocationStore(Duration.ofHours(1)), method -> true);
    }

    private static LoginStore storeThatIsDown() {
        return Unreliable.around(LoginStore.class, new InMemoryLoginStore(1), method -> true);
    }

    private static int status(MockMvc mvc, String path, String form) throws Exception {
        return mvc.perform(MockMvcRequestBuilders.post(path).contentType(FORM).content(form))
                .andReturn()
                .getResponse()
                .getStatus();
    }

    private static int status(WebTestClient client, String path, String form) {
        return client.post()
                .uri(path)
                .header("Content-Type", FORM)
                .bodyValue(form)
                .exchange()
                .returnResult(Void.class)
                .getStatus()
                .value();
    }
}
