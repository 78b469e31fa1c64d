package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.latchkey.auth.password.upgrade.PasswordUpgrade;
import dev.latchkey.auth.password.upgrade.StoredPasswords;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.test.web.servlet.MockMvc;

/** Logins with an outdated hash: answered as before, and hashed anew while no request waits. */
class UpgradeAfterTheAnswerTest {

    private final WebApplicationContextRunner service = Services.web().withUserConfiguration(OutdatedHashes.class);

    @Test
    void login_isAnsweredAsWithoutLatchkey_andHashesNothingItself() {
        List<String> before = new ArrayList<>();
        service.withPropertyValues("latchkey.enabled=false").run(context -> {
            before.add(basic(context, "alice", Services.PASSWORD));
            assertThat(store(context).hashing).hasSize(1);
            assertThat(store(context).isReplaced("alice")).isTrue();
        });
        service.run(context -> {
            assertThat(basic(context, "alice", Services.PASSWORD)).isEqualTo(before.get(0));
            OutdatedHashes.Store store = store(context);
            assertThat(store.isReplaced("alice")).isFalse();
            store.mayHash.countDown();
            store.awaitReplacementOf("alice");
            assertThat(store.hashing)
                    .singleElement()
                    .extracting(Thread::getName)
                    .isEqualTo("latchkey-password-upgrade");
            assertThat(store.isReplaced("alice")).isTrue();
            assertThat(basic(context, "alice", Services.PASSWORD)).isEqualTo(before.get(0));
            assertThat(basic(context, "alice", "wrong")).startsWith("401");
        });
    }

    @Test
    void loginForAToken_hashesNothingItselfEither() {
        service.withPropertyValues("latchkey.jwt.secret=" + Services.KEY, "latchkey.login.enabled=true")
                .run(context -> {
                    assertThat(loginForAToken(context)).isEqualTo(200);
                    OutdatedHashes.Store store = store(context);
                    assertThat(store.isReplaced("alice")).isFalse();
                    store.mayHash.countDown();
                    store.awaitReplacementOf("alice");
                    assertThat(store.hashing).extracting(Thread::getName).containsExactly("latchkey-password-upgrade");
                });
    }

    /** The refresh token belongs to the hash, which must not change behind it. */
    @Test
    void loginThatCanBeProlonged_replacesTheHashItself() {
        service.withPropertyValues(
                        "latchkey.jwt.secret=" + Services.KEY,
                        "latchkey.login.enabled=true",
                        "latchkey.login.refresh.enabled=true")
                .run(context -> {
                    assertThat(loginForAToken(context)).isEqualTo(200);
                    assertThat(store(context).isReplaced("alice")).isTrue();
                    assertThat(store(context).hashing).containsExactly(Thread.currentThread());
                });
    }

    /** The known clients belong to the hash too. With refresh tokens, the login itself replaces the hash. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void ownerAtHome_staysKnown_whenTheHashIsReplaced(boolean isRefreshed) {
        service.withPropertyValues(
                        "latchkey.jwt.secret=" + Services.KEY,
                        "latchkey.login.enabled=true",
                        "latchkey.login.refresh.enabled=" + isRefreshed)
                .run(context -> {
                    store(context).mayHash.countDown();
                    MockMvc mvc = Services.mvc(context);
                    assertThat(loginFrom("203.0.113.7", Services.PASSWORD, mvc)).isEqualTo(200);
                    letTheQueueEnd(context);
                    assertThat(store(context).isReplaced("alice")).isTrue();
                    for (int i = 0; i < 200; i++) {
                        loginFrom("198.18.0." + i, "wrong" + i, mvc);
                    }
                    assertThat(loginFrom("192.0.2.1", Services.PASSWORD, mvc))
                            .as("a stranger")
                            .isEqualTo(429);
                    assertThat(loginFrom("203.0.113.7", Services.PASSWORD, mvc)).isEqualTo(200);
                });
    }

    private static int loginFrom(String address, String password, MockMvc mvc) throws Exception {
        return mvc.perform(post("/auth/token")
                        .contentType("application/json")
                        .content(Services.LOGIN.replace(Services.PASSWORD, password))
                        .with(request -> {
                            request.setRemoteAddr(address);
                            return request;
                        }))
                .andReturn()
                .getResponse()
                .getStatus();
    }

    @Test
    void fiftyLoginsOfOneAccount_makeOneHash() {
        service.run(context -> {
            MockMvc mvc = Services.mvc(context);
            OutdatedHashes.Store store = store(context);
            ExecutorService clients = Executors.newFixedThreadPool(8);
            try {
                List<Future<Integer>> answers = new ArrayList<>();
                for (int i = 0; i < 50; i++) {
                    answers.add(clients.submit(
                            () -> answer(mvc, "alice", Services.PASSWORD).getStatus()));
                }
                for (Future<Integer> answer : answers) {
                    assertThat(answer.get()).isEqualTo(200);
                }
            } finally {
                clients.shutdownNow();
            }
            store.mayHash.countDown();
            store.awaitReplacementOf("alice");
            letTheQueueEnd(context);
            assertThat(store.hashing).as("alice's and bob's").hasSize(2);
            assertThat(context.getBean(PasswordUpgrade.class).declined()).isZero();
        });
    }

    @Test
    void accountThatIsRefused_andWrongPassword_areNotUpgraded() {
        service.run(context -> {
            store(context).mayHash.countDown();
            assertThat(basic(context, "disabled", Services.PASSWORD)).startsWith("401");
            assertThat(basic(context, "locked", Services.PASSWORD)).startsWith("401");
            assertThat(basic(context, "alice", "wrong")).startsWith("401");
            letTheQueueEnd(context);
            assertThat(store(context).hashes)
                    .containsEntry("disabled", OutdatedHashes.OLD)
                    .containsEntry("locked", OutdatedHashes.OLD)
                    .containsEntry("alice", OutdatedHashes.OLD);
        });
    }

    @Test
    void passwordThatIsChangedBeforeTheUpgrade_stays() {
        service.run(context -> {
            OutdatedHashes.Store store = store(context);
            basic(context, "alice", Services.PASSWORD);
            String changed = new BCryptPasswordEncoder(5).encode("another-password");
            store.hashes.put("alice", changed);
            store.mayHash.countDown();
            letTheQueueEnd(context);
            assertThat(store.hashes).containsEntry("alice", changed);
            assertThat(context.getBean(PasswordUpgrade.class).declined()).isEqualTo(1);
        });
    }

    @Test
    void storeThatTakesNoReplacement_costsNobodyTheLogin() {
        service.run(context -> {
            store(context).failing = true;
            store(context).mayHash.countDown();
            assertThat(basic(context, "alice", Services.PASSWORD)).startsWith("200");
            letTheQueueEnd(context);
            assertThat(context.getBean(PasswordUpgrade.class).failed()).isEqualTo(1);
            assertThat(basic(context, "alice", Services.PASSWORD)).startsWith("200");
        });
    }

    @Test
    void serviceThatCloses_endsTheThread() throws Exception {
        List<Thread> threads = new ArrayList<>();
        service.run(context -> {
            store(context).mayHash.countDown();
            letTheQueueEnd(context);
            threads.addAll(store(context).hashing);
        });
        threads.get(0).join(60_000);
        assertThat(threads.get(0).isAlive()).isFalse();
    }

    /** Then nothing knows the name that a provider was asked for. */
    @Test
    void withoutTheGuard_springsWayStays() {
        service.withPropertyValues("latchkey.guard.enabled=false").run(this::assertUpgradedWithinTheLogin);
    }

