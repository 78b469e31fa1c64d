package dev.latchkey.auth.spring.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.StepResult;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.factory.PluginConfigException;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.PluginBulkhead;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.login.LoginLimitGate;
import dev.latchkey.auth.guard.login.LoginLimitSettings;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.permission.Access;
import dev.latchkey.auth.permission.Permission;
import dev.latchkey.auth.permission.PermissionSource;
import dev.latchkey.auth.spring.http.CurrentRequest;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The layers in front of a plugin: the cache if allowed, and behind the cache a bound on calls. */
class PluginBoundsTest {

    private static final String HOME = "192.0.2.1";
    private static final String ELSEWHERE = "198.51.100.1";
    private static final PasswordCredentials ADA = new PasswordCredentials("ada", Secret.of("right"));
    private static final Optional<Duration> A_MINUTE = Optional.of(Duration.ofMinutes(1));

    private final CredentialCache cache = CredentialCache.create();

    @AfterEach
    void close() {
        cache.close();
    }

    /** Accepts everybody, and counts. */
    private record Accepting(Optional<Duration> reusableFor, AtomicInteger asked)
            implements LoginSource<PasswordCredentials> {

        Accepting(Optional<Duration> reusableFor) {
            this(reusableFor, new AtomicInteger());
        }

        @Override
        public String name() {
            return "accepting";
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials credentials, RequestContext context) {
            asked.incrementAndGet();
            return Authenticated.as(Subject.of("ada"));
        }
    }

    private static void askTwice(LoginSource<PasswordCredentials> plugin) {
        for (int request = 0; request < 2; request++) {
            assertThat(plugin.authenticate(ADA, RequestContext.none())).isInstanceOf(Authenticated.class);
        }
    }

    @Test
    void pluginWhoseVerdictsMayBeKept_isAskedOnce() {
        Accepting plugin = new Accepting(A_MINUTE);
        askTwice(bounds(8, cache, null).around(plugin));
        assertThat(plugin.asked()).hasValue(1);
        assertThat(cache.evictUsername("ada")).isEqualTo(1);
    }

