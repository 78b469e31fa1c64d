package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.guard.GuardTime;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.test.web.servlet.MockMvc;

/** A service that is restarted within its JVM, as devtools does, and two that run in one. */
class RestartTest {

    /** What holds threads, keys or memory; one that is left after its context would be left after each restart. */
    private static final List<String> HEAVY = List.of(
            "dev.latchkey.auth.AuthChain",
            "dev.latchkey.auth.cache.CredentialCache",
            "dev.latchkey.auth.cache.CredentialStore",
            "dev.latchkey.auth.guard.hashing.HashingPermits",
            "dev.latchkey.auth.guard.login.LoginLimits",
            "dev.latchkey.auth.guard.TimerThread",
            "dev.latchkey.auth.jwt.RotatingKeys");

    private static final Pattern HISTOGRAM_LINE = Pattern.compile("(?m)^\\s*\\d+:\\s+(\\d+)\\s+\\d+\\s+(\\S+)");

    /** Without the actuator: with it, what counts requests keeps closed contexts reachable, with Latchkey switched off too. */
    private final WebApplicationContextRunner service = Services.web()
            .withUserConfiguration(Services.Accounts.class)
            .withPropertyValues("latchkey.jwt.secret=" + Services.KEY, "latchkey.login.enabled=true");

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void restarts_leaveNoThreadAndNoCache(boolean virtualThreads) throws Exception {
        WebApplicationContextRunner run =
                service.withPropertyValues("spring.threads.virtual.enabled=" + virtualThreads);
        run.run(RestartTest::isUsed);
        Map<String, Integer> before = live();
        for (int restart = 0; restart < 3; restart++) {
            run.run(RestartTest::isUsed);
        }
        awaitThreadsThatEnd();
        assertThat(latchkeyThreads()).isEmpty();
        // Not "as many": contexts of other tests may have become unreachable meanwhile.
        assertThat(live())
                .allSatisfy((type, count) -> assertThat(count).as(type).isLessThanOrEqualTo(before.get(type)));
    }

    @Test
    void twoServicesInOneJvm_shareNothing() {
        service.run(one -> service.run(other -> {
            isUsed(one);
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
        Process probe = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:SoftRefLRUPolicyMSPerMB=0",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RestartProbe.class.getName(),
                        key.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(probe.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(output).contains("threads []\n", "unreachable 2 of 2\n");
    }

    private static void isUsed(AssertableWebApplicationContext context) throws Exception {
        // As a refusal that is held: something that is still to come when the service ends.
        context.getBean(GuardTime.class).after(Duration.ofHours(1), () -> {});
        assertThat(latchkeyThreads()).isNotEmpty();
        MockMvc mvc = Services.mvc(context);
        mvc.perform(get("/hello").with(httpBasic("alice", Services.PASSWORD))).andExpect(status().isOk());
        mvc.perform(post("/auth/login").contentType("application/json").content(Services.LOGIN))
                .andExpect(status().isOk());
    }

    /** A thread that was told to end does so a moment later. */
    private static void awaitThreadsThatEnd() throws InterruptedException {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("latchkey")) {
                thread.join(60_000);
            }
        }
    }

    private static List<String> latchkeyThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("latchkey"))
                .toList();
    }

    /** How many of the heavy objects are reachable: the histogram begins with a full collection. */
    private static Map<String, Integer> live() throws Exception {
        String histogram = (String) ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()});
        Map<String, Integer> counts = new TreeMap<>();
        Matcher line = HISTOGRAM_LINE.matcher(histogram);
        while (line.find()) {
            if (HEAVY.contains(line.group(2))) {
                counts.put(line.group(2), Integer.valueOf(line.group(1)));
            }
        }
        return counts;
    }
}
