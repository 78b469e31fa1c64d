package dev.latchkey.auth.client;

import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/**
 * A token for requests.
 *
 * @param refreshAt the time to fetch the next token; until the end, requests still use the old token
 * @param endsAt the time after which requests no longer use the token
 */
record KeptToken(Authorization authorization, Instant refreshAt, Instant endsAt) {

    /** A request takes time on the way, and clocks differ. */
    private static final Duration MOST_MARGIN = Duration.ofSeconds(10);

    private static final int MARGIN_SHARE = 10;

    private static final double EARLIEST = 0.70;
    private static final double LATEST = 0.85;

    /**
     * The lifetime starts at the time of the login request, which is before the issue. The next token is fetched after
     * 70 to 85 percent of the lifetime, at a random time. Therefore callers with the same start do not refresh
     * together.
     */
    static KeptToken of(TokenAnswer answer, Instant asked, RandomGenerator random) {
        Duration lifetime = answer.lifetime();
        if (lifetime == null) {
            return new KeptToken(answer.authorization(), Instant.MAX, Instant.MAX);
        }
        Duration tenth = lifetime.dividedBy(MARGIN_SHARE);
        Duration margin = tenth.compareTo(MOST_MARGIN) > 0 ? MOST_MARGIN : tenth;
        double share = EARLIEST + (LATEST - EARLIEST) * random.nextDouble();
        return new KeptToken(
                answer.authorization(),
                asked.plusMillis((long) (lifetime.toMillis() * share)),
                asked.plus(lifetime).minus(margin));
    }

    boolean isGoodAt(Instant now) {
        return now.isBefore(endsAt);
    }

    boolean isToBeRefreshedAt(Instant now) {
        return !now.isBefore(refreshAt);
    }
}
