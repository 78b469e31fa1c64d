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
 * What a seed draws before its history begins.
 *
 * @param isAboutRevocations whether nodes read all the time and clients mostly end logins and check tokens; else clients mostly refresh
 * @param isDatabase whether the server shows what was written late and loses nothing while it goes on; else it is a Redis
 * @param waits whether changes of logins wait for the replica
 * @param most logins of an account; zero is without a bound
 * @param skew how far two nodes' clocks are apart at most
 * @param storms of a thousand steps, that bring a fault of the server or of a node
 * @param replication of a hundred steps, after which the replica has everything
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
