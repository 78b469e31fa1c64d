package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.latchkey.auth.cache.CredentialCache;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

/** A restarted service in one JVM, as with devtools, and two services in one JVM. */
class RestartTest {

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void restarts_leaveNoThreadAndNoCache(boolean virtualThreads) throws Exception {
        assertThat(outputOf(RestartedContexts.class, Boolean.toString(virtualThreads)))
                .contains("threads []\n", "known 7 of 7, left behind {}\n");
    }

    @Test
    void twoServicesInOneJvm_shareNothing() {
        WebApplicationContextRunner service = RestartedContexts.service();
        service.run(one -> service.run(other -> {
            RestartedContexts.isUsed(one);
            CredentialCache first = one.getBean(CredentialCache.class);
            CredentialCache second = other.getBean(CredentialCache.class);
            assertThat(first.stats().size()).isEqualTo(1);
            assertThat(second.stats().size()).isZero();
            other.close();
            Services.mvc(one)
                    .perform(get("/hello").with(httpBasic("alice", Services.PASSWORD)))
                    .andExpect(status().isOk());
        }));
    }

    @Test
    void serviceRunTwiceWithALoaderOfItsOwn_leavesNeitherLoaderNorThread(@TempDir Path folder) throws Exception {
        Path key = Files.writeString(folder.resolve("jwt.key"), Services.KEY);
        assertThat(outputOf(RestartProbe.class, key.toString())).contains("threads []\n", "unreachable 2 of 2\n");
    }

    private static String outputOf(Class<?> program, String argument) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:SoftRefLRUPolicyMSPerMB=0",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        program.getName(),
                        argument)
                .redirectErrorStream(true)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