    /** Otherwise an overload, an outage or the time of the answer would reveal the cached password to an unknown client. */
    @Test
    void verdictThatIsKept_answersWhereTheAccountHasLoggedIn_andThePluginElsewhere() {
        try (GuardTime time = GuardTime.start()) {
            LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE);
            LoginLimitGate logins = new LoginLimitGate(limits, WaitingThreads.atMost(1), CurrentRequest::source);
            Accepting plugin = new Accepting(A_MINUTE);
            AuthChain chain =
                    AuthChain.of(plugin).withEach(bounds(8, cache, logins)).withGate(logins);
            for (String from : List.of(HOME, HOME, ELSEWHERE, HOME, ELSEWHERE)) {
                assertThat(from(from, chain)).isInstanceOf(Authenticated.class);
            }
            assertThat(plugin.asked()).hasValue(2);
        }
    }

    /** The last login of a burst finds the first login's question answered and the first login not ended. */
    @Test
    void verdictThatIsKept_answersWhoComesBeforeTheLoginHasEnded() {
        try (GuardTime time = GuardTime.start()) {
            LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE);
            LoginLimitGate logins = new LoginLimitGate(limits, WaitingThreads.atMost(1), CurrentRequest::source);
            Accepting plugin = new Accepting(A_MINUTE);
            LoginSource<PasswordCredentials> kept = bounds(8, cache, logins).around(plugin);
            AuthChain last = AuthChain.of(kept).withGate(logins);
            AuthChain first = AuthChain.of(new Followed(
                            kept,
                            () -> assertThat(CompletableFuture.supplyAsync(() -> from(HOME, last))
                                            .join())
                                    .isInstanceOf(Authenticated.class)))
                    .withGate(logins);
            assertThat(from(HOME, first)).isInstanceOf(Authenticated.class);
            assertThat(plugin.asked()).hasValue(1);
        }
    }

    private static Verdict from(String address, AuthChain chain) {
        CurrentLogin outer = CurrentRequest.from(() -> ClientSource.of(address).orElseThrow(), CurrentLogin.NONE)
                .bind();
        try {
            return chain.authenticate(ADA, RequestContext.none());
        } finally {
            outer.bind();
        }
    }

    @Test
    void pluginThatSaysNothing_isAskedEachTime() {
        Accepting plugin = new Accepting(Optional.empty());
        askTwice(bounds(8, cache, null).around(plugin));
        assertThat(plugin.asked()).hasValue(2);
    }

    @Test
    void withoutACache_thePluginIsAskedEachTime() {
        Accepting plugin = new Accepting(A_MINUTE);
        askTwice(bounds(8, null, null).around(plugin));
        assertThat(plugin.asked()).hasValue(2);
    }

    @Test
    void hits_takeNoPlaceAmongTheCalls() {
        PluginBounds bounds = bounds(1, cache, null);
        LoginSource<PasswordCredentials> plugin = bounds.around(new Accepting(A_MINUTE));
        askTwice(plugin);
        assertThat(bounds.bulkheads()).singleElement().satisfies(bulkhead -> {
            assertThat(bulkhead.running()).isZero();
            assertThat(bulkhead.most()).isEqualTo(1);
            assertThat(bulkhead.plugin()).isEqualTo("accepting");
        });
    }

    @Test
    void pluginThatWantsToBeKeptForTooLong_isNamed() {
        Accepting plugin = new Accepting(Optional.of(Duration.ofHours(1)));
        assertThatThrownBy(() -> bounds(8, cache, null).around(plugin))
                .isInstanceOf(LatchkeyConfigurationException.class)
                .hasMessageContaining("'accepting' wants its verdicts kept for PT1H");
    }

    /** Such a plugin has a bound of its own, a pool say. */
    @Test
    void pluginThatBoundsItsCalls_isLeftAlone_inEachRole() {
        PluginBounds bounds = bounds(8, cache, null);
        AllRoles own = new AllRoles("own", true);
        assertThat(bounds.around((LoginSource<PasswordCredentials>) own)).isSameAs(own);
        assertThat(bounds.around((LoginStep) own)).isSameAs(own);
        assertThat(bounds.around((PermissionSource) own)).isSameAs(own);
        assertThat(bounds.bulkheads()).isEmpty();
    }

    @Test
    void rolesOfAPlugin_shareItsBound_andBoundsAreSortedByName() {
        PluginBounds bounds = bounds(8, cache, null);
        for (String name : List.of("z", "accepting", "b")) {
            AllRoles plugin = new AllRoles(name, false);
            assertThat(bounds.around((LoginSource<PasswordCredentials>) plugin)).isNotSameAs(plugin);
            assertThat(bounds.around((LoginStep) plugin)).isNotNull().isNotSameAs(plugin);
            assertThat(bounds.around((PermissionSource) plugin)).isNotNull().isNotSameAs(plugin);
        }
        assertThat(bounds.bulkheads()).extracting(PluginBulkhead::plugin).containsExactly("accepting", "b", "z");
        assertThat(bounds.bulkheads().get(0).most()).isEqualTo(8);
        assertThat(bounds.bulkheads().get(1).most()).as("without a setting").isEqualTo(50);
    }

    private record AllRoles(String name, boolean boundsItsCalls)
            implements LoginSource<PasswordCredentials>, LoginStep, PermissionSource {

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials credentials, RequestContext context) {
            return Decision.abstained();
        }

        @Override
        public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
            return Optional.empty();
        }

        @Override
        public StepResult answer(ChallengeResponse response, RequestContext context) {
            throw new AssertionError("No step was asked");
        }

        @Override
        public Access authorize(Subject subject, Permission permission) {
            throw new AssertionError("No permission was asked");
        }
    }

    @Test
    void boundOfNoCalls_isAMistake() {
        assertThatThrownBy(() -> bounds(0, cache, null).around(new Accepting(A_MINUTE)))
                .isInstanceOf(PluginConfigException.class)
                .hasMessage("latchkey.plugin.accepting.max-concurrent must be a positive number");
    }

    private static PluginBounds bounds(int most, @Nullable CredentialCache cache, @Nullable LoginLimitGate logins) {
        PluginSettings settings =
                new PluginSettings(Map.of("accepting", Map.of("max-concurrent", String.valueOf(most))), key -> "");
        return new PluginBounds(settings, 100, cache, logins);
    }

    /** Runs something between the source's answer and the end of the login. */
    private record Followed(LoginSource<PasswordCredentials> source, Runnable then)
            implements LoginSource<PasswordCredentials> {

        @Override
        public String name() {
            return source.name();
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return source.kind();
        }

        @Override
        public Decision authenticate(PasswordCredentials credentials, RequestContext context) {
            Decision decision = source.authenticate(credentials, context);
            then.run();
            return decision;
        }
    }
}
