package dev.latchkey.auth.guard;

import static dev.latchkey.auth.guard.Until.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.AuthUnavailableException.Kind;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsReader;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.Passed;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RememberedDevice;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.StepResult;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.permission.Access;
import dev.latchkey.auth.permission.Permission;
import dev.latchkey.auth.permission.PermissionSource;
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
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class PluginBulkheadTest {

    private static final PasswordCredentials ANN = new PasswordCredentials("ann", Secret.of("any"));
    private static final Subject SUBJECT = Subject.of("ann");
    private static final Permission READ = new Permission("read", "reports");
    private static final Authenticated LOGIN = Authenticated.as(SUBJECT);
    private static final Challenged CODE = Challenged.by(LOGIN, Factors.ONE_TIME_CODE);
    private static final ChallengeResponse RESPONSE = new ChallengeResponse(CODE, Secret.of("123456"));
    private static final RememberedDevice DEVICE = new RememberedDevice(Secret.of("device"), Duration.ofDays(1));
    private static final Verdict ACCOUNT = LOGIN.withStamp(Secret.of("stamp"));

    private final Directory directory = new Directory();
    private final PluginBulkhead bulkhead = PluginBulkhead.of("directory", 2, PluginCalls.on(200));
    private final LoginSource<PasswordCredentials> source =
            bulkhead.around((LoginSource<PasswordCredentials>) directory);
    private final LoginStep step = bulkhead.around((LoginStep) directory);
    private final PermissionSource permissions = bulkhead.around((PermissionSource) directory);

    /** A plugin over a network; the test decides about the time of answers. */
    private static final class Directory
            implements LoginSource<PasswordCredentials>,
                    LoginStep,
                    PermissionSource,
                    CredentialsReader,
                    CredentialsRevoker {

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
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Optional<Duration> reusableFor() {
            return Optional.of(Duration.ofMinutes(1));
        }

        @Override
        public Decision authenticate(PasswordCredentials credentials, RequestContext context) {
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
        public Optional<Verdict> account(String name) {
            return ask("account", Optional.of(ACCOUNT));
        }

        @Override
        public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
            return ask("wanted", Optional.of(CODE));
        }

        @Override
        public StepResult answer(ChallengeResponse response, RequestContext context) {
            return ask("answer", Passed.step());
        }

        @Override
        public boolean knowsDevice(Authenticated login, RequestContext context) {
            return ask("knowsDevice", true);
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
                threads.submit(() -> source.authenticate(ANN, RequestContext.none())),
                threads.submit(() -> source.account("ann")));
        until(() -> bulkhead.running() >= 2);
        return calls;
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(AuthUnavailableException.class, refusal -> {
            assertThat(refusal.kind()).isEqualTo(Kind.OVERLOAD);
            assertThat(refusal.retryAfter()).contains(Duration.ofSeconds(1));
            assertThat(refusal).hasMessage("The plugin 'directory' has 2 calls running, the most at a time");
        });
    }

    @Test
    void callAboveTheBound_isRefusedAtOnce_whileTheBackendHangs() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        List<Future<?>> calls = hang(threads);
        assertRefused(() -> source.authenticate(ANN, RequestContext.none()));
        assertRefused(() -> source.account("ann"));
        assertRefused(() -> source.unrecognized(ANN));
        assertRefused(() -> permissions.authorize(SUBJECT, READ));
        assertRefused(() -> step.wanted(LOGIN, RequestContext.none()));
        assertRefused(() -> step.answer(RESPONSE, RequestContext.none()));
        assertRefused(() -> step.knowsDevice(LOGIN, RequestContext.none()));
        assertRefused(() -> step.remember(LOGIN, RequestContext.none()));
        assertThat(bulkhead.running()).isEqualTo(2);
        assertThat(bulkhead.most()).isEqualTo(2);
        assertThat(bulkhead.refused()).isEqualTo(8);
        directory.answers.countDown();
        for (Future<?> call : calls) {
            call.get(30, TimeUnit.SECONDS);
        }
        assertThat(bulkhead.running()).isZero();
        assertThat(permissions.authorize(SUBJECT, READ)).isEqualTo(Access.GRANTED);
        source.unrecognized(ANN);
        assertThat(directory.asked()).endsWith("unrecognized");
        threads.shutdown();
    }

    @Test
    void credentialsOfAnotherKind_passAPluginWhoseBackendHangs() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        List<Future<?>> calls = hang(threads);
        AuthChain chain = AuthChain.of(directory).withEach(bulkhead);
        assertThat(chain.authenticate(BearerToken.of("a.b.c")))
                .isEqualTo(Rejected.because(RejectionReason.NOT_RECOGNIZED));
        assertThat(bulkhead.refused()).isZero();
        assertRefused(() -> chain.authenticate(ANN));
        directory.answers.countDown();
        for (Future<?> call : calls) {
            call.get(30, TimeUnit.SECONDS);
        }
        threads.shutdown();
    }

    @Test
    void answersOfThePlugin_comeOutUnchanged() {
        assertThat(source.account("ann")).containsSame(ACCOUNT);
        assertThat(step.wanted(LOGIN, RequestContext.none())).containsSame(CODE);
        assertThat(step.answer(RESPONSE, RequestContext.none())).isSameAs(Passed.step());
        assertThat(step.knowsDevice(LOGIN, RequestContext.none())).isTrue();
        assertThat(step.remember(LOGIN, RequestContext.none())).containsSame(DEVICE);
    }

    @Test
    void permissionsAndSteps_doNotWaitForAPluginWithoutThatRole() throws Exception {
        LoginSource<PasswordCredentials> loginsOnly = new LoginsOnly(directory);
        PluginBulkhead full = PluginBulkhead.of("logins-only", 1, PluginCalls.on(200));
        AuthChain chain = AuthChain.of(loginsOnly).withEach(full);
        directory.hangs = true;
        ExecutorService threads = Executors.newCachedThreadPool();
        Future<Verdict> call = threads.submit(() -> chain.authenticate(ANN));
        until(() -> full.running() >= 1);
        assertThat(chain.authorize(SUBJECT, READ)).isFalse();
        assertThat(chain.outsideLogins().wantedSteps(LOGIN, RequestContext.none()))
                .isEmpty();
        assertThat(chain.decidedLogins().remember("logins-only", LOGIN, RequestContext.none()))
                .isEmpty();
        assertThat(full.refused()).isZero();
        directory.answers.countDown();
        assertThat(call.get(30, TimeUnit.SECONDS)).isInstanceOf(Rejected.class);
        threads.shutdown();
    }

    private record LoginsOnly(Directory directory) implements LoginSource<PasswordCredentials> {

        @Override
        public String name() {
            return "logins-only";
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials credentials, RequestContext context) {
            return directory.authenticate(credentials, context);
        }
    }

    /** Otherwise a plugin with two roles could hold twice as many threads as its bound says. */
    @Test
    void rolesOfOnePlugin_shareItsBound() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        directory.hangs = true;
        List<Future<?>> calls = List.of(
                threads.submit(() -> step.answer(RESPONSE, RequestContext.none())),
                threads.submit(() -> permissions.authorize(SUBJECT, READ)));
        until(() -> bulkhead.running() >= 2);
        assertRefused(() -> source.authenticate(ANN, RequestContext.none()));
        directory.answers.countDown();
        for (Future<?> call : calls) {
            call.get(30, TimeUnit.SECONDS);
        }
        threads.shutdown();
    }

    @Test
    void twentyParallelCalls_ofASlowBackend_areAllAnswered() throws Exception {
        PluginBulkhead wide = PluginBulkhead.of("directory", 64, PluginCalls.on(200));
        LoginSource<PasswordCredentials> logins = wide.around((LoginSource<PasswordCredentials>) directory);
        directory.hangs = true;
        ExecutorService threads = Executors.newCachedThreadPool();
        List<Future<Decision>> calls = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            calls.add(threads.submit(() -> logins.authenticate(ANN, RequestContext.none())));
        }
        until(() -> wide.running() >= 20);
        directory.answers.countDown();
        for (Future<Decision> call : calls) {
            assertThat(call.get(30, TimeUnit.SECONDS)).isSameAs(Decision.abstained());
        }
        assertThat(wide.refused()).isZero();
        threads.shutdown();
    }

    @Test
    void logoutRevocationAndReading_passWhileTheBackendHangs() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        List<Future<?>> calls = hang(threads);
        AuthChain chain = AuthChain.of(directory).withEach(bulkhead);
        assertThat(chain.revoke(ANN)).isTrue();
        assertThat(chain.revokeAll("ann", Instant.EPOCH)).isTrue();
        assertThat(chain.readers().of(RequestContext.none())).containsExactly(ANN);
        chain.close();
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
            assertThatThrownBy(() -> source.authenticate(ANN, RequestContext.none()))
                    .isSameAs(down);
        }
        assertThat(bulkhead.running()).isZero();
        assertThat(bulkhead.refused()).isZero();
    }

    @Test
    void nameKindAndReuse_areThePluginsOwn() {
        assertThat(bulkhead.plugin()).isEqualTo("directory");
        assertThat(List.of(source.name(), step.name(), permissions.name())).containsOnly("directory");
        assertThat(source.kind()).isEqualTo(PasswordCredentials.class);
        assertThat(source.reusableFor()).contains(Duration.ofMinutes(1));
    }

    /** Two backends that hang must leave threads for all other requests. */
    @Test
    void pluginThatShares_takesHalfOfTheThreadsThatOthersLeave() throws Exception {
        PluginCalls calls = PluginCalls.on(40);
        directory.hangs = true;
        ExecutorService threads = Executors.newCachedThreadPool();
        List<Future<?>> hanging = new ArrayList<>();
        int free = 40;
        for (String name : List.of("first", "second", "third")) {
            PluginBulkhead shared = PluginBulkhead.sharing(name, 64, calls);
            LoginStep hangs = shared.around((LoginStep) directory);
            int share = free / 2;
            for (int i = 0; i < share; i++) {
                hanging.add(threads.submit(() -> hangs.answer(RESPONSE, RequestContext.none())));
            }
            until(() -> shared.running() == share);
            assertThatExceptionOfType(AuthUnavailableException.class)
                    .isThrownBy(() -> hangs.answer(RESPONSE, RequestContext.none()))
                    .withMessageContaining("'" + name + "' has " + share + " calls running");
            free -= share;
        }
        assertThat(free).isEqualTo(5);
        PluginBulkhead fixed = PluginBulkhead.of("fixed", 4, calls);
        LoginStep asTheOperatorSays = fixed.around((LoginStep) directory);
        for (int i = 0; i < 4; i++) {
            hanging.add(threads.submit(() -> asTheOperatorSays.answer(RESPONSE, RequestContext.none())));
        }
        until(() -> fixed.running() == 4);
        directory.answers.countDown();
        for (Future<?> call : hanging) {
            call.get(30, TimeUnit.SECONDS);
        }
        threads.shutdown();
        PluginBulkhead later = PluginBulkhead.sharing("later", 1, calls);
        assertThat(later.around((LoginStep) directory).answer(RESPONSE, RequestContext.none()))
                .isSameAs(Passed.step());
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "3, 2", "4, 3", "8, 7"})
    void anyNumberOfPlugins_leavesOneThreadOfSeveral(int threads, int running) {
        PluginCalls calls = PluginCalls.on(threads);
        int begun = 0;
        for (int plugin = 0; plugin < 10; plugin++) {
            AtomicInteger ofPlugin = new AtomicInteger();
            while (calls.begin(ofPlugin, 64, true)) {
                begun++;
            }
        }
        assertThat(begun).isEqualTo(running);
    }

    @Test
    void pluginsWithoutThreads_areAMistake() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PluginCalls.on(0))
                .withMessage("Plugins need at least 1 thread, got 0");
    }

    @Test
    void boundBelowOne_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PluginBulkhead.of("directory", 0, PluginCalls.on(200)))
                .withMessage("The plugin 'directory' needs at least 1 call at a time, got 0");
        assertThat(PluginBulkhead.of("directory", 1, PluginCalls.on(200)).most())
                .isEqualTo(1);
    }
}
