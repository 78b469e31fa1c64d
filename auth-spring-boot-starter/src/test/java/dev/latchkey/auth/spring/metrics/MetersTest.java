package dev.latchkey.auth.spring.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.cache.CachingPasswordEncoder;
import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.AuthEvent;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardEvent;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.HeldRefusals;
import dev.latchkey.auth.guard.LoginLimit;
import dev.latchkey.auth.guard.PluginBulkhead;
import dev.latchkey.auth.guard.PluginCalls;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.hashing.HashingPermits;
import dev.latchkey.auth.guard.hashing.HashingSettings;
import dev.latchkey.auth.guard.login.LoginLimitSettings;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.jwt.HmacAlgorithm;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.RotatingKeys;
import dev.latchkey.auth.password.upgrade.PasswordUpgrade;
import dev.latchkey.auth.permission.Permission;
import dev.latchkey.auth.spring.DocumentedMeters;
import dev.latchkey.auth.spring.account.LoginListener;
import dev.latchkey.auth.store.LocalRevocationSettings;
import dev.latchkey.auth.store.LocalRevocations;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

/** Every meter that there is, after everything that is measured has happened once. */
class MetersTest {

    private static final String ACCOUNT = "alice@example.org";
    private static final String PASSWORD = "correct-horse-battery";
    private static final PasswordCredentials LOGIN = new PasswordCredentials(ACCOUNT, Secret.of(PASSWORD));
    private static final Duration SOME_TIME = Duration.ofMillis(7);

    private final CountDownLatch replacements = new CountDownLatch(2);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final AuthMeters auth = new AuthMeters();
    private final GuardMeters guard = new GuardMeters();
    private final GuardTime time = GuardTime.start();
    private final RotatingKeys keys = RotatingKeys.startingWith(HmacKey.generate(HmacAlgorithm.HS256));
    private final CredentialCache cache = CredentialCache.create();
    private final HashingPermits permits = new HashingPermits(
            HashingSettings.defaults().withMaxWait(Duration.ofSeconds(60)),
            WaitingThreads.atMost(1),
            time,
            GuardListener.NONE);
    private final PasswordUpgrade upgrade =
            PasswordUpgrade.of(new BCryptPasswordEncoder(5), (account, expected, replacement) -> {
                replacements.countDown();
                return true;
            });
    private final UnreliableRevocations store = new UnreliableRevocations();
    private final LocalRevocations copy = LocalRevocations.of(store, LocalRevocationSettings.defaults());
    private final HeldRefusals refusals = new HeldRefusals(Duration.ofMinutes(1), 1, time);

    @BeforeEach
    void bind() {
        auth.bindTo(registry);
        guard.bindTo(registry);
        new CacheMeters(Map.of("credentials", cache)).bindTo(registry);
        StateMeters.bind(registry, keys);
        StateMeters.bind(registry, upgrade);
        StateMeters.bind(registry, List.of(PluginBulkhead.of("ldap", 8, PluginCalls.on(200))));
        StateMeters.bind(registry, copy);
        LoginLimits limits = LoginLimits.local(LoginLimitSettings.defaults(), time, GuardListener.NONE);
        new GuardGauges(Map.of("hashing", permits), Map.of("limits", limits), Map.of("refusals", refusals))
                .bindTo(registry);
    }

    @AfterEach
    void close() {
        upgrade.close();
        time.close();
        cache.close();
    }

    @Test
    void logins_areCountedByOutcomeAndReason() {
        ask(Authenticated.as(Subject.of(ACCOUNT)), LOGIN);
        ask(Rejected.because(RejectionReason.ACCOUNT_LOCKED), LOGIN);
        ask(Rejected.because(RejectionReason.ACCOUNT_LOCKED), LOGIN);
        assertThat(logins("authenticated", "none")).isEqualTo(1);
        assertThat(logins("rejected", "account_locked")).isEqualTo(2);
        auth.on(new AuthEvent.Unavailable(
                "ldap", LOGIN.getClass(), ACCOUNT, AuthUnavailableException.Kind.THROTTLED, SOME_TIME));
        assertThat(logins("unavailable", "throttled")).isEqualTo(1);
    }

    @Test
    void tokens_areCountedByDefect() {
        ask(Authenticated.as(Subject.of(ACCOUNT)), BearerToken.of("a.b.c"));
        ask(Rejected.because(RejectionReason.BAD_CREDENTIALS).withDetail("bad_mac"), BearerToken.of("a.b.c"));
        assertThat(tokens("none")).isEqualTo(1);
        assertThat(tokens("bad_mac")).isEqualTo(1);
    }

    @Test
    void permissions_areCountedByOutcome() {
        Subject subject = Subject.of(ACCOUNT);
        Permission read = new Permission("orders", "read");
        auth.on(new AuthEvent.AccessDecided("acl", subject, read, true));
        auth.on(new AuthEvent.AccessDecided("", subject, read, false));
        auth.on(new AuthEvent.AccessUnavailable("acl", subject, read, AuthUnavailableException.Kind.OUTAGE));
        auth.on(new AuthEvent.AccessFailed("acl", subject, read));
        assertThat(access("acl", "granted")).isEqualTo(1);
        assertThat(access("none", "denied")).isEqualTo(1);
        assertThat(access("acl", "unavailable")).isEqualTo(1);
        assertThat(access("acl", "failed")).isEqualTo(1);
    }

