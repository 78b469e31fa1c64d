package dev.latchkey.auth.spring.token;

import static dev.latchkey.auth.spring.Until.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.jwt.HmacAlgorithm;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.RotatingKeys;
import dev.latchkey.auth.spring.AudibleLog;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.token.SigningKeyRotation.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Key files that change while the service runs: the reader of the files, and its thread. */
@ExtendWith({AudibleLog.class, OutputCaptureExtension.class})
class KeyFileWatchTest {

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void keyInAFile() throws IOException {
        file = Files.writeString(folder.resolve("jwt.key"), SigningKeyRotationTest.newKeyOf(42));
    }

    /** A service of another test may have ended a moment ago, and its thread ends a moment later. */
    @BeforeEach
    void noThreadOfAnEarlierService() {
        until(() -> watchers() == 0);
    }

    @Test
    void runningService_followsItsFile_andItsThreadEndsWithIt() throws Exception {
        WebApplicationContextRunner service = Services.web()
                .withPropertyValues("latchkey.jwt.secret=file:" + file, "latchkey.jwt.reload-interval=5ms");
        for (long seed : new long[] {1, 2, 3}) {
            service.run(context -> {
                assertThat(watchers()).isEqualTo(1);
                RotatingKeys keys = context.getBean(RotatingKeys.class);
                long version = keys.version();
                Files.writeString(file, SigningKeyRotationTest.newKeyOf(seed));
                until(() -> keys.version() != version);
                assertThat(keys.ring().signingKey().isSameKeyAs(HmacKey.ofFile(file)))
                        .isTrue();
            });
            until(() -> watchers() == 0);
        }
    }

    @Test
    void noFileOrNoInterval_needsNoThread() {
        Services.web().withPropertyValues("latchkey.jwt.secret=" + Services.KEY).run(context -> {
            assertThat(watchers()).isZero();
            assertThat(context.getBean(SigningKeyRotation.class).reload()).isEqualTo(Outcome.NO_FILE);
        });
        Services.web()
                .withPropertyValues("latchkey.jwt.secret=file:" + file, "latchkey.jwt.reload-interval=0")
                .run(context -> {
                    assertThat(watchers()).isZero();
                    assertThat(context.getBean(SigningKeyRotation.class).reload())
                            .isEqualTo(Outcome.UNCHANGED);
                    // A restart starts all beans, automatic or not.
                    context.stop();
                    context.start();
                    assertThat(watchers()).isZero();
                });
    }

    @Test
    void keysOfTheServiceItself_areNotReplacedFromFiles() {
        Services.web()
                .withPropertyValues("latchkey.jwt.secret=file:" + file)
                .withBean(HmacKey.class, () -> HmacKey.generate(HmacAlgorithm.HS256))
                .run(context -> {
                    assertThat(context).doesNotHaveBean(KeyFileWatch.class);
                    assertThat(context.getBean(SigningKeyRotation.class).reload())
                            .isEqualTo(Outcome.NO_FILE);
                });
    }

    @Test
    void rotation_isThereOnlyWhereThereAreKeys() {
        Services.web().run(context -> assertThat(context).doesNotHaveBean(SigningKeyRotation.class));
        Services.web()
                .withPropertyValues("latchkey.jwt.secret=" + Services.KEY, "latchkey.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(SigningKeyRotation.class));
    }

    @Test
    void errorInALook_doesNotEndTheWatching_andIsLogged(CapturedOutput log) throws IOException {
        RotatingKeys keys = RotatingKeys.startingWith(HmacKey.ofFile(file));
        AtomicInteger asked = new AtomicInteger();
        InstantSource brokenOnce = () -> {
            if (asked.getAndIncrement() == 0) {
                throw new NoClassDefFoundError("dev/example/Lost");
            }
            return Instant.EPOCH;
        };
        SigningKeyRotation rotation =
                new SigningKeyRotation(keys, new KeyFiles(file, List.of()), Duration.ofHours(1), brokenOnce);
        KeyFileWatch watch = new KeyFileWatch(rotation, Duration.ofMillis(5));
        watch.start();
        try {
            Files.writeString(file, SigningKeyRotationTest.newKeyOf(4));
            until(() -> keys.version() == 1);
            assertThat(watcherThreads()).allMatch(Thread::isDaemon);
        } finally {
            watch.stop();
        }
        assertThat(log.getAll().split("The key files could not be looked at", -1))
                .hasSize(2);
    }

    private static long watchers() {
        return watcherThreads().size();
    }

    private static List<Thread> watcherThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(KeyFileWatch.THREAD_NAME))
                .toList();
    }
}
