package dev.latchkey.auth.spring.token;

import static dev.latchkey.auth.spring.Until.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.delete;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.RotatingKeys;
import dev.latchkey.auth.spring.Actuators;
import dev.latchkey.auth.spring.AudibleLog;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.token.SigningKeyRotation.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;

/** A key file in a file system that hangs. A named pipe without a writer hangs in the same way. */
@ExtendWith({AudibleLog.class, OutputCaptureExtension.class})
class HangingKeyFileTest {

    private static final String KEY = SigningKeyRotationTest.newKeyOf(1);
    private static final String NEXT_KEY = SigningKeyRotationTest.newKeyOf(2);
    private static final String COMMAND = "/actuator/latchkeykeys";

    @TempDir
    Path folder;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private Path file;
    private RotatingKeys ring;
    private SigningKeyRotation rotation;

    @BeforeEach
    void fileThatHangs() throws Exception {
        until(() -> readers() == 0);
        file = Files.writeString(folder.resolve("jwt.key"), KEY);
        ring = RotatingKeys.startingWith(HmacKey.ofFile(file));
        Files.delete(file);
        assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                .isZero();
        rotation = new SigningKeyRotation(
                ring, new KeyFiles(file, List.of()), Duration.ofHours(1), () -> Instant.EPOCH, Duration.ofMillis(20));
    }

    @AfterEach
    void noThreads() {
        threads.shutdown();
    }

    @Test
    void timedOutDrop_isNotDoneLater_andHangsOneThread(CapturedOutput log) throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThat(answer(rotation::reloadAndDrop)).isEqualTo(Outcome.TIMED_OUT);
        }
        assertThat(readers()).isEqualTo(1);
        Files.writeString(file, NEXT_KEY);
        Files.delete(file);
        Files.writeString(file, KEY);
        until(() -> rotation.reload() == Outcome.UNCHANGED);
        assertThat(ring.version()).isZero();
        assertThat(log.getAll().split("a key file does not answer", -1)).hasSize(2);
        assertThat(log.getAll().split("The key files are read again", -1)).hasSize(2);
    }

    @Test
    void command_is503() throws IOException {
        Actuators.web()
                .withPropertyValues("management.endpoint.latchkeykeys.access=UNRESTRICTED")
                .withBean(RotatingKeys.class, () -> ring)
                .withBean(SigningKeyRotation.class, () -> rotation)
                .run(context -> {
                    MockMvc mvc = Services.mvc(context);
                    assertThat(answer(() -> status(
                                    mvc,
                                    post(COMMAND)
                                            .contentType("application/json")
                                            .content("{}"))))
                            .isEqualTo(503);
                    assertThat(answer(() -> status(mvc, delete(COMMAND)))).isEqualTo(503);
                });
        Files.writeString(file, NEXT_KEY);
    }

    private <T> T answer(Callable<T> call) throws Exception {
        return threads.submit(call).get(20, TimeUnit.SECONDS);
    }

    private static int status(MockMvc mvc, MockHttpServletRequestBuilder request) throws Exception {
        return mvc.perform(request.with(httpBasic("alice", Services.PASSWORD)).with(csrf()))
                .andReturn()
                .getResponse()
                .getStatus();
    }

    private static long readers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(SigningKeyRotation.READER_NAME))
                .count();
    }
}
