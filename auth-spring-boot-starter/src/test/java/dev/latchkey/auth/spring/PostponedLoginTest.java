package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthEvent;
import dev.latchkey.auth.AuthListener;
import dev.latchkey.auth.Credentials;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.authentication.event.AbstractAuthenticationFailureEvent;

/** What is heard of a login that gave its thread back for a hash: one outcome, and never a failure that was none. */
class PostponedLoginTest {

    private static GuardServer server;

    @BeforeAll
    static void start() {
        server = GuardServer.start(
                Service.class,
                "--latchkey.login.enabled=true",
                "--latchkey.jwt.secret=" + Services.KEY,
                "--latchkey.resource-server.enabled=false",
                "--management.endpoints.access.default=none");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void passThatEndsForAHash_isAFailureToNobody() throws Exception {
        List<Object> failures = server.bean(Failures.class).events;
        assertThat(login("ann", "right")).isEqualTo(200);
        assertThat(server.get("/hello", "bob", "right").statusCode()).isEqualTo(200);
        assertThat(failures).isEmpty();
        assertThat(server.bean(MeterRegistry.class).getMeters())
                .extracting(Meter::getId)
                .anyMatch(id -> id.getName().equals(AuthObservations.NAME) && "postponed".equals(id.getTag("outcome")))
                .noneMatch(id -> "failed".equals(id.getTag("outcome")))
                .noneMatch(id -> id.getName().equals(AuthMeters.LOGINS) && "postponed".equals(id.getTag("outcome")))
                .noneMatch(
                        id -> id.getTag("error") != null && !id.getTag("error").equals("none"));
        assertThat(login("ann", "wrong")).isEqualTo(401);
        assertThat(failures).hasSize(1);
        failures.clear();
    }

    @Test
    void listenerOfTheService_isToldOneEventForEachBeginning_onItsThread() throws Exception {
        List<Began> began = server.bean(Beginnings.class).began;
        began.clear();
        assertThat(login("carol", "right")).isEqualTo(200);
        assertThat(began)
                .allSatisfy(each -> assertThat(each.thread()).isEqualTo(each.toldOn()))
                .extracting(Began::event)
                .hasExactlyElementsOfTypes(AuthEvent.Postponed.class, AuthEvent.Decided.class);
        assertThat(login("carol", "right")).isEqualTo(200);
        assertThat(began).hasSize(3).last().extracting(Began::event).isInstanceOf(AuthEvent.Decided.class);
    }

    private static int login(String user, String password) {
        return server.login(user, password).join().statusCode();
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(GuardServerVariantsTest.Service.class)
    static class Service {

        @Bean
        Failures failures() {
            return new Failures();
        }

        @Bean
        Beginnings beginnings() {
            return new Beginnings();
        }
    }

    static final class Failures implements ApplicationListener<AbstractAuthenticationFailureEvent> {

        private final List<Object> events = new CopyOnWriteArrayList<>();

        @Override
        public void onApplicationEvent(AbstractAuthenticationFailureEvent event) {
            events.add(event);
        }
    }

    /** A check, and what was told of it at its end. */
    private record Began(Thread thread, Thread toldOn, AuthEvent event) {}

    /** As somebody would write it who keeps something open during a check. */
    static final class Beginnings implements AuthListener {

        private final List<Began> began = new CopyOnWriteArrayList<>();

        @Override
        public AuthListener begin(Class<? extends Credentials> kind) {
            Thread thread = Thread.currentThread();
            return event -> began.add(new Began(thread, Thread.currentThread(), event));
        }

        @Override
        public void on(AuthEvent event) {
            throw new AssertionError("told in place of what begin returned: " + event);
        }
    }
}
