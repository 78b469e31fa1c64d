package dev.latchkey.nacos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.AuthUnavailableException.Kind;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.cache.CredentialCacheSettings;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.hashing.HashingSettings;
import dev.latchkey.auth.guard.source.TrustedProxies;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

final class PasswordsTest {

    private static final String HOME = "192.0.2.1";
    private static final String ELSEWHERE = "192.0.2.2";
    private static final PasswordEncoder BCRYPT = new BCryptPasswordEncoder(4);

    enum Caching {
        ON,
        OFF;

        private @Nullable CredentialCacheSettings settings() {
            return this == ON ? CredentialCacheSettings.defaults().withFastLoad(Duration.ZERO) : null;
        }
    }

    private final AtomicInteger hashes = new AtomicInteger();
    private final GuardTime time = GuardTime.start();
    private final FakeUsers users = new FakeUsers();
    private final Passwords passwords = with(HashingSettings.defaults(), () -> {});

    @AfterEach
    void close() {
        passwords.close();
        time.close();
    }

    @Test
    void passwordThatWasRight_costsNoHashAgain() {
        String hash = BCRYPT.encode("right");
        users.with("ada", hash);

        assertThat(login("ada", "right")).contains(hash);
        assertThat(login("ada", "right")).contains(hash);
        assertThat(hashes).hasValue(1);
    }

    @Test
    void placeIsKnown_ofWhereAnAccountHasLoggedIn() {
        users.with("ada", BCRYPT.encode("right"));
        CurrentCall home = CurrentCall.of("192.0.2.1", TrustedProxies.none());
        CurrentCall elsewhere = CurrentCall.of("192.0.2.2", TrustedProxies.none());
        assertThat(home.within(() -> passwords.isFromKnownClient("ada"))).isFalse();
        assertThat(home.within(() -> hashMatching(passwords, "ada", "right"))).isPresent();

        assertThat(home.within(() -> passwords.isFromKnownClient("ada"))).isTrue();
        assertThat(elsewhere.within(() -> passwords.isFromKnownClient("ada"))).isFalse();
        assertThat(home.within(() -> passwords.isFromKnownClient("eve"))).isFalse();
    }

    @Test
    void withoutACache_eachLoginCostsAHash() {
        users.with("ada", BCRYPT.encode("right"));
        try (Passwords uncached = with(Caching.OFF.settings(), HashingSettings.defaults(), () -> {})) {
            login(uncached, "ada", "right");
            login(uncached, "ada", "right");
        }

        assertThat(hashes).hasValue(2);
    }

    @Test
    void changedPassword_countsAtOnce_whateverTheServersCopySays() {
        users.with("ada", BCRYPT.encode("first"));
        assertThat(login("ada", "first")).isPresent();
        users.table.put("ada", BCRYPT.encode("second"));

        assertThat(login("ada", "first")).isEmpty();
        assertThat(login("ada", "second")).isPresent();
    }

    @Test
    void deletedUser_isRefusedAtOnce_atTheCostOfAHash() {
        users.with("ada", BCRYPT.encode("right"));
        assertThat(login("ada", "right")).isPresent();
        users.table.clear();

        assertThat(login("ada", "right")).isEmpty();
        assertThat(hashes).hasValue(2);
    }

    @Test
    void unknownUserAndWrongPassword_costOneHashEach() {
        users.with("ada", BCRYPT.encode("right"));
        login("ada", "wrong");
        assertThat(hashes).hasValue(1);
        login("nobody", "wrong");
        assertThat(hashes).hasValue(2);
    }

