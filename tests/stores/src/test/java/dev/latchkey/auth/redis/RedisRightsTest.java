package dev.latchkey.auth.redis;

import static dev.latchkey.testsupport.Until.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.engine.OutageLog;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.core.RedisCallback;

/** A Redis user with exactly the rights of the README, and a user without some of the rights. */
class RedisRightsTest {

    private static final RedisSettings PATIENT =
            RedisSettings.of(TestRedis.SHOP).withDeadline(Duration.ofSeconds(10));

    @TempDir
    private static Path folder;

    private static RedisProcess server;

    @BeforeAll
    static void start() throws IOException {
        server = RedisProcess.started(folder);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** Some tests count the entries, and others leave some. */
    @BeforeEach
    void empty() {
        try (TestRedis redis = TestRedis.at(server.port())) {
            redis.commands().execute((RedisCallback<Object>) connection -> {
                connection.serverCommands().flushAll();
                return null;
            });
        }
    }

    @Test
    void documentedUser_lacksNothing() {
        try (TestRedis redis = TestRedis.at(server.port(), DocumentedUser.NAME)) {
            RedisSettings waiting = PATIENT.withWaitForReplicas(1);
            assertThat(RedisRights.missingForSessions(redis.connections(), waiting))
                    .isEmpty();
            assertThat(RedisRights.missingForBuckets(redis.connections(), PATIENT))
                    .isEmpty();
            assertThat(redis.commands().keys("*rights*")).isEmpty();
        }
    }

    @Test
    void documentedUser_canDoWhatTheStoresDo() {
        List<String> news = new CopyOnWriteArrayList<>();
        try (TestRedis redis = TestRedis.at(server.port(), DocumentedUser.NAME);
                RevocationMessages messages =
                        RevocationMessages.of(redis.connections(), PATIENT, () -> news.add("recorded"))) {
            messages.start();
            until(messages::isListening);
            RedisRevocationStore revocations =
                    RedisRevocationStore.in(redis.connections(), Duration.ofHours(1), PATIENT);
            revocations.revokeTokenOf("ada", "t", Instant.now().plusSeconds(60));
            revocations.revokeSubject("ada", Instant.now());
            revocations.leaveTrace();
            assertThat(revocations.sweep()).isZero();
            assertThat(revocations.recordedAfter(0, 10)).hasSize(2);
            until(() -> !news.isEmpty());
        }
    }

    @Test
    void eachMissingRight_isNamed() {
        for (String right : DocumentedUser.rights()) {
            String command = right.substring(1).toUpperCase(Locale.ROOT);
            if (right.startsWith("+") && (RedisRights.OF_SESSIONS.contains(command) || command.startsWith("EVAL"))) {
                assertThat(missingOf(List.of("-" + right.substring(1))))
                        .as(right)
                        .containsExactly(right);
            }
        }
        assertThat(missingOf(List.of("-wait", "-client")))
                .containsExactly("+client|setname", "+client|getname", "+wait");
        assertThat(missingOf(List.of("resetkeys", "~latchkey:*:login:*"))).containsExactly("~latchkey:shop:*");
        try (TestRedis redis = TestRedis.at(server.port(), without(List.of("-set")))) {
            assertThat(RedisRights.missingForBuckets(redis.connections(), PATIENT))
                    .containsExactly("+set");
        }
    }

    /** A server without scripts cannot keep sessions, whatever its user may do. */
    @ParameterizedTest
    @ValueSource(strings = {"eval", "evalsha"})
    void commandThatTheServerLacks_isNamedLikeAMissingRight(String command, @TempDir Path other) throws IOException {
        try (RedisProcess lacking = RedisProcess.started(other, "--rename-command", command, "");
                TestRedis redis = TestRedis.at(lacking.port())) {
            assertThat(RedisRights.missingForSessions(redis.connections(), PATIENT))
                    .contains("+" + command)
                    .doesNotContain("~latchkey:shop:*");
        }
    }

    /** No user of an ordinary service is told so late that limits or the sweep are off. */
    @Test
    void commandsOfTheScripts_areAllTried() throws IOException {
        for (String script : List.of(
                "record",
                "trace",
                "sweep",
                "hold",
                "keep-login",
                "not-sent",
                "end-login",
                "list-login",
                "confirm-login")) {
            assertThat(RedisRights.OF_SESSIONS).as(script).containsAll(commandsOf(script));
        }
        assertThat(RedisRights.OF_BUCKETS).containsExactlyInAnyOrderElementsOf(commandsOf("take-tokens"));
    }

    @Test
    void sweepThatFails_isLoggedOnce() {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
        try (TestRedis redis = TestRedis.at(server.port(), without(List.of("-time")));
                HeardLog log = new HeardLog()) {
            RedisRevocationStore store = RedisRevocationStore.in(
                    redis.connections(), Duration.ofHours(1), PATIENT, now::get, RedisRevocationStore.MOST_OF_ONE);
            for (int i = 0; i < 3; i++) {
                store.revokeToken("t" + i, now.get().plusSeconds(600));
                now.set(now.get().plusSeconds(61));
            }
            until(() -> log.lines.size() > 0);
            assertThat(log.lines)
                    .singleElement()
                    .asString()
                    .contains("does not answer")
                    .contains("NOPERM");
        }
    }

    /** The log about sweeps while the object is open. */
    private static final class HeardLog extends Handler implements AutoCloseable {

        private final Logger logger = Logger.getLogger(OutageLog.class.getName());
        final List<String> lines = new CopyOnWriteArrayList<>();

        HeardLog() {
            logger.addHandler(this);
        }

        @Override
        public void publish(LogRecord line) {
            if (line.getMessage().startsWith(RedisRevocationStore.SWEEP)) {
                lines.add(line.getMessage());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            logger.removeHandler(this);
        }
    }

    private static List<String> missingOf(List<String> less) {
        try (TestRedis redis = TestRedis.at(server.port(), without(less))) {
            return RedisRights.missingForSessions(redis.connections(), PATIENT.withWaitForReplicas(1));
        }
    }

    /** A user with less than the documented one. */
    private static String without(List<String> less) {
        List<String> command = new ArrayList<>(List.of("SETUSER", "poor", "reset"));
        command.addAll(DocumentedUser.rights());
        command.addAll(less);
        try (TestRedis redis = TestRedis.at(server.port())) {
            redis.commands().execute((RedisCallback<Object>) connection -> connection.execute(
                    "ACL",
                    command.stream()
                            .map(each -> each.getBytes(StandardCharsets.UTF_8))
                            .toArray(byte[][]::new)));
        }
        return "poor";
    }

    private static Set<String> commandsOf(String script) throws IOException {
        try (InputStream text = Objects.requireNonNull(Script.class.getResourceAsStream(script + ".lua"))) {
            Matcher call = Pattern.compile("redis\\.call\\('([A-Z]+)'|redis\\.pcall\\('(INCR)'")
                    .matcher(new String(text.readAllBytes(), StandardCharsets.UTF_8));
            Set<String> commands = new TreeSet<>();
            while (call.find()) {
                commands.add(call.group(1) == null ? call.group(2) : call.group(1));
            }
            return commands;
        }
    }
}
