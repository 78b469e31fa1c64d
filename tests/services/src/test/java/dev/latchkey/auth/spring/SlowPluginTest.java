package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsReader;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.web.context.request.RequestContextHolder;

/** A plugin with a slow backend takes no hashing permit, and at most its threads. */
class SlowPluginTest {

    private static final String[] LOGINS = {
        "--latchkey.login.enabled=true",
        "--latchkey.jwt.secret=" + Services.KEY,
        GuardServer.NO_RESOURCE_SERVER,
        "--latchkey.plugins=directory,jwt",
        "--latchkey.guard.permits=1",
        "--server.tomcat.threads.max=60"
    };

    @Test
    void twentyParallelLogins_waitForTheirBackendTogether() throws Exception {
        try (GuardServer server = GuardServer.start(Service.class, LOGINS)) {
            requireTwentyAtOnce(server);
        }
    }

    @Test
    void onWebFluxToo() throws Exception {
        try (GuardServer server = GuardServer.start(WebApplicationType.REACTIVE, ReactiveService.class, LOGINS)) {
            requireTwentyAtOnce(server);
        }
    }

    @Test
    void hangingBackend_leavesTokensAndBasicOfLocalUsersAlone_andHoldsSoManyThreads() throws Exception {
        try (GuardServer server =
                GuardServer.start(Service.class, with("--latchkey.plugin.directory.max-concurrent=5"))) {
            Directory directory = server.bean(Directory.class);
            List<CompletableFuture<HttpResponse<String>>> hanging = logins(server, 5);
            directory.asked.acquire(5);
            HttpResponse<String> above = server.login("above", "right").join();
            assertThat(above.statusCode()).isEqualTo(503);
            assertThat(above.headers().firstValue("Retry-After")).isPresent();
            String token = server.bean(JwtSigner.class).sign(JwtClaims.forSubject("bearer", Duration.ofMinutes(5)));
            for (int i = 0; i < 20; i++) {
                assertThat(server.get("/hello", "local" + i, "right").statusCode())
                        .isEqualTo(200);
                assertThat(helloWith(server, token).body()).startsWith("Hello bearer");
                assertThat(helloWith(server, token + "x").statusCode()).isEqualTo(401);
            }
            assertThat(hanging).noneMatch(CompletableFuture::isDone);
            directory.answer.countDown();
            assertThat(hanging)
                    .allSatisfy(login -> assertThat(login.join().statusCode()).isEqualTo(200));
        }
    }

    @Test
    void withoutNamedPlugins_localUsersComeBeforeABackendThatHangs() throws Exception {
        try (GuardServer server = GuardServer.start(LocalUsers.class, without("--latchkey.plugins="))) {
            Directory directory = server.bean(Directory.class);
            CompletableFuture<HttpResponse<String>> hanging = server.login("user", "right");
            directory.asked.acquire();
            for (int i = 0; i < 20; i++) {
                assertThat(server.get("/hello", "local" + i, "right").statusCode())
                        .isEqualTo(200);
                assertThat(server.login("local" + i, "right").join().statusCode())
                        .isEqualTo(200);
            }
            assertThat(hanging).isNotDone();
            directory.answer.countDown();
            assertThat(hanging.join().statusCode()).isEqualTo(200);
        }
    }

    @Test
    void withoutAProperty_sixtyFourCallsRun_andNoMore() throws Exception {
        try (GuardServer server = GuardServer.start(Service.class, with("--server.tomcat.threads.max=200"))) {
            Directory directory = server.bean(Directory.class);
            // From as many addresses, so that no limit of an address is met.
            List<CompletableFuture<HttpResponse<String>>> hanging = IntStream.range(0, 64)
                    .mapToObj(i -> server.login("user" + i, "right", "192.0.2." + i))
                    .toList();
            directory.asked.acquire(64);
            assertThat(server.login("above", "right", "192.0.2.64").join().statusCode())
                    .isEqualTo(503);
            assertThat(hanging).noneMatch(CompletableFuture::isDone);
            directory.answer.countDown();
            assertThat(hanging)
                    .allSatisfy(login -> assertThat(login.join().statusCode()).isEqualTo(200));
        }
    }

    private static final String[] TWO_BACKENDS = {
        "--latchkey.login.enabled=true",
        "--latchkey.jwt.secret=" + Services.KEY,
        GuardServer.NO_RESOURCE_SERVER,
        "--latchkey.plugins=directory,tickets,jwt",
        "--server.tomcat.threads.max=12"
    };

    /** Half of the threads for each plugin would be all threads. */
    @Test
    void twoHangingBackends_leaveThreadsToTokens() throws Exception {
        try (GuardServer server = GuardServer.start(WithTickets.class, TWO_BACKENDS)) {
            requireThreadsForTokens(server, 6, 3);
        }
    }

    /** Of the 128 threads for blocking work. */
    @Test
    void twoHangingBackends_leaveThreadsToTokensOnWebFluxToo() throws Exception {
        try (GuardServer server =
                GuardServer.start(WebApplicationType.REACTIVE, ReactiveWithTickets.class, TWO_BACKENDS)) {
            requireThreadsForTokens(server, 64, 32);
        }
    }