    @Test
    void sixthGuess_isRefusedBeforeAnythingIsRead() {
        users.with("ada", BCRYPT.encode("right"));
        for (int i = 0; i < 5; i++) {
            assertThat(login("ada", "guess" + i)).isEmpty();
        }
        int reads = users.reads.get();

        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> login("ada", "right"))
                .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.THROTTLED))
                .satisfies(e -> assertThat(e.retryAfter()).isPresent());
        assertThat(users.reads).hasValue(reads);
        assertThat(hashes).hasValue(5);
    }

    /** MySQL finds a user by every spelling of the name. */
    @Test
    void spellingsOfOneUser_shareTheirGuesses() {
        String hash = BCRYPT.encode("right");
        String[] spellings = {"ada", "adA", "aDa", "aDA", "Ada", "AdA"};
        for (String spelling : spellings) {
            users.with(spelling, hash);
        }
        for (int i = 0; i < 5; i++) {
            assertThat(login(spellings[i], "guess" + i)).isEmpty();
        }

        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> login("AdA", "right"))
                .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.THROTTLED));
        assertThat(hashes).hasValue(5);
    }

    /** By which other names a database finds a row, no rule about names knows. */
    @Test
    void namesOfOneRow_shareTheirGuesses() {
        String hash = BCRYPT.encode("right");
        users.with("zoe", hash).with("zoe-by-another-name", hash);
        for (int i = 0; i < 5; i++) {
            assertThat(login(i % 2 == 0 ? "zoe" : "zoe-by-another-name", "guess" + i))
                    .isEmpty();
        }

        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> login("zoe", "right"))
                .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.THROTTLED));
    }

    @Test
    void nameThatNoTableHolds_isNotAskedFor() {
        assertThat(login("n".repeat(256), "right")).isEmpty();
        assertThat(users.reads).hasValue(0);
        assertThat(hashes).hasValue(1);
    }

    @Test
    void databaseThatIsDown_isAnOutage_andCostsNoGuess() {
        users.with("ada", BCRYPT.encode("right"));
        users.isDown = true;
        for (int i = 0; i < 10; i++) {
            String guess = "guess" + i;
            assertThatExceptionOfType(AuthUnavailableException.class)
                    .isThrownBy(() -> login("ada", guess))
                    .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.OUTAGE));
        }
        users.isDown = false;

        assertThat(login("ada", "right")).isPresent();
    }

    @Test
    void passwordOfAMegabyte_isRefusedWithoutReadingAnything_andCostsAHash() {
        users.with("ada", BCRYPT.encode("right"));

        assertThat(login("ada", "p".repeat(1_000_000))).isEmpty();
        assertThat(users.reads).hasValue(0);
        assertThat(hashes).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource(Caching.class)
    void loginThatWouldWaitForAHash_isTooMuch_andCostsNoGuess(Caching caching) throws Exception {
        CountDownLatch hashing = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        users.with("ada", BCRYPT.encode("right")).with("eve", BCRYPT.encode("right"));
        // By the estimate the next one cannot be done in time; none is late by the clock, however slow the machine is.
        HashingSettings oneAtOnce = HashingSettings.defaults()
                .withAtOnce(1)
                .withFirstEstimate(Duration.ofDays(1))
                .withMaxWait(Duration.ofHours(1));
        try (Passwords one = with(caching.settings(), oneAtOnce, () -> {
            hashing.countDown();
            await(end);
        })) {
            CompletableFuture<Optional<String>> running =
                    CompletableFuture.supplyAsync(() -> login(one, "eve", "right"));
            await(hashing);
            for (int i = 0; i < 10; i++) {
                assertThatExceptionOfType(AuthUnavailableException.class)
                        .isThrownBy(() -> login(one, "ada", "right"))
                        .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.OVERLOAD));
            }
            CurrentCall call = CurrentCall.of(HOME, TrustedProxies.none());
            assertThatExceptionOfType(AuthUnavailableException.class)
                    .isThrownBy(() -> call.within(() -> hashMatching(one, "ada", "right")));
            assertThat(call.isWithoutHash()).isTrue();
            end.countDown();

            assertThat(running.get(1, TimeUnit.MINUTES)).isPresent();
            assertThat(login(one, "ada", "right")).isPresent();
        } finally {
            end.countDown();
        }
    }

    /**
     * At an unknown client, the right password finds no hash either. At a known client, wrong passwords have their usual price.
     */
    @Test
    void guessesDuringAFlood_areNotTold_orAreCounted() {
        CountDownLatch hashing = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        AtomicBoolean isFlood = new AtomicBoolean();
        users.with("ada", BCRYPT.encode("right")).with("eve", BCRYPT.encode("right"));
        HashingSettings oneAtOnce = HashingSettings.defaults()
                .withAtOnce(1)
                .withFirstEstimate(Duration.ofDays(1))
                .withMaxWait(Duration.ofHours(1));
        try (Passwords one = with(Caching.ON.settings(), oneAtOnce, () -> {
            if (isFlood.get()) {
                hashing.countDown();
                await(end);
            }
        })) {
            assertThat(loginFrom(HOME, one, "ada", "right")).isPresent();
            isFlood.set(true);
            CompletableFuture<Optional<String>> running =
                    CompletableFuture.supplyAsync(() -> login(one, "eve", "right"));
            await(hashing);
            assertRefused(Kind.OVERLOAD, ELSEWHERE, one, "right");
            for (int i = 0; i < 20; i++) {
                assertRefused(Kind.OVERLOAD, ELSEWHERE, one, "guess" + i);
                assertRefused(Kind.OVERLOAD, HOME, one, "guess" + i);
            }
            assertRefused(Kind.THROTTLED, HOME, one, "right");
            end.countDown();
            assertThat(running.join()).isPresent();
            assertThat(loginFrom(ELSEWHERE, one, "ada", "right")).isPresent();
        } finally {
            end.countDown();
        }
    }

    private static void assertRefused(Kind kind, String from, Passwords passwords, String password) {
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> loginFrom(from, passwords, "ada", password))
                .satisfies(e -> assertThat(e.kind()).isEqualTo(kind));
    }

    private static Optional<String> loginFrom(String from, Passwords passwords, String username, String password) {
        return CurrentCall.of(from, TrustedProxies.none()).within(() -> hashMatching(passwords, username, password));
    }

    private static Optional<String> hashMatching(Passwords passwords, String username, String password) {
        AuthChain chain = AuthChain.of(passwords).withGate(passwords.limits());
        return chain.authenticate(new PasswordCredentials(username, Secret.of(password))) instanceof Authenticated login
                ? Optional.of(StoredUsers.hashIn(login))
                : Optional.empty();
    }

    private Optional<String> login(String username, String password) {
        return login(passwords, username, password);
    }

    private static Optional<String> login(Passwords passwords, String username, String password) {
        return loginFrom("203.0.113.7", passwords, username, password);
    }

    private Passwords with(HashingSettings hashing, Runnable beforeEachHash) {
        return with(Caching.ON.settings(), hashing, beforeEachHash);
    }

    private Passwords with(
            @Nullable CredentialCacheSettings caching, HashingSettings hashing, Runnable beforeEachHash) {
        PasswordEncoder counted = new PasswordEncoder() {
            @Override
            public boolean matches(CharSequence rawPassword, String encodedPassword) {
                hashes.incrementAndGet();
                beforeEachHash.run();
                return BCRYPT.matches(rawPassword, encodedPassword);
            }

            @Override
            public String encode(CharSequence rawPassword) {
                throw new UnsupportedOperationException();
            }
        };
        return Passwords.with(new StoredUsers(users), counted, caching, hashing, 4, time);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException("Interrupted", e);
        }
    }
}