    @Test
    void detailOfAForeignPlugin_isNoTag() {
        ask(Rejected.because(RejectionReason.MALFORMED).withDetail("alice_42"), BearerToken.of("a.b.c"));
        assertThat(tokens("malformed")).isEqualTo(1);
    }

    @Test
    void detailOfARejection_isATag() {
        ask(Rejected.because(RejectionReason.MALFORMED).withDetail("too_long"), LOGIN);
        ask(Rejected.because(RejectionReason.MALFORMED), LOGIN);
        assertThat(rejections("too_long")).isEqualTo(1);
        assertThat(registry.find(AuthMeters.REJECTIONS).counters()).hasSize(1);
    }

    @Test
    void detailsAndEventsOfAPlugin_areBounded_andTheRestIsOther() {
        for (int i = 0; i < BoundedCodes.MOST + 9; i++) {
            ask(Rejected.because(RejectionReason.MALFORMED).withDetail("detail_" + i), LOGIN);
            auth.on(new AuthEvent.Counted("ldap", "event_" + i));
        }
        auth.on(new AuthEvent.Counted("ldap", "event_0"));
        assertThat(registry.find(AuthMeters.REJECTIONS).counters()).hasSize(BoundedCodes.MOST + 1);
        assertThat(registry.find(AuthMeters.EVENTS).counters()).hasSize(BoundedCodes.MOST + 1);
        assertThat(rejections(BoundedCodes.OTHER)).isEqualTo(9);
        assertThat(registry.get(AuthMeters.EVENTS)
                        .tags("plugin", "ldap", "event", "event_0")
                        .counter()
                        .count())
                .isEqualTo(2);
    }

