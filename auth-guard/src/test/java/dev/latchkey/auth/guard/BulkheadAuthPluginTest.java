package dev.latchkey.auth.guard;

import static dev.latchkey.auth.guard.Until.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.Abstained;
import dev.latchkey.auth.Access;
import dev.latchkey.auth.Account;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.AuthUnavailableException.Kind;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.DelegatingAuthPlugin;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Permission;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RememberedDevice;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BulkheadAuthPluginTest {

    private static final Credentials ANN = new PasswordCredentials("ann", Secret.of("any"));
    private static final Subject SUBJECT = Subject.of("ann");
    private static final Permission READ = new Permission("read", "reports");
    private static final Authenticated LOGIN = Authenticated.as(SUBJECT);
    private static final Challenged CODE = Challenged.by(LOGIN, Factors.ONE_TIME_CODE);
    private static final RememberedDevice DEVICE = new RememberedDevice(Secret.of("device"), Duration.ofDays(1));
    private static final Account ACCOUNT = new Account(LOGIN, Secret.of("stamp"));

    private final Directory directory = new Directory();
    private final BulkheadAuthPlugin bulkhead = BulkheadAuthPlugin.around(directory, 2);

    /** Asks a network that answers when the test lets it. */
    private static final class Directory implements AuthPlugin {

        private final Queue<String> asked = new ConcurrentLinkedQueue<>();
        private final CountDownLatch answers = new CountDownLatch(1);
        private volatile boolean hangs;
        private volatile Optional<RuntimeException> failure = Optional.empty();

        private <T> T ask(String what, T answer) {
            asked.add(what);
            if (hangs) {
                awaitAnswers();
            }
            failure.ifPresent(thrown -> {
                throw thrown;
            });
            return answer;
        }

        private void awaitAnswers() {
            try {
                assertThat(answers.await(30, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        List<String> asked() {
            return List.copyOf(asked);
        }

        @Override
        public String name() {
            return "directory";
        }

        @Override
        public boolean supports(Class<? extends Credentials> kind) {
            return kind == PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(Credentials credentials, RequestContext context) {
            return ask("authenticate", Decision.abstained());
        }

        @Override
        public void unrecognized(PasswordCredentials credentials) {
            ask("unrecognized", credentials);
        }

        @Override
        public Access authorize(Subject subject, Permission permission) {
            return ask("authorize", Access.GRANTED);
        }

        @Override
        public Optional<Account> account(String name) {
            return ask("account", Optional.of(ACCOUNT));
        }

        @Override
        public Optional<Challenged> secondStep(Authenticated login, RequestContext context) {
            return ask("secondStep", Optional.of(CODE));
        }

        @Override
        public Optional<RememberedDevice> remember(Authenticated login, RequestContext context) {
            return ask("remember", Optional.of(DEVICE));
        }

        @Override
        public boolean revoke(Credentials credentials) {
            asked.add("revoke");
            return true;
        }

        @Override
        public boolean revokeAll(String subjectId, Instant notBefore) {
            asked.add("revokeAll");
            return true;
        }

        @Override
        public Optional<Credentials> read(RequestContext context) {
            asked.add("read");
            return Optional.of(ANN);
        }

        @Override
        public void close() {
            asked.add("close");
        }
    }
    /** As many calls as there may be, which end when the directory answers. */
    private List<Future<?>> hang(ExecutorService threads) {
        directory.hangs = true;
        List<Future<?>> calls = List.of(
                threads.submit(() -> bulkhead.authenticate(ANN, RequestContext.none())),
                threads.submit(() -> bulkhead.account("ann")));
        until(() -> bulkhead.running() >= 2);
        return calls;
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(AuthUnavailableException.class, refusal -> {
            assertThat(refusal.kind()).isEqualTo(Kind.OVERLOAD);
            assertThat(refusal.retryAfter()).contains(Duration.ofSeconds(1));
            assertThat(refusal).hasMessageContaining("'directory'");
            assertThat(refusal).hasMessageContaining("latchkey.plugin.directory.max-concurrent");
        });
    }

    @Test
    void callAboveTheBound_isRefusedAtOnce_whileTheBackendHangs() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        List<Future<?>> calls = hang(threads);
        assertRefused(() -> bulkhead.authenticate(ANN, RequestContext.none()));
        assertRefused(() -> bulkhead.account("ann"));
        assertRefused(() -> bulkhead.authorize(SUBJECT, READ));
        assertRefused(() -> bulkhead.secondStep(LOGIN, RequestContext.none()));
        assertRefused(() -> bulkhead.remember(LOGIN, RequestContext.none()));
        assertRefused(() -> bulkhead.unrecognized(new PasswordCredentials("ann", Secret.of("any"))));
        assertThat(bulkhead.running()).isEqualTo(2);
        assertThat(bulkhead.most()).isEqualTo(2);
        assertThat(bulkhead.refused()).isEqualTo(6);
        directory.answers.countDown();
        for (Future<?> call : calls) {
            call.get(30, TimeUnit.SECONDS);
        }
        assertThat(bulkhead.running()).isZero();
        assertThat(bulkhead.authorize(SUBJECT, READ)).isEqualTo(Access.GRANTED);
        bulkhead.unrecognized(new PasswordCredentials("ann", Secret.of("any")));
        assertThat(directory.asked()).endsWith("unrecognized");
        threads.shutdown();
    }

    @Test
    void credentialsOfAnotherKind_passAPluginWhoseBackendHangs() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        List<Future<?>> calls = hang(threads);
        AuthChain chain = AuthChain.of(bulkhead);
        assertThat(chain.authenticate(BearerToken.of("a.b.c")))
                .isEqualTo(Rejected.because(RejectionReason.NOT_RECOGNIZED));
        assertThat(bulkhead.refused()).isZero();
        assertThat(BulkheadAuthPlugin.in(chain)).containsExactly(bulkhead);
        assertThat(BulkheadAuthPlugin.in(AuthChain.of(directory))).isEmpty();
        assertRefused(() -> chain.authenticate(ANN));
        directory.answers.countDown();
        for (Future<?> call : calls) {
            call.get(30, TimeUnit.SECONDS);
        }
        threads.shutdown();
    }

    @Test
    void answersOfThePlugin_comeOutUnchanged() {
        assertThat(bulkhead.account("ann")).containsSame(ACCOUNT);
        assertThat(bulkhead.secondStep(LOGIN, RequestContext.none())).containsSame(CODE);
        assertThat(bulkhead.remember(LOGIN, RequestContext.none())).containsSame(DEVICE);
    }

    @Test
    void permissionsAndSecondSteps_doNotWaitForAPluginThatSaysNothingOfThem() throws Exception {
        AuthPlugin loginsOnly = new AuthPlugin() {
            @Override
            public String name() {
                return "logins-only";
            }

            @Override
            public Decision authenticate(Credentials credentials, RequestContext context) {
                return directory.authenticate(credentials, context);
            }
        };
        // One that passes all questions on says no more of them than the other one.
        BulkheadAuthPlugin full = BulkheadAuthPlugin.around(new DelegatingAuthPlugin(loginsOnly) {}, 1);
        directory.hangs = true;
        ExecutorService threads = Executors.newCachedThreadPool();
        Future<Decision> call = threads.submit(() -> full.authenticate(ANN, RequestContext.none()));
        until(() -> full.running() >= 1);
        assertThat(full.authorize(SUBJECT, READ)).isEqualTo(Access.ABSTAINED);
        assertThat(full.secondStep(LOGIN, RequestContext.none())).isEmpty();
        assertThat(full.remember(LOGIN, RequestContext.none())).isEmpty();
        full.unrecognized(new PasswordCredentials("ann", Secret.of("any")));
        assertThat(full.refused()).isZero();
        directory.answers.countDown();
        call.get(30, TimeUnit.SECONDS);
        threads.shutdown();
    }

    @Test
    void twentyParallelCalls_ofASlowBackend_areAllAnswered() throws Exception {
        BulkheadAuthPlugin wide = BulkheadAuthPlugin.around(directory, 64);
        directory.hangs = true;
        ExecutorService threads = Executors.newCachedThreadPool();
        List<Future<Decision>> calls = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            calls.add(threads.submit(() -> wide.authenticate(ANN, RequestContext.none())));
        }
        until(() -> wide.running() >= 20);
        directory.answers.countDown();
        for (Future<Decision> call : calls) {
            assertThat(call.get(30, TimeUnit.SECONDS)).isInstanceOf(Abstained.class);
        }
        assertThat(wide.refused()).isZero();
        threads.shutdown();
    }

    @Test
    void logoutRevocationAndReading_passWhileTheBackendHangs() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        List<Future<?>> calls = hang(threads);
        assertThat(bulkhead.revoke(ANN)).isTrue();
        assertThat(bulkhead.revokeAll("ann", Instant.EPOCH)).isTrue();
        assertThat(bulkhead.read(RequestContext.none())).contains(ANN);
        bulkhead.close();
        assertThat(directory.asked()).contains("revoke", "revokeAll", "read", "close");
        directory.answers.countDown();
        for (Future<?> call : calls) {
            call.get(30, TimeUnit.SECONDS);
        }
        threads.shutdown();
    }

    @Test
    void exceptionOfThePlugin_comesOutUnchanged_andItsPlaceIsFree() {
        RuntimeException down = AuthUnavailableException.outage("The directory is down");
        directory.failure = Optional.of(down);
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> bulkhead.authenticate(ANN, RequestContext.none()))
                    .isSameAs(down);
        }
        assertThat(bulkhead.running()).isZero();
        assertThat(bulkhead.refused()).isZero();
    }

    @Test
    void pluginAndItsName_areThePluginsOwn() {
        assertThat(bulkhead.delegate()).isSameAs(directory);
        assertThat(bulkhead.name()).isEqualTo("directory");
    }

    @Test
    void boundBelowOne_isRefused_byTheNameOfItsProperty() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BulkheadAuthPlugin.around(directory, 0))
                .withMessage("latchkey.plugin.directory.max-concurrent must be at least 1, got 0");
        assertThat(BulkheadAuthPlugin.around(directory, 1).most()).isEqualTo(1);
    }
}
