package dev.latchkey.auth.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.store.IdDigest;
import dev.latchkey.auth.store.Revocation;
import dev.latchkey.auth.store.ServiceName;
import dev.latchkey.auth.store.StoredLogin;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.RedisSystemException;

/** The texts in Redis, without a Redis: revocations, logins, lifetimes of keys, traces and failures. */
class StoredFormsTest {

    private static final Instant NOW = Instant.parse("2026-11-26T10:00:00Z");
    private static final Instant FOR_EVER = Instant.parse("9999-12-31T23:59:59Z");
    private static final ServiceName SHOP = new ServiceName("shop");

    private static String textOf(Revocation revocation) {
        List<String> arguments = new ArrayList<>();
        RevocationText.addTo(arguments, revocation);
        return String.join(" ", arguments);
    }

    @Test
    void revocation_isReadAsItWasWritten() {
        for (Revocation each : List.of(
                Revocation.ofToken("t", NOW),
                Revocation.ofSubject("alice", NOW, Duration.ofHours(1)),
                Revocation.ofToken("t", Instant.MAX),
                Revocation.ofToken("t", FOR_EVER.minusSeconds(1)),
                new Revocation(IdDigest.ofToken("t"), Instant.EPOCH.minusSeconds(5), NOW))) {
            assertThat(RevocationText.parse(textOf(each))).isEqualTo(RevocationText.asStored(each));
        }
        assertThat(RevocationText.asStored(Revocation.ofToken("t", FOR_EVER)).until())
                .isAfter(FOR_EVER);
        assertThat(RevocationText.asStored(Revocation.ofToken("t", FOR_EVER.minusSeconds(1)))
                        .until())
                .isEqualTo(FOR_EVER.minusSeconds(1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "00000000000000010000000000000002",
                "00000000000000010000000000000002 - x",
                "00000000000000010000000000000002 x 1",
                "0000000000000001000000000000000g - 1",
                "00000000000000010000000000000002 -"
            })
    void otherText_isAnOutage(String text) {
        assertThatThrownBy(() -> RevocationText.parse(text))
                .isInstanceOf(AuthUnavailableException.class)
                .hasMessageContaining("something else than revocations");
    }

    @Test
    void bound_isSeconds_andOtherTextIsAnOutage() {
        assertThat(RevocationText.boundOf("1")).isEqualTo(Instant.ofEpochSecond(1));
        assertThat(RevocationText.boundOf("-9999999999999")).isAfter(Instant.MIN);
        assertThatThrownBy(() -> RevocationText.boundOf("x"))
                .isInstanceOf(AuthUnavailableException.class)
                .hasMessageContaining("something else than a bound");
    }

    @Test
    void login_isReadAsItWasWritten() {
        for (StoredLogin each : List.of(
                login(null, new StoredLogin.Device("phone", "192.0.2.7"), Set.of("otp", "pwd")),
                login(null, new StoredLogin.Device(null, null), Set.of()),
                login(
                        new StoredLogin.Replaced("old", "seed", NOW.minusSeconds(3)),
                        new StoredLogin.Device(null, "192.0.2.7"),
                        Set.of("pwd")))) {
            assertThat(LoginFields.parse(fieldsOf(each), NOW)).isEqualTo(each);
        }
    }

    @Test
    void replacementThatNobodyWasTold_isOneOfNow() {
        StoredLogin login = login(
                new StoredLogin.Replaced("old", "seed", NOW.minusSeconds(3)),
                new StoredLogin.Device(null, null),
                Set.of());
        Map<Object, Object> fields = fieldsOf(login);
        fields.put(LoginFields.SENT_BY, "");
        assertThat(LoginFields.parse(fields, NOW).replaced()).isEqualTo(new StoredLogin.Replaced("old", "seed", NOW));
        fields.put(LoginFields.SENT_BY, "0a1b2c3d");
        assertThat(LoginFields.parse(fields, NOW)).isEqualTo(login);
    }

    @Test
    void loginThatLacksAField_orHasNoTime_isAnOutage() {
        StoredLogin login = login(null, new StoredLogin.Device(null, null), Set.of());
        for (String field : List.of("login", "plugin", "subject", "token-hash", "stamp", "methods", "started-at")) {
            Map<Object, Object> fields = fieldsOf(login);
            fields.remove(field);
            assertThatThrownBy(() -> LoginFields.parse(fields, NOW))
                    .isInstanceOf(AuthUnavailableException.class)
                    .hasMessageContaining("something else than a login");
        }
        Map<Object, Object> fields = fieldsOf(login);
        fields.put("ends-at", "soon");
        assertThatThrownBy(() -> LoginFields.parse(fields, NOW)).isInstanceOf(AuthUnavailableException.class);
    }

    @Test
    void timesBeyondMilliseconds_areTheLast() {
        StoredLogin endless = new StoredLogin(
                "id", "users", "alice", "hash", "", Set.of(), Instant.MIN, Instant.MAX, Instant.MAX, null);
        Map<Object, Object> fields = fieldsOf(endless);
        assertThat(fields.get("started-at")).isEqualTo(Long.toString(Long.MIN_VALUE));
        assertThat(fields.get("ends-at")).isEqualTo(Long.toString(Long.MAX_VALUE));
    }

    @Test
    void textOfALogin_isBounded_andWholeCharacters() {
        assertThat(LoginFields.requireText("x".repeat(65_535))).hasSize(65_535);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LoginFields.requireText("x".repeat(65_536)))
                .withMessageContaining("at most 65535 bytes, and this one has 65536");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LoginFields.requireText("\u00fc".repeat(32_768)))
                .withMessageContaining("65536");
        assertThatIllegalArgumentException().isThrownBy(() -> LoginFields.requireText("\ud800"));
    }

    @Test
    void accountAndLoginOfOneText_haveKeysOfTheirOwn() {
        assertThat(IdDigest.ofOwner("a")).isNotEqualTo(IdDigest.ofLogin("a"));
        assertThat(IdDigest.ofLogin("a")).isNotEqualTo(IdDigest.ofLogin("b"));
        StoredLogin login = login(null, new StoredLogin.Device(null, null), Set.of());
        assertThat(fieldsOf(login))
                .containsEntry(LoginFields.OWNER, RevocationText.hex(IdDigest.ofOwner(login.subjectId())));
    }

    @Test
    void key_isKeptAMinuteLongerThanItsContent_andNeverForEver() {
        assertThat(TimeToLive.millis(NOW, NOW.plusSeconds(5))).isEqualTo("65000");
        assertThat(TimeToLive.millis(NOW, NOW.minusSeconds(60))).isEqualTo("1");
        assertThat(TimeToLive.millis(NOW, NOW.minusSeconds(600))).isEqualTo("1");
        String longest = Long.toString(Duration.ofDays(36_500).toMillis());
        assertThat(TimeToLive.millis(NOW, Instant.MAX)).isEqualTo(longest);
        assertThat(TimeToLive.millis(NOW, NOW.plus(Duration.ofDays(36_501)))).isEqualTo(longest);
    }

    @Test
    void trace_growsWithEachAnswer_andAMissingOneIsALoss() {
        Traces traces = new Traces();
        traces.answered(0, 1);
        traces.answered(1, 2);
        assertThat(traces.known()).isEqualTo(2);
        assertThat(traces.losses()).isZero();
        traces.answered(2, 2);
        assertThat(traces.losses()).as("no further than before").isEqualTo(1);
        assertThat(traces.known()).isEqualTo(2);
        traces.answered(2, 1);
        assertThat(traces.losses()).isEqualTo(2);
        assertThat(traces.known()).isEqualTo(1);
    }

    /** Such is the answer of a server that has evicted a key. */
    @Test
    void traceOfZero_isALossOfAll() {
        Traces traces = new Traces();
        traces.answered(0, 0);
        assertThat(traces.losses()).isEqualTo(1);
        traces.answered(0, 3);
        traces.answered(3, 0);
        assertThat(traces.losses()).isEqualTo(2);
        assertThat(traces.known()).isZero();
    }

    /** A negative answer is of a call without a write: the trace stays where it was. */
    @Test
    void traceThatStays_isNoLoss_unlessItIsLower() {
        Traces traces = new Traces();
        traces.answered(0, 5);
        traces.answered(5, -6);
        assertThat(traces.known()).isEqualTo(5);
        assertThat(traces.losses()).isZero();
        traces.answered(5, -5);
        assertThat(traces.losses()).isEqualTo(1);
        assertThat(traces.known()).isEqualTo(4);
    }

    /** Two questions are on their way, and Redis loses the trace of the first question. */
    @Test
    void traceThatIsGivenTwice_isALoss() {
        Traces traces = new Traces();
        traces.answered(0, 1);
        traces.answered(1, 2);
        traces.answered(1, 2);
        assertThat(traces.losses()).isEqualTo(1);
    }

    @Test
    void answersInAnotherOrder_areNoLoss() {
        Traces traces = new Traces();
        traces.answered(0, 3);
        traces.answered(0, 1);
        traces.answered(0, 2);
        traces.answered(3, 4);
        assertThat(traces.losses()).isZero();
    }

    @Test
    void lossThatAnotherThreadSawFirst_lowersNothingAgain() {
        Traces traces = new Traces();
        traces.answered(0, 9);
        traces.answered(9, 1);
        traces.answered(9, 3);
        assertThat(traces.losses()).isEqualTo(2);
        assertThat(traces.known()).isEqualTo(3);
        traces.answered(9, 2);
        assertThat(traces.known()).isEqualTo(3);
    }

    @Test
    void settings_haveBounds() {
        RedisSettings settings = RedisSettings.of(SHOP);
        assertThat(settings).isEqualTo(new RedisSettings("latchkey:shop:", Duration.ofSeconds(1), 0));
        assertThat(settings.withKeys("k:", SHOP).keyPrefix()).isEqualTo("k:shop:");
        assertThat(settings.withDeadline(Duration.ofMillis(1)).deadline()).isEqualTo(Duration.ofMillis(1));
        assertThat(settings.withDeadline(Duration.ofSeconds(10)).deadline()).isEqualTo(Duration.ofSeconds(10));
        assertThat(settings.withWaitForReplicas(100).waitForReplicas()).isEqualTo(100);
        for (Duration wrong : List.of(Duration.ZERO, Duration.ofSeconds(10).plusNanos(1))) {
            assertThatIllegalArgumentException().isThrownBy(() -> settings.withDeadline(wrong));
        }
        for (int wrong : new int[] {-1, 101}) {
            assertThatIllegalArgumentException().isThrownBy(() -> settings.withWaitForReplicas(wrong));
        }
        for (String wrong : List.of("", "a b", "{a}", "a}", "x".repeat(302))) {
            assertThatIllegalArgumentException().isThrownBy(() -> new RedisSettings(wrong, Duration.ofSeconds(1), 0));
        }
        assertThat(new RedisSettings("x".repeat(301), Duration.ofSeconds(1), 0).keyPrefix())
                .hasSize(301);
    }

    @Test
    void failure_isAnOutage_withItsClassesAndTheCodeOfRedis() {
        assertThat(RedisCalls.outage(new IllegalStateException("secret", new IllegalArgumentException("secret"))))
                .hasMessage("Redis failed: IllegalStateException, caused by IllegalArgumentException");
        assertThat(RedisCalls.outage(system("WRONGTYPE Operation against a key")))
                .hasMessage("Redis failed: RedisSystemException (WRONGTYPE), caused by IllegalStateException");
        assertThat(RedisCalls.outage(system("ERR Error running script (call to f_1): -READONLY You can't write")))
                .hasMessageContaining("(READONLY)");
        assertThat(RedisCalls.outage(system("ERR x: The user executing the script can't run this command")))
                .hasMessageContaining("(NOPERM)");
        assertThat(RedisCalls.outage(system("ACL failure in script: x"))).hasMessageContaining("(NOPERM)");
        assertThat(RedisCalls.outage(system("no code"))).hasMessageNotContaining("(");
        AuthUnavailableException own = AuthUnavailableException.outage("own");
        assertThat(RedisCalls.outage(own)).isSameAs(own);
        assertThatThrownBy(() -> RedisCalls.outage(new NoClassDefFoundError("lost")))
                .isInstanceOf(NoClassDefFoundError.class);
    }

    @Test
    void chainOfCauses_isNamedToItsEighth() {
        Throwable failure = new IllegalStateException();
        for (int i = 0; i < 20; i++) {
            failure = new IllegalStateException(failure);
        }
        assertThat(RedisCalls.outage(failure).getMessage().split("caused by", -1))
                .hasSize(8);
    }

    private static RedisSystemException system(String message) {
        return new RedisSystemException(message, new IllegalStateException("cause"));
    }

    private static StoredLogin login(StoredLogin.Replaced replaced, StoredLogin.Device device, Set<String> methods) {
        return new StoredLogin(
                "id",
                "users",
                "alice",
                "hash",
                "stamp",
                methods,
                NOW.minusSeconds(9),
                NOW.plusSeconds(90),
                NOW.plusSeconds(60),
                replaced,
                device);
    }

    private static Map<Object, Object> fieldsOf(StoredLogin login) {
        List<String> arguments = new ArrayList<>();
        LoginFields.addTo(arguments, login);
        Map<Object, Object> fields = new HashMap<>();
        for (int i = 0; i < arguments.size(); i += 2) {
            fields.put(arguments.get(i), arguments.get(i + 1));
        }
        return fields;
    }
}