    @Test
    void cacheMeters_areTheStatisticsOfTheCache() {
        CachingPasswordEncoder encoder = CachingPasswordEncoder.around(new BCryptPasswordEncoder(4), cache);
        String stored = encoder.encode(PASSWORD);
        assertThat(encoder.matches(PASSWORD, stored)).isTrue();
        assertThat(encoder.matches(PASSWORD, stored)).isTrue();
        assertThat(gets("hit")).isEqualTo(1);
        assertThat(gets("absent")).isEqualTo(1);
        assertThat(registry.get(CacheMeters.SIZE).gauge().value()).isEqualTo(1);
        cache.evictAll();
        assertThat(registry.get(CacheMeters.EVICTIONS)
                        .tag("cause", "request")
                        .functionCounter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void rotation_isCounted() {
        keys.replaceWith(keys.ring());
        assertThat(registry.get(StateMeters.ROTATIONS).functionCounter().count())
                .isEqualTo(1);
        assertThat(registry.get(StateMeters.KEYS).gauge().value()).isEqualTo(1);
    }

    @Test
    void revocationCopy_showsItsEntries_itsAge_andALostStore() {
        assertThat(registry.get(StateMeters.COPY_AGE).timeGauge().value()).isNaN();
        copy.refresh();
        copy.revokeToken("stolen", Instant.now().plusSeconds(60));
        assertThat(gauge(StateMeters.COPY_SIZE)).isEqualTo(1);
        assertThat(gauge(StateMeters.COPY_MAXIMUM)).isEqualTo(1_000_000);
        assertThat(registry.get(StateMeters.COPY_AGE).timeGauge().value(TimeUnit.SECONDS))
                .isBetween(0.0, 60.0);
        assertThat(gauge(StateMeters.LOST)).isZero();
        store.isDown = true;
        assertThatExceptionOfType(AuthUnavailableException.class).isThrownBy(copy::refresh);
        assertThat(gauge(StateMeters.LOST)).isEqualTo(1);
        store.isDown = false;
        copy.refresh();
        assertThat(gauge(StateMeters.LOST)).isZero();
    }

    @Test
    void lostStoreOfLimits_isShown_untilItIsFound() {
        assertThat(gauge(GuardMeters.STORE_LOST)).isZero();
        guard.on(new GuardEvent.StoreLost());
        assertThat(gauge(GuardMeters.STORE_LOST)).isEqualTo(1);
        guard.on(new GuardEvent.StoreFound());
        assertThat(gauge(GuardMeters.STORE_LOST)).isZero();
    }

    private double gauge(String name) {
        return registry.get(name).gauge().value();
    }

    @Test
    void upgrades_areCountedByOutcome() throws Exception {
        String outdated = new BCryptPasswordEncoder(4).encode(PASSWORD);
        upgrade.afterSuccess("alice", PASSWORD, outdated);
        upgrade.afterSuccess("bob", PASSWORD, outdated);
        assertThat(replacements.await(60, TimeUnit.SECONDS)).isTrue();
        // The first was counted before the second was begun.
        assertThat(upgrades("replaced")).isGreaterThanOrEqualTo(1);
        assertThat(upgrades("dropped") + upgrades("declined") + upgrades("failed"))
                .isZero();
    }

    @Test
    void permits_showWhatTheyAllowAndWhatWasHashed() throws Exception {
        double memory = permits.call(
                4096, () -> registry.get(GuardGauges.HASHING_MEMORY).gauge().value());
        assertThat(memory).isEqualTo(4096);
        assertThat(registry.get(GuardGauges.HASHING_PERMITS).gauge().value())
                .isEqualTo(permits.settings().atOnce());
        assertThat(registry.get(GuardGauges.HASHING_ACTIVE).gauge().value()).isZero();
        assertThat(registry.get(GuardGauges.HASHING_HASHES)
                        .tag("result", "completed")
                        .functionCounter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void reference_namesEveryMeterAndItsTags() throws IOException {
        everythingHappens();
        Map<String, Set<String>> documented = DocumentedMeters.ofTheReference();
        // Meters of the other starter, which has a test of its own.
        documented.keySet().removeIf(name -> name.startsWith("latchkey.throttle"));
        assertThat(documented).isEqualTo(measured());
    }

    @Test
    void noTag_holdsAnAccountASourceOrASecret() {
        everythingHappens();
        assertThat(registry.getMeters())
                .flatExtracting(meter -> meter.getId().getTags())
                .extracting(Tag::getValue)
                .allSatisfy(
                        value -> assertThat(value).matches("[A-Za-z_-]+").doesNotContain("alice", "horse", "orders"));
    }

    private void everythingHappens() {
        ObservationRegistry observations = ObservationRegistry.create();
        observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(registry));
        AuthChain chain = AuthChain.of(answering(Authenticated.as(Subject.of(ACCOUNT))))
                .withListener(auth)
                .withListener(new AuthObservations(() -> observations));
        chain.authenticate(LOGIN);
        chain.authenticate(BearerToken.of("a.b.c"));
        ask(Rejected.because(RejectionReason.MALFORMED).withDetail("too_long"), LOGIN);
        auth.on(new AuthEvent.Counted("ldap", "server_failed"));
        auth.on(new AuthEvent.Failed("ldap", LOGIN.getClass(), ACCOUNT, SOME_TIME));
        auth.on(new AuthEvent.AccessDecided("", Subject.of(ACCOUNT), new Permission("orders", "read"), true));
        auth.on(new AuthEvent.Revoked(BearerToken.class));
        auth.on(new AuthEvent.SubjectRevoked(ACCOUNT));
        auth.ended(ACCOUNT, LoginListener.Cause.DISPLACED);
        auth.refused(ACCOUNT);
        guard.on(new GuardEvent.Hashed(SOME_TIME, SOME_TIME));
        guard.on(new GuardEvent.HashRefused(SOME_TIME));
        guard.on(new GuardEvent.LoginAdmitted(SOME_TIME));
        guard.on(new GuardEvent.LoginRefused(LoginLimit.ACCOUNT_AND_SOURCE, SOME_TIME));
        guard.on(new GuardEvent.LoginSettled(AttemptResult.FAILED));
    }

    /** Each name with the keys of its tags. */
    private Map<String, Set<String>> measured() {
        Map<String, Set<String>> meters = new TreeMap<>();
        for (Meter meter : registry.getMeters()) {
            Set<String> tags = meters.computeIfAbsent(meter.getId().getName(), name -> new TreeSet<>());
            meter.getId().getTags().forEach(tag -> tags.add(tag.getKey()));
        }
        return meters;
    }

    private double access(String plugin, String outcome) {
        return registry.get(AuthMeters.ACCESS)
                .tag("plugin", plugin)
                .tag("outcome", outcome)
                .counter()
                .count();
    }

    private void ask(Decision decision, Credentials credentials) {
        AuthChain.of(answering(decision)).withListener(auth).authenticate(credentials);
    }

    private static AuthPlugin answering(Decision decision) {
        return new LoginSource<Credentials>() {
            @Override
            public String name() {
                return "ldap";
            }

            @Override
            public Class<Credentials> kind() {
                return Credentials.class;
            }

            @Override
            public Decision authenticate(Credentials credentials, RequestContext context) {
                return decision;
            }
        };
    }

    private double logins(String outcome, String reason) {
        return registry.get(AuthMeters.LOGINS)
                .tags("plugin", "ldap", "kind", "password", "outcome", outcome, "reason", reason)
                .counter()
                .count();
    }

    private double rejections(String detail) {
        return registry.get(AuthMeters.REJECTIONS)
                .tags("plugin", "ldap", "reason", "malformed", "detail", detail)
                .counter()
                .count();
    }

    private double tokens(String defect) {
        return registry.get(AuthMeters.TOKENS).tag("defect", defect).counter().count();
    }

    private double upgrades(String outcome) {
        return registry.get(StateMeters.UPGRADES)
                .tag("outcome", outcome)
                .functionCounter()
                .count();
    }

    private double gets(String result) {
        return registry.get(CacheMeters.GETS)
                .tags("cache", "credentials", "result", result)
                .functionCounter()
                .count();
    }
}
