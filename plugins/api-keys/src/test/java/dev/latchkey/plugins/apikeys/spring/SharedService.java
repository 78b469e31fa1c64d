package dev.latchkey.plugins.apikeys.spring;

import dev.latchkey.plugins.apikeys.SetClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.springframework.context.ApplicationContext;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * A service that all tests of a JVM share, one after the other, because a start takes longer than most of what they ask.
 *
 * <p>Each of them finds the table empty, and time has passed for so long that each limit is full again, no place is known and nothing
 * that was issued or revoked is valid or remembered. The clock never goes back: a login would be older than an earlier test's
 * revocation. The service ends with the JVM.
 */
final class SharedService {

    static final SetClock CLOCK = new SetClock();

    /** Longer than a place that has logged in is remembered, which is the longest of all: 30 days. */
    private static final Duration LONG_ENOUGH = Duration.ofDays(33);

    private static final Map<List<Object>, SharedService> STARTED = new ConcurrentHashMap<>();

    private final ApplicationContext context;
    private final KeyClient client;

    private SharedService(ApplicationContext context, KeyClient client) {
        this.context = context;
        this.client = client;
    }

    /** The service of this stack with these properties, as it was when it started. */
    static SharedService of(Stack stack, String... properties) {
        List<Object> asked = List.of(stack, List.of(properties));
        SharedService service = STARTED.computeIfAbsent(asked, none -> start(stack, properties));
        service.begin();
        return service;
    }

    /** On a thread that ends with the JVM: what starts a service for a test ends it when the test has returned. */
    private static SharedService start(Stack stack, String... properties) {
        CompletableFuture<ApplicationContext> started = new CompletableFuture<>();
        Thread thread = new Thread(() -> stack.whileItRuns(
                context -> {
                    started.complete(context);
                    new CompletableFuture<>().join();
                },
                properties));
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((failed, failure) -> started.completeExceptionally(failure));
        thread.start();
        ApplicationContext context = started.join();
        return new SharedService(context, stack.client(context));
    }

    private void begin() {
        CLOCK.move(LONG_ENOUGH);
        context.getBean(SkippingTime.class).skip(LONG_ENOUGH);
        context.getBean(JdbcClient.class).sql("drop all objects").update();
        new ResourceDatabasePopulator(new ClassPathResource(Services.SCHEMA))
                .execute(context.getBean(DataSource.class));
    }

    ApplicationContext context() {
        return context;
    }

    KeyClient client() {
        return client;
    }
}
