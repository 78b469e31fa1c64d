package dev.latchkey.benchmarks.load;

import io.hyperfoil.api.config.Benchmark;
import io.hyperfoil.api.config.BenchmarkBuilder;
import io.hyperfoil.api.config.PhaseBuilder;
import io.hyperfoil.api.config.SequenceBuilder;
import io.hyperfoil.api.config.SessionLimitPolicy;
import io.hyperfoil.api.session.Session;
import io.hyperfoil.core.impl.LocalSimulationRunner;
import io.hyperfoil.http.api.FollowRedirect;
import io.hyperfoil.http.api.HttpMethod;
import io.hyperfoil.http.config.HttpPluginBuilder;
import io.hyperfoil.http.config.Protocol;
import io.hyperfoil.http.steps.HttpRequestStepBuilder;
import io.hyperfoil.http.steps.HttpStepCatalog;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * One or more crowds against a port for some time, by Hyperfoil on a single thread, since the server has the same cores.
 *
 * <p>In the closed model a slow server slows the users down, as in the described situation. In the open model users arrive at a
 * fixed rate, so a stalled server hides no waiting times. HdrHistogram records the times.
 */
public final class Load {

    /**
     * The patience with a service that hashes at each login. On two cores, the last of 200 users waits for ten seconds. A login
     * without an answer counts for no rate, and the service hashes on for it.
     */
    public static final Duration HASH_PATIENCE = Duration.ofMinutes(2);

    /** Each costs the generator some 40 KB, from the first moment on. */
    private static final int MAX_OPEN_USERS = 20_000;

    private final int port;
    private final Connections connections;
    private final Duration duration;
    private final Duration patience;
    private final IdentityHashMap<Session, User> users = new IdentityHashMap<>();
    private final Map<String, Tally> tallies = new LinkedHashMap<>();

    private long begunAt;

    private Load(int port, Connections connections, Duration duration, Duration patience) {
        this.port = port;
        this.connections = connections;
        this.duration = duration;
        this.patience = patience;
    }

    /** The answers to each call, by the metric of the call. */
    public static Map<String, Tally> run(int port, Connections connections, Duration duration, Crowd... crowds) {
        return run(port, connections, duration, Duration.ofSeconds(10), crowds);
    }

    /** The same; slower answers are not waited for. */
    public static Map<String, Tally> run(
            int port, Connections connections, Duration duration, Duration patience, Crowd... crowds) {
        return new Load(port, connections, duration, patience).run(crowds);
    }

    private Map<String, Tally> run(Crowd... crowds) {
        BenchmarkBuilder benchmark =
                BenchmarkBuilder.builder().name("load").threads(1).failurePolicy(Benchmark.FailurePolicy.CONTINUE);
        HttpPluginBuilder http = benchmark.addPlugin(HttpPluginBuilder::new);
        http.ergonomics().autoRangeCheck(false).stopOnInvalid(false).followRedirect(FollowRedirect.NEVER);
        int connectionCount = 0;
        for (Crowd crowd : crowds) {
            connectionCount += crowd.open() ? openUsers(crowd) : crowd.size();
        }
        http.http()
                .name("service")
                .protocol(Protocol.HTTP)
                .host("localhost")
                .port(port)
                .allowHttp2(false)
                .sharedConnections(connectionCount)
                .connectionStrategy(connections.strategy());
        for (Crowd crowd : crowds) {
            add(crowd, benchmark);
        }
        new LocalSimulationRunner(
                        benchmark.build(),
                        (phase, step, metric, second, done) -> tally(metric).add(second),
                        (phase, fewest, most) -> {},
                        (authority, tag, fewest, most) -> {})
                .run();
        tallies.values().forEach(tally -> tally.lasted(duration.toNanos() / 1e9));
        return tallies;
    }

    private void add(Crowd crowd, BenchmarkBuilder benchmark) {
        PhaseBuilder<?> phase = crowd.open()
                ? benchmark
                        .addPhase(crowd.name())
                        .constantRate(crowd.size())
                        .variance(true)
                        .maxSessions(openUsers(crowd))
                        .sessionLimitPolicy(SessionLimitPolicy.CONTINUE)
                : benchmark.addPhase(crowd.name()).always(crowd.size());
        phase.duration(duration.toMillis()).maxDuration(duration.plus(patience).toMillis());
        SequenceBuilder sequence = phase.scenario().initialSequence(crowd.name() + "-calls");
        sequence.step(session -> {
            begin();
            crowd.begin().accept(user(session));
            return true;
        });
        crowd.calls().forEach(call -> add(call, sequence));
        if (!crowd.pause().isZero()) {
            sequence.step(HttpStepCatalog.SC).thinkTime(crowd.pause().toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** The arrivals during the longest wait for an answer, and a tenth more for chance. */
    private int openUsers(Crowd crowd) {
        double seconds = patience.toMillis() / 1e3;
        return (int) Math.min(MAX_OPEN_USERS, 100 + 1.1 * crowd.size() * seconds);
    }

    private void add(Call call, SequenceBuilder sequence) {
        Tally tally = tally(call.metric());
        HttpRequestStepBuilder request = sequence.step(HttpStepCatalog.SC)
                .httpRequest(call.method())
                .path(call.path())
                .timeout(patience.toMillis(), TimeUnit.MILLISECONDS)
                .metric(call.metric());
        request.headerAppender((session, writer) -> {
            User user = user(session);
            call.headers()
                    .forEach(header ->
                            writer.putHeader(header.name(), header.value().apply(user)));
            if (connections.closing()) {
                writer.putHeader("Connection", "close");
            }
        });
        if (call.method() == HttpMethod.POST) {
            request.body((session, connection) ->
                    Unpooled.copiedBuffer(call.body().apply(user(session)), StandardCharsets.UTF_8));
        }
        request.handler()
                .status((answer, status) -> tally.firstByte(status, System.nanoTime() - answer.startTimestampNanos()));
        if (call.readsToken()) {
            request.handler()
                    .body(any -> (session, data, offset, length, last) ->
                            user(session).receive(data.toString(offset, length, StandardCharsets.US_ASCII)));
        }
    }

    private User user(Session session) {
        return users.computeIfAbsent(session, any -> new User(users.size()));
    }

    /** The time begins with the first user: the generator's own start is not the server's time. */
    private void begin() {
        if (begunAt == 0) {
            begunAt = System.nanoTime();
        }
    }

    private double seconds() {
        return (System.nanoTime() - begunAt) / 1e9;
    }

    private Tally tally(String metric) {
        return tallies.computeIfAbsent(metric, any -> new Tally(this::seconds));
    }
}
