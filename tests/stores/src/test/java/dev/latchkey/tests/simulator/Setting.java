package dev.latchkey.tests.simulator;

import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/**
 * The draws of a seed before the history begins.
 *
 * @param isAboutRevocations whether nodes read all the time, and clients mostly end sessions and check tokens; otherwise
 * clients mostly refresh
 * @param isDatabase whether the server shows writes late and loses nothing while running; otherwise a Redis
 * @param waits whether changes of sessions wait for the replica
 * @param most sessions of an account; zero means no bound
 * @param skew the greatest difference of two nodes' clocks
 * @param storms faults of the server or of a node, of a thousand steps
 * @param replication complete replications, of a hundred steps
 */
record Setting(
        int nodes,
        int clients,
        boolean hasOtherService,
        boolean isAboutRevocations,
        boolean isDatabase,
        boolean waits,
        int most,
        boolean refusesWhenFull,
        Duration window,
        Duration skew,
        int delays,
        int lostAnswers,
        int storms,
        int replication) {

    private static final int[] LAGS = {0, 2, 15, 30};
    static final Duration CALL = Duration.ofMillis(1500);
    private static final Map<String, LatchkeyProperties> BOUND = new ConcurrentHashMap<>();

    static Setting drawn(SplittableRandom random) {
        boolean isAboutRevocations = random.nextInt(3) == 0;
        boolean isDatabase = random.nextInt(4) == 0;
        return new Setting(
                2 + random.nextInt(2),
                2 + random.nextInt(3),
                !isAboutRevocations && random.nextInt(6) == 0,
                isAboutRevocations,
                isDatabase,
                !isDatabase && random.nextInt(2) == 0,
                random.nextInt(3),
                random.nextBoolean(),
                Duration.ofSeconds(random.nextInt(3) == 0 ? 5 : 1),
                Duration.ofMillis(random.nextInt(3) * 1000L),
                random.nextInt(2) * random.nextInt(8),
                random.nextInt(2) * random.nextInt(8),
                random.nextInt(3) * random.nextInt(20),
                LAGS[random.nextInt(LAGS.length)]);
    }

    LatchkeyProperties properties(Fault fault) {
        Duration raceWindow = fault == Fault.WINDOW_WITHOUT_END ? Duration.ofMinutes(1) : window;
        return BOUND.computeIfAbsent(raceWindow + " " + most + refusesWhenFull, key -> bound(raceWindow));
    }

    private LatchkeyProperties bound(Duration raceWindow) {
        Map<String, String> map = new HashMap<>();
        map.put("latchkey.login.enabled", "true");
        map.put("latchkey.login.refresh.enabled", "true");
        map.put("latchkey.login.refresh.race-window", raceWindow.toMillis() + "ms");
        if (most > 0) {
            map.put("latchkey.login.max-per-account", Integer.toString(most));
            map.put("latchkey.login.when-full", refusesWhenFull ? "refuse" : "end-oldest");
        }
        return new Binder(new MapConfigurationPropertySource(map)).bindOrCreate("latchkey", LatchkeyProperties.class);
    }
}
