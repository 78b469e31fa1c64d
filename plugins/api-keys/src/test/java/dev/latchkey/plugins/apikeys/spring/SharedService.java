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
 * A service for all tests of a JVM, one after the other, because a start takes longer than most tests.
 *
 * <p>Each test finds an empty table. So much time has passed that each limit is full, no client is known, and nothing issued or
 * revoked is valid or remembered. The clock never goes back: a login would be older than an earlier test's revocation. The
 * service ends with the JVM.
 */
final class SharedService {

    static final SetClock CLOCK = new SetClock();

    /** Longer than the memory of a known client: 30 days, the longest of all memories. */
    private static final Duration LONG_ENOUGH = Duration.ofDays(33);

    private static final Map<List<Object>, SharedService> STARTED = new ConcurrentHashMap<>();

    private final ApplicationContext context;
    private final KeyClient client;

    private SharedService(ApplicationContext context, KeyClient client) {
        this.context = context;
        this.client = client;
    }

    /** The service of this stack with these properties, in its initial state. */
    static SharedService of(Stack stack, String... properties) {
        List<Object> asked = List.of(stack, List.of(properties));
        SharedService service = STARTED.computeIfAbsent(asked, none -> start(stack, properties));
        service.begin();
        return service;
    }

    /** On a thread that ends with the JVM: a test's own thread would end the service with the test. */
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
