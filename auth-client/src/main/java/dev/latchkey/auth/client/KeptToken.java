package dev.latchkey.auth.client;

import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/**
 * A token that requests show.
 *
 * @param refreshAt from when on another one is fetched, while this one still serves
 * @param endsAt from when on it is not shown any more
 */
record KeptToken(Authorization authorization, Instant refreshAt, Instant endsAt) {

    /** A request is on its way for a while, and clocks differ. */
    private static final Duration MOST_MARGIN = Duration.ofSeconds(10);

    private static final int MARGIN_SHARE = 10;

    private static final double EARLIEST = 0.70;
    private static final double LATEST = 0.85;

    /**
     * By the time at which it was asked for, since it was issued after that. Fetched anew after 70 to 85 hundredths of its life, by chance, so that callers
     * which started together do not come together.
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
