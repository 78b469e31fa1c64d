package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.engine.HeaderFields;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.LoginLimit;
import dev.latchkey.auth.guard.ManualTime;
import dev.latchkey.auth.guard.internal.Durations;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.guard.source.TrustedProxies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Forty-eight hours of guesses at one account, on a clock moved by a test.
 *
 * <p>The attacker makes the best use of the given sources and rate, and knows the source of the next admission. Rejected
 * guesses are left out, because a rejection changes nothing: so two days take a moment. The owner logs in from a known client
 * every ten minutes, and from unknown clients at random times. After a rejection, the owner waits for {@code Retry-After} in
 * whole seconds, and up to two seconds more.
 */
final class Siege {

    static final Duration LENGTH = Duration.ofDays(2);

    private static final String HASH = "{bcrypt}$2a$10$.a.salt.and.a.hash.of.ann";
    private static final Duration VISITS = Duration.ofMinutes(10);
    private static final int UNKNOWN_CLIENTS = 192;
    /** The owner gives up after this time. */
    static final Duration PATIENCE = Duration.ofHours(2);

    private static final long NEVER = Long.MAX_VALUE;

    /** The addresses of the attacker. */
    enum Attack {
        ONE_SOURCE("one source", 1, true),
        ONE_48("one IPv6 /48", 65_536, true),
        THOUSAND_SOURCES("1,000 sources", 1_000, false),
        TEN_THOUSAND_SOURCES("10,000 sources", 10_000, false),
        PROXY_WITH_HEADER("behind the same unconfigured proxy, which sends a header", 1, true),
        PROXY_WITHOUT_HEADER("the same without a header, with another agent", 1, true);

        private final String inWords;
        private final int sources;
        private final boolean together;

        /** @param together whether all sources share one limit: then all of them wait */
        Attack(String inWords, int sources, boolean together) {
            this.inWords = inWords;
            this.sources = sources;
            this.together = together;
        }

        String inWords() {
            return inWords;
        }

        private ClientSource source(int number) {
            return switch (this) {
                case ONE_SOURCE -> address("198.51.100.1");
                case ONE_48 -> address("2001:db8:1:" + Integer.toHexString(number) + "::1");
                case THOUSAND_SOURCES, TEN_THOUSAND_SOURCES -> address("198.18." + number / 250 + "." + number % 250);
                case PROXY_WITH_HEADER -> behindProxy("198.51.100.1", "curl");
                case PROXY_WITHOUT_HEADER -> behindProxy(null, "curl");
            };
        }

        /** ClientKeys the owner has never been. */
        private ClientSource unknownClient(int number) {
            String address = "203.0." + number / 100 + "." + number % 100;
            return switch (this) {
                case PROXY_WITH_HEADER -> behindProxy(address, "curl");
                case PROXY_WITHOUT_HEADER -> behindProxy(null, "Browser " + "x".repeat(number));
                default -> address(address);
            };
        }

        /** ClientKeys the owner has logged in before. */
        private ClientSource home() {
            return switch (this) {
                case PROXY_WITH_HEADER -> behindProxy("192.0.2.1", "curl");
                case PROXY_WITHOUT_HEADER -> behindProxy(null, "Browser of Ann");
                default -> address("192.0.2.1");
            };
        }
    }

    /**
     * The result of a siege.
     *
     * @param guesses the admitted guesses of the attacker
     * @param visits the owner's logins at a known client that were admitted at once, of {@link #VISITS_IN_ALL}
     * @param waits the waits at unknown clients, in order
     */
    record Outcome(int guesses, int visits, List<Duration> waits) {

        /** Of a hundred strangers, so many wait no longer. */
        Duration wait(int percent) {
            return waits.get(Math.min(waits.size() - 1, waits.size() * percent / 100));
        }

        Duration longestWait() {
            return waits.get(waits.size() - 1);
        }
    }

    static final int VISITS_IN_ALL = (int) LENGTH.dividedBy(VISITS);

    private static ClientSource address(String text) {
        return ClientSource.of(text).orElseThrow();
    }

    private static ClientSource behindProxy(@Nullable String client, String agent) {
        HeaderFields headers = name -> switch (name) {
            case "X-Forwarded-For" -> client == null ? List.of() : List.of(client);
            case "User-Agent" -> List.of(agent);
            default -> List.of();
        };
        return PROXY.sourceOf("172.17.0.1", headers);
    }

    private static final TrustedProxies PROXY = TrustedProxies.undecided();

    private final ManualTime time = new ManualTime();
    private final LoginLimits limits;
    private final Attack attack;
    private final long interval;
    private final long begunAt;
    private final Random random = new Random(48);

    /** The times at which a failed source and a fresh source are admitted next. */
    private final long[] readyAt = new long[2];

    private int used;
    private int rotation;

