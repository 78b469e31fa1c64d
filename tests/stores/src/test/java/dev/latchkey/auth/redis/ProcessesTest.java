package dev.latchkey.auth.redis;

import static dev.latchkey.auth.redis.RacingProcess.ROUNDS;
import static dev.latchkey.auth.redis.RacingProcess.START;
import static dev.latchkey.testsupport.Until.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.store.SharedRevocationStore.Recorded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three processes with the same work at once: a single process replaces each session, no revocation is lost, and a bucket gives
 * exactly its content.
 */
@Timeout(120)
class ProcessesTest {

    private static final int PROCESSES = 3;
    private static final RedisSettings PATIENT =
            RedisSettings.of(TestRedis.SHOP).withDeadline(Duration.ofSeconds(10));

    @TempDir
    private Path folder;

    @Test
    void workOfThreeProcesses_isDoneInSingleSteps() throws Exception {
        List<Process> processes = new ArrayList<>();
        Path data = Files.createDirectory(folder.resolve("data"));
        try (RedisProcess server = RedisProcess.started(data);
                TestRedis redis = TestRedis.at(server.port())) {
            RedisLoginStore logins = RedisLoginStore.in(redis, PATIENT);
            for (int round = 0; round < ROUNDS; round++) {
                logins.start(RacingProcess.login(round, "1"));
            }
            for (int i = 0; i < PROCESSES; i++) {
                processes.add(RacingProcess.started(server.port(), i, folder.resolve("log" + i)));
            }
            until(() -> Objects.equals(redis.commands().opsForList().size("ready"), (long) PROCESSES));
            for (int i = 0; i < PROCESSES; i++) {
                redis.commands().opsForList().rightPush(RacingProcess.GO + i, "go");
            }
            for (Process each : processes) {
                assertThat(each.waitFor(60, TimeUnit.SECONDS)).isTrue();
                assertThat(each.exitValue()).as(() -> logs()).isZero();
            }
            assertEachLoginWasReplacedOnce(redis, logins);
            assertNoRevocationIsMissing(redis);
            assertThat(redis.commands().opsForValue().get("taken"))
                    .isEqualTo(Integer.toString(ROUNDS * RacingProcess.TOKENS));
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
    }

    private static void assertEachLoginWasReplacedOnce(TestRedis redis, RedisLoginStore logins) {
        List<String> won = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            List<String> ofOne = redis.commands().opsForList().range(RacingProcess.wonBy(i), 0, -1);
            for (String id : Objects.requireNonNull(ofOne)) {
                assertThat(logins.find(id).orElseThrow().tokenHash()).isEqualTo("by-" + i);
                won.add(id);
            }
        }
        assertThat(won).hasSize(ROUNDS).doesNotHaveDuplicates();
    }

    private static void assertNoRevocationIsMissing(TestRedis redis) {
        RedisRevocationStore store = RedisRevocationStore.in(redis, Duration.ofHours(1), PATIENT);
        List<Recorded> all = store.recordedAfter(0, 10 * PROCESSES * ROUNDS);
        // A token of all, one of each, and a subject.
        assertThat(all).hasSize((1 + PROCESSES + 1) * ROUNDS);
        assertThat(all).extracting(Recorded::position).doesNotHaveDuplicates();
        for (int round = 0; round < ROUNDS; round++) {
            assertThat(store.isTokenRevoked("t" + round)).isTrue();
            for (int i = 0; i < PROCESSES; i++) {
                assertThat(store.isTokenRevoked("t" + round + "-" + i)).isTrue();
            }
            assertThat(store.notBefore("ada" + round)).isEqualTo(START.plusSeconds(3));
        }
    }

    private String logs() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < PROCESSES; i++) {
            try {
                text.append(Files.readString(folder.resolve("log" + i)));
            } catch (IOException e) {
                text.append(e);
            }
        }
        return text.toString();
    }
}