    @Test
    void providerOfOtherAccounts_goesOnAsItDid() {
        assertUpgradedByItsProvider(
                new InMemoryUserDetailsManager(new OutdatedHashes.Store().loadUserByUsername("alice")));
    }

    /** To be equal is what a store says of itself; it may still hold other accounts. */
    @Test
    void providerOfAStoreThatIsEqual_goesOnAsItDid() {
        assertUpgradedByItsProvider(
                new InMemoryUserDetailsManager(new OutdatedHashes.Store().loadUserByUsername("alice")) {
                    @Override
                    public boolean equals(Object other) {
                        return other instanceof UserDetailsService;
                    }

                    @Override
                    public int hashCode() {
                        return 0;
                    }
                });
    }

    @Test
    void storeOfTheServicesOwn_takesTheReplacement() {
        BlockingQueue<String> replaced = new LinkedBlockingQueue<>();
        StoredPasswords table = (account, expected, replacement) -> replaced.add(account + " " + expected);
        service.withBean("table", StoredPasswords.class, () -> table).run(context -> {
            store(context).mayHash.countDown();
            basic(context, "alice", Services.PASSWORD);
            assertThat(replaced.poll(60, TimeUnit.SECONDS)).isEqualTo("alice " + OutdatedHashes.OLD);
            assertThat(store(context).hashes).containsEntry("alice", OutdatedHashes.OLD);
        });
    }

    private void assertUpgradedByItsProvider(InMemoryUserDetailsManager others) {
        DaoAuthenticationProvider provider = new DaoAuthenticationProvider(others);
        provider.setPasswordEncoder(new BCryptPasswordEncoder(5));
        provider.setUserDetailsPasswordService(others);
        service.withBean("provider", DaoAuthenticationProvider.class, () -> provider)
                .run(context -> {
                    assertThat(basic(context, "alice", Services.PASSWORD)).startsWith("200");
                    assertThat(others.loadUserByUsername("alice").getPassword()).startsWith("$2a$05$");
                });
    }

    private void assertUpgradedWithinTheLogin(ApplicationContext context) throws Exception {
        assertThat(basic(context, "alice", Services.PASSWORD)).startsWith("200");
        assertThat(store(context).isReplaced("alice")).isTrue();
        assertThat(store(context).hashing).containsExactly(Thread.currentThread());
    }

    /**
     * One thread replaces hashes in the order of the logins, so all earlier hashes are replaced before bob's hash.
     */
    private static void letTheQueueEnd(ApplicationContext context) throws Exception {
        assertThat(basic(context, "bob", Services.PASSWORD)).startsWith("200");
        store(context).awaitReplacementOf("bob");
    }

    private static OutdatedHashes.Store store(ApplicationContext context) {
        return context.getBean(OutdatedHashes.Store.class);
    }

    private static String basic(ApplicationContext context, String name, String password) throws Exception {
        MockHttpServletResponse response = answer(Services.mvc(context), name, password);
        return response.getStatus() + " " + response.getErrorMessage() + " " + response.getContentAsString() + " "
                + response.getHeaderNames();
    }

    private static MockHttpServletResponse answer(MockMvc mvc, String name, String password) throws Exception {
        return mvc.perform(get("/hello").with(httpBasic(name, password)))
                .andReturn()
                .getResponse();
    }

    private static int loginForAToken(ApplicationContext context) throws Exception {
        return Services.mvc(context)
                .perform(post("/auth/token").contentType("application/json").content(Services.LOGIN))
                .andReturn()
                .getResponse()
                .getStatus();
    }
}