    private Siege(LoginLimitSettings settings, Attack attack, double guessesPerSecond) {
        this.limits = LoginLimits.local(settings, time, GuardListener.NONE);
        this.attack = attack;
        this.interval = (long) (Duration.ofSeconds(1).toNanos() / guessesPerSecond);
        this.begunAt = time.nanoTime();
    }

    static Outcome of(LoginLimitSettings settings, Attack attack, double guessesPerSecond) {
        return new Siege(settings, attack, guessesPerSecond).run();
    }

    private Outcome run() {
        attempt(attack.home(), AttemptResult.SUCCEEDED);
        long[] unknownClientsAt =
                random.longs(UNKNOWN_CLIENTS, 0, LENGTH.toNanos()).sorted().toArray();
        List<Duration> waits = new ArrayList<>();
        int guesses = 0;
        int visits = 0;
        long attackerAt = 0;
        long visitAt = 0;
        // Simultaneous unknown clients: each has a return time.
        long[] cameAt = unknownClientsAt.clone();
        while (true) {
            int unknownClient = earliest(unknownClientsAt);
            long unknownClientAt = unknownClientsAt[unknownClient];
            long next = Math.min(attackerAt, Math.min(visitAt, unknownClientAt));
            if (next == NEVER || (next >= LENGTH.toNanos() && unknownClientAt == NEVER)) {
                break;
            }
            moveTo(next);
            if (next == unknownClientAt) {
                unknownClientsAt[unknownClient] = unknownClient(unknownClient, next, cameAt[unknownClient], waits);
            } else if (next == visitAt) {
                visits += next < LENGTH.toNanos() && attempt(attack.home(), AttemptResult.SUCCEEDED) == null ? 1 : 0;
                visitAt = next + VISITS.toNanos() < LENGTH.toNanos() ? next + VISITS.toNanos() : NEVER;
            } else {
                guesses += guess(next) && next < LENGTH.toNanos() ? 1 : 0;
                attackerAt = nextRequest(next);
            }
        }
        waits.sort(null);
        return new Outcome(guesses, visits, waits);
    }

    private static int earliest(long[] times) {
        int first = 0;
        for (int i = 1; i < times.length; i++) {
            first = times[i] < times[first] ? i : first;
        }
        return first;
    }

    private void moveTo(long at) {
        time.jump(Duration.ofNanos(begunAt + at - time.nanoTime()));
    }

    /**
     * The time of this unknown client's next login. An admitted login leaves no trace, so the next client is unknown
     * too.
     */
    private long unknownClient(int number, long now, long cameAt, List<Duration> waits) {
        Admission.Refused refused = attempt(attack.unknownClient(number), AttemptResult.NOT_ATTEMPTED);
        Duration waited = Duration.ofNanos(now - cameAt);
        boolean givesUp = waited.compareTo(PATIENCE) >= 0;
        if (refused == null || givesUp) {
            waits.add(givesUp ? PATIENCE : waited);
            return NEVER;
        }
        long seconds = Math.max(1, Durations.secondsRoundedUp(refused.retryAfter()));
        return now
                + Duration.ofSeconds(seconds).toNanos()
                + random.nextLong(Duration.ofSeconds(2).toNanos());
    }

    /** One request of the attacker. Sources with failures are tried before fresh sources. */
    private boolean guess(long now) {
        boolean fresh = used < attack.sources && readyAt[1] <= now && (used == 0 || readyAt[1] <= readyAt[0]);
        int source = fresh ? used : rotation++ % Math.max(1, used);
        Admission.Refused refused = attempt(attack.source(source), AttemptResult.FAILED);
        if (refused == null) {
            used += fresh ? 1 : 0;
            return true;
        }
        if (attack.together || refused.limit() == LoginLimit.ACCOUNT) {
            readyAt[fresh ? 1 : 0] = now + refused.retryAfter().toNanos();
        }
        if (attack.together) {
            Arrays.fill(readyAt, now + refused.retryAfter().toNanos());
        }
        return false;
    }

    /** The attacker's next request without a certain refusal. */
    private long nextRequest(long now) {
        boolean freshLeft = used < attack.sources;
        long ready = Math.min(readyAt[0], freshLeft ? readyAt[1] : NEVER);
        long requests = Math.max(1, (ready - now + interval - 1) / interval);
        return now + requests * interval >= 2 * LENGTH.toNanos() ? NEVER : now + requests * interval;
    }

    private Admission.@Nullable Refused attempt(ClientSource source, AttemptResult result) {
        Reservation known = limits.reserveKnown("ann", source);
        Admission admission = known == null
                ? limits.reserve(new LoginAttempt("ann", source), null).join()
                : new Admission.Admitted(known);
        if (admission instanceof Admission.Refused refused) {
            return refused;
        }
        Reservation reservation = admission.orThrow();
        Admission found = reservation.found(HASH).join();
        reservation.settle(found instanceof Admission.Refused ? AttemptResult.NOT_ATTEMPTED : result, null);
        return found instanceof Admission.Refused refused ? refused : null;
    }
}
