package dev.latchkey.auth.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.RoleDecorator;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class CachingLoginSourceTest {

    private static final Duration EXPIRY = Duration.ofMinutes(1);

    private final TestTime time = new TestTime();
    private final CredentialCache cache = time.cache();
    private final FakePlugin remote = new FakePlugin(time);
    private final CachingLoginSource plugin =
            CachingLoginSource.around(remote, cache, EXPIRY).withClock(time);

    @Test
    void rightPassword_isAskedOnceAndAnswersWithItsVerdict() {
        Decision first = login(FakePlugin.PASSWORD);
        assertThat(login(FakePlugin.PASSWORD)).isEqualTo(first).isEqualTo(Authenticated.as(remote.subject));
        assertThat(remote.asked).hasValue(1);
    }

    @Test
    void credentialsOfOtherKinds_areNotShownToIt() {
        AuthChain chain = AuthChain.of(plugin);
        assertThat(chain.decidesAbout(PasswordCredentials.class)).isTrue();
        assertThat(chain.decidesAbout(BearerToken.class)).isFalse();
    }

    /** The decisions are cached already. A second cache would extend their lifetime. */
    @Test
    void sourceBehindItsCache_isNotReusableOnceMore() {
        assertThat(plugin.reusableFor()).isEmpty();
    }

    @Test
    void workOfAnUnknownName_isThePluginsOwn_eachTime() {
        login(FakePlugin.PASSWORD);
        plugin.unrecognized(ada(FakePlugin.PASSWORD));
        plugin.unrecognized(ada(FakePlugin.PASSWORD));
        assertThat(remote.unrecognized).hasValue(2);
        assertThat(remote.asked).hasValue(1);
    }

    @Test
    void verdictOfOneTenant_isNotThatOfAnother() {
        PasswordCredentials ada = ada(FakePlugin.PASSWORD);
        for (String tenant : List.of("emea", "apac", "emea", "apac")) {
            assertThat(plugin.authenticate(ada, RequestContext.none().withTenant(tenant)))
                    .isInstanceOf(Authenticated.class);
        }
        assertThat(remote.asked).hasValue(2);
        assertThat(login(FakePlugin.PASSWORD)).isInstanceOf(Authenticated.class);
        assertThat(remote.asked).hasValue(3);
    }

    /** A cached verdict must not depend on data outside the key. */
    @Test
    void plugin_seesOnlyTheTenantOfTheRequest() {
        RequestContext context =
                RequestContext.from("192.0.2.7").withTenant("emea").withHeader("X-Device", "laptop");
        plugin.authenticate(ada(FakePlugin.PASSWORD), context);
        assertThat(remote.context.tenant()).contains("emea");
        assertThat(remote.context.address()).isEmpty();
        assertThat(remote.context.header("X-Device")).isEmpty();
    }

    @Test
    void rejectionsAndAbstentions_areAskedEachTime() {
        for (int i = 0; i < 3; i++) {
            assertThat(login("wrong")).isInstanceOf(Rejected.class);
            assertThat(plugin.authenticate(new PasswordCredentials("nobody", Secret.of("x")), RequestContext.none()))
                    .isInstanceOf(Rejected.class);
        }
        assertThat(remote.asked).hasValue(6);
        assertThat(cache.stats().size()).isZero();
    }

    // Counted from the call: the service may have read data as old as the call. No use extends the lifetime.
    @Test
    void entryInSteadyUse_endsTheExpiryAfterItsQuestion() {
        login(FakePlugin.PASSWORD);
        time.pass(EXPIRY.minus(FakeEncoder.COST).minusNanos(1));
        login(FakePlugin.PASSWORD);
        assertThat(remote.asked).hasValue(1);
        time.pass(Duration.ofNanos(1));
        login(FakePlugin.PASSWORD);
        assertThat(remote.asked).hasValue(2);
    }

    @Test
    void validUntilOfTheVerdict_endsTheEntryBeforeItsExpiry() {
        remote.validUntil = TestTime.START.plusSeconds(10);
        login(FakePlugin.PASSWORD);
        time.pass(Duration.ofSeconds(10).minus(FakeEncoder.COST).minusNanos(1));
        login(FakePlugin.PASSWORD);
        assertThat(remote.asked).hasValue(1);
        time.pass(Duration.ofNanos(1));
        login(FakePlugin.PASSWORD);
        assertThat(remote.asked).hasValue(2);
    }

    @Test
    void verdictThatIsOverAlready_isAnsweredAndNotStored() {
        for (Instant over :
                List.of(Instant.MIN, Instant.EPOCH, TestTime.START, TestTime.START.plus(FakeEncoder.COST))) {
            remote.validUntil = over;
            assertThat(login(FakePlugin.PASSWORD)).isEqualTo(new Authenticated(remote.subject, over));
        }
        assertThat(remote.asked).hasValue(4);
        assertThat(cache.stats().stored()).isZero();
        remote.validUntil = time.instant().plus(FakeEncoder.COST).plusNanos(1);
        login(FakePlugin.PASSWORD);
        assertThat(cache.stats().stored()).isEqualTo(1);
    }

    @Test
    void answerThatTookLongerThanTheExpiry_isNotStored() {
        remote.beforeAnswer = () -> time.pass(EXPIRY);
        assertThat(login(FakePlugin.PASSWORD)).isInstanceOf(Authenticated.class);
        assertThat(cache.stats().stored()).isZero();
        assertThat(cache.stats().notStored()).isEqualTo(1);
    }

    @Test
    void clockAtTheEndOfTime_isNoError() {
        CachingLoginSource late = plugin.withClock(() -> Instant.MAX);
        remote.validUntil = Instant.MAX;
        assertThat(late.authenticate(ada(FakePlugin.PASSWORD), RequestContext.none()))
                .isInstanceOf(Authenticated.class);
        CachingLoginSource early = plugin.withClock(() -> Instant.MIN);
        assertThat(early.authenticate(ada(FakePlugin.PASSWORD), RequestContext.none()))
                .isInstanceOf(Authenticated.class);
    }

    @Test
    void entryOutOfRange_isRefusedWhenItIsMade() {
        CredentialDigest digest = new CredentialDigest(1, 2, 3, 4);
        Authenticated verdict = Authenticated.as(remote.subject);
        for (long lifetime :
                new long[] {Long.MIN_VALUE, -1, 0, Duration.ofHours(24).toNanos() + 1, Long.MAX_VALUE}) {
            assertThatThrownBy(() -> CachedVerdict.of(digest, verdict, 5, lifetime))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(Long.toString(lifetime));
        }
        CachedVerdict shortest = CachedVerdict.of(digest, verdict, 5, 1);
        assertThat(shortest.deadline()).isEqualTo(6);
        assertThat(shortest.isOver(5, 100)).isFalse();
        assertThat(CachedVerdict.of(digest, verdict, 5, Duration.ofHours(24).toNanos())
                        .verdict())
                .isEqualTo(verdict);
    }

    @Test
    void outage_isNeverStored() {
        remote.beforeAnswer = () -> {
            throw AuthUnavailableException.outage("down");
        };
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> login(FakePlugin.PASSWORD)).isInstanceOf(AuthUnavailableException.class);
        }
        remote.beforeAnswer = () -> {};
        assertThat(login(FakePlugin.PASSWORD)).isInstanceOf(Authenticated.class);
        assertThat(remote.asked).hasValue(3);
    }

    @Test
    void evictedUserName_isAskedAgain() {
        login(FakePlugin.PASSWORD);
        assertThat(cache.evictUsername("ada")).isEqualTo(1);
        login(FakePlugin.PASSWORD);
        assertThat(remote.asked).hasValue(2);
    }

    /** A directory has many spellings for one account, and an eviction names only one spelling. */
    @Test
    void evictedAccount_isAskedAgain_underEveryName_alsoByAnOpenFlight() {
        login(FakePlugin.PASSWORD);
        assertThat(cache.evictUsername("another")).isZero();
        assertThat(cache.evictUsername("Subject-ADA")).isEqualTo(1);
        remote.beforeAnswer = () -> cache.evictUsername(remote.subject.id());
        login(FakePlugin.PASSWORD);
        login(FakePlugin.PASSWORD);
        assertThat(remote.asked).hasValue(3);
    }

    @Test
    void revokedSubject_isAskedAgain_andARunningCallIsNotStored() {
        login(FakePlugin.PASSWORD);
        plugin.revokeAll("another", time.instant());
        login(FakePlugin.PASSWORD);
        assertThat(remote.asked).hasValue(1);
        plugin.revokeAll(remote.subject.id(), time.instant());
        remote.beforeAnswer = () -> plugin.revokeAll(remote.subject.id(), time.instant());
        login(FakePlugin.PASSWORD);
        assertThat(remote.asked).hasValue(2);
        assertThat(cache.stats().size()).isZero();
    }

    @Test
    void revokedSubject_isCountedByItsEntries() {
        login(FakePlugin.PASSWORD);
        remote.password = "second";
        login("second");
        plugin.revokeAll(remote.subject.id(), time.instant());
        assertThat(cache.stats().evictedByRequest()).isEqualTo(2);
        assertThat(cache.stats().size()).isZero();
    }

    @Test
    void loginDuringAnotherSubjectsRevocation_keepsItsEntry() {
        login(FakePlugin.PASSWORD);
        remote.beforeAnswer = () -> plugin.revokeAll("another", time.instant());
        login("wrong");
        assertThat(cache.stats().evictedByRequest()).isZero();
        assertThat(cache.stats().size()).isEqualTo(1);
    }

    // A logout with a name and any password must not evict the account.
    @Test
    void revocationThatProvesNothing_evictsNothing() {
        login(FakePlugin.PASSWORD);
        assertThat(plugin.revoke(ada("wrong"))).isFalse();
        assertThat(cache.stats().size()).isEqualTo(1);
    }

    @Test
    void twoPlugins_doNotShareEntries() {
        login(FakePlugin.PASSWORD);
        FakePlugin other = new FakePlugin(time);
        other.password = "other";
        assertThat(CachingLoginSource.around(other, cache, EXPIRY)
                        .authenticate(ada(FakePlugin.PASSWORD), RequestContext.none()))
                .isInstanceOf(Rejected.class);
    }

    @Test
    void closedPlugin_authenticatesNoCaller() {
        login(FakePlugin.PASSWORD);
        plugin.close();
        assertThat(login(FakePlugin.PASSWORD)).isInstanceOf(Rejected.class);
    }

    @Test
    void nameAndAccounts_areThePluginsOwn() {
        Verdict account = Authenticated.as(remote.subject).withStamp(Secret.of("stamp"));
        CachingLoginSource around = CachingLoginSource.around(new Issuing(remote, account), cache, EXPIRY);
        assertThat(around.name()).isEqualTo("fake");
        assertThat(around.account("ada")).containsSame(account);
        assertThat(plugin.account("ada")).as("a plugin without accounts").isEmpty();
    }

    @Test
    void revocation_isThePluginsOwn_andEndsTheCachedEntry() {
        Issuing issuing = new Issuing(remote, Authenticated.as(remote.subject));
        CachingLoginSource around =
                CachingLoginSource.around(issuing, cache, EXPIRY).withClock(time);
        around.authenticate(ada(FakePlugin.PASSWORD), RequestContext.none());
        assertThat(around.revokeAll("another", time.instant())).isTrue();
        assertThat(cache.stats().size()).isEqualTo(1);
        assertThat(around.revoke(ada(FakePlugin.PASSWORD))).isTrue();
        assertThat(cache.stats().size()).as("revoked, so forgotten").isZero();
        assertThat(issuing.revoked).containsExactly("all of another", "credentials");
        assertThat(plugin.revokeAll("another", time.instant()))
                .as("a plugin that revokes nothing")
                .isFalse();
    }

    /** A bulkhead between cache and plugin has one role only, and hides all further roles. */
    @Test
    void revocation_reachesThePlugin_throughEachDecorator() {
        Issuing issuing = new Issuing(remote, Authenticated.as(remote.subject));
        AuthChain chain = AuthChain.of(issuing).withEach(new RoleDecorator() {
            @Override
            @SuppressWarnings("unchecked") // A source of passwords is the only one here.
            public <C extends Credentials> LoginSource<C> around(LoginSource<C> source) {
                LoginSource<PasswordCredentials> between = new Between((LoginSource<PasswordCredentials>) source);
                return (LoginSource<C>) CachingLoginSource.around(between, cache, EXPIRY)
                        .withRevoker((CredentialsRevoker) source)
                        .withClock(time);
            }
        });
        chain.authenticate(ada(FakePlugin.PASSWORD));
        assertThat(chain.revokeAll(remote.subject.id(), time.instant())).isTrue();
        assertThat(cache.stats().size()).isZero();
        chain.authenticate(ada(FakePlugin.PASSWORD));
        assertThat(chain.revoke(ada(FakePlugin.PASSWORD))).isTrue();
        assertThat(cache.stats().size()).isZero();
        assertThat(issuing.revoked).containsExactly("all of subject-ada", "credentials");
        assertThat(chain.decidedLogins().isRevoked(remote.subject.id(), time.instant()))
                .isTrue();
        assertThat(chain.decidedLogins().isRevoked("another", time.instant())).isFalse();
    }

    @Test
    void rejection_isNoLoadThatAHitWouldSave() {
        login("wrong");
        assertThat(cache.stats().meanLoadTime()).isZero();
    }

    // Between the missed look-up and the flight, another flight has landed.
    @Test
    void verdictStoredAfterTheLookUp_isTheAnswer() {
        AtomicInteger asked = new AtomicInteger();
        AtomicReference<CachingLoginSource> self = new AtomicReference<>();
        CredentialCache between = CredentialCache.with(
                cache.settings(),
                () -> {
                    // First for the key, then for the look-up, and then for the flight.
                    if (asked.incrementAndGet() == 3) {
                        self.get().authenticate(ada(FakePlugin.PASSWORD), RequestContext.none());
                    }
                    return time.getAsLong();
                },
                time);
        self.set(CachingLoginSource.around(remote, between, EXPIRY).withClock(time));
        assertThat(self.get().authenticate(ada(FakePlugin.PASSWORD), RequestContext.none()))
                .isInstanceOf(Authenticated.class);
        assertThat(remote.asked).hasValue(1);
        assertThat(between.stats().missesAbsent()).as("both looked in vain").isEqualTo(2);
    }

    @Test
    void namesAndPasswordsOfUpTo4096Characters_areCached() {
        String longest = "x".repeat(4_096);
        remote.password = longest;
        login(longest);
        assertThat(cache.stats().size()).isEqualTo(1);
        plugin.authenticate(new PasswordCredentials(longest, Secret.of("p")), RequestContext.none());
        assertThat(cache.stats().misses()).isEqualTo(2);
        login(longest + "x");
        plugin.authenticate(new PasswordCredentials(longest + "x", Secret.of("p")), RequestContext.none());
        assertThat(cache.stats().misses()).as("the plugin's own").isEqualTo(2);
    }

    @Test
    void expiryOutOfRange_isRefused() {
        assertThat(CachingLoginSource.around(remote, cache, Duration.ofMinutes(15))
                        .name())
                .isEqualTo("fake");
        for (Duration expiry : List.of(
                Duration.ZERO, Duration.ofSeconds(-1), Duration.ofMinutes(15).plusNanos(1))) {
            assertThatThrownBy(() -> CachingLoginSource.around(remote, cache, expiry))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("PT15M");
        }
    }

    private Decision login(String password) {
        return plugin.authenticate(ada(password), RequestContext.none());
    }

    private static PasswordCredentials ada(String password) {
        return new PasswordCredentials("ada", Secret.of(password));
    }

    /** A source that also issues and revokes credentials. */
    private record Issuing(FakePlugin remote, Verdict known, List<String> revoked)
            implements LoginSource<PasswordCredentials>, CredentialsRevoker {

        Issuing(FakePlugin remote, Verdict known) {
            this(remote, known, new ArrayList<>());
        }

        @Override
        public String name() {
            return remote.name();
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials credentials, RequestContext context) {
            return remote.authenticate(credentials, context);
        }

        @Override
        public Optional<Verdict> account(String subjectId) {
            return Optional.of(known);
        }

        @Override
        public boolean revoke(Credentials credentials) {
            return revoked.add("credentials");
        }

        @Override
        public boolean revokeAll(String subjectId, Instant notBefore) {
            return revoked.add("all of " + subjectId);
        }

        @Override
        public boolean isRevoked(String subjectId, Instant provedAt) {
            return revoked.contains("all of " + subjectId);
        }
    }

    private record Between(LoginSource<PasswordCredentials> source) implements LoginSource<PasswordCredentials> {

        @Override
        public String name() {
            return source.name();
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials credentials, RequestContext context) {
            return source.authenticate(credentials, context);
        }
    }
}
