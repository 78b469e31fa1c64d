package dev.latchkey.auth.spring.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.RevocationStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.security.web.authentication.rememberme.InMemoryTokenRepositoryImpl;
import org.springframework.security.web.authentication.rememberme.PersistentRememberMeToken;
import org.springframework.security.web.authentication.rememberme.PersistentTokenRepository;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The rows of remember-me cookies are deleted whatever becomes of the caller. */
class RememberedLoginsTest {

    private final StaticListableBeanFactory beans = new StaticListableBeanFactory();

    @Test
    void rows_areDeletedOutsideOfTheCallersTransaction() {
        List<String> deleted = new ArrayList<>();
        List<Boolean> inTransaction = new ArrayList<>();
        beans.addBean("rows", new InMemoryTokenRepositoryImpl() {
            @Override
            public synchronized void removeUserTokens(String username) {
                deleted.add(username);
                inTransaction.add(TransactionSynchronizationManager.isActualTransactionActive());
            }
        });
        TransactionSynchronizationManager.setActualTransactionActive(true);
        try {
            assertThat(RememberedLogins.ending(beans).test("alice")).isTrue();
        } finally {
            TransactionSynchronizationManager.setActualTransactionActive(false);
        }
        assertThat(deleted).containsExactly("alice");
        assertThat(inTransaction).containsExactly(false);
    }

    @Test
    void tenantOfTheFirstCaller_isNotSeenByDeletions() {
        InheritableThreadLocal<String> tenant = new InheritableThreadLocal<>();
        List<String> seen = new ArrayList<>();
        beans.addBean("rows", new InMemoryTokenRepositoryImpl() {
            @Override
            public synchronized void removeUserTokens(String username) {
                seen.add(String.valueOf(tenant.get()));
            }
        });
        tenant.set("first");
        try {
            assertThat(RememberedLogins.ending(beans).test("alice")).isTrue();
        } finally {
            tenant.remove();
        }
        assertThat(seen).containsExactly("null");
    }

    /** A login between the deletion and the record would otherwise leave a cookie. */
    @Test
    void rows_areDeletedAfterTheRecordOfTheRevocation() {
        Instant now = Instant.now();
        RevocationStore revocations = new InMemoryRevocationStore(Duration.ofHours(1));
        List<Boolean> recorded = new ArrayList<>();
        WebApplicationContextRunner service = Services.web()
                .withUserConfiguration(Services.Accounts.class)
                .withBean(RevocationStore.class, () -> revocations)
                .withBean(PersistentTokenRepository.class, () -> new InMemoryTokenRepositoryImpl() {
                    @Override
                    public synchronized void removeUserTokens(String username) {
                        recorded.add(revocations.isSubjectRevoked(username, now));
                    }
                });
        service.run(context -> context.getBean(AuthChain.class).revokeAll("bob", now));
        service.withPropertyValues("latchkey.jwt.secret=" + Services.KEY)
                .run(context -> context.getBean(AuthChain.class).revokeAll("alice", now));
        assertThat(recorded).containsExactly(true, true);
    }

    @Test
    void deletionsThatHangForEver_keepNoLaterOneFromItsWork() throws Exception {
        CountDownLatch begun = new CountDownLatch(40);
        CountDownLatch answered = new CountDownLatch(1);
        beans.addBean("rows", new SilentRows(begun, answered));
        Predicate<String> ending = RememberedLogins.ending(beans, Duration.ofSeconds(30));
        ExecutorService callers = Executors.newFixedThreadPool(40);
        try {
            for (int i = 0; i < 40; i++) {
                Future<Boolean> unused = callers.submit(() -> ending.test("silent"));
            }
            assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(ending.test("alice")).isTrue();
        } finally {
            answered.countDown();
            callers.shutdownNow();
        }
    }

    @Test
    void storeThatHangs_isAFailureInTime() {
        CountDownLatch answered = new CountDownLatch(1);
        beans.addBean("rows", new InMemoryTokenRepositoryImpl() {
            @Override
            public synchronized void removeUserTokens(String username) {
                try {
                    answered.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        });
        Predicate<String> ending = RememberedLogins.ending(beans, Duration.ofMillis(10));
        try {
            assertThatThrownBy(() -> ending.test("alice")).hasRootCauseInstanceOf(TimeoutException.class);
        } finally {
            answered.countDown();
        }
    }

    @Test
    void storeThatThrows_isAFailure_andServiceWithoutAStoreEndsNothing() {
        assertThat(RememberedLogins.ending(beans).test("alice")).isFalse();
        beans.addBean("rows", new InMemoryTokenRepositoryImpl() {
            @Override
            public synchronized void removeUserTokens(String username) {
                throw new IllegalArgumentException("no table");
            }
        });
        assertThatThrownBy(() -> RememberedLogins.ending(beans).test("alice")).hasRootCauseMessage("no table");
    }

    /** The deletion for each account but alice begins and waits. */
    private record SilentRows(CountDownLatch begun, CountDownLatch answered) implements PersistentTokenRepository {

        @Override
        public void createNewToken(PersistentRememberMeToken token) {
            throw new AssertionError("not asked");
        }

        @Override
        public void updateToken(String series, String tokenValue, Date lastUsed) {
            throw new AssertionError("not asked");
        }

        @Override
        public PersistentRememberMeToken getTokenForSeries(String seriesId) {
            throw new AssertionError("not asked");
        }

        @Override
        public void removeUserTokens(String username) {
            if (username.equals("alice")) {
                return;
            }
            begun.countDown();
            try {
                answered.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