    /**
     * @param forDirectory half of the threads
     * @param forTickets half of the others
     */
    private static void requireThreadsForTokens(GuardServer server, int forDirectory, int forTickets) throws Exception {
        ExecutorService callers = Executors.newCachedThreadPool();
        try {
            Directory directory = server.bean(Directory.class);
            Tickets tickets = server.bean(Tickets.class);
            List<CompletableFuture<HttpResponse<String>>> hanging = new ArrayList<>();
            for (int i = 0; i < forDirectory; i++) {
                hanging.add(server.login("user" + i, "right", "192.0.2." + i));
            }
            directory.asked.acquire(forDirectory);
            for (int i = 0; i < forTickets; i++) {
                hanging.add(CompletableFuture.supplyAsync(() -> withTicket(server), callers));
            }
            tickets.asked.acquire(forTickets);
            assertThat(withTicket(server).statusCode()).isEqualTo(503);
            assertThat(server.login("above", "right", "192.0.2.64").join().statusCode())
                    .isEqualTo(503);
            String token = server.bean(JwtSigner.class).sign(JwtClaims.forSubject("bearer", Duration.ofMinutes(5)));
            for (int i = 0; i < 20; i++) {
                assertThat(helloWith(server, token).body()).startsWith("Hello bearer");
            }
            assertThat(hanging).noneMatch(CompletableFuture::isDone);
            directory.answer.countDown();
            tickets.answer.countDown();
            assertThat(hanging)
                    .allSatisfy(login -> assertThat(login.join().statusCode()).isEqualTo(200));
            assertThat(withTicket(server).statusCode()).isEqualTo(200);
        } finally {
            callers.shutdown();
        }
    }

    private static HttpResponse<String> withTicket(GuardServer server) {
        try {
            return server.send(server.request("/hello").header("X-Ticket", "t"));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void pluginIsAskedOnTheRequestsThread() throws Exception {
        try (GuardServer server = GuardServer.start(Service.class, LOGINS)) {
            Directory directory = server.bean(Directory.class);
            directory.answer.countDown();
            assertThat(server.login("ann", "right").join().statusCode()).isEqualTo(200);
            assertThat(directory.sawItsRequest).isTrue();
        }
    }

    private static HttpResponse<String> helloWith(GuardServer server, String token) throws Exception {
        return server.send(server.request("/hello").header("Authorization", "Bearer " + token));
    }

    private static void requireTwentyAtOnce(GuardServer server) throws Exception {
        Directory directory = server.bean(Directory.class);
        List<CompletableFuture<HttpResponse<String>>> logins = logins(server, 20);
        directory.asked.acquire(20);
        directory.answer.countDown();
        assertThat(logins)
                .allSatisfy(login -> assertThat(login.join().statusCode()).isEqualTo(200));
    }

    private static List<CompletableFuture<HttpResponse<String>>> logins(GuardServer server, int number) {
        return IntStream.range(0, number)
                .mapToObj(i -> server.login("user" + i, "right"))
                .toList();
    }

    private static String[] with(String argument) {
        String name = argument.substring(0, argument.indexOf('=') + 1);
        return Stream.concat(Arrays.stream(without(name)), Stream.of(argument)).toArray(String[]::new);
    }

    private static String[] without(String name) {
        return Arrays.stream(LOGINS).filter(other -> !other.startsWith(name)).toArray(String[]::new);
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(GuardServerVariantsTest.Service.class)
    static class Service {

        @Bean
        Directory directory() {
            return new Directory();
        }
    }

    /** Knows some names only; the others are the directory's. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(GuardServerVariantsTest.Endpoints.class)
    static class LocalUsers {

        @Bean
        Directory directory() {
            return new Directory();
        }

        @Bean
        PasswordEncoder encoder() {
            return new HashingProbe();
        }

        @Bean
        UserDetailsService users() {
            return name -> {
                if (!name.startsWith("local")) {
                    throw new UsernameNotFoundException("unknown");
                }
                return User.withUsername(name)
                        .password(HashingProbe.stored(name, "right"))
                        .roles("USER")
                        .build();
            };
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(GuardServerVariantsTest.Service.class)
    static class WithTickets {

        @Bean
        Directory directory() {
            return new Directory();
        }

        @Bean
        Tickets tickets() {
            return new Tickets();
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class ReactiveWithTickets {

        @Bean
        Directory directory() {
            return new Directory();
        }

        @Bean
        Tickets tickets() {
            return new Tickets();
        }

        @Bean
        GuardServerVariantsTest.Endpoints endpoints() {
            return new GuardServerVariantsTest.Endpoints();
        }
    }

    /** Another backend, for requests with a ticket. */
    static final class Tickets implements LoginSource<Tickets.Ticket>, CredentialsReader {

        private final Semaphore asked = new Semaphore(0);
        private final CountDownLatch answer = new CountDownLatch(1);

        record Ticket(String text) implements Credentials {}

        @Override
        public String name() {
            return "tickets";
        }

        @Override
        public Class<Ticket> kind() {
            return Ticket.class;
        }

        @Override
        public Optional<Credentials> read(RequestContext context) {
            return context.header("X-Ticket").stream().findFirst().map(Ticket::new);
        }

        @Override
        public Decision authenticate(Ticket ticket, RequestContext context) {
            asked.release();
            try {
                answer.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return Authenticated.as(Subject.of("holder"));
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class ReactiveService {

        @Bean
        Directory directory() {
            return new Directory();
        }
    }

    static final class Directory implements LoginSource<PasswordCredentials> {

        private final Semaphore asked = new Semaphore(0);
        private final CountDownLatch answer = new CountDownLatch(1);
        private volatile boolean sawItsRequest;

        @Override
        public String name() {
            return "directory";
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials credentials, RequestContext context) {
            sawItsRequest = RequestContextHolder.getRequestAttributes() != null;
            asked.release();
            try {
                answer.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return Authenticated.as(Subject.of(credentials.username()));
        }
    }
}
