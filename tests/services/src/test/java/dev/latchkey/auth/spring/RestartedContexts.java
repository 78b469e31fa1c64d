package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.latchkey.auth.guard.GuardTime;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.ObjectName;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.test.web.servlet.MockMvc;

/**
 * Starts, uses and ends a service four times, and reports the remaining objects.
 *
 * <p>A separate program, without objects of other tests. Without the actuator: its counters keep closed contexts reachable,
 * even with Latchkey switched off.
 */
final class RestartedContexts {

    /** Holders of threads, keys or memory; a leftover object would remain after each restart. */
    private static final List<String> HEAVY = List.of(
            "dev.latchkey.auth.engine.AuthChain",
            "dev.latchkey.auth.cache.CredentialCache",
            "dev.latchkey.auth.cache.CredentialStore",
            "dev.latchkey.auth.guard.hashing.HashingPermits",
            "dev.latchkey.auth.guard.login.LoginLimits",
            "dev.latchkey.auth.guard.TimerThread",
            "dev.latchkey.auth.jwt.RotatingKeys");

    private static final Pattern HISTOGRAM_LINE = Pattern.compile("(?m)^\\s*\\d+:\\s+(\\d+)\\s+\\d+\\s+(\\S+)");

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration A_MOMENT = Duration.ofMillis(100);

    private RestartedContexts() {}

    public static void main(String[] arguments) throws Exception {
        WebApplicationContextRunner service =
                service().withPropertyValues("spring.threads.virtual.enabled=" + arguments[0]);
        int[] known = new int[1];
        service.run(context -> {
            isUsed(context);
            known[0] = live().size();
        });
        for (int restart = 0; restart < 3; restart++) {
            service.run(RestartedContexts::isUsed);
        }
        awaitThreadsThatEnd();
        System.out.println("threads " + latchkeyThreads());
        System.out.println("known " + known[0] + " of " + HEAVY.size() + ", left behind " + leftBehind());
        System.exit(0);
    }

    /** What is reachable when nothing more is collected: some of it takes the collector two or three turns. */
    private static Map<String, Integer> leftBehind() throws Exception {
        Map<String, Integer> left = live();
        for (long end = System.nanoTime() + LIMIT.toNanos();
                !left.isEmpty() && System.nanoTime() < end;
                left = live()) {
            LockSupport.parkNanos(A_MOMENT.toNanos());
        }
        return left;
    }

    static WebApplicationContextRunner service() {
        return Services.web()
                .withUserConfiguration(Services.Accounts.class)
                .withPropertyValues("latchkey.jwt.secret=" + Services.KEY, "latchkey.login.enabled=true");
    }

    static void isUsed(AssertableWebApplicationContext context) throws Exception {
        // As a refusal that is held: something that is still to come when the service ends.
        context.getBean(GuardTime.class).after(Duration.ofHours(1), () -> {});
        assertThat(latchkeyThreads()).isNotEmpty();
        MockMvc mvc = Services.mvc(context);
        mvc.perform(get("/hello").with(httpBasic("alice", Services.PASSWORD))).andExpect(status().isOk());
        mvc.perform(post("/auth/token").contentType("application/json").content(Services.LOGIN))
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
